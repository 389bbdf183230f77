// Tests Green's functions between different vectors.
#define BOOST_TEST_MODULE kpm_green
#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "crystals.hpp"
#include "kpm/green.hpp"

using namespace legato;
using namespace legato::kpm;
using namespace legato::kpm::tests;

namespace {

constexpr int moments = 60;

GreenSide at_sites(std::vector<std::int64_t> sites) {
    return {std::ssize(sites), std::move(sites)};
}

Problem small_problem(int realisations = 1) {
    Problem problem;
    problem.moments = moments;
    problem.realisations = realisations;
    return problem;
}

std::unique_ptr<Green> finished(Context& context, const Problem& problem, const Hamiltonian& hamiltonian,
                                const GreenSide& left, const GreenSide& right, const StartVectorSource& source = {}) {
    auto green = std::make_unique<Green>(context, problem, prepared(hamiltonian), left, right, source);
    green->run({});
    return green;
}

using Vector = std::vector<Complex>;

// Returns T_n(H~) r, n = 0 .. N - 1, with a dense matrix.
std::vector<Vector> dense_recursion(const Hermitian& h, const Rescaling& rescaling, const Vector& r) {
    const auto multiplied = [&](const Vector& x) {
        Vector y(h.n);
        for (std::size_t row = 0; row < h.n; ++row) {
            for (std::size_t column = 0; column < h.n; ++column) y[row] += h(row, column) * x[column];
            y[row] = (y[row] - rescaling.centre * x[row]) / rescaling.half_width;
        }
        return y;
    };
    std::vector<Vector> all{r, multiplied(r)};
    while (std::ssize(all) < moments) {
        Vector next = multiplied(all.back());
        for (std::size_t i = 0; i < h.n; ++i) next[i] = 2.0 * next[i] - all[all.size() - 2][i];
        all.push_back(std::move(next));
    }
    return all;
}

Complex product(const Vector& l, const Vector& r) {
    Complex sum = 0;
    for (std::size_t i = 0; i < l.size(); ++i) sum += std::conj(l[i]) * r[i];
    return sum;
}

Vector site_vector(std::size_t sites, std::int64_t site) {
    Vector v(sites);
    v[static_cast<std::size_t>(site)] = 1;
    return v;
}

// Returns the Green's function from its definition: the sum over all terms.
Complex sum_of_series(const std::vector<Complex>& mu, const Rescaling& rescaling, Kernel kernel, double energy) {
    const std::vector<double> g = kernel_factors(kernel, moments, 4);
    const double e = (energy - rescaling.centre) / rescaling.half_width, theta = std::acos(e);
    Complex sum = g[0] * mu[0];
    for (std::size_t n = 1; n < mu.size(); ++n)
        sum += 2 * g[n] * mu[n] * std::exp(-i * (static_cast<double>(n) * theta));
    return -i * sum / (rescaling.half_width * std::sin(theta));
}

std::vector<Complex> values_of(const Green& green, Kernel kernel, const std::vector<double>& energies,
                               std::int64_t left, std::int64_t right, std::vector<Complex>* errors = nullptr) {
    std::vector<double> value(2 * energies.size()), error(errors ? value.size() : 0);
    green.functions({left, 1, right, 1}, kernel, 4, energies, value, error);
    std::vector<Complex> all;
    for (std::size_t e = 0; e < energies.size(); ++e) all.emplace_back(value[2 * e], value[2 * e + 1]);
    for (std::size_t e = 0; errors && e < energies.size(); ++e) errors->emplace_back(error[2 * e], error[2 * e + 1]);
    return all;
}

// Returns energies within the interval.
std::vector<double> some_energies(const Rescaling& rescaling) {
    std::vector<double> energies;
    for (const double e : {-0.97, -0.5, -0.123, 0.0, 0.3, 0.88})
        energies.push_back(rescaling.centre + e * rescaling.half_width);
    return energies;
}

std::vector<double> random_numbers(std::size_t count, unsigned seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    std::vector<double> all(count);
    for (double& number : all) number = normal(random);
    return all;
}

std::vector<double> all_moments(const Green& green) {
    std::vector<double> all;
    for (std::int64_t s = 0; s < green.samples_done(); ++s)
        for (std::int64_t l = 0; l < green.left().count; ++l)
            all.insert(all.end(), green.moments(s, l).begin(), green.moments(s, l).end());
    return all;
}

std::vector<CellLattice> lattices() {
    CellLattice real = graphene(5, 4), complex = haldane(4, 3, 0.2, 0.7, 0.3);
    complex.twist = {0.4, -1.3, 0};
    CellLattice disordered = real, complex_and_disordered = complex;
    disordered.on_site = OnSite::box;
    complex_and_disordered.on_site = OnSite::binary;
    disordered.disorder = complex_and_disordered.disorder = 2;
    return {real, complex, disordered, complex_and_disordered};
}

}  // namespace

