// Compares clusters on the CPU with those that are found one bond at a time, which must be bitwise identical, and
// improved estimators with averages over all directions of the clusters.
#define BOOST_TEST_MODULE ising_clusters
#include <boost/test/unit_test.hpp>

#include <map>

#include "ising/cluster_measurement.hpp"
#include "ising/cpu_clusters.hpp"
#include "ising/engine.hpp"
#include "ising/packed_spins.hpp"
#include "ising/solver.hpp"
#include "naive_clusters.hpp"

namespace legato::ising {
namespace {

constexpr auto p = Boundary::periodic, a = Boundary::antiperiodic;

Problem problem_of(const Lattice& lattice, std::vector<double> betas, double field = 0) {
    Problem problem;
    problem.lattice = lattice;
    problem.betas = std::move(betas);
    problem.field = field;
    problem.seeds = {12345, -7};
    problem.replicas = 2;
    problem.start = Start::random;
    problem.correlations = true;
    return problem;
}

using naive::Wide;

// The improved m, m^2 and m^4.
using Moments = std::array<double, 3>;

Moments estimated(std::span<const std::int64_t> measured, double sites) {
    Moments sums{};
    add_clusters_to_bin(measured, sites, sums);
    return sums;
}

// Returns the averages over all directions of the clusters. There are at most 16.
Moments enumerated(const naive::ClusterSystem& system) {
    std::map<std::size_t, int> sums;
    int of_ghost = 0;
    for (std::size_t i = 0; i < system.spins.size(); ++i)
        (system.cluster[i] == system.ghost ? of_ghost : sums[system.cluster[i]]) += system.spins[i];
    BOOST_TEST_REQUIRE(sums.size() <= 16U);
    Moments moments{};
    const unsigned states = 1u << sums.size();
    for (unsigned state = 0; state < states; ++state) {
        double m = of_ghost;
        unsigned bit = 0;
        for (const auto& [cluster, sum] : sums) m += (state >> bit++ & 1) != 0 ? sum : -sum;
        m /= static_cast<double>(system.spins.size());
        moments[0] += m / states;
        moments[1] += m * m / states;
        moments[2] += m * m * m * m / states;
    }
    return moments;
}

// Returns the same from the formula of cluster_measurement.hpp, for any number of clusters.
Moments summed(const naive::ClusterSystem& system) {
    std::map<std::size_t, double> sums;
    double g = 0, s_2 = 0, s_4 = 0;
    for (std::size_t i = 0; i < system.spins.size(); ++i)
        (system.cluster[i] == system.ghost ? g : sums[system.cluster[i]]) += system.spins[i];
    for (const auto& [cluster, m] : sums) s_2 += m * m, s_4 += m * m * m * m;
    const auto n = static_cast<double>(system.spins.size());
    return {g / n, (g * g + s_2) / n / n, (g * g * g * g + 6 * g * g * s_2 + 3 * s_2 * s_2 - 2 * s_4) / n / n / n / n};
}

void require_equal(const Moments& found, const Moments& expected) {
    for (std::size_t i = 0; i < found.size(); ++i)
        BOOST_TEST(std::fabs(found[i] - expected[i]) <= 1e-13 * std::fabs(expected[i]) + 1e-300,
                   "moment " << i << ": " << found[i] << " is not " << expected[i]);
}

// Makes sweeps from number `first` on, with a measurement after each of them.
void compare(Problem problem, Algorithm algorithm, int threads, std::int64_t first = 5) {
    constexpr std::int64_t sweeps = 4;
    problem.algorithm = algorithm;
    validate(problem);
    const Context context = naive::cpu_context(threads);
    const Model model(problem);
    const auto engine = make_cpu_engine(context, model);
    engine->load(first_words(model, 1));
    std::vector<std::int64_t> measured(sweeps * model.systems() * model.values.count);
    engine->advance({first, sweeps, 1, true}, measured);
    std::vector<std::uint32_t> words(model.words());
    engine->store(words);
    for (std::size_t block = 0; block < model.blocks(); ++block) {
        const Stream stream = model.stream(block);
        naive::ClusterSystem naive{
            {problem.lattice, problem.betas[model.beta_number(block)], problem.field, stream.seed, stream.number, {}},
            {},
            0};
        naive.start(true);
        for (std::int64_t s = 0; s < sweeps; ++s) {
            algorithm == Algorithm::wolff ? naive.wolff(first + s) : naive.swendsen_wang(first + s);
            const auto values = std::span(measured).subspan(
                (static_cast<std::size_t>(s) * model.systems() + block) * model.values.count, model.values.count);
            BOOST_TEST(values[MeasuredValues::magnetisation] == naive.magnetisation());
            BOOST_TEST(values[MeasuredValues::bonds] == naive.bonds());
            if (algorithm == Algorithm::wolff) continue;
            const auto sites = static_cast<double>(model.sites());
            const Moments moments = estimated(values.subspan(model.values.clusters), sites);
            require_equal(moments, summed(naive));
            if (sites <= 16) require_equal(moments, enumerated(naive));
            for (std::size_t axis = 0; axis < static_cast<std::size_t>(problem.lattice.dimension); ++axis)
                for (std::int64_t r = 1; r <= problem.lattice.extents[axis] / 2; ++r)
                    BOOST_TEST(values[model.values.correlations[axis] + static_cast<std::size_t>(r) - 1] ==
                               naive.correlation(axis, r));
        }
        const std::vector<std::int8_t> spins = unpacked_spins(model, words, block);
        BOOST_TEST(std::equal(spins.begin(), spins.end(), naive.spins.begin(), naive.spins.end()));
    }
}

void compare_all(Algorithm algorithm) {
    const auto both = [&](const Problem& problem, std::int64_t first = 5) {
        for (const int threads : {1, 3}) compare(problem, algorithm, threads, first);
    };
    both(problem_of({2, {2, 2, 1}, {}}, {0.1, 0.44, -0.3}));
    both(problem_of({2, {4, 4, 1}, {}}, {0.1, 0.44, 3.0}, 0.4));
    both(problem_of({2, {4, 4, 1}, {a, p, p}}, {0.3, -0.44}, -0.2));
    both(problem_of({2, {62, 10, 1}, {a, a, p}}, {0.44, -0.6}));
    both(problem_of({2, {10, 12, 1}, {p, a, p}}, {0.44, 1e-17, 700.0}, 0.01), (std::int64_t{1} << 32) + 7);
    both(problem_of({2, {134, 6, 1}, {p, a, p}}, {0.44, 0.7}, 0.05));
    both(problem_of({2, {64, 6, 1}, {a, p, p}}, {0.5}));
    both(problem_of({2, {130, 4, 1}, {a, p, p}}, {0.5}));
    both(problem_of({3, {2, 2, 2}, {p, a, p}}, {0.2, 0.1}));
    both(problem_of({3, {2, 2, 4}, {}}, {0.2, -0.3}, 1e-3));
    both(problem_of({3, {10, 6, 4}, {a, p, a}}, {0.22, -0.3}));
    both(problem_of({3, {66, 4, 2}, {p, a, p}}, {0.22, 0.3}, -0.1));
}

BOOST_AUTO_TEST_CASE(swendsen_wang) {
    compare_all(Algorithm::swendsen_wang);
}
BOOST_AUTO_TEST_CASE(wolff) {
    compare_all(Algorithm::wolff);
}

// The threads of a large lattice share it.
BOOST_AUTO_TEST_CASE(the_same_bits_for_any_number_of_threads) {
    for (const Algorithm algorithm : {Algorithm::swendsen_wang, Algorithm::wolff}) {
        std::vector<std::vector<std::uint32_t>> words;
        std::vector<std::vector<std::int64_t>> measured;
        Problem problem = problem_of({3, {70, 96, 64}, {a, p, a}}, {0.22165, -0.3}, 1e-4);
        problem.algorithm = algorithm;
        problem.seeds = {3};
        problem.replicas = 1;
        const Model model(problem);
        for (const int threads : {1, 2, 5}) {
            const Context context = naive::cpu_context(threads);
            const auto engine = make_cpu_engine(context, model);
            engine->load(first_words(model, 1));
            measured.emplace_back(3 * model.systems() * model.values.count);
            engine->advance({0, 6, 2, true}, measured.back());
            words.emplace_back(model.words());
            engine->store(words.back());
            BOOST_TEST((words.back() == words[0]));
            BOOST_TEST((measured.back() == measured[0]));
        }
    }
}

// The parts of a lattice follow one another here, in any order, so that this does not depend on how many threads there
// are.
BOOST_AUTO_TEST_CASE(parts_of_a_lattice) {
    for (const double field : {0.0, 1e-3, 0.3}) {
        Problem problem = problem_of({3, {70, 18, 10}, {a, p, a}}, {0.22165}, field);
        problem.algorithm = Algorithm::swendsen_wang;
        const Model model(problem);
        std::vector<std::vector<std::int64_t>> measured;
        std::vector<std::vector<std::uint32_t>> words;
        for (const std::uint32_t parts : {1U, 2U, 5U, 7U}) {
            CpuClusters<3> lattices(model, SlabLayout(model.packing));
            CpuClusters<3>::Shared shared(model);
            const auto worker = std::make_unique<CpuWorker>(model.values.count);
            const auto part = [&](std::uint32_t i) {
                const std::uint32_t all = model.packing.words();
                return CpuClusters<3>::Part{all * i / parts, all * (i + 1) / parts};
            };
            lattices.words() = first_words(model, 1);
            std::vector<std::int64_t> values(model.values.count);
            for (std::int64_t s = 0; s < 6; ++s) {
                const Sweep sweep{s, s % 2 == 1};
                for (std::uint32_t phase = 0; phase < CpuClusters<3>::phases; ++phase)
                    for (std::uint32_t i = parts; i-- > 0;) lattices.update(0, sweep, phase, part(i), *worker, shared);
                for (std::uint32_t i = 0; i < parts && sweep.is_measured; ++i)
                    lattices.measure(0, part(i), values, worker->piece, shared);
            }
            measured.push_back(values);
            words.push_back(lattices.words());
            BOOST_TEST((measured.back() == measured[0]));
            BOOST_TEST((words.back() == words[0]));
            BOOST_TEST((values[model.values.clusters + ClusterSums::ghost] != 0) == (field != 0));
        }
    }
}

// A sum over clusters may be beyond 2^64.
BOOST_AUTO_TEST_CASE(fourth_powers_of_large_clusters) {
    ClusterSums sums;
    Wide s_2 = 0, s_4 = 0;
    for (const std::int64_t m : {2147483583, -2000000000, -3, 65536}) {
        sums.add(m);
        const auto square = static_cast<std::uint64_t>(m * m);
        s_2 += square;
        s_4 += Wide{square} * square;
    }
    std::vector<std::int64_t> values(ClusterSums::count);
    sums.add_to(values);
    const auto found = estimated(values, 1e9);
    const double exact_2 = static_cast<double>(s_2) / 1e18, exact_4 = static_cast<double>(s_4) / 1e36;
    BOOST_TEST(std::fabs(found[1] - exact_2) < 1e-14 * exact_2);
    BOOST_TEST(std::fabs(found[2] - (3 * exact_2 * exact_2 - 2 * exact_4)) < 1e-13 * exact_4);
}

// Each of the four sums for fourth powers counts.
BOOST_AUTO_TEST_CASE(fourth_powers_of_clusters_of_all_sizes) {
    for (const std::int64_t m : {1, 255, 256, 300, 65535, 65537, 70000, 1000000, 123456789}) {
        ClusterSums sums;
        sums.add(m);
        std::vector<std::int64_t> values(ClusterSums::count);
        sums.add_to(values);
        const double exact = std::pow(static_cast<double>(m), 4);
        BOOST_TEST(std::fabs(estimated(values, 1)[2] - exact) < 1e-14 * exact, "m = " << m);
    }
}

}  // namespace
}  // namespace legato::ising
