// Tests lists of atoms: bitwise identical results in every order of work, inputs at the ends of their ranges, failures,
// memory, and calls from within callbacks.
#define BOOST_TEST_MODULE dfr_solver
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>
#include <new>
#include <numbers>
#include <string>
#include <vector>

#include "dfr/division.hpp"
#include "dfr/properties.hpp"
#include "dfr/solver.hpp"
#include "failing_memory.hpp"
#include "hennessey.hpp"

using namespace legato;
using namespace legato::dfr;

namespace {

Context make_context(int threads = 2) {
    ContextOptions options;
    options.backend = Backend::cpu;
    options.threads = threads;
    return Context(options);
}

std::vector<double> even_tempered(double smallest, double ratio, std::size_t count) {
    std::vector<double> exponents{smallest};
    while (exponents.size() < count) exponents.push_back(exponents.back() * ratio);
    return exponents;
}

// Returns an atom whose open shells are independent of each other.
Atom make_atom(double charge, std::vector<std::vector<double>> exponents, std::vector<int> closed,
               std::vector<double> electrons, double pair = 0) {
    Atom atom;
    const std::size_t species = exponents.size();
    atom.nucleus.charge = charge;
    atom.exponents = std::move(exponents);
    atom.configuration = {std::move(closed), std::move(electrons), std::vector<double>(species * species, 1.0)};
    for (std::size_t s = 0; s < species; ++s) atom.configuration.pairs[s * species + s] = pair;
    return atom;
}

std::vector<AtomResult> results(const Solver& solver) {
    std::vector<AtomResult> all;
    for (std::size_t i = 0; i < solver.atoms().size(); ++i) all.push_back(solver.result(i));
    return all;
}

std::vector<AtomResult> run(const Problem& problem, const std::vector<Atom>& atoms, int threads = 2) {
    Context context = make_context(threads);
    Solver solver(context, problem, atoms);
    solver.run({});
    return results(solver);
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), sizeof(double) * a.size()) == 0);
}

void require_same_bits(const AtomResult& a, const AtomResult& b) {
    BOOST_TEST((a.status == b.status));
    BOOST_TEST(a.iterations == b.iterations);
    BOOST_TEST(same_bits({a.energy, a.kinetic, a.nuclear, a.repulsion, a.gradient},
                         {b.energy, b.kinetic, b.nuclear, b.repulsion, b.gradient}));
    BOOST_REQUIRE(a.species.size() == b.species.size());
    for (std::size_t s = 0; s < a.species.size(); ++s) {
        BOOST_TEST(same_bits(a.species[s].orbital_energies, b.species[s].orbital_energies));
        BOOST_TEST(same_bits(a.species[s].large.values, b.species[s].large.values));
        BOOST_TEST(same_bits(a.species[s].small.values, b.species[s].small.values));
    }
}

void require_same_bits(const std::vector<AtomResult>& a, const std::vector<AtomResult>& b) {
    BOOST_REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) require_same_bits(a[i], b[i]);
}

template <class Action>
std::string message_of(Status status, const Action& action) {
    try {
        action();
    } catch (const Error& error) {
        BOOST_TEST((error.status() == status));
        return error.what();
    }
    return "nothing thrown";
}

void check(const char* what, const AtomResult& result, double energy, double tolerance) {
    BOOST_TEST((result.status == AtomStatus::converged), what << ": gradient " << result.gradient);
    BOOST_TEST(std::fabs(result.energy - energy) < tolerance, what << ": " << result.energy << " for " << energy);
}

// Returns an atom with two shells of equal functions. Near linear dependence leaves only one function.
Atom dependent_atom() {
    return make_atom(10, {std::vector<double>(10, 1.0)}, {2}, {0});
}

const Atom helium = library_atom(2, NuclearModel::point);

}  // namespace

BOOST_AUTO_TEST_CASE(threads_and_company_do_not_matter) {
    const std::vector<Atom> atoms{library_atom(24, NuclearModel::gaussian), helium,
                                  library_atom(6, NuclearModel::point)};
    for (const bool relativistic : {true, false}) {
        Problem problem;
        problem.relativistic = relativistic;
        const std::vector<AtomResult> expected = run(problem, atoms, 1);
        require_same_bits(run(problem, atoms, 2), expected);
        require_same_bits(run(problem, atoms, 3), expected);
        for (std::size_t i = 0; i < atoms.size(); ++i) require_same_bits(run(problem, {atoms[i]})[0], expected[i]);
    }
}