BOOST_AUTO_TEST_CASE(sites_against_dense_resolvents) {
    const std::vector<std::int64_t> left{0, 7, 3, 7}, right{3, 0, 11};
    for (const CellLattice& lattice : lattices())
        for (const Format format : {Format::auto_, Format::crs}) {
            Context context = make_context(2);
            Problem problem = small_problem(2);
            problem.format = format;
            const auto green = finished(context, problem, lattice, at_sites(left), at_sites(right));
            const std::vector<double> energies = some_energies(green->rescaling());
            for (std::size_t r = 0; r < right.size(); ++r)
                for (std::size_t l = 0; l < left.size(); ++l) {
                    std::vector<std::vector<Complex>> mu(2);
                    for (std::int64_t s = 0; s < 2; ++s) {
                        const Hermitian h = dense_complex(matrix_of(lattice, 1, s, 1));
                        for (const Vector& v : dense_recursion(h, green->rescaling(), site_vector(h.n, right[r])))
                            mu[static_cast<std::size_t>(s)].push_back(product(site_vector(h.n, left[l]), v));
                        const auto found =
                            green->moments(s * 3 + static_cast<std::int64_t>(r), static_cast<std::int64_t>(l));
                        const std::size_t numbers = is_complex(lattice) ? 2 : 1;
                        for (std::size_t n = 0; n < moments; ++n) {
                            BOOST_TEST(std::abs(found[n * numbers] - mu[static_cast<std::size_t>(s)][n].real()) <
                                       1e-12);
                            const double imaginary = numbers == 2 ? found[2 * n + 1] : 0;
                            BOOST_TEST(std::abs(imaginary - mu[static_cast<std::size_t>(s)][n].imag()) < 1e-12);
                        }
                    }
                    for (const Kernel kernel : {Kernel::lorentz, Kernel::jackson}) {
                        std::vector<Complex> errors;
                        const std::vector<Complex> found =
                            values_of(*green, kernel, energies, static_cast<std::int64_t>(l),
                                      static_cast<std::int64_t>(r), &errors);
                        for (std::size_t e = 0; e < energies.size(); ++e) {
                            const Complex a = sum_of_series(mu[0], green->rescaling(), kernel, energies[e]),
                                          b = sum_of_series(mu[1], green->rescaling(), kernel, energies[e]);
                            BOOST_TEST(std::abs(found[e] - (a + b) / 2.0) < 1e-10);
                            // The standard error of the mean of two is half their distance.
                            BOOST_TEST(std::abs(errors[e].real() - std::abs((a - b).real()) / 2) < 1e-10);
                            BOOST_TEST(std::abs(errors[e].imag() - std::abs((a - b).imag()) / 2) < 1e-10);
                        }
                    }
                }
        }
}

