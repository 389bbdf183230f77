// Compares the CUDA engine with the CPU engine.
#define BOOST_TEST_MODULE dfr_engines
#define BOOST_TEST_NO_MAIN
#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdio>
#include <random>

#include "../device_main.hpp"
#include "core/device.hpp"
#include "core/larger.hpp"
#include "dfr/solver.hpp"
#include "hennessey.hpp"
#include "kpm/solver.hpp"

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

// Returns a job with random spinors and factors, so that nothing cancels by symmetry.
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

std::unique_ptr<Engine> loaded(std::unique_ptr<Engine> engine, const Quadratures& quadratures) {
    engine->load(quadratures, 2);
    return engine;
}

}  // namespace

BOOST_AUTO_TEST_CASE(repulsions) {
    const Context device = make_context(Backend::cuda);
    const std::array<std::pair<bool, Interaction>, 4> cases{{{true, Interaction::coulomb},
                                                             {true, Interaction::gaunt},
                                                             {true, Interaction::breit},
                                                             {false, Interaction::coulomb}}};
    for (const auto& [relativistic, interaction] : cases)
        for (const int element : {2, 6, 54, 86}) {
            Problem problem;
            problem.relativistic = relativistic;
            problem.interaction = interaction;
            const std::vector<Atom> atoms{library_atom(element, NuclearModel::point)};
            const Quadratures quadratures = make_quadratures(problem, atoms, 2);
            RepulsionJob a = random_job(atoms[0], relativistic, 7), b = a;
            loaded(make_cpu_engine(), quadratures)->compute_repulsion({&a, 1});
            loaded(make_cuda_engine(device), quadratures)->compute_repulsion({&b, 1});
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

// There are more jobs than one launch takes.
BOOST_AUTO_TEST_CASE(many_repulsions) {
    const Context device = make_context(Backend::cuda);
    const Problem problem;
    const std::vector<Atom> atoms{library_atom(2, NuclearModel::point), library_atom(6, NuclearModel::point)};
    const Quadratures quadratures = make_quadratures(problem, atoms, 2);
    const auto engine = loaded(make_cuda_engine(device), quadratures);
    std::vector<RepulsionJob> alone{random_job(atoms[0], true, 7), random_job(atoms[1], true, 8)}, many;
    alone[1].atom = 1;
    for (std::size_t i = 0; i < 6001; ++i) many.push_back(alone[i % 2]);
    for (RepulsionJob& job : alone) engine->compute_repulsion({&job, 1});
    engine->compute_repulsion(many);
    std::size_t different = 0;
    for (std::size_t i = 0; i < many.size(); ++i)
        for (std::size_t t = 0; t < many[i].targets.size(); ++t)
            different += many[i].repulsion[t].values != alone[i % 2].repulsion[t].values;
    BOOST_TEST(different == 0);
}

// There are enough problems for cuSOLVER to be used if the host has only one thread. One of them has no solution.
BOOST_AUTO_TEST_CASE(eigenproblems) {
    Context device = make_context(Backend::cuda);
    std::string said;
    device.set_logger(LogLevel::info, [&](LogLevel, std::string_view line) { said += line; });
    const std::vector<Atom> atoms{library_atom(2, NuclearModel::point)};
    const Quadratures quadratures = make_quadratures({}, atoms, 2);
    std::mt19937 generator(3);
    std::normal_distribution<double> number;
    std::vector<Eigenproblem> host;
    for (std::size_t i = 0; i < 300; ++i) {
        const std::size_t n = 1 + i % 90;
        Matrix a(n, n);
        for (std::size_t c = 0; c < n; ++c)
            for (std::size_t r = 0; r <= c; ++r)  // over twelve orders of magnitude, as in a Fock matrix
                a(r, c) = a(c, r) = number(generator) * std::pow(10.0, 6.0 * static_cast<double>(r + c) / 90 - 6);
        host.push_back({a, n / 2, std::min<std::size_t>(7, n - n / 2), i % 2 == 0, {}, 0.0, {}});
    }
    host[100].matrix(2, 3) = NAN;
    std::vector<Eigenproblem> there = host;
    std::vector<Eigenproblem*> a, b;
    for (Eigenproblem& problem : host) a.push_back(&problem);
    for (Eigenproblem& problem : there) b.push_back(&problem);
    solve(a, 2);
    std::vector<std::size_t> orders;
    for (const Eigenproblem& problem : there) orders.push_back(problem.matrix.rows);
    loaded(make_cuda_engine(device), quadratures)->solve(b, orders);
    BOOST_TEST(said.find("cuSOLVER") != std::string::npos, said);
    for (std::size_t i = 0; i < host.size(); ++i) {
        BOOST_TEST(there[i].failure.empty() == (i != 100), there[i].failure);
        BOOST_TEST(host[i].failure.empty() == (i != 100), host[i].failure);
        if (i == 100) continue;
        const Matrix& matrix = host[i].matrix;
        double norm = 0;
        for (const double value : matrix.values) norm = larger(norm, std::fabs(value));
        const double bound = 1e-13 * norm * static_cast<double>(matrix.rows);
        const Matrix &u = there[i].pairs.vectors, au = product(matrix, u), overlap = transposed_product(u, u);
        double residual = 0, off = 0, values = 0;
        for (std::size_t c = 0; c < u.columns; ++c) {
            values = larger(values, std::fabs(host[i].pairs.values[c] - there[i].pairs.values[c]));
            for (std::size_t r = 0; r < u.rows; ++r)
                residual = larger(residual, std::fabs(au(r, c) - there[i].pairs.values[c] * u(r, c)));
            for (std::size_t r = 0; r < u.columns; ++r)
                off = larger(off, std::fabs(overlap(r, c) - (r == c ? 1.0 : 0.0)));
        }
        BOOST_TEST(values <= bound, "order " << matrix.rows << ": eigenvalues off by " << values / norm);
        BOOST_TEST(residual <= bound, "order " << matrix.rows << ": residual " << residual / norm);
        BOOST_TEST(off <= 1e-12, "order " << matrix.rows << ": orthonormal to " << off);
        if (host[i].largest_wanted) BOOST_TEST(std::fabs(there[i].largest - host[i].largest) <= bound);
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
            // Rounding errors of a Fock matrix are proportional to its deepest level.
            const double bound = 1e-8 + 1e-11 * std::fabs(a[i].species[0].orbital_energies[0]);
            for (std::size_t s = 0; s < a[i].species.size(); ++s) {
                const double off = a[i].species[s].orbital_energies[0] - b[i].species[s].orbital_energies[0];
                BOOST_TEST(std::fabs(off) <= bound, name << ", " << name_of(static_cast<int>(s)) << ": " << off);
            }
        }
    }
}

// Half of the functions are missing, so that no derivative is small.
BOOST_AUTO_TEST_CASE(gradients) {
    std::vector<Atom> atoms = some_atoms();
    for (Atom& atom : atoms)
        for (auto& exponents : atom.exponents) {
            std::vector<double> kept;
            for (std::size_t p = 0; p < exponents.size(); p += 2) kept.push_back(exponents[p]);
            exponents = kept;
        }
    Problem without, restricted, extended, breit;
    without.relativistic = false;
    extended.kinetic_balance = KineticBalance::extended;
    breit.interaction = Interaction::breit;
    for (Problem problem : {without, restricted, extended, breit}) {
        problem.max_iterations = 200;
        const auto of = [&](Backend backend) {
            Context context = make_context(backend);
            Fields fields(context, problem, atoms);
            while (fields.advance() > 0) {
            }
            return fields.exponent_gradients();
        };
        const auto a = of(Backend::cpu), b = of(Backend::cuda), again = of(Backend::cuda);
        BOOST_TEST((b == again));
        for (std::size_t i = 0; i < atoms.size(); ++i) {
            double largest = 0, worst = 0;
            BOOST_REQUIRE(a[i].size() == atoms[i].exponents.size());
            for (std::size_t s = 0; s < a[i].size(); ++s)
                for (std::size_t p = 0; p < a[i][s].size(); ++p) {
                    largest = larger(largest, std::fabs(a[i][s][p]));
                    worst = larger(worst, std::fabs(a[i][s][p] - b[i][s][p]));
                }
            BOOST_TEST_MESSAGE("Z = " << atoms[i].nucleus.charge << ": " << worst / largest);
            BOOST_TEST(worst <= 1e-7 * largest, "Z = " << atoms[i].nucleus.charge << ": " << worst / largest);
        }
    }
}

// Results depend neither on the other atoms of a batch nor on repetition.
BOOST_AUTO_TEST_CASE(batches_give_the_same_bits) {
    const Problem problem;
    const std::vector<Atom> atoms = some_atoms();
    const auto together = results(Backend::cuda, problem, atoms), again = results(Backend::cuda, problem, atoms);
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        BOOST_TEST(together[i].energy == again[i].energy);
        BOOST_TEST(together[i].energy == results(Backend::cuda, problem, {atoms[i]})[0].energy);
    }
}

