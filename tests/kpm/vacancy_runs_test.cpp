// Tests vacancies in computations with vectors in slots, and with plane waves, against dense matrices from which the
// sites are removed.
#define BOOST_TEST_MODULE kpm_vacancy_runs
#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "eigenstates.hpp"
#include "kpm/estimates.hpp"
#include "kpm/function.hpp"
#include "kpm/green.hpp"
#include "kpm/vacancies.hpp"
#include "kpm/velocity.hpp"

using namespace legato;
using namespace legato::kpm;
using namespace legato::kpm::tests;

namespace {

using Vector = std::vector<Complex>;
using Sites = std::vector<std::int64_t>;

constexpr int moments = 20, realisations = 3;
constexpr std::uint64_t seed = 5;

CellLattice without_vacancies(CellLattice lattice) {
    lattice.vacancies.clear();
    lattice.vacancy_concentration.fill(0);
    return lattice;
}

// Returns the sites that are no vacancies, from the definition of the random numbers.
Sites remaining(const CellLattice& lattice, std::int64_t realisation) {
    Sites sites;
    for (std::int64_t site = 0; site < lattice.sites(); ++site) {
        const auto number = static_cast<std::uint64_t>(site);
        const double u = random_pair(seed, vacancy_stream, static_cast<std::uint64_t>(realisation), number).first;
        const double c = lattice.vacancy_concentration[number % static_cast<std::uint64_t>(lattice.orbitals)];
        if (std::count(lattice.vacancies.begin(), lattice.vacancies.end(), site) == 0 && !(u < c))
            sites.push_back(site);
    }
    return sites;
}

// Returns the rows and columns of some sites.
Hermitian part_of(const Hermitian& all, const Sites& sites) {
    Hermitian part(sites.size());
    for (std::size_t row = 0; row < part.n; ++row)
        for (std::size_t column = 0; column < part.n; ++column)
            part(row, column) = all(static_cast<std::size_t>(sites[row]), static_cast<std::size_t>(sites[column]));
    return part;
}
Vector part_of(const Vector& all, const Sites& sites) {
    Vector part;
    for (const std::int64_t site : sites) part.push_back(all[static_cast<std::size_t>(site)]);
    return part;
}

Hermitian without_sites(const CellLattice& lattice, std::int64_t realisation) {
    return part_of(dense_complex(matrix_of(without_vacancies(lattice), seed, realisation, 1)),
                   remaining(lattice, realisation));
}

Vector multiplied(const Hermitian& h, const Vector& x) {
    Vector y(h.n);
    for (std::size_t row = 0; row < h.n; ++row)
        for (std::size_t column = 0; column < h.n; ++column) y[row] += h(row, column) * x[column];
    return y;
}

Complex product(const Vector& l, const Vector& r) {
    Complex sum = 0;
    for (std::size_t k = 0; k < l.size(); ++k) sum += std::conj(l[k]) * r[k];
    return sum;
}

// Returns T_n(H~) r for all n.
std::vector<Vector> polynomials(const Hermitian& h, const Rescaling& rescaling, const Vector& r) {
    std::vector<Vector> all{r};
    while (std::ssize(all) < moments) {
        Vector next = multiplied(h, all.back());
        for (std::size_t k = 0; k < h.n; ++k) {
            next[k] = (next[k] - rescaling.centre * all.back()[k]) / rescaling.half_width;
            if (all.size() > 1) next[k] = 2.0 * next[k] - all[all.size() - 2][k];
        }
        all.push_back(std::move(next));
    }
    return all;
}

// Lattices with given vacancies, random ones and both, real and complex, with energies of their own for the sites.
std::vector<CellLattice> lattices() {
    std::vector<CellLattice> all;
    for (CellLattice lattice : {graphene(5, 4), haldane(4, 5, 0.2, 0.7, 0.3)}) {
        lattice.energies = {0.7, -0.4};  // so that an isolated site is not in the centre
        if (is_complex(lattice)) lattice.twist = {0.4, -1.3, 0};
        all.push_back(lattice);
        all.back().vacancies = {3, 12, 17, 18};
        lattice.on_site = OnSite::box;
        lattice.disorder = 1;
        lattice.vacancy_concentration = {0.3, 0.2};
        all.push_back(lattice);
        all.push_back(lattice);
        all.back().vacancies = {3, 12, 17, 18};
        lattice.vacancy_concentration = {0.9, 0.9};  // a few isolated sites
        all.push_back(lattice);
    }
    return all;
}

Problem small_problem(Format format) {
    Problem problem;
    problem.moments = moments;
    problem.realisations = realisations;
    problem.seed = seed;
    problem.format = format;
    problem.bounds = Bounds::interval;
    problem.lowest = -4.4;
    problem.highest = 5;
    return problem;
}

// Returns normally distributed numbers, other ones for each `number`.
std::vector<double> random_numbers(std::size_t count, std::int64_t number) {
    std::mt19937_64 random(static_cast<std::uint64_t>(number));
    std::normal_distribution<double> normal;
    std::vector<double> all(count);
    for (double& one : all) one = normal(random);
    return all;
}
const StartVectorSource random_source = [](std::int64_t number, std::span<double> vector) {
    std::ranges::copy(random_numbers(vector.size(), number), vector.begin());
};
Vector random_vector(std::int64_t sites, std::size_t lanes, std::int64_t number) {
    const std::vector<double> numbers = random_numbers(lanes * static_cast<std::size_t>(sites), number);
    Vector v;
    for (std::size_t k = 0; k < numbers.size(); k += lanes)
        v.emplace_back(numbers[k], lanes == 2 ? numbers[k + 1] : 0.0);
    return v;
}
Vector site_vector(std::int64_t sites, std::int64_t site) {
    Vector v(static_cast<std::size_t>(sites));
    v[static_cast<std::size_t>(site)] = 1;
    return v;
}

constexpr std::array formats{Format::stencil, Format::crs, Format::ell};

}  // namespace