BOOST_AUTO_TEST_CASE(vectors_of_the_caller_against_dense_matrices) {
    for (const CellLattice& lattice : lattices())
        for (const bool sites_on_the_left : {false, true}) {
            Context context = make_context(3);
            const std::size_t numbers = is_complex(lattice) ? 2 : 1, sites = static_cast<std::size_t>(lattice.sites());
            const auto vector_of = [&](std::int64_t number) {
                return random_numbers(numbers * sites, static_cast<unsigned>(number));
            };
            const auto complex_of = [&](std::int64_t number) {
                const std::vector<double> v = vector_of(number);
                Vector result;
                for (std::size_t s = 0; s < sites; ++s)
                    result.emplace_back(v[s * numbers], numbers == 2 ? v[2 * s + 1] : 0.0);
                return result;
            };
            const GreenSide left = sites_on_the_left ? at_sites({4, 9}) : GreenSide{3, {}}, right{2, {}};
            const auto green = finished(context, small_problem(2), lattice, left, right,
                                        [&](std::int64_t number, std::span<double> vector) {
                                            const std::vector<double> v = vector_of(number);
                                            std::copy(v.begin(), v.end(), vector.begin());
                                        });
            double worst = 0;
            for (std::int64_t s = 0; s < 4; ++s) {
                const Hermitian h = dense_complex(matrix_of(lattice, 1, s / 2, 1));
                const auto right_vectors = dense_recursion(h, green->rescaling(), complex_of(s % 2));
                for (std::int64_t l = 0; l < left.count; ++l) {
                    const Vector on_left = sites_on_the_left ? site_vector(h.n, left.sites[static_cast<std::size_t>(l)])
                                                             : complex_of(2 + l);
                    const auto found = green->moments(s, l);
                    for (std::size_t n = 0; n < moments; ++n) {
                        const Complex expected = product(on_left, right_vectors[n]);
                        const Complex here(found[n * numbers], numbers == 2 ? found[2 * n + 1] : 0.0);
                        worst = std::fmax(worst, std::abs(here - expected));
                    }
                }
            }
            BOOST_TEST(worst < 1e-10);
        }
}

// G_jk(E) = -i exp(i k |j - k|) / (2 t sin k) with E = -2 t cos k on an infinite chain.
BOOST_AUTO_TEST_CASE(a_clean_chain_has_the_closed_form) {
    Lattice chain;
    chain.extents = {5000, 1, 1};
    chain.boundary = {Boundary::periodic, Boundary::periodic, Boundary::periodic};
    chain.hopping = 0.5;
    Problem problem;
    problem.moments = 4000;
    Context context = make_context(2);
    const auto green = finished(context, problem, chain, at_sites({100, 101, 103, 95}), at_sites({100}));
    const std::vector<std::int64_t> distances{0, 1, 3, 5};
    const std::vector<double> energies{-0.8, -0.3, 0.1, 0.6};
    for (std::size_t l = 0; l < 4; ++l) {
        const std::vector<Complex> found =
            values_of(*green, Kernel::lorentz, energies, static_cast<std::int64_t>(l), 0);
        for (std::size_t e = 0; e < energies.size(); ++e) {
            const double k = std::acos(-energies[e]);
            const Complex expected = -i * std::exp(i * (k * static_cast<double>(distances[l]))) / std::sin(k);
            BOOST_TEST(std::abs(found[e] - expected) < 0.015);
        }
    }
}

BOOST_AUTO_TEST_CASE(symmetry) {
    Context context = make_context();
    const std::vector<std::int64_t> sites{1, 5, 20};
    for (const CellLattice& lattice : lattices()) {
        const auto green = finished(context, small_problem(), lattice, at_sites(sites), at_sites(sites));
        const std::vector<double> energies = some_energies(green->rescaling());
        for (std::int64_t a = 0; a < 3; ++a)
            for (std::int64_t b = 0; b < 3; ++b) {
                const auto ab = green->moments(a, b), ba = green->moments(b, a);
                const std::size_t numbers = is_complex(lattice) ? 2 : 1;
                for (std::size_t n = 0; n < ab.size(); ++n) {
                    const double sign = numbers == 2 && n % 2 == 1 ? -1 : 1;  // mu_ab is the conjugate of mu_ba
                    BOOST_TEST(std::abs(ab[n] - sign * ba[n]) < 1e-13);
                }
                if (numbers == 2) continue;
                const auto there = values_of(*green, Kernel::lorentz, energies, a, b),
                           back = values_of(*green, Kernel::lorentz, energies, b, a);
                for (std::size_t e = 0; e < energies.size(); ++e) BOOST_TEST(std::abs(there[e] - back[e]) < 1e-12);
            }
    }
}