// Returns a job as in a self-consistent field: closed shells and the open one of each species.
RepulsionJob full_job(const Atom& atom, std::size_t index) {
    RepulsionJob job;
    job.atom = index;
    std::vector<int> species;  // species of each target
    for (std::size_t s = 0; s < atom.exponents.size(); ++s) {
        const std::size_t n = atom.exponents[s].size();
        for (const int columns :
             {atom.configuration.closed[s], shells(atom.configuration, s) - atom.configuration.closed[s]}) {
            if (columns == 0) continue;
            const Matrix zero(n, static_cast<std::size_t>(columns));
            job.densities.push_back({static_cast<int>(s), zero, zero});
            species.push_back(static_cast<int>(s));
        }
    }
    for (const int s : species) job.targets.push_back({s, std::vector<double>(job.densities.size(), 1.0)});
    return job;
}

BOOST_AUTO_TEST_CASE(device_memory_is_what_was_said) {
    const std::vector<Atom> atoms(60, library_atom(79, NuclearModel::point));
    const Problem problem;
    const Quadratures quadratures = make_quadratures(problem, atoms, 4);
    std::vector<RepulsionJob> jobs;
    for (std::size_t i = 0; i < atoms.size(); ++i) jobs.push_back(full_job(atoms[i], i));
    const Context context = make_context(Backend::cuda);
    const std::unique_ptr<Engine> small = loaded(make_engine(context, Backend::cuda), quadratures);
    small->compute_repulsion(std::span(jobs).first(1));  // this call loads the kernels
    const auto before = static_cast<double>(device_info(0).free_memory);
    const std::unique_ptr<Engine> engine = loaded(make_engine(context, Backend::cuda), quadratures);
    engine->compute_repulsion(jobs);
    const double taken = before - static_cast<double>(device_info(0).free_memory),
                 said = static_cast<double>(memory_needs(Backend::cuda, problem, atoms).bytes(1)),
                 pages = 16 << 20;  // pages of 2 MiB for each array
    std::printf("%.0f bytes taken, %.0f said\n", taken, said);
    BOOST_TEST(taken < said + pages);
    BOOST_TEST(taken > 0.8 * said);
}