BOOST_AUTO_TEST_CASE(a_cancelled_run_goes_on) {
    const std::vector<Atom> atoms{library_atom(10, NuclearModel::point), helium};
    Context context = make_context();
    Solver solver(context, {}, atoms);
    BOOST_TEST(solver.result(0).species.empty());
    int left = 3;
    std::int64_t cycles = 0;
    const auto callback = [&](const Progress& progress) {
        cycles = progress.cycles_done;
        return --left > 0;
    };
    BOOST_TEST(message_of(Status::cancelled, [&] { solver.run(callback); }) == "dfr: stopped by the progress callback");
    BOOST_TEST(cycles == 6);
    BOOST_TEST(solver.result(0).iterations == 3);
    BOOST_TEST(solver.result(0).species.size() == 3U);
    solver.advance();
    solver.run({});
    BOOST_TEST(solver.finished() == 2U);
    BOOST_TEST(solver.advance());
    require_same_bits(results(solver), run({}, atoms));
}

BOOST_AUTO_TEST_CASE(a_callback_cannot_carry_on_its_run) {
    Context context = make_context();
    Solver solver(context, {}, {dependent_atom(), helium});
    int refused = 0;
    const auto try_both = [&] {
        refused += message_of(Status::invalid_argument, [&] { solver.run({}); }) ==
                   "dfr.run: a callback cannot continue the run that calls it";
        refused += message_of(Status::invalid_argument, [&] { solver.advance(); }) ==
                   "dfr.advance: a callback cannot continue the run that calls it";
    };
    int calls = 0;
    solver.run([&](const Progress&) {
        ++calls;
        try_both();
        return true;
    });
    BOOST_TEST(calls > 3);
    BOOST_TEST(refused == 2 * calls);
    require_same_bits(solver.result(1), run({}, {helium})[0]);
}

// One electron does not repel itself. A basis of equal functions is one function.
BOOST_AUTO_TEST_CASE(few_electrons_and_functions) {
    const auto s = even_tempered(1e-3, 2, 40);
    const double hydrogen = -0.500006656597;  // the value of c^2 (sqrt(1 - 1/c^2) - 1)
    Problem problem;
    problem.gradient_threshold = 1e-7;
    check("hydrogen", run(problem, {make_atom(1, {s}, {0}, {1})})[0], hydrogen, 1e-7);
    // <T> + <V> in one Gaussian function is 1.5 zeta - 2 sqrt(2 zeta / pi), at best -4/(3 pi).
    Problem light;
    light.relativistic = false;
    const double best = 8 / (9 * std::numbers::pi);
    check("one function", run(light, {make_atom(1, {{best}}, {0}, {1})})[0], -4 / (3 * std::numbers::pi), 1e-13);
    const AtomResult equal = run(light, {make_atom(1, {std::vector<double>(200, best)}, {0}, {1})})[0];
    check("200 equal functions", equal, -4 / (3 * std::numbers::pi), 1e-11);
    BOOST_TEST(equal.species[0].orbital_energies.size() == 1U);
    BOOST_TEST(equal.species[0].functions_left_out == 199);
    // Tests fewer electrons than nuclear charges, more of them, nearly none, and a nearly full shell.
    check("Z = 10, one electron", run(problem, {make_atom(10, {s}, {0}, {1})})[0], -50.06674, 1e-4);
    check("H-", run(light, {make_atom(1, {s}, {1}, {0})})[0], -0.487929734, 1e-8);
    check("no electron to speak of", run(problem, {make_atom(2, {s}, {0}, {1e-300})})[0], 0, 1e-290);
    const double closed = run(problem, {make_atom(2, {s}, {1}, {0})})[0].energy;
    check("nearly full", run(problem, {make_atom(2, {s}, {0}, {2 - 1e-15}, 1)})[0], closed, 1e-9);
}