// Diagonal elements are the local moments of Solver.
BOOST_AUTO_TEST_CASE(the_diagonal_has_the_local_moments) {
    Context context = make_context();
    const CellLattice lattice = lattices()[2];
    const auto green = finished(context, small_problem(3), lattice, at_sites({8}), at_sites({8}));
    Problem local = small_problem(3);
    local.start_vectors = StartVectors::sites;
    local.sites = {8};
    const auto solver = tests::finished(context, local, lattice);
    for (std::int64_t s = 0; s < 3; ++s) {
        const auto found = green->moments(s, 0), expected = solver->sample(s);
        for (std::size_t n = 0; n < moments; ++n) BOOST_TEST(std::abs(found[n] - expected[n]) < 1e-13);
    }
}

BOOST_AUTO_TEST_CASE(the_same_bits_for_any_threads_and_interruption) {
    const std::string path = (std::filesystem::temp_directory_path() / "legato_green_test.h5").string();
    for (const CellLattice& lattice : lattices())
        for (const bool given : {false, true}) {
            const StartVectorSource source = given ? [](std::int64_t number, std::span<double> vector) {
                const std::vector<double> v = random_numbers(vector.size(), static_cast<unsigned>(number));
                std::copy(v.begin(), v.end(), vector.begin());
            } : StartVectorSource{};
            const GreenSide left = given ? GreenSide{2, {}} : at_sites({0, 5}), right = at_sites({5, 6, 7});
            Context one = make_context(1), several = make_context(4);
            const auto expected = all_moments(*finished(one, small_problem(3), lattice, left, right, source));
            BOOST_TEST((all_moments(*finished(several, small_problem(3), lattice, left, right, source)) == expected));
            auto green = std::make_unique<Green>(several, small_problem(3), prepared(lattice), left, right, source);
            while (!green->complete()) {
                green->advance();
                green->save(path);
                green = Green::resume(several, path, prepared(lattice), source);
            }
            BOOST_TEST((all_moments(*green) == expected));
            BOOST_TEST(green->left().sites == left.sites);
            BOOST_TEST(green->right().count == 3);
        }
    std::filesystem::remove(path);
}

BOOST_AUTO_TEST_CASE(tables_have_the_values_of_pairs) {
    const CellLattice lattice = lattices()[3];
    for (const int threads : {1, 3}) {
        Context context = make_context(threads);
        const auto green = finished(context, small_problem(3), lattice, at_sites({0, 1, 2, 3}), at_sites({5, 6, 7}));
        const std::vector<double> energies = some_energies(green->rescaling());
        std::vector<double> value(2 * energies.size() * 6), error(value.size());
        green->functions({1, 3, 1, 2}, Kernel::lorentz, 4, energies, value, error);
        for (std::int64_t r = 0; r < 2; ++r)
            for (std::int64_t l = 0; l < 3; ++l) {
                std::vector<Complex> errors;
                const auto one = values_of(*green, Kernel::lorentz, energies, 1 + l, 1 + r, &errors);
                for (std::size_t e = 0; e < energies.size(); ++e) {
                    const std::size_t at = 2 * (static_cast<std::size_t>(3 * r + l) * energies.size() + e);
                    BOOST_TEST(Complex(value[at], value[at + 1]) == one[e]);
                    BOOST_TEST(Complex(error[at], error[at + 1]) == errors[e]);
                }
            }
        std::vector<double> mean(2 * 5 * 6);
        green->mean_moments({1, 3, 1, 2}, 5, mean, {});
        double expected = 0;
        for (std::int64_t s = 0; s < 3; ++s) expected += green->moments(3 * s + 2, 3)[2 * 4 + 1] / 3;
        BOOST_TEST(std::abs(mean.back() - expected) < 1e-15);
    }
}

BOOST_AUTO_TEST_CASE(errors_of_one_realisation) {
    Context context = make_context();
    const auto error_of = [&](const CellLattice& lattice) {
        std::vector<Complex> errors;
        values_of(*finished(context, small_problem(), lattice, at_sites({1}), at_sites({2})), Kernel::jackson, {0.1}, 0,
                  0, &errors);
        return errors[0].real();
    };
    BOOST_TEST(error_of(lattices()[0]) == 0);
    BOOST_TEST(std::isnan(error_of(lattices()[2])));
}