// If the device is full, AUTO chooses the CPU and says so. A context that names the device refuses the job.
BOOST_AUTO_TEST_CASE(auto_falls_back_where_the_device_is_full) {
    constexpr std::size_t left = 1 << 28;
    Context cuda = make_context(Backend::cuda), automatic = make_context(Backend::auto_);
    std::vector<std::unique_ptr<kpm::Solver>> fill;  // each takes most of the free memory
    while (fill.size() < 5 && device_info(0).free_memory > left) {
        const std::size_t free = device_info(0).free_memory;
        kpm::Lattice lattice;
        lattice.extents = {static_cast<std::int64_t>((free - left / 2) / 17), 1, 1};
        kpm::Problem vectors;
        vectors.moments = 4;
        vectors.vectors = vectors.realisations = 1;
        fill.push_back(std::make_unique<kpm::Solver>(cuda, vectors, kpm::prepared(lattice)));
    }
    const std::vector<Atom> atoms(200, library_atom(79, NuclearModel::point));
    std::string lines;
    automatic.set_logger(LogLevel::info, [&](LogLevel, std::string_view line) { lines += std::string(line) + "\n"; });
    const Solver solver(automatic, Problem{}, atoms);
    BOOST_TEST((solver.backend().backend == Backend::cpu));
    BOOST_TEST(lines.find("dfr: backend cuda needs ") != std::string::npos);
    BOOST_CHECK_EXCEPTION(Solver(cuda, Problem{}, atoms), Error, [](const Error& error) {
        return error.status() == Status::out_of_memory &&
               std::string(error.what()).find("dfr.n_atoms: 200 need ") == 0 &&
               std::string(error.what()).find(" bytes of device memory are free") != std::string::npos;
    });
}

int main(int argc, char** argv) {
    return device_main(argc, argv);
}