BOOST_AUTO_TEST_CASE(species_without_functions_or_electrons) {
    const auto s = even_tempered(0.05, 2, 20), p = even_tempered(0.01, 2, 16);
    const AtomResult alone = run({}, {make_atom(2, {s}, {1}, {0})})[0];
    std::vector<std::vector<double>> many(max_symmetries, p);
    many[0] = s;
    many[1].clear();
    const AtomResult among = run({}, {make_atom(
                                         2, many, std::vector<int>(many.size(), 0),
                                         [&] {
                                             std::vector<double> electrons(many.size(), 0.0);
                                             electrons[0] = 1.5;
                                             return electrons;
                                         }(),
                                         0.7)})[0];
    BOOST_TEST((among.status == AtomStatus::converged));
    BOOST_TEST(among.species[1].orbital_energies.empty());
    BOOST_TEST(among.species[2].orbital_energies.size() == p.size());
    many.back().clear();
    std::vector<int> closed(many.size(), 0);
    closed[0] = 1;
    const AtomResult unused = run({}, {make_atom(2, many, closed, std::vector<double>(many.size(), 0.0))})[0];
    check("unused species", unused, alone.energy, 1e-13);

    // The first species is empty: an electron in 2p1/2 of He+.
    const Atom only_p = make_atom(2, {{}, p}, {0, 0}, {0, 1});
    const AtomResult result = run({}, {only_p})[0];
    check("2p1/2 alone", result, -0.500033285, 1e-6);
    const std::vector<double> density = radial_density(only_p, result, std::vector<double>{0.0, 1.0});
    BOOST_TEST(std::isfinite(density[0]));
    BOOST_TEST(density[1] > 0);
    check("open shells only", run({}, {make_atom(5, {even_tempered(0.01, 2, 22), p, p}, {0, 0, 0}, {1, 1, 2}, 0.5)})[0],
          -15.9, 1);
}

// All results are finite, and the status says whether rounding has spoilt them.
BOOST_AUTO_TEST_CASE(the_ends_of_what_is_allowed) {
    auto wide = even_tempered(0.05, 2, 20);
    const double inner = run({}, {make_atom(2, {wide}, {1}, {0})})[0].energy;
    wide.insert(wide.end(), {smallest_exponent, largest_exponent});
    Problem problem;
    problem.gradient_threshold = 1e-3;
    problem.energy_threshold = 1e-7;
    check("1e-8 and 1e20", run(problem, {make_atom(2, {wide}, {1}, {0})})[0], inner, 1e-7);

    problem.max_iterations = 3;
    std::vector<Atom> atoms{make_atom(2, {{largest_exponent, smallest_exponent}}, {1}, {0}),
                            make_atom(2, {even_tempered(1e-8, 1.38, 200)}, {1}, {0}),
                            make_atom(137, {even_tempered(1, 2, 60)}, {1}, {0}),
                            make_atom(1, {even_tempered(1e-3, 2, 24), wide}, {2, 4}, {0, 0}),
                            make_atom(10, {even_tempered(0.1, 2, 24)}, {23}, {0}),
                            make_atom(2, {wide}, {0}, {1.9}, 1e6)};
    for (const NuclearModel model : {NuclearModel::sphere, NuclearModel::gaussian, NuclearModel::fermi})
        for (const bool small : {true, false}) {
            atoms.push_back(library_atom(10, model));
            atoms.back().nucleus.radius = small ? 1e-10 : 1.0;
            atoms.back().nucleus.exponent = small ? 1e20 : 1.0;
            if (atoms.back().nucleus.model == NuclearModel::fermi) atoms.back().nucleus.skin = small ? 1e-10 : 1.0;
        }
    // Three iterations suffice for atom 0, whose two functions are far from each other, and show that atom 4 is
    // unbound. They are too few for the others.
    std::vector<AtomStatus> expected(atoms.size(), AtomStatus::not_converged);
    std::vector<double> energies(atoms.size(), std::nan(""));
    expected[0] =
        AtomStatus::converged;  // two electrons in one function of exponent z: 3 z - (8 sqrt 2 - 2) sqrt(z/pi)
    energies[0] =
        3 * smallest_exponent - (8 * std::numbers::sqrt2 - 2) * std::sqrt(smallest_exponent / std::numbers::pi);
    energies[2] = -137.0 * 137.0 + 0.625 * 137.0 - 0.1110032;  // Hartree-Fock, to order 1/Z
    expected[4] = AtomStatus::unbound;                         // 46 electrons
    for (const bool relativistic : {true, false})
        for (const double c : {137.0000001, 1e8}) {
            problem.relativistic = relativistic;
            problem.speed_of_light = c;
            const std::vector<AtomResult> all = run(problem, atoms);
            BOOST_REQUIRE(all.size() == expected.size());
            for (std::size_t i = 0; i < all.size(); ++i) {
                const AtomResult& result = all[i];
                const std::string what = text("atom ", i, ", c = ", c, relativistic ? "" : ", light");
                // The two electrons of Z = 137 may be resolved in spite of functions with exponents up to 6e17.
                const bool resolved = i == 2 && result.status == AtomStatus::converged && c > 1e4;
                BOOST_TEST((result.status == expected[i] || resolved), what << ": " << static_cast<int>(result.status));
                if (result.status == AtomStatus::converged)
                    BOOST_TEST(std::fabs(result.energy - energies[i]) < 1e-6 * std::fabs(energies[i]),
                               what << ": " << result.energy << " for " << energies[i]);
                double sum = result.energy + result.gradient + result.virial_ratio();
                for (const Species& species : result.species)
                    for (const auto* values : {&species.orbital_energies, &species.large.values, &species.small.values})
                        for (const double value : *values) sum += 1e-30 * value;
                BOOST_TEST(std::isfinite(sum), what);
            }
        }
}