// Green's functions of sites, and of vectors of the caller. Those of a random vacancy are 0.
BOOST_AUTO_TEST_CASE(greens_functions) {
    Context context = make_context(2);
    for (const CellLattice& lattice : lattices())
        for (const Format format : formats)
            for (const bool is_given : {false, true}) {
                Sites sites;
                for (std::int64_t site = 0; site < lattice.sites(); ++site)
                    if (std::count(lattice.vacancies.begin(), lattice.vacancies.end(), site) == 0)
                        sites.push_back(site);
                const GreenSide left = is_given ? GreenSide{4, {}} : GreenSide{std::ssize(sites), sites};
                const GreenSide right = is_given ? GreenSide{3, {}} : left;
                Green green(context, small_problem(format), prepared(lattice), left, right,
                            is_given ? random_source : StartVectorSource{});
                green.run({});
                const std::size_t lanes = is_complex(lattice) ? 2 : 1;
                const auto vector = [&](const GreenSide& side, std::int64_t v, std::int64_t first) {
                    return is_given ? random_vector(lattice.sites(), lanes, first + v)
                                    : site_vector(lattice.sites(), side.sites[static_cast<std::size_t>(v)]);
                };
                double worst = 0;
                for (std::int64_t s = 0; s < realisations; ++s) {
                    const Sites left_over = remaining(lattice, s);
                    const Hermitian h = without_sites(lattice, s);
                    for (std::int64_t r = 0; r < right.count; ++r) {
                        const auto all = polynomials(h, green.rescaling(), part_of(vector(right, r, 0), left_over));
                        for (std::int64_t l = 0; l < left.count; ++l) {
                            const Vector on_left = part_of(vector(left, l, right.count), left_over);
                            const auto found = green.moments(s * right.count + r, l);
                            for (std::size_t n = 0; n < moments; ++n) {
                                const Complex one(found[lanes * n], lanes == 2 ? found[2 * n + 1] : 0.0);
                                worst = std::max(worst, std::abs(one - product(on_left, all[n])));
                            }
                        }
                    }
                }
                BOOST_TEST(worst < 1e-11);
            }
}

