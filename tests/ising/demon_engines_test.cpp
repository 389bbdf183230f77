// Compares the CUDA engine with demons with the CPU engine. Results must be bitwise identical.
#define BOOST_TEST_MODULE ising_demon_engines
#define BOOST_TEST_NO_MAIN
#include <boost/test/unit_test.hpp>

#include "../device_main.hpp"
#include "demon_runs.hpp"

using namespace legato;
using namespace legato::ising;
using namespace legato::ising::tests;

namespace {

struct Run {
    std::vector<std::uint32_t> words;
    std::vector<std::int64_t> measured;
};

// Runs three batches: canonical; canonical with measurements; microcanonical with measurements.
Run run_of(Backend backend, const Model& model, std::int64_t sweeps, std::int64_t first,
           std::vector<std::uint32_t> words) {
    const auto engine = make_engine(context_on(backend), backend, model);
    Run run{std::move(words), {}};
    engine->load(run.words);
    engine->advance({first, sweeps, 0, true}, {});
    for (const bool draw : {true, false}) {
        std::vector<std::int64_t> measured(3 * model.systems() * model.values.count);
        first += sweeps;
        engine->advance({first, sweeps, sweeps / 3, draw}, measured);
        run.measured.insert(run.measured.end(), measured.begin(), measured.end());
    }
    engine->store(run.words);
    return run;
}

void compare(const Problem& problem, std::int64_t sweeps = 9, std::int64_t first = 4294967290) {
    const Model model(problem);
    const std::vector<std::uint32_t> words = random_state(model, 31);
    const Run cpu = run_of(Backend::cpu, model, sweeps, first, words),
              cuda = run_of(Backend::cuda, model, sweeps, first, words);
    BOOST_TEST_CONTEXT("extents " << problem.lattice.extents[0] << " " << problem.lattice.extents[1] << " "
                                  << problem.lattice.extents[2] << " beta " << problem.betas[0] << " replicas "
                                  << problem.replicas << " algorithm " << static_cast<int>(problem.algorithm)) {
        BOOST_TEST((cpu.words == cuda.words));
        BOOST_TEST((cpu.measured == cuda.measured));
    }
}

template <class T>
std::vector<T> slice(const std::vector<T>& all, std::size_t first, std::size_t end) {
    return {all.begin() + static_cast<std::ptrdiff_t>(first), all.begin() + static_cast<std::ptrdiff_t>(end)};
}

// Compares a device that has some blocks of a run with the whole run on the CPU.
void compare_part(const Problem& problem, std::size_t first, std::size_t end) {
    const Model model(problem), part = model.of_blocks(first, end);
    const std::vector<std::uint32_t> words = random_state(model, 31);
    const std::size_t size = model.block_words(), row = model.systems() * model.values.count,
                      begin = model.first_system(first) * model.values.count,
                      stop = model.first_system(end) * model.values.count;
    const Run cpu = run_of(Backend::cpu, model, 9, 0, words),
              cuda = run_of(Backend::cuda, part, 9, 0, slice(words, first * size, end * size));
    BOOST_TEST((slice(cpu.words, first * size, end * size) == cuda.words));
    std::vector<std::int64_t> measured;
    for (std::size_t i = 0; i < cpu.measured.size(); i += row)
        for (std::size_t k = begin; k < stop; ++k) measured.push_back(cpu.measured[i + k]);
    BOOST_TEST((measured == cuda.measured));
}

}  // namespace

// Every temperature and seed has three blocks, the last one with surplus systems. There are 12 blocks in all.
BOOST_AUTO_TEST_CASE(some_blocks_of_a_run) {
    for (const Lattice& lattice : {square(12, 10), square(200, 190), cubic(6, 10, 8)})
        for (const Algorithm algorithm : {Algorithm::demon_naive, Algorithm::demon_binomial})
            for (const bool correlations : {false, true}) {
                Problem problem = demon_problem(lattice, algorithm, 0.21);
                problem.betas.push_back(0.6);
                problem.seeds = {3, 4};
                problem.replicas = 70;
                problem.correlations = correlations && sites_of(lattice) < 1000;
                compare_part(problem, 0, 2);
                compare_part(problem, 2, 7);
                compare_part(problem, 5, 12);
                compare_part(problem, 11, 12);
            }
}