BOOST_AUTO_TEST_CASE(point_nucleus_beyond_c_is_refused) {
    Problem problem;
    problem.speed_of_light = 50;
    Context context = make_context();
    BOOST_TEST(message_of(Status::invalid_argument,
                          [&] {
                              Solver(context, problem, {helium, library_atom(54, NuclearModel::point)});
                          }) ==
               "dfr.atoms[1].nucleus.charge: 54 is not below dfr.params.speed_of_light (50), where a point nucleus has "
               "bound states");
}

BOOST_AUTO_TEST_CASE(failures_are_named) {
    Context context = make_context();
    std::vector<std::string> lines;
    context.set_logger(LogLevel::warning, [&](LogLevel, std::string_view line) { lines.emplace_back(line); });
    Solver solver(context, {}, {helium, dependent_atom()});
    solver.run({});
    BOOST_TEST((solver.result(1).status == AtomStatus::failed));
    BOOST_TEST(solver.result(1).species.empty());
    require_same_bits(solver.result(0), run({}, {helium})[0]);
    BOOST_REQUIRE(lines.size() == 1U);
    BOOST_TEST(lines[0] ==
               "dfr: atom 1 (Z = 10): near linear dependence leaves 1 of 10 functions of s1/2 for 2 shells");
    lines.clear();
    Solver many(context, {}, std::vector<Atom>(30, dependent_atom()));
    BOOST_TEST(many.finished() == 30U);
    many.run({});
    BOOST_REQUIRE(lines.size() == 11U);
    BOOST_TEST(lines.back() == "dfr: more than 10 atoms failed; the others are not named");
}

BOOST_AUTO_TEST_CASE(last_iteration) {
    Problem problem;
    problem.max_iterations = 1;
    const AtomResult first = run(problem, {helium})[0];
    BOOST_TEST((first.status == AtomStatus::not_converged));
    BOOST_TEST(first.iterations == 1);
    BOOST_TEST(std::fabs(first.energy + 2.86) < 0.1);
    // Tests thresholds below rounding, without extrapolation.
    problem = {};
    problem.energy_threshold = 1e-16;
    problem.gradient_threshold = 1e-14;
    problem.diis_vectors = 1;
    const AtomResult last = run(problem, {helium})[0];
    BOOST_TEST(std::fabs(last.energy + 2.861813332) < 1e-9);
}