// Moments of velocities, of other operators and of the Hamiltonian itself, for given and for random vectors.
BOOST_AUTO_TEST_CASE(double_expansions) {
    Context context = make_context(2);
    for (const CellLattice& lattice : lattices())
        for (const Format format : formats) {
            const auto h = prepared(lattice);
            const auto x = prepared(velocity_of(lattice, {1, 0, 0})), y = prepared(velocity_of(lattice, {0.3, 1, 0}));
            for (const OperatorsOfCorrelation& operators :
                 {OperatorsOfCorrelation{h, x, y}, {h, x, x}, {h, h, y}, {h, x, h}, {h, h, h}})
                for (const StartVectors kind :
                     {StartVectors::caller, StartVectors::sign, StartVectors::gaussian, StartVectors::uniform}) {
                    Problem problem = small_problem(format);
                    problem.vectors = 2;
                    problem.start_vectors = kind;
                    Correlation run(context, problem, operators,
                                    kind == StartVectors::caller ? random_source : StartVectorSource{});
                    run.run({});
                    const auto dense = [&](const std::shared_ptr<const Hamiltonian>& one, std::int64_t s) {
                        return part_of(
                            dense_complex(matrix_of(without_vacancies(std::get<CellLattice>(*one)), seed, s, 1)),
                            remaining(lattice, s));
                    };
                    const bool is_real = kind == StartVectors::caller && !is_complex(*operators.h) &&
                                         !is_complex(*operators.a) && !is_complex(*operators.b);
                    double worst = 0;
                    for (std::int64_t sample = 0; sample < 2 * realisations; ++sample) {
                        const std::int64_t s = sample / 2;
                        const Sites sites = remaining(lattice, s);
                        Vector r = random_vector(lattice.sites(), is_real ? 1 : 2, sample);
                        for (std::size_t k = 0; k < r.size() && kind != StartVectors::caller; ++k)
                            r[k] = start_element(kind, seed, static_cast<std::uint64_t>(sample), k);
                        r = part_of(r, sites);
                        const Hermitian a = dense(operators.a, s), b = dense(operators.b, s),
                                        reduced = without_sites(lattice, s);
                        const auto on_left = polynomials(reduced, run.rescaling(), multiplied(a, r)),
                                   on_right = polynomials(reduced, run.rescaling(), r);
                        const auto found = run.sample(sample);
                        for (std::size_t m = 0; m < moments; ++m)
                            for (std::size_t n = 0; n < moments; ++n) {
                                const Complex expected =
                                    product(multiplied(b, on_left[m]), on_right[n]) / static_cast<double>(sites.size());
                                worst = std::max(worst, std::abs(found[m * moments + n] - expected));
                            }
                    }
                    BOOST_TEST(worst < 1e-11);
                }
        }
}

// With the unit vectors of all sites as start vectors, conductivities are the exact ones of the remaining sites, for a
// volume of 1 for each of them. Vectors at vacancies count for nothing.
BOOST_AUTO_TEST_CASE(conductivities) {
    Context context = make_context(2);
    CellLattice lattice = haldane(4, 5, 0.2, pi / 2, 0.1);
    lattice.vacancies = {3, 12, 17, 18, 30};
    lattice.on_site = OnSite::box;
    lattice.disorder = 0.5;
    const OperatorsOfCorrelation v{prepared(lattice), prepared(velocity_of(lattice, {1, 0, 0})),
                                   prepared(velocity_of(lattice, {0, 1, 0}))};
    const Sites sites = remaining(lattice, 0);
    Problem problem = small_problem(Format::auto_);
    problem.realisations = 1;
    problem.vectors = static_cast<int>(lattice.sites());
    problem.start_vectors = StartVectors::caller;
    // The mean of all vectors is the trace divided by the number of remaining sites.
    Correlation run(context, problem, v, [&](std::int64_t sample, std::span<double> vector) {
        std::fill(vector.begin(), vector.end(), 0.0);
        vector[2 * static_cast<std::size_t>(sample)] = std::sqrt(static_cast<double>(lattice.sites()));
    });
    run.run({});
    const auto dense = [&](const std::shared_ptr<const Hamiltonian>& one) {
        return part_of(dense_complex(matrix_of(*one, seed, 0, 1)), sites);
    };
    const Response response(without_sites(lattice, 0), dense(v.a), dense(v.b));
    const DoubleSpectrum exact = response.spectrum(moments, run.rescaling(), Kernel::jackson);
    const std::vector<std::function<std::vector<double>(const DoubleSpectrum&)>> quantities{
        [](const DoubleSpectrum& s) { return greenwood(s, std::vector{1.1}, 0.1); },
        [](const DoubleSpectrum& s) { return hall(s, std::vector{0.1}, 0); },
        [](const DoubleSpectrum& s) { return bastin(s, std::vector{-1.3}, 0); },
        [](const DoubleSpectrum& s) { return optical(s, std::vector{0.8}, 0.3, 0.05); },
    };
    for (const auto& what : quantities)
        BOOST_TEST(std::abs(estimate(run, Kernel::jackson, 4, false, what).value[0] - what(exact)[0]) < 1e-12);
}

