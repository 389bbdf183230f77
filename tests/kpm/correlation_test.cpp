// Tests double expansions on the CPU against dense matrices and exact diagonalisation.
#define BOOST_TEST_MODULE kpm_correlation
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <filesystem>
#include <numbers>

#include "complex_matrices.hpp"
#include "double_moments.hpp"
#include "kpm/cell_matrix.hpp"

using namespace legato;
using namespace legato::kpm;
using namespace legato::kpm::tests;

namespace {

constexpr std::int32_t sites = 60;

OperatorsOfCorrelation random_operators(bool is_complex, unsigned seed = 5) {
    std::mt19937_64 random(seed);
    const auto one = [&](bool complex) {
        return prepared(complex ? random_hermitian(random, sites, 4) : random_matrix(random, sites, 4));
    };
    const auto h = one(is_complex);
    return {h, one(is_complex), one(is_complex)};
}

Problem small_problem() {
    Problem problem;
    problem.moments = 9;
    problem.vectors = 3;
    return problem;
}

std::unique_ptr<Correlation> finished(Context& context, const Problem& problem, const OperatorsOfCorrelation& operators,
                                      const StartVectorSource& source = {}) {
    auto correlation = std::make_unique<Correlation>(context, problem, operators, source);
    correlation->run({});
    return correlation;
}

bool same_bits(std::span<const Element> a, std::span<const Element> b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

// Returns numbers from -1 to 1.
void fill_given(std::int64_t sample, std::span<double> vector) {
    for (std::size_t i = 0; i < vector.size(); ++i)
        vector[i] = std::sin(static_cast<double>(sample + 1) * static_cast<double>(i * i % 1009) + 0.1);
}

Lattice disordered(std::int64_t width = 8) {
    Lattice lattice;
    lattice.extents = {width, 7, 1};
    lattice.on_site = OnSite::box;
    lattice.disorder = 3;
    return lattice;
}

// Returns a random operator for the sites of this lattice.
std::shared_ptr<const Hamiltonian> operator_on_lattice(std::int32_t width = 8) {
    std::mt19937_64 random(8);
    return prepared(random_hermitian(random, 7 * width, 3));
}

}  // namespace

BOOST_AUTO_TEST_CASE(samples_agree_with_dense_matrices) {
    Context context = make_context();
    for (const bool is_complex : {false, true}) {
        const OperatorsOfCorrelation operators = random_operators(is_complex);
        Problem problem = small_problem();
        problem.start_vectors = StartVectors::caller;
        const auto correlation = finished(context, problem, operators, fill_given);
        for (std::int64_t s = 0; s < 3; ++s) {
            std::vector<double> numbers(sites * (is_complex ? 2 : 1));
            fill_given(s, numbers);
            std::vector<Element> r;
            for (std::size_t i = 0; i < sites; ++i)
                r.push_back(is_complex ? Element(numbers[2 * i], numbers[2 * i + 1]) : numbers[i]);
            const auto expected = dense_double_moments(operators, r, correlation->rescaling(), problem.moments);
            BOOST_TEST(largest_difference(correlation->sample(s), expected) < 1e-12);
        }
    }
}

BOOST_AUTO_TEST_CASE(vectors_of_all_sites_give_the_trace) {
    Context context = make_context(2);
    OperatorsOfCorrelation operators = random_operators(true);
    std::mt19937_64 random(2);
    operators.h = prepared(random_matrix(random, sites, 4));  // real, with complex operators
    for (const bool same : {false, true}) {
        if (same) operators.b = operators.a;
        Problem problem = small_problem();
        problem.start_vectors = StartVectors::caller;
        problem.vectors = sites;
        const auto correlation = finished(context, problem, operators, [](std::int64_t sample, std::span<double> v) {
            BOOST_TEST(v.size() == 2 * sites);
            std::fill(v.begin(), v.end(), 0.0);
            v[2 * static_cast<std::size_t>(sample)] = std::sqrt(static_cast<double>(sites));
        });
        const auto exact = traces(operators, correlation->rescaling(), problem.moments);
        BOOST_TEST(largest_difference(correlation->mean(), exact) < 1e-12);
    }
}

BOOST_AUTO_TEST_CASE(an_operator_may_be_the_hamiltonian) {
    Context context = make_context();
    const auto h = prepared(disordered());
    Problem problem = small_problem();
    problem.moments = 5;
    problem.realisations = 2;
    const auto correlation = finished(context, problem, {h, h, h});
    for (std::int64_t s = 0; s < 6; ++s) {
        const auto dense = prepared(matrix_of(disordered(), 1, s / 3));
        std::vector<Element> r;
        for (std::uint64_t i = 0; i < 56; ++i)
            r.push_back(start_element(StartVectors::sign, 1, static_cast<std::uint64_t>(s), i));
        const auto expected = dense_double_moments({dense, dense, dense}, r, correlation->rescaling(), 5);
        BOOST_TEST(largest_difference(correlation->sample(s), expected) < 1e-12);
    }
}

// With little memory the vectors on the right are computed several times.
BOOST_AUTO_TEST_CASE(blocks_and_threads_give_the_same_bits) {
    std::mt19937_64 random(4);
    const auto h = prepared(random_matrix(random, 3000, 4)), v = prepared(random_hermitian(random, 3000, 4));
    Problem problem;
    problem.moments = 70;
    problem.vectors = 2;
    Context one = make_context(1), more = make_context(3);
    const auto whole = finished(one, problem, {h, v, v});
    BOOST_TEST(whole->blocks().left == 70u);
    BOOST_TEST(whole->blocks().right == 64u);
    for (const std::int64_t slots : {6, 7, 13, 40}) {
        Problem limited = problem;
        const std::vector<const Hamiltonian*> operators{h.get(), v.get()};
        limited.memory_budget =
            slot_needs(Backend::cpu, problem, operators, std::vector{whole->format(), Format::crs}).bytes(slots) + 4096;
        limited.format = whole->format();
        const auto blocked = finished(slots % 2 == 0 ? more : one, limited, {h, v, v});
        BOOST_TEST(blocked->blocks().left + blocked->blocks().right <= static_cast<std::size_t>(slots));
        BOOST_TEST(blocked->blocks().left < 70u);
        for (std::int64_t s = 0; s < 2; ++s) BOOST_TEST(same_bits(blocked->sample(s), whole->sample(s)));
    }
}

BOOST_AUTO_TEST_CASE(pieces_cover_all_products) {
    for (std::size_t moments = 2; moments < 300; moments += 7)
        for (std::size_t slots = least_slots; slots <= most_slots(moments); slots += 5) {
            const BlockSizes sizes = sizes_of_blocks(moments, slots);
            BOOST_TEST_REQUIRE(sizes.left >= 1u);
            BOOST_TEST_REQUIRE(sizes.right >= 2u);
            BOOST_TEST_REQUIRE(sizes.left + sizes.right + other_slots <= slots);
            std::vector<int> covered(moments * moments);
            for (const Piece& piece : pieces_of(moments, sizes, 17 + slots % 90))
                if (piece.kind == Piece::Kind::products)
                    for (std::size_t m = 0; m < piece.left.count; ++m)
                        for (std::size_t n = 0; n < piece.right.count; ++n)
                            ++covered[(piece.left.first + m) * moments + piece.right.first + n];
            BOOST_TEST_REQUIRE(std::all_of(covered.begin(), covered.end(), [](int c) { return c == 1; }));
        }
}

BOOST_AUTO_TEST_CASE(resumed_runs_give_the_same_bits) {
    Context context = make_context();
    const auto path = std::filesystem::temp_directory_path() / "legato_kpm_correlation_test.h5";
    const auto h = prepared(disordered()), v = operator_on_lattice();
    Problem problem = small_problem();
    problem.realisations = 2;
    const auto whole = finished(context, problem, {h, v, v});
    for (int rounds = 0; rounds <= 6; rounds += 2) {
        Correlation part(context, problem, {h, v, v});
        for (int i = 0; i < rounds; ++i) part.advance();
        part.save(path);
        const auto resumed = Correlation::resume(context, path, OperatorsOfCorrelation{h, v, v});
        BOOST_TEST(resumed->samples_done() == rounds);
        resumed->run({});
        BOOST_TEST(same_bits(resumed->moments().mean, whole->moments().mean));
        BOOST_TEST(same_bits(resumed->moments().error, whole->moments().error));
    }
    const auto refused = [&](const OperatorsOfCorrelation& operators) {
        return failure_of([&] { Correlation::resume(context, path, operators); });
    };
    const auto [status, text] = refused({h, v, h});
    BOOST_TEST((status == Status::bad_file));
    BOOST_TEST(text.find("it belongs to another operator_b") != text.npos);
    BOOST_TEST(refused({h, h, v}).second.find("it belongs to another operator_a") != text.npos);
    BOOST_TEST(refused({v, v, v}).second.find("it belongs to another Hamiltonian") != text.npos);
    std::filesystem::remove(path);
}

BOOST_AUTO_TEST_CASE(stopped_runs_continue) {
    Context context = make_context();
    const OperatorsOfCorrelation operators = random_operators(true);
    const auto whole = finished(context, small_problem(), operators);
    Correlation stopped(context, small_problem(), operators);
    int calls = 0;
    const auto stop = [&](const Progress&) { return ++calls % 3 != 0; };
    int stops = 0;
    while (!stopped.complete()) try {
            stopped.run(stop, 0);
        } catch (const Error& error) {
            BOOST_TEST((error.status() == Status::cancelled));
            if (++stops == 3) stopped.run({});
        }
    BOOST_TEST(stops == 3);
    BOOST_TEST(same_bits(stopped.mean(), whole->mean()));
}

// The quotient (mean - exact) / error has Student's distribution. Its mean square over 64 seeds has a standard
// deviation of 0.21 around 1 here, once multiplied by (samples - 3) / (samples - 1). The band has 99 %.
BOOST_AUTO_TEST_CASE(errors_agree_with_deviations) {
    Context context = make_context();
    const auto h = prepared(disordered(3)), v = operator_on_lattice(3);
    constexpr int seeds = 64, samples = 20;
    for (const bool by_realisation : {false, true}) {
        Problem problem = small_problem();
        problem.moments = 4;
        problem.vectors = by_realisation ? 2 : samples;
        problem.realisations = by_realisation ? samples : 1;
        problem.bounds = Bounds::interval;
        problem.lowest = -6;
        problem.highest = 6;
        // The trace in the first realisation, or the mean over many.
        std::vector<Element> exact(16);
        constexpr int many = 3000;
        const int count = by_realisation ? many : 1;
        std::vector<std::array<double, 2>> squares(16);
        for (int seed = 1; seed <= seeds; ++seed) {
            if (!by_realisation || seed == 1) {
                exact.assign(16, 0);
                for (int s = 0; s < count; ++s) {
                    const auto one =
                        prepared(matrix_of(disordered(3), static_cast<std::uint64_t>(by_realisation ? 99 : seed), s));
                    const auto trace = traces({one, v, v}, rescaling_of({-6, 6}, problem.margin), 4);
                    for (std::size_t i = 0; i < 16; ++i) exact[i] += trace[i] / static_cast<double>(count);
                }
            }
            problem.seed = seed;
            const auto correlation = finished(context, problem, {h, v, v});
            BOOST_TEST(correlation->independent_samples() == samples);
            const DoubleMoments moments = correlation->moments();
            for (std::size_t i = 0; i < 16; ++i) {
                const Element d = moments.mean[i] - exact[i];
                squares[i][0] += std::pow(d.real() / moments.error[i].real(), 2) / seeds;
                squares[i][1] += std::pow(d.imag() / moments.error[i].imag(), 2) / seeds;
            }
        }
        for (const std::size_t i : {1, 2, 6, 9})
            for (const double square : squares[i]) {
                const double corrected = square * (samples - 3.0) / (samples - 1.0);
                BOOST_TEST_MESSAGE("moment " << i << ": mean square " << corrected);
                BOOST_TEST(corrected > 0.53);
                BOOST_TEST(corrected < 1.65);
            }
    }
}

BOOST_AUTO_TEST_CASE(unknown_errors_are_nan) {
    Context context = make_context();
    Problem problem = small_problem();
    problem.vectors = 1;
    const auto correlation = finished(context, problem, random_operators(true));
    BOOST_TEST(correlation->independent_samples() == 1 - 1);
    BOOST_TEST(std::isnan(correlation->moments().error[3].real()));
    BOOST_TEST(std::isnan(correlation->moments().error[3].imag()));
}

BOOST_AUTO_TEST_CASE(states_outside_the_bounds_are_detected) {
    Context context = make_context();
    Problem problem = small_problem();
    problem.moments = 100;
    problem.bounds = Bounds::interval;
    problem.lowest = -3;
    problem.highest = 3;
    Correlation correlation(context, problem, random_operators(true));
    for (int i = 0; i < 2; ++i) {
        const auto [status, text] = failure_of([&] { correlation.run({}); });
        BOOST_TEST((status == Status::numerical_error));
        BOOST_TEST(text.find("kpm.params.lowest, kpm.params.highest: the bounds") == 0u, text);
    }
    BOOST_TEST(correlation.samples_done() == 0);
}

// The start vector is an eigenvector within the bounds, but A leads to one outside.
BOOST_AUTO_TEST_CASE(states_outside_the_bounds_that_only_a_reaches_are_detected) {
    Context context = make_context();
    const auto h = prepared(complex_matrix({{{0, 0.5}}, {{1, 7.0}}})),
               a = prepared(complex_matrix({{{1, 1.0}}, {{0, 1.0}}}));
    Problem problem = small_problem();
    problem.start_vectors = StartVectors::caller;
    problem.bounds = Bounds::interval;
    problem.lowest = -1;
    problem.highest = 1;
    const auto first = [](std::int64_t, std::span<double> v) { v[0] = 1, v[1] = v[2] = v[3] = 0; };
    const auto [status, text] = failure_of([&] { finished(context, problem, {h, a, a}, first); });
    BOOST_TEST((status == Status::numerical_error));
    BOOST_TEST(text.find("the squared norm of T_8 A r of sample 0 is ") != text.npos, text);
    problem.bounds = Bounds::gershgorin;
    finished(context, problem, {h, a, a}, first);
}

BOOST_AUTO_TEST_CASE(bounds_are_those_of_a_computation_of_moments) {
    Context context = make_context();
    for (const Bounds bounds : {Bounds::gershgorin, Bounds::lanczos}) {
        Problem problem = small_problem();
        problem.bounds = bounds;
        problem.realisations = 2;
        const auto h = prepared(disordered());
        const Correlation correlation(context, problem, {h, h, h});
        const Solver solver(context, problem, h);
        BOOST_TEST(correlation.rescaling().centre == solver.rescaling().centre);
        BOOST_TEST(correlation.rescaling().half_width == solver.rescaling().half_width);
    }
}

BOOST_AUTO_TEST_CASE(a_source_of_energies_is_used) {
    Context context = make_context();
    CrsMatrix chain = matrix_of(Lattice{.extents = {sites, 1, 1}, .energies = {}}, 1, 0);
    CrsView view = view_of(chain);
    view.disorder.on_site = OnSite::energies;
    view.disorder.lowest = -1;
    view.disorder.highest = 1;
    view.disorder.source = std::make_shared<const EnergySource>([](std::int64_t realisation, std::span<double> e) {
        for (std::size_t i = 0; i < e.size(); ++i) e[i] = (i + static_cast<std::size_t>(realisation)) % 3 == 0 ? 1 : -1;
    });
    const OperatorsOfCorrelation operators{prepared(view), prepared(chain), prepared(chain)};
    Problem problem = small_problem();
    problem.vectors = 1;
    problem.realisations = 3;
    const auto correlation = finished(context, problem, operators);
    for (std::int64_t s = 0; s < 3; ++s) {
        Lattice lattice{.extents = {sites, 1, 1}, .on_site = OnSite::energies, .energies = {}};
        lattice.energies.resize(sites);
        (*view.disorder.source)(s, lattice.energies);
        std::vector<Element> r;
        for (std::uint64_t i = 0; i < sites; ++i)
            r.push_back(start_element(StartVectors::sign, 1, static_cast<std::uint64_t>(s), i));
        const auto h = prepared(matrix_of(lattice, 1, 0));
        const auto expected = dense_double_moments({h, operators.a, operators.b}, r, correlation->rescaling(), 9);
        BOOST_TEST(largest_difference(correlation->sample(s), expected) < 1e-12);
    }
}

BOOST_AUTO_TEST_CASE(wrong_arguments_are_refused) {
    Context context = make_context();
    const auto refused = [&](const Problem& problem, const OperatorsOfCorrelation& operators,
                             const StartVectorSource& source = {}) {
        const auto [status, text] = failure_of([&] { Correlation(context, problem, operators, source); });
        BOOST_TEST((status == Status::invalid_argument || status == Status::out_of_memory));
        return text;
    };
    const OperatorsOfCorrelation good = random_operators(false);
    const auto other = prepared(disordered());
    BOOST_TEST(refused({}, {good.h, other, good.b}) ==
               "kpm.correlation.a: the operator has 56 sites, but the Hamiltonian 60");
    BOOST_TEST(refused({}, {good.h, good.a, other}) ==
               "kpm.correlation.b: the operator has 56 sites, but the Hamiltonian 60");
    BOOST_TEST(refused({}, {operator_on_lattice(), other, other}) ==
               "kpm.correlation.a: an operator other than the Hamiltonian itself cannot have random on-site energies");
    Problem problem;
    problem.start_vectors = StartVectors::sites;
    problem.sites = {1};
    BOOST_TEST(refused(problem, good).find("kpm.params.start_vectors: 3 (sites) is not available") == 0u);
    problem.start_vectors = StartVectors::waves;
    BOOST_TEST(refused(problem, good).find("kpm.params.start_vectors: 6 (plane waves) is not available") == 0u);
    problem.start_vectors = StartVectors::caller;
    BOOST_TEST(refused(problem, good) == "kpm.params.start_vectors: 4 (given) needs a source of start vectors");
    problem.start_vectors = StartVectors::sign;
    BOOST_TEST(refused(problem, good, fill_given) ==
               "kpm.params.start_vectors: 0 is not 4 (given), but the caller gives start vectors");
    problem.start_vectors = StartVectors::phase;
    BOOST_TEST(refused(problem, good).find("kpm.params.start_vectors: 5 (phase) is for complex") == 0u);
    problem = {};
    problem.precision = Precision::single;
    BOOST_TEST(refused(problem, good).find("kpm.params.precision: 1 (single) is not available") == 0u);
    problem = {};
    problem.division = Division::lattice;
    BOOST_TEST(refused(problem, good).find("kpm.params.division: 2 (lattice) is not available") == 0u);
    problem = {};
    problem.moments = max_moments;
    problem.vectors = max_vectors;
    BOOST_TEST(refused(problem, good).find("kpm.params.moments: 1048576 x 1048576 of each of 1048576 samples need") ==
               0u);
    problem = {};
    problem.memory_budget = 1000;
    const std::string text = refused(problem, good);
    BOOST_TEST(text.find("kpm.correlation: 6 vectors of 60 sites, the fewest, need") == 0u, text);
    BOOST_TEST(text.find("kpm.params.memory_budget is 1000; about ") != text.npos, text);
    problem = {};
    problem.moments = 1;
    BOOST_TEST(refused(problem, good).find("kpm.params.moments: 1 is not in") == 0u);
    problem = small_problem();
    problem.start_vectors = StartVectors::caller;
    Correlation wrong(context, problem, good, [](std::int64_t, std::span<double> v) {
        std::fill(v.begin(), v.end(), 0.0);
        v[7] = NAN;
    });
    BOOST_TEST(failure_of([&] { wrong.run({}); }).second.find("kpm.start_vector[7] of sample 0: ") == 0u);
    BOOST_TEST(failure_of([&] { wrong.sample(0); }).second.find("kpm.correlation.sample: 0 is not there") == 0u);
}

// With real vectors the results are those of complex ones, which phases and the program's own vectors need.
BOOST_AUTO_TEST_CASE(imaginary_operators_are_computed_with_real_vectors) {
    Context context = make_context();
    std::mt19937_64 random(6);
    const auto imaginary = [&] {
        CrsMatrix matrix = random_hermitian(random, sites, 4);
        for (std::size_t k = 0; k < matrix.columns.size(); ++k) matrix.values[2 * k] = 0;
        return prepared(std::move(matrix));
    };
    const auto h = prepared(random_matrix(random, sites, 4)), real = prepared(random_matrix(random, sites, 4));
    const auto u = imaginary(), v = imaginary();
    for (const OperatorsOfCorrelation& operators :
         {OperatorsOfCorrelation{h, u, u}, {h, u, v}, {h, u, real}, {h, real, v}, {h, h, u}}) {
        const auto correlation = finished(context, small_problem(), operators);
        std::vector<Element> r;
        for (std::uint64_t i = 0; i < sites; ++i) r.push_back(start_element(StartVectors::sign, 1, 1, i));
        const auto expected = dense_double_moments(operators, r, correlation->rescaling(), 9);
        BOOST_TEST(largest_difference(correlation->sample(1), expected) < 1e-12);
        Problem given = small_problem();
        given.start_vectors = StartVectors::caller;
        const auto complex = finished(context, given, operators, [&](std::int64_t s, std::span<double> vector) {
            BOOST_TEST(vector.size() == 2 * sites);
            for (std::uint64_t i = 0; i < sites; ++i) {
                vector[2 * i] = start_element(StartVectors::sign, 1, static_cast<std::uint64_t>(s), i);
                vector[2 * i + 1] = 0;
            }
        });
        BOOST_TEST(largest_difference(correlation->mean(), complex->mean()) < 1e-12);
        BOOST_TEST(correlation->bytes() < complex->bytes());
    }
}

BOOST_AUTO_TEST_CASE(imaginary_lattices_are_computed_with_real_vectors) {
    Context context = make_context();
    CellLattice h, v;
    for (CellLattice* const lattice : {&h, &v}) {
        lattice->extents = {6, 5, 1};
        lattice->orbitals = 2;
    }
    h.twist[0] = std::numbers::pi;
    v.twist = h.twist;
    h.hoppings = {{0, 1, {0, 0, 0}, -1.0}, {0, 1, {1, 0, 0}, -0.7}, {1, 1, {0, 1, 0}, 0.4}};
    v.hoppings = {{0, 1, {0, 0, 0}, Element(0, -1)}, {0, 1, {1, 0, 0}, Element(0, 0.6)}};
    const OperatorsOfCorrelation cells{prepared(h), prepared(v), prepared(v)};
    const OperatorsOfCorrelation matrices{prepared(matrix_of(h, 1, 0, 1)), prepared(matrix_of(v, 1, 0, 1)),
                                          prepared(matrix_of(v, 1, 0, 1))};
    const auto a = finished(context, small_problem(), cells);
    std::vector<Element> r;
    for (std::uint64_t i = 0; i < sites; ++i) r.push_back(start_element(StartVectors::sign, 1, 2, i));
    BOOST_TEST(largest_difference(a->sample(2), dense_double_moments(matrices, r, a->rescaling(), 9)) < 1e-12);
    Problem phases = small_problem();
    phases.start_vectors = StartVectors::phase;
    BOOST_TEST(a->bytes() < finished(context, phases, cells)->bytes());
}

// Real vectors for a real Hamiltonian; complex ones if an operator is complex.
BOOST_AUTO_TEST_CASE(phases_are_allowed_if_an_operator_is_complex) {
    Context context = make_context();
    OperatorsOfCorrelation operators = random_operators(false);
    operators.a = random_operators(true).a;
    Problem problem = small_problem();
    problem.start_vectors = StartVectors::phase;
    const auto correlation = finished(context, problem, operators);
    std::vector<Element> r;
    for (std::uint64_t i = 0; i < sites; ++i) {
        const Phase phase = start_phase(1, 2, i);
        r.emplace_back(phase.real, phase.imaginary);
    }
    const auto expected = dense_double_moments(operators, r, correlation->rescaling(), 9);
    BOOST_TEST(largest_difference(correlation->sample(2), expected) < 1e-12);
}
