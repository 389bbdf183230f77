// Tests plane waves as start vectors, and results for each site or wave vector.
#define BOOST_TEST_MODULE kpm_waves
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <filesystem>

#include "crystals.hpp"
#include "kpm/estimates.hpp"
#include "kpm/start_vectors.hpp"

using namespace legato;
using namespace legato::kpm;
using namespace legato::kpm::tests;

namespace {

constexpr int moments = 50;

// Returns k_d = (m_d - twist_d / 2 pi) / L_d for all m.
std::vector<double> wave_vectors(const std::array<std::int64_t, 3>& l, const std::array<double, 3>& twist = {}) {
    std::vector<double> all;
    for (std::int64_t z = 0; z < l[2]; ++z)
        for (std::int64_t y = 0; y < l[1]; ++y)
            for (std::int64_t x = 0; x < l[0]; ++x)
                for (std::size_t d = 0; d < 3; ++d)
                    all.push_back((static_cast<double>(std::array{x, y, z}[d]) - twist[d] / (2 * pi)) /
                                  static_cast<double>(l[d]));
    return all;
}

std::vector<double> random_numbers(std::size_t count, unsigned seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> real(-1.5, 1.5);
    std::vector<double> all(count);
    for (double& number : all) number = real(random);
    return all;
}

Problem wave_problem(const Hamiltonian& hamiltonian, std::vector<double> k, std::vector<double> amplitudes = {}) {
    Problem problem;
    problem.moments = moments;
    problem.start_vectors = StartVectors::waves;
    problem.waves = waves_on(hamiltonian, std::move(k), std::move(amplitudes));
    return problem;
}

std::vector<std::vector<double>> samples_of(const Solver& solver) {
    std::vector<std::vector<double>> all;
    for (std::int64_t s = 0; s < solver.samples_done(); ++s)
        all.emplace_back(solver.sample(s).begin(), solver.sample(s).end());
    return all;
}

// Returns <v|T_n|v> with a dense matrix.
std::vector<double> dense_moments(const Hermitian& h, const Rescaling& rescaling, const std::vector<Complex>& v) {
    const auto multiplied = [&](const std::vector<Complex>& x) {
        std::vector<Complex> y(h.n);
        for (std::size_t row = 0; row < h.n; ++row) {
            for (std::size_t column = 0; column < h.n; ++column) y[row] += h(row, column) * x[column];
            y[row] = (y[row] - rescaling.centre * x[row]) / rescaling.half_width;
        }
        return y;
    };
    std::vector<Complex> now = v, next = multiplied(v);
    std::vector<double> found;
    for (int n = 0; n < moments; ++n) {
        Complex sum = 0;
        for (std::size_t row = 0; row < h.n; ++row) sum += std::conj(v[row]) * now[row];
        found.push_back(sum.real());
        std::vector<Complex> after = multiplied(next);
        for (std::size_t row = 0; row < h.n; ++row) after[row] = 2.0 * after[row] - now[row];
        now = std::exchange(next, std::move(after));
    }
    return found;
}

// Returns a plane wave with an amplitude on each orbital, from its definition.
std::vector<Complex> plane_wave(const Waves& waves, const double* k, const std::vector<Complex>& amplitudes) {
    std::vector<Complex> v;
    const auto& l = waves.extents;
    for (std::int64_t z = 0; z < l[2]; ++z)
        for (std::int64_t y = 0; y < l[1]; ++y)
            for (std::int64_t x = 0; x < l[0]; ++x)
                for (const Complex a : amplitudes)
                    v.push_back(a *
                                std::exp(2 * pi * i *
                                         (k[0] * static_cast<double>(x) + k[1] * static_cast<double>(y) +
                                          k[2] * static_cast<double>(z))) /
                                std::sqrt(static_cast<double>(l[0] * l[1] * l[2])));
    return v;
}

// Returns the moments of sample number `number` of a realisation from their definition.
std::vector<double> expected_moments(const Problem& problem, const Hamiltonian& lattice, const Rescaling& rescaling,
                                     std::size_t number, std::int64_t realisation) {
    const Waves& waves = problem.waves;
    const Hermitian h = dense_complex(matrix_of(lattice, static_cast<std::uint64_t>(problem.seed), realisation, 1));
    const auto orbitals = static_cast<std::size_t>(waves.orbitals);
    std::vector<std::vector<Complex>> states;
    if (waves.amplitudes.empty()) {
        for (std::size_t o = 0; o < orbitals; ++o) {
            states.emplace_back(orbitals);
            states.back()[o] = 1;
        }
    } else {
        states.emplace_back(orbitals);
        for (std::size_t o = 0; o < orbitals; ++o)
            states[0][o] = {waves.amplitudes[2 * (number * orbitals + o)],
                            waves.amplitudes[2 * (number * orbitals + o) + 1]};
    }
    std::vector<double> sum(moments);
    for (const auto& state : states) {
        const std::vector<double> one =
            dense_moments(h, rescaling, plane_wave(waves, waves.k.data() + 3 * number, state));
        for (std::size_t n = 0; n < sum.size(); ++n) sum[n] += one[n] / static_cast<double>(states.size());
    }
    return sum;
}

// Compares the moments of all waves of a clean crystal with those of its bands.
template <class Bands>
void compare_with_bands(const Hamiltonian& lattice, const std::array<std::int64_t, 3>& extents, const Bands& energies,
                        const std::array<double, 3>& twist = {}) {
    Context context = make_context(2);
    const std::vector<double> k = wave_vectors(extents, twist);
    for (const Format format : {Format::auto_, Format::crs}) {
        Problem problem = wave_problem(lattice, k);
        problem.format = format;
        const auto solver = finished(context, problem, lattice);
        BOOST_REQUIRE(solver->samples() == std::ssize(k) / 3);
        double worst = 0;
        std::vector<double> all;
        for (std::size_t s = 0; s < k.size() / 3; ++s) {
            const std::vector<double> bands = energies(2 * pi * k[3 * s], 2 * pi * k[3 * s + 1], 2 * pi * k[3 * s + 2]);
            all.insert(all.end(), bands.begin(), bands.end());
            const auto found = solver->sample(static_cast<std::int64_t>(s));
            worst = std::fmax(worst, largest_difference({found.begin(), found.end()},
                                                        exact_moments(bands, solver->rescaling(), moments)));
        }
        BOOST_TEST(worst < 1e-12);
        // The mean over the Brillouin zone is the density of states per site.
        BOOST_TEST(largest_difference(solver->moments().mean, exact_moments(all, solver->rescaling(), moments)) <
                   1e-12);
        BOOST_TEST(solver->exact());
        BOOST_TEST(solver->moments().error[3] == 0);
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(phases_of_turns) {
    BOOST_TEST(phase_of_turns(0).real == 1);
    BOOST_TEST(phase_of_turns(0.25).real == 0);
    BOOST_TEST(phase_of_turns(0.25).imaginary == 1);
    BOOST_TEST(phase_of_turns(-0.25).imaginary == -1);
    BOOST_TEST(phase_of_turns(0.5).real == -1);
    BOOST_TEST(phase_of_turns(0.5).imaginary == 0);
    for (double t = -0.5; t <= 0.5; t += 1.0 / 1024) {
        BOOST_TEST(std::abs(phase_of_turns(t).real - std::cos(2 * pi * t)) < 1e-15);
        BOOST_TEST(std::abs(phase_of_turns(t).imaginary - std::sin(2 * pi * t)) < 1e-15);
    }
    // 2^40 and 3 / 8 + 2^-43 have an exact product, whose fraction is an eighth.
    BOOST_TEST(turns(0.375 + std::ldexp(1.0, -43), std::int64_t{1} << 40) == 0.125);
    BOOST_TEST(std::abs(turns(-999.5, 3)) == 0.5);
}

BOOST_AUTO_TEST_CASE(waves_of_clean_crystals_have_the_energies_of_the_bands) {
    compare_with_bands(graphene(6, 9), {6, 9, 1}, graphene_bands);
    Lattice cubic;
    cubic.extents = {5, 4, 3};
    cubic.boundary = {Boundary::periodic, Boundary::periodic, Boundary::periodic};
    cubic.hopping = 0.7;
    cubic.energy = 0.3;
    compare_with_bands(cubic, cubic.extents, [](double x, double y, double z) {
        return std::vector{0.3 - 1.4 * (std::cos(x) + std::cos(y) + std::cos(z))};
    });
    CellLattice twisted = haldane(4, 5, 0.2, 0.7, 0.3);
    twisted.twist = {0.4, -1.3, 0};
    compare_with_bands(
        twisted, twisted.extents,
        [](double x, double y, double) {
            const double t2 = 0.2, phi = 0.7;
            // The sums over the hoppings of orbital 0, and of orbital 1, with conjugate phases.
            const double up = 2 * t2 * (std::cos(x - phi) + std::cos(y - x - phi) + std::cos(-y - phi)),
                         down = 2 * t2 * (std::cos(x + phi) + std::cos(y - x + phi) + std::cos(-y + phi));
            const double f = std::abs(1.0 + std::exp(i * x) + std::exp(i * y));
            const double mean = (up + down) / 2, half = 0.3 + (up - down) / 2, root = std::hypot(half, f);
            return std::vector{mean - root, mean + root};
        },
        twisted.twist);
}

// With the amplitudes of an eigenvector a wave has one energy.
BOOST_AUTO_TEST_CASE(amplitudes_choose_a_band) {
    const CellLattice lattice = graphene(7, 8);
    const std::vector<double> k = wave_vectors(lattice.extents);
    Context context = make_context();
    for (const double band : {-1.0, 1.0}) {
        std::vector<double> amplitudes;
        for (std::size_t s = 0; s < k.size() / 3; ++s) {
            // The element of orbitals 1 and 0, because orbital 0 is at +a_0 and +a_1 of orbital 1.
            const Complex f = -(1.0 + std::exp(2 * pi * i * k[3 * s]) + std::exp(2 * pi * i * k[3 * s + 1]));
            const Complex b = band * f / std::abs(f);
            for (const double part : {1.0, 0.0, b.real(), b.imag()}) amplitudes.push_back(part / std::sqrt(2.0));
        }
        const auto solver = finished(context, wave_problem(lattice, k, amplitudes), lattice);
        double worst = 0;
        for (std::size_t s = 0; s < k.size() / 3; ++s) {
            const double energy = band * graphene_bands(2 * pi * k[3 * s], 2 * pi * k[3 * s + 1], 0)[1];
            const auto found = solver->sample(static_cast<std::int64_t>(s));
            worst = std::fmax(worst, largest_difference({found.begin(), found.end()},
                                                        exact_moments({energy}, solver->rescaling(), moments)));
        }
        BOOST_TEST(worst < 1e-12);
    }
}

BOOST_AUTO_TEST_CASE(any_wave_vector_of_disordered_lattices_against_dense_matrices) {
    Context context = make_context(2);
    int number = 0;
    for (const std::array<std::int64_t, 3> extents :
         std::vector<std::array<std::int64_t, 3>>{{1, 1, 1}, {40, 1, 1}, {6, 5, 1}, {3, 4, 3}})
        for (const int orbitals : {1, 2, 3})
            for (const bool with_amplitudes : {false, true}) {
                const CellLattice lattice = crystal(extents, orbitals, 1, number++);
                const std::vector<double> amplitudes =
                    with_amplitudes ? random_numbers(2 * 4 * static_cast<std::size_t>(orbitals), 5)
                                    : std::vector<double>{};
                Problem problem = wave_problem(lattice, random_numbers(12, 7), amplitudes);
                problem.realisations = 2;
                const auto solver = finished(context, problem, lattice);
                BOOST_REQUIRE(solver->samples_done() == 8);
                for (std::int64_t s = 0; s < 8; ++s) {
                    const auto found = solver->sample(s);
                    BOOST_TEST(largest_difference({found.begin(), found.end()},
                                                  expected_moments(problem, lattice, solver->rescaling(),
                                                                   static_cast<std::size_t>(s % 4), s / 4)) < 1e-11,
                               "lattice " << number - 1);
                }
            }
}

BOOST_AUTO_TEST_CASE(the_same_bits_for_any_width_threads_and_interruption) {
    const std::string path = (std::filesystem::temp_directory_path() / "legato_waves_test.h5").string();
    CellLattice real = graphene(5, 7), complex = haldane(4, 5, 0.2, 0.7, 0.3);
    real.on_site = complex.on_site = OnSite::box;
    real.disorder = complex.disorder = 1;
    for (const CellLattice& lattice : {real, complex})
        for (const bool with_amplitudes : {false, true}) {
            Problem problem = wave_problem(lattice, random_numbers(15, 3),
                                           with_amplitudes ? random_numbers(20, 4) : std::vector<double>{});
            problem.realisations = 3;
            Context context = make_context(3);
            const auto expected = samples_of(*finished(context, problem, lattice));
            BOOST_REQUIRE(expected.size() == 15);
            for (const int width : {1, 3, 7}) {
                problem.block_width = width;
                auto solver = std::make_unique<Solver>(context, problem, prepared(lattice));
                std::int64_t before = -1;
                while (!solver->complete()) {
                    solver->advance();
                    const auto so_far = samples_of(*solver);
                    BOOST_TEST(std::ssize(so_far) >= before);
                    before = std::ssize(so_far);
                    BOOST_TEST(std::equal(so_far.begin(), so_far.end(), expected.begin()));
                    solver->save(path);
                    solver = Solver::resume(context, path, prepared(lattice));
                }
                BOOST_TEST((samples_of(*solver) == expected), "width " << width);
                BOOST_TEST(solver->problem().waves.k == problem.waves.k);
                BOOST_TEST(solver->problem().waves.amplitudes == problem.waves.amplitudes);
            }
        }
    std::filesystem::remove(path);
}

BOOST_AUTO_TEST_CASE(single_precision) {
    const CellLattice lattice = graphene(8, 9);
    Problem problem = wave_problem(lattice, random_numbers(9, 2));
    Context context = make_context();
    const auto exact = samples_of(*finished(context, problem, lattice));
    problem.precision = Precision::single;
    const auto found = samples_of(*finished(context, problem, lattice));
    for (std::size_t s = 0; s < 3; ++s) BOOST_TEST(largest_difference(found[s], exact[s]) < 1e-4);
}

// The integral of A(k, E) over all energies is the sum of the squared amplitudes.
BOOST_AUTO_TEST_CASE(sum_rule) {
    CellLattice lattice = graphene(9, 6);
    lattice.on_site = OnSite::normal;
    lattice.disorder = 0.7;
    Context context = make_context();
    const std::vector<double> a{0.3, -0.4, 1.2, 0.5, 0, 0, 0, 0};
    const auto solver = finished(context, wave_problem(lattice, {0.1, 0.2, 0, 0.5, 0.5, 0}, a), lattice);
    const auto total = [&](std::int64_t s) {
        return integrated_density(spectrum_of(*solver, s, Kernel::jackson, 4), std::vector{100.0})[0];
    };
    BOOST_TEST(std::abs(total(0) - 0.09 - 0.16 - 1.44 - 0.25) < 1e-13);
    BOOST_TEST(total(1) == 0);
    BOOST_TEST(
        std::abs(integrated_density(spectrum_of(*finished(context, wave_problem(lattice, {0.1, 0.2, 0}), lattice), 0,
                                                Kernel::jackson, 4),
                                    std::vector{100.0})[0] -
                 1) < 1e-13);
}

// Mean and error of each place follow from its realisations.
BOOST_AUTO_TEST_CASE(results_of_each_place) {
    CellLattice lattice = graphene(6, 4);
    lattice.on_site = OnSite::box;
    lattice.disorder = 2;
    Problem waves = wave_problem(lattice, random_numbers(15, 8)), sites = all_sites(lattice.sites(), moments);
    waves.realisations = sites.realisations = 4;
    const std::vector<double> energies{-2.5, -1, 0, 0.1, 2, 9};
    for (const Problem& problem : {waves, sites}) {
        std::vector<double> first_values, first_errors;
        for (const int threads : {1, 3}) {
            Context context = make_context(threads);
            const auto solver = finished(context, problem, lattice);
            const std::int64_t each = solver->samples_of_realisation();
            const auto what = [&](const Spectrum& s) { return density_of_states(s, energies); };
            std::vector<double> value(energies.size() * static_cast<std::size_t>(each)), error(value.size());
            estimate_places(*solver, {0, each}, Kernel::jackson, 4, energies.size(), what, value, error);
            for (std::int64_t place = 0; place < each; ++place)
                for (std::size_t e = 0; e < energies.size(); ++e) {
                    double mean = 0, squares = 0;
                    for (std::int64_t r = 0; r < 4; ++r)
                        mean += what(spectrum_of(*solver, r * each + place, Kernel::jackson, 4))[e] / 4;
                    for (std::int64_t r = 0; r < 4; ++r) {
                        const double one = what(spectrum_of(*solver, r * each + place, Kernel::jackson, 4))[e];
                        squares += (one - mean) * (one - mean);
                    }
                    const std::size_t at = static_cast<std::size_t>(place) * energies.size() + e;
                    BOOST_TEST(std::abs(value[at] - mean) < 1e-13);
                    BOOST_TEST(std::abs(error[at] - std::sqrt(squares / 12)) < 1e-13);
                }
            // The rows do not depend on the threads, nor on the other rows.
            if (threads == 1) {
                first_values = value;
                first_errors = error;
            }
            BOOST_TEST(value == first_values);
            BOOST_TEST(error == first_errors);
            std::vector<double> one(energies.size()), its_error(one.size());
            estimate_places(*solver, {2, 1}, Kernel::jackson, 4, energies.size(), what, one, its_error);
            BOOST_TEST(std::equal(one.begin(), one.end(), value.begin() + 2 * std::ssize(energies)));
            BOOST_TEST(std::equal(its_error.begin(), its_error.end(), error.begin() + 2 * std::ssize(energies)));
        }
    }
}

BOOST_AUTO_TEST_CASE(errors_of_one_realisation) {
    Context context = make_context();
    const auto error_of = [&](const CellLattice& lattice) {
        const auto solver = finished(context, wave_problem(lattice, {0.2, 0.1, 0}), lattice);
        std::vector<double> value(1), error(1);
        estimate_places(
            *solver, {0, 1}, Kernel::jackson, 4, 1, [](const Spectrum& s) { return std::vector{s.moments[2]}; }, value,
            error);
        return error[0];
    };
    CellLattice lattice = graphene(4, 4);
    BOOST_TEST(error_of(lattice) == 0);
    lattice.on_site = OnSite::box;
    lattice.disorder = 1;
    BOOST_TEST(std::isnan(error_of(lattice)));
}

BOOST_AUTO_TEST_CASE(a_callback_stops_tables) {
    Context context = make_context(3);
    const CellLattice lattice = graphene(30, 30);
    Problem problem = all_sites(lattice.sites(), 512);
    const auto solver = finished(context, problem, lattice);
    std::vector<double> energies(4000), value(energies.size() * 1800);
    for (std::size_t e = 0; e < energies.size(); ++e) energies[e] = 1e-3 * static_cast<double>(e);
    int calls = 0;
    solver->report_estimates([&](const Progress&) { return ++calls < 2; });
    const auto [status, message] = failure_of([&] {
        estimate_places(*solver, {0, 1800}, Kernel::jackson, 4, energies.size(),
                        [&](const Spectrum& s) { return density_of_states(s, energies); }, value, {});
    });
    BOOST_TEST((status == Status::cancelled), message);
    BOOST_TEST(calls == 2);
}

BOOST_AUTO_TEST_CASE(a_run_cannot_continue_within_an_estimate) {
    Context context = make_context();
    Problem problem = all_sites(4, 8);
    problem.realisations = 2;
    Solver solver(context, problem, prepared(graphene(4, 4)));
    while (solver.samples_done() < 4) solver.advance();
    std::string text;
    std::vector<double> value(4);
    const auto what = [&](const Spectrum& s) {
        text = failure_of([&] { solver.run({}); }).second;
        return std::vector{s.moments[1]};
    };
    estimate_places(solver, {0, 4}, Kernel::jackson, 4, 1, what, value, {});
    BOOST_TEST(text == "kpm.run: a callback cannot continue the run that calls it");
    text.clear();
    estimate(solver, mean_of_samples, Kernel::jackson, 4, false, what);
    BOOST_TEST(text == "kpm.run: a callback cannot continue the run that calls it");
    solver.run({});
    BOOST_TEST(solver.complete());
}

BOOST_AUTO_TEST_CASE(refusals) {
    Context context = make_context();
    const CellLattice lattice = graphene(4, 4);
    const auto refusal = [&](Problem problem, const Hamiltonian& hamiltonian) {
        return failure_of([&] { Solver(context, problem, prepared(hamiltonian)); }).second;
    };
    const auto starts = [](const std::string& text, const std::string& with) {
        BOOST_TEST(text.substr(0, with.size()) == with);
    };
    const Problem good = wave_problem(lattice, {0, 0, 0, 0.5, 0.5, 0});
    for (const double bad : {double{NAN}, double{INFINITY}, 1000.5, -1e300}) {
        Problem problem = good;
        problem.waves.k[4] = bad;
        starts(refusal(problem, lattice), "kpm.k[4]: ");
        problem = wave_problem(lattice, {0, 0, 0}, {0, 0, 1, 0});
        problem.waves.amplitudes[1] = 1e4 * bad;
        starts(refusal(problem, lattice), "kpm.amplitudes[1]: ");
    }
    starts(refusal(wave_problem(lattice, {}), lattice), "kpm.n_k: 0 ");
    starts(refusal(good, graphene(4, 5)), "kpm.k: the plane waves belong to another lattice");
    starts(refusal(good, haldane(4, 4, 0.1, 1, 0)), "kpm.k: the plane waves belong to another lattice");
    starts(refusal(good, matrix_of(lattice, 1, 0, 1)), "kpm.hamiltonian: plane waves need a lattice");
    const auto solver = finished(context, good, lattice);
    const auto of_places = [&](const Solver& s, Places places) {
        std::vector<double> value(10);
        return failure_of([&] {
                   estimate_places(s, places, Kernel::jackson, 4, 1,
                                   [](const Spectrum& spectrum) { return std::vector{spectrum.moments[0]}; }, value,
                                   {});
               })
            .second;
    };
    starts(of_places(*solver, {2, 1}), "kpm.first: 2 ");
    starts(of_places(*solver, {-1, 1}), "kpm.first: -1 ");
    starts(of_places(*solver, {1, 2}), "kpm.count: 2 ");
    starts(of_places(*solver, {0, 0}), "kpm.count: 0 ");
    starts(of_places(Solver(context, good, prepared(lattice)), {0, 1}), "kpm.sample: 0 is not finished yet");
    Problem random;
    random.moments = 10;
    starts(of_places(*finished(context, random, lattice), {0, 1}), "kpm.params.start_vectors: 0 (random)");
}

// A sample is not finished before all of its vectors are.
BOOST_AUTO_TEST_CASE(evidence_of_states_outside_the_bounds_names_the_sample) {
    Context context = make_context();
    const CellLattice lattice = graphene(8, 8);
    // The wave of the second k has the energies +-3, those of the first +-1.
    Problem problem = wave_problem(lattice, {0.5, 0, 0, 0, 0, 0, 0.5, 0, 0});
    problem.bounds = Bounds::interval;
    problem.lowest = -2;
    problem.highest = 2;
    problem.block_width = 3;
    Solver solver(context, problem, prepared(lattice));
    const auto [status, message] = failure_of([&] { solver.run({}); });
    BOOST_TEST((status == Status::numerical_error));
    BOOST_TEST(message.find("of sample 1") != std::string::npos, message);
    BOOST_TEST(solver.samples_done() == 1);
    BOOST_TEST(std::abs(solver.sample(0)[0] - 1) < 1e-14);
}