// Plane waves lose their elements at vacancies.
BOOST_AUTO_TEST_CASE(plane_waves) {
    Context context = make_context(2);
    const std::vector<double> k{0.2, 0.25, 0, 0.13, -0.7, 0.4}, amplitudes{1, 0.5, -0.3, 2, 0, 0.7, 0.1, 0};
    for (const CellLattice& lattice : lattices())
        for (const Format format : formats)
            for (const bool with_amplitudes : {false, true}) {
                Problem problem = small_problem(format);
                problem.start_vectors = StartVectors::waves;
                problem.waves = waves_on(lattice, k, with_amplitudes ? amplitudes : std::vector<double>{});
                Solver solver(context, problem, prepared(lattice));
                solver.run({});
                double worst = 0;
                for (std::int64_t sample = 0; sample < 2 * realisations; ++sample) {
                    const std::int64_t s = sample / 2;
                    const auto number = static_cast<std::size_t>(sample % 2);
                    const Hermitian h = without_sites(lattice, s);
                    std::vector<double> expected(moments);
                    const std::size_t waves = with_amplitudes ? 1 : 2;
                    for (std::size_t o = 0; o < waves; ++o) {
                        Vector wave;
                        for (std::int64_t site = 0; site < lattice.sites(); ++site) {
                            const auto orbital = static_cast<std::size_t>(site % 2);
                            const std::int64_t cell = site / 2;
                            const double phase = k[3 * number] * static_cast<double>(cell % lattice.extents[0]) +
                                                 k[3 * number + 1] * static_cast<double>(cell / lattice.extents[0]);
                            const double* const a = amplitudes.data() + 4 * number + 2 * orbital;
                            const Complex amplitude =
                                with_amplitudes ? Complex(a[0], a[1]) : Complex(orbital == o ? 1.0 : 0.0);
                            wave.push_back(amplitude * std::exp(2 * pi * i * phase) /
                                           std::sqrt(static_cast<double>(lattice.cells())));
                        }
                        wave = part_of(wave, remaining(lattice, s));
                        const auto all = polynomials(h, solver.rescaling(), wave);
                        for (std::size_t n = 0; n < moments; ++n)
                            expected[n] += product(wave, all[n]).real() / static_cast<double>(waves);
                    }
                    for (std::size_t n = 0; n < moments; ++n)
                        worst = std::max(worst, std::abs(solver.sample(sample)[n] - expected[n]));
                }
                BOOST_TEST(worst < 1e-12);
            }
}

// H^2 v in each realisation. Elements of v at vacancies count as 0.
BOOST_AUTO_TEST_CASE(functions) {
    Context context = make_context(2);
    for (const CellLattice& lattice : lattices())
        for (const Format format : formats)
            for (std::int64_t s = 0; s < realisations; ++s) {
                Problem problem = small_problem(format);
                problem.moments = 2;
                kpm::Function function(context, problem, prepared(lattice), s);
                function.set(
                    [](std::span<const double> energies, std::span<Complex> values) {
                        for (std::size_t k = 0; k < energies.size(); ++k) values[k] = energies[k] * energies[k];
                    },
                    1e-12);
                const auto size = static_cast<std::size_t>(lattice.sites());
                const std::vector<double> in = random_numbers(2 * size, 5);
                std::vector<double> out(2 * size, 7.0);
                function.apply({1, 2, in, out}, {});
                const Sites sites = remaining(lattice, s);
                const Hermitian h = without_sites(lattice, s);
                Vector expected(size);
                const Vector part = multiplied(h, multiplied(h, part_of(random_vector(lattice.sites(), 2, 5), sites)));
                for (std::size_t k = 0; k < sites.size(); ++k) expected[static_cast<std::size_t>(sites[k])] = part[k];
                double worst = 0;
                for (std::size_t k = 0; k < size; ++k)
                    worst = std::max(worst, std::abs(Complex(out[2 * k], out[2 * k + 1]) - expected[k]));
                BOOST_TEST(worst < 1e-10);
            }
}

