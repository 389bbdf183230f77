// The CUDA engine against the CPU engine.
#define BOOST_TEST_MODULE dfr_engines
#define BOOST_TEST_NO_MAIN
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdio>
#include <random>

#include "core/device.hpp"
#include "core/larger.hpp"
#include "dfr/solver.hpp"
#include "dfr/well_tempered.hpp"

using namespace legato;
using namespace legato::dfr;

namespace {

Context make_context(Backend backend) {
    ContextOptions options;
    options.backend = backend;
    options.log_level = LogLevel::silent;
    return Context(options);
}

std::vector<AtomResult> results(Backend backend, const Problem& problem, const std::vector<Atom>& atoms) {
    Context context = make_context(backend);
    Solver solver(context, problem, atoms);
    solver.run({});
    std::vector<AtomResult> all;
    for (std::size_t i = 0; i < atoms.size(); ++i) all.push_back(solver.result(i));
    return all;
}

std::vector<Atom> some_atoms() {
    std::vector<Atom> atoms;
    for (const int element : {2, 3, 6, 10, 24, 36, 57, 86}) atoms.push_back(library_atom(element, NuclearModel::point));
    return atoms;
}

// Random spinors and factors, so that nothing cancels by symmetry.
RepulsionJob random_job(const Atom& atom, bool relativistic, unsigned seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    const auto fill = [&](std::size_t rows, std::size_t columns) {
        Matrix m(rows, columns);
        for (double& value : m.values) value = number(generator);
        return m;
    };
    RepulsionJob job;
    for (std::size_t s = 0; s < atom.exponents.size(); ++s) {
        const std::size_t n = atom.exponents[s].size();
        job.densities.push_back({static_cast<int>(s), fill(n, 1 + s), relativistic ? fill(n, 1 + s) : Matrix()});
    }
    for (std::size_t s = 0; s < atom.exponents.size(); ++s) {
        Target target{static_cast<int>(s), {}};
        for (std::size_t d = 0; d < job.densities.size(); ++d)
            target.factors.push_back((s + d) % 4 == 3 ? 0.0 : number(generator));
        job.targets.push_back(target);
    }
    return job;
}

}  // namespace

BOOST_AUTO_TEST_CASE(repulsions) {
    const Context host = make_context(Backend::cpu), device = make_context(Backend::cuda);
    for (const bool relativistic : {true, false})
        for (const int element : {2, 6, 54, 86}) {
            Problem problem;
            problem.relativistic = relativistic;
            const std::vector<Atom> atoms{library_atom(element, NuclearModel::point)};
            const Quadratures quadratures = make_quadratures(problem, atoms, 2);
            RepulsionJob a = random_job(atoms[0], relativistic, 7), b = a;
            make_cpu_engine(host, quadratures)->repel({&a, 1});
            make_cuda_engine(device, quadratures)->repel({&b, 1});
            for (std::size_t t = 0; t < a.targets.size(); ++t) {
                double largest = 0, worst = 0;
                for (std::size_t i = 0; i < a.repulsion[t].values.size(); ++i) {
                    largest = larger(largest, std::fabs(a.repulsion[t].values[i]));
                    worst = larger(worst, std::fabs(a.repulsion[t].values[i] - b.repulsion[t].values[i]));
                }
                BOOST_TEST(worst <= 1e-12 * largest,
                           "Z = " << element << ", " << name_of(a.targets[t].species) << ": " << worst / largest);
            }
        }
}

BOOST_AUTO_TEST_CASE(energies) {
    const std::vector<Atom> atoms = some_atoms();
    for (const bool relativistic : {true, false}) {
        Problem problem;
        problem.relativistic = relativistic;
        const auto a = results(Backend::cpu, problem, atoms), b = results(Backend::cuda, problem, atoms);
        for (std::size_t i = 0; i < atoms.size(); ++i) {
            const std::string name = text("Z = ", atoms[i].nucleus.charge);
            BOOST_TEST((b[i].status == AtomStatus::converged), name);
            BOOST_TEST(std::fabs(a[i].energy / b[i].energy - 1) < 1e-12, name << ": " << a[i].energy - b[i].energy);
            BOOST_TEST(std::abs(a[i].iterations - b[i].iterations) <= 1, name);
            // Rounding in a Fock matrix goes with the deepest level.
            const double bound = 1e-8 + 1e-11 * std::fabs(a[i].species[0].orbital_energies[0]);
            for (std::size_t s = 0; s < a[i].species.size(); ++s) {
                const double off = a[i].species[s].orbital_energies[0] - b[i].species[s].orbital_energies[0];
                BOOST_TEST(std::fabs(off) <= bound, name << ", " << name_of(static_cast<int>(s)) << ": " << off);
            }
        }
    }
}

// What else is in the batch does not matter, nor does a repetition.
BOOST_AUTO_TEST_CASE(batches_give_the_same_bits) {
    const Problem problem;
    const std::vector<Atom> atoms = some_atoms();
    const auto together = results(Backend::cuda, problem, atoms), again = results(Backend::cuda, problem, atoms);
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        BOOST_TEST(together[i].energy == again[i].energy);
        BOOST_TEST(together[i].energy == results(Backend::cuda, problem, {atoms[i]})[0].energy);
    }
}

int main(int argc, char** argv) {
    std::string why;
    if (device_count(&why) == 0) {
        std::printf("skipped: %s\n", why.c_str());
        return 77;
    }
    return boost::unit_test::unit_test_main([] { return true; }, argc, argv);
}