// The list is refused by its size before any memory is allocated.
BOOST_AUTO_TEST_CASE(too_many_atoms_for_the_memory) {
    Problem problem;
    problem.diis_vectors = 100;
    problem.max_iterations = 1000;
    const std::vector<Atom> atoms(20000, library_atom(86, NuclearModel::point));
    BOOST_REQUIRE(host_needs(problem, atoms).bytes(1) > std::int64_t{1} << 38);
    Context context = make_context();
    const std::string message = message_of(Status::out_of_memory, [&] { Solver(context, problem, atoms); });
    const std::string begin =
        text("dfr.n_atoms: 20000 need ", host_needs(problem, atoms).bytes(1), " bytes, but only ");
    BOOST_TEST(message.substr(0, begin.size()) == begin, message);
}

// With CUDA the matrices of an iteration and the eigenproblems are in page-locked memory. cuSOLVER solves 1024 problems
// together, which are padded to the largest order: 16 here.
BOOST_AUTO_TEST_CASE(page_locked_memory_is_counted) {
    const Atom closed = make_atom(2, {even_tempered(0.05, 3, 8)}, {1}, {0}),
               open = make_atom(3, {even_tempered(0.05, 3, 6)}, {1}, {1});
    std::vector<Atom> atoms(1500, open);
    atoms.push_back(closed);
    const std::int64_t uploads = 8 << 20, of_open = 2 * 12 * 12, of_closed = 16 * 16;
    const auto needed = [&](std::size_t parts) { return page_locked_needs({}, atoms, atoms, parts).bytes(1); };
    BOOST_TEST(needed(1) == uploads + 8 * (1500 * of_open + of_closed + 1024 * 16 * 16));
    BOOST_TEST(needed(2) == 2 * uploads + 8 * (1500 * of_open + of_closed + 1501 * 16 * 16));
    const std::vector<Atom> only_open(10, open);
    BOOST_TEST(page_locked_needs({}, only_open, atoms, 1).bytes(1) == uploads + 8 * 10 * (of_open + 16 * 16));
    const Context context = make_context();
    const std::int64_t on_cpu = host_needs_of_rank(context, Backend::cpu, {}, atoms).bytes(1);
    BOOST_TEST(on_cpu == host_needs({}, atoms).bytes(1));
    BOOST_TEST(host_needs_of_rank(context, Backend::cuda, {}, atoms).bytes(1) == on_cpu + needed(1));
}

// Memory runs out once, at each of many allocations. The run reports it, can be continued, and ends with the same
// energies.
BOOST_AUTO_TEST_CASE(memory_that_runs_out) {
    const auto functions = even_tempered(0.05, 3, 8);
    const std::vector<Atom> atoms{make_atom(2, {functions}, {1}, {0}),
                                  make_atom(5, {functions, functions}, {2, 0}, {0, 1})};
    const std::vector<AtomResult> expected = run({}, atoms);
    int ran_out = 0;
    for (long allocations = 0; allocations < 4000; allocations += 1 + allocations / 20) {
        Context context = make_context();
        Solver solver(context, {}, atoms);
        tests::until_no_memory = allocations;
        try {
            solver.run({});
        } catch (const std::bad_alloc&) {
            ++ran_out;
        }
        tests::until_no_memory = -1;
        for (std::size_t i = 0; i < atoms.size(); ++i)
            for (const Species& species : solver.result(i).species)
                BOOST_TEST(species.large.columns == species.orbital_energies.size());
        solver.run({});
        for (std::size_t i = 0; i < atoms.size(); ++i) {
            const AtomResult result = solver.result(i);
            BOOST_TEST((result.status == AtomStatus::converged));
            BOOST_TEST(std::fabs(result.energy / expected[i].energy - 1) < 1e-9, allocations);
        }
        BOOST_TEST(solver.finished() == 2U);
    }
    BOOST_TEST(ran_out > 50);
    for (long allocations = 0; allocations < 2000; allocations += 1 + allocations / 10) {
        Context context = make_context();
        tests::until_no_memory = allocations;
        try {
            const Solver solver(context, {}, atoms);
            tests::until_no_memory = -1;
        } catch (const std::bad_alloc&) {
            ++ran_out;
        }
        tests::until_no_memory = -1;
    }
}