// Runs that are saved after every round give the same bits. They are refused for other vacancies.
BOOST_AUTO_TEST_CASE(saved_runs) {
    const std::string path = (std::filesystem::temp_directory_path() / "legato_vacancy_runs_test.h5").string();
    Context context = make_context(2);
    for (const CellLattice& lattice : lattices()) {
        CellLattice other = lattice;
        other.vacancies.push_back(20);
        const auto h = prepared(lattice), not_h = prepared(other), v = prepared(velocity_of(lattice, {1, 0, 0}));
        const auto require_same = [&](auto make, auto resume, auto moments_of) {
            const auto whole = make();
            whole->run({});
            auto part = make();
            while (!part->complete()) {
                part->advance();
                part->save(path);
                const auto [status, said] = failure_of([&] { resume(not_h); });
                BOOST_TEST(said.find("it belongs to another Hamiltonian") != std::string::npos, said);
                part = resume(h);
            }
            for (std::int64_t s = 0; s < whole->samples(); ++s)
                BOOST_TEST(std::ranges::equal(moments_of(*part, s), moments_of(*whole, s)));
        };
        Problem problem = small_problem(Format::auto_);
        problem.vectors = 2;
        const auto sample = [](const auto& run, std::int64_t s) { return run.sample(s); };
        using Operator = std::shared_ptr<const Hamiltonian>;
        require_same(
            [&] {
                return std::make_unique<Correlation>(context, problem, OperatorsOfCorrelation{h, v, v});
            },
            [&](const Operator& one) {
                return Correlation::resume(context, path, OperatorsOfCorrelation{one, v, v});
            },
            sample);
        require_same(
            [&] {
                return std::make_unique<Green>(context, problem, h, GreenSide{2, {0, 1}}, GreenSide{3, {5, 1, 8}},
                                               StartVectorSource{});
            },
            [&](const Operator& one) { return Green::resume(context, path, one); },
            [](const Green& run, std::int64_t s) { return run.moments(s, 1); });
        problem.start_vectors = StartVectors::waves;
        problem.waves = waves_on(lattice, {0.2, 0.25, 0, 0.13, -0.7, 0.4}, {});
        require_same([&] { return std::make_unique<Solver>(context, problem, h); },
                     [&](const Operator& one) { return Solver::resume(context, path, one); }, sample);
    }
    std::filesystem::remove(path);
}

BOOST_AUTO_TEST_CASE(refusals) {
    Context context = make_context();
    CellLattice lattice = graphene(5, 4), other = lattice;
    lattice.vacancies = {7, 3};
    other.vacancies = {3, 8};
    const auto refused = [&](const Hamiltonian& h, const Hamiltonian& b, const std::string& message) {
        const auto one = prepared(h);
        const auto [status, said] = failure_of([&] {
            Correlation(context, {}, OperatorsOfCorrelation{one, one, prepared(b)});
        });
        BOOST_TEST(static_cast<int>(status) == static_cast<int>(Status::invalid_argument));
        BOOST_TEST(said.starts_with(message), said);
    };
    refused(lattice, other, "kpm.correlation.b: site 8 is a vacancy of the operator, but not of the Hamiltonian");
    refused(matrix_of(graphene(5, 4), 1, 0, 1), other, "kpm.correlation.b: site 3 is a vacancy of the operator");
    other.vacancies = {3};  // the Hamiltonian has it, too
    BOOST_CHECK_NO_THROW(
        Correlation(context, {}, OperatorsOfCorrelation{prepared(lattice), prepared(lattice), prepared(other)}));
    other.vacancy_concentration = {0.1, 0};
    refused(lattice, other, "kpm.correlation.b: an operator other than the Hamiltonian itself cannot have random");
    const auto of_green = [&](const GreenSide& left, const GreenSide& right) {
        return failure_of([&] { Green(context, {}, prepared(lattice), left, right, {}); }).second;
    };
    BOOST_TEST(of_green({1, {0}}, {2, {1, 7}}) == "kpm.green.right[1]: site 7 is a vacancy; take other sites");
    BOOST_TEST(of_green({1, {3}}, {1, {1}}) == "kpm.green.left[0]: site 3 is a vacancy; take other sites");
}