BOOST_AUTO_TEST_CASE(progress_and_cancelling) {
    Context context = make_context();
    const CellLattice lattice = lattices()[2];
    Green green(context, small_problem(2), prepared(lattice), at_sites({1}), at_sites({2, 3}));
    std::int64_t last = 0;
    const auto [status, message] = failure_of([&] {
        green.run([&](const Progress& progress) {
            BOOST_TEST(progress.points_total == 4);
            last = progress.points_done;
            return progress.points_done < 3;
        });
    });
    BOOST_TEST((status == Status::cancelled), message);
    BOOST_TEST(last == 3);
    BOOST_TEST(green.samples_done() == 3);
    green.run({});
    BOOST_TEST(all_moments(green) ==
               all_moments(*finished(context, small_problem(2), lattice, at_sites({1}), at_sites({2, 3}))));
}

BOOST_AUTO_TEST_CASE(states_outside_the_bounds) {
    Context context = make_context();
    Problem problem = small_problem();
    problem.bounds = Bounds::interval;
    problem.lowest = -1;
    problem.highest = 1;
    Green green(context, problem, prepared(graphene(8, 8)), at_sites({1}), at_sites({2, 3}));
    const auto [status, message] = failure_of([&] { green.run({}); });
    BOOST_TEST((status == Status::numerical_error));
    BOOST_TEST(message.find("sample 0") != std::string::npos, message);
    BOOST_TEST(green.samples_done() == 0);
}

BOOST_AUTO_TEST_CASE(refusals) {
    Context context = make_context();
    const CellLattice lattice = graphene(4, 4);
    const auto refusal = [&](const Problem& problem, const GreenSide& left, const GreenSide& right,
                             const StartVectorSource& source = {}) {
        return failure_of([&] {
                   Green green(context, problem, prepared(lattice), left, right, source);
                   green.run({});
               })
            .second;
    };
    const auto starts = [](const std::string& text, const std::string& with) {
        BOOST_TEST(text.substr(0, with.size()) == with, text);
    };
    const Problem good = small_problem();
    starts(refusal(good, at_sites({32}), at_sites({0})), "kpm.green.left[0]: 32 ");
    starts(refusal(good, at_sites({1}), at_sites({0, -1})), "kpm.green.right[1]: -1 ");
    starts(refusal(good, {0, {}}, at_sites({0})), "kpm.green.n_left: 0 ");
    starts(refusal(good, at_sites({0}), {0, {}}), "kpm.green.n_right: 0 ");
    starts(refusal(good, {1, {}}, at_sites({0})), "kpm.callback: a null pointer");
    const StartVectorSource bad = [](std::int64_t, std::span<double> v) {
        std::fill(v.begin(), v.end(), 0.0);
        v[3] = NAN;
    };
    starts(refusal(good, at_sites({0}), at_sites({0}), bad), "kpm.callback: a callback is not allowed");
    starts(refusal(good, {1, {}}, at_sites({0}), bad), "kpm.start_vector[3] of sample 1: ");
    Problem problem = good;
    problem.precision = Precision::single;
    starts(refusal(problem, at_sites({0}), at_sites({0})), "kpm.params.precision: 1 (single)");
    problem = good;
    problem.moments = 1 << 20;
    problem.realisations = 1 << 20;
    starts(refusal(problem, at_sites(std::vector<std::int64_t>(1000, 0)), at_sites({0})), "kpm.params.moments: ");
    const auto green = finished(context, good, lattice, at_sites({0, 1}), at_sites({0}));
    const auto of_pairs = [&](const Green::Pairs& pairs) {
        std::vector<double> value(100);
        return failure_of([&] { green->functions(pairs, Kernel::jackson, 4, std::vector{0.1}, value, {}); }).second;
    };
    starts(of_pairs({2, 1, 0, 1}), "kpm.green.left_first: 2 ");
    starts(of_pairs({0, 3, 0, 1}), "kpm.green.left_count: 3 ");
    starts(of_pairs({0, 1, 1, 1}), "kpm.green.right_first: 1 ");
    starts(of_pairs({0, 1, 0, 0}), "kpm.green.right_count: 0 ");
    starts(failure_of([&] { green->moments(1, 0); }).second, "kpm.green.sample: 1 ");
}