BOOST_AUTO_TEST_CASE(all_lattices) {
    for (const Lattice& lattice : various_lattices()) {
        for (const Algorithm algorithm : {Algorithm::demon_naive, Algorithm::demon_binomial}) {
            Problem problem = demon_problem(lattice, algorithm, 0.21);
            problem.betas.push_back(0.6);
            problem.seeds = {3, 4};
            // These numbers of replicas give surplus systems, and lattices of 1 to 32 parts.
            for (const int replicas : {70, 13, 5, 3, 2, 1}) {
                problem.replicas = replicas;
                // All lattices use the code for large lattices if correlations are measured.
                for (const bool correlations : {false, true}) {
                    problem.correlations = correlations;
                    compare(problem);
                }
            }
        }
    }
}

// Tests all kernels with runs that are short enough for a sanitizer.
BOOST_AUTO_TEST_CASE(short_runs) {
    for (const Lattice& lattice : {square(12, 10), square(200, 190), cubic(6, 10, 8)}) {
        for (const Algorithm algorithm : {Algorithm::demon_naive, Algorithm::demon_binomial}) {
            for (const int replicas : {32, 3, 1}) {
                Problem problem = demon_problem(lattice, algorithm, 0.35);
                problem.replicas = replicas;
                compare(problem, 3);
                problem.correlations = sites_of(lattice) < 1000;
                compare(problem, 3);
            }
        }
    }
}

// The temperatures range from those at which many demons of a level change to those at which almost none is occupied.
BOOST_AUTO_TEST_CASE(all_temperatures) {
    for (const double beta : {1e-3, 0.05, 0.1, 0.2, 0.3, 0.44, 0.6, 0.8, 2.0, 200.0})
        for (const Lattice& lattice : {square(8, 6), square(64, 64), square(100, 130), square(512, 512)}) {
            Problem problem = demon_problem(lattice, Algorithm::demon_binomial, beta);
            problem.refresh_interval = 2;
            for (const int replicas : {32, 2, 1}) {
                problem.replicas = replicas;
                compare(problem, 6);
            }
        }
}

BOOST_AUTO_TEST_CASE(long_rows_and_many_chunks) {
    const auto a = Boundary::antiperiodic;
    for (const Lattice& lattice : {square(1 << 16, 2, a), square(2, 1 << 16), square(2048, 1024),
                                   cubic(128, 64, 32, a, a, a), cubic(2, 2, 70000)})
        for (const int replicas : {32, 12, 1}) {
            Problem problem = demon_problem(lattice, Algorithm::demon_binomial, 0.3);
            problem.replicas = replicas;
            compare(problem, 3);
        }
}

// There are so many demons that a separate launch counts them, with parts and with surplus systems.
BOOST_AUTO_TEST_CASE(few_large_lattices) {
    const auto a = Boundary::antiperiodic;
    for (const Lattice& lattice : {square(2048, 2048, a, a), square(1000, 1002), cubic(128, 128, 128, a, a, a)})
        for (const Algorithm algorithm : {Algorithm::demon_naive, Algorithm::demon_binomial})
            for (const int replicas : {1, 3}) {
                Problem problem = demon_problem(lattice, algorithm, 0.3);
                problem.replicas = replicas;
                compare(problem, 3);
            }
}

// There are more sweeps and more measurements than are prepared at once.
BOOST_AUTO_TEST_CASE(long_stretches) {
    Problem problem = demon_problem(square(16, 12), Algorithm::demon_binomial, 0.44);
    problem.replicas = 1;
    problem.betas.assign(64, 0.44);
    compare(problem, 3000);
}

int main(int argc, char** argv) {
    return device_main(argc, argv);
}
