// Tests unit-cell lattices as Hamiltonians of runs: moments, disorder, bounds, fingerprints and refusals.
#define BOOST_TEST_MODULE kpm_cell_runs
#include <boost/test/unit_test.hpp>
#include <set>

#include "crystals.hpp"
#include "kpm/cell_rows.hpp"
#include "kpm/engine.hpp"
#include "kpm/fingerprint.hpp"

using namespace legato;
using namespace legato::kpm;
using namespace legato::kpm::tests;

namespace {

// Returns graphene with real second neighbours, in an energy interval around 0.
CellLattice second_neighbours(std::int64_t l, std::int64_t m, double t2) {
    return haldane(l, m, t2, 0, 0);
}

double binary_energy(const CellLattice& lattice, std::int64_t realisation, std::int64_t site) {
    double energy = 0;
    draw_energies(lattice, 5, realisation, site, {&energy, 1});
    return energy;
}

CellLattice with_disorder(OnSite on_site) {
    CellLattice lattice = graphene(5, 4);
    lattice.boundary[1] = Boundary::hard_wall;
    lattice.energies = {0.3, -0.4};
    lattice.on_site = on_site;
    lattice.disorder = 1.5;
    lattice.concentration = 0.3;
    if (on_site == OnSite::energies)
        for (std::int64_t site = 0; site < lattice.sites(); ++site)
            lattice.site_energies.push_back(std::sin(static_cast<double>(site * site)));
    return lattice;
}

std::string refusal_of(const CellLattice& lattice) {
    Hamiltonian hamiltonian = lattice;
    return failure_of([&] { prepare(hamiltonian); }).second;
}

}  // namespace

// The trace is exact if every site is a start vector.
BOOST_AUTO_TEST_CASE(moments_are_those_of_the_bands) {
    Context context = make_context(2);
    const CellLattice lattice = graphene(10, 12);
    const std::vector<double> energies = bands(lattice, graphene_bands);
    for (const Format format : {Format::auto_, Format::crs, Format::ell}) {
        Problem problem = all_sites(lattice.sites(), 200);
        problem.format = format;
        const auto solver = finished(context, problem, lattice);
        const std::vector<double> exact = exact_moments(energies, solver->rescaling(), 200);
        BOOST_TEST(largest_difference(solver->moments().mean, exact) < 1e-12);
    }
}

// Closed walks of n steps from a site: E^2 has 3 of graphene, E^4 15, E^6 93.
BOOST_AUTO_TEST_CASE(closed_walks_on_graphene) {
    Context context = make_context();
    Problem problem;
    problem.moments = 7;
    problem.start_vectors = StartVectors::sites;
    problem.sites = {77};
    problem.bounds = Bounds::interval;
    problem.lowest = -4;
    problem.highest = 4;
    problem.margin = 0;
    const std::vector<double> m = finished(context, problem, graphene(20, 20))->moments().mean;
    BOOST_TEST(std::abs(8 * (m[2] + 1) - 3) < 1e-12);
    BOOST_TEST(std::abs(32 * (m[4] + 4 * m[2] + 3) - 15) < 1e-12);
    BOOST_TEST(std::abs(128 * (m[6] + 6 * m[4] + 15 * m[2] + 10) - 93) < 1e-11);
    // With second neighbours there are triangles: 12 of them alone, 18 with two hops to first neighbours.
    const double t2 = 0.3;
    problem.lowest = -8;
    problem.highest = 8;
    const std::vector<double> s = finished(context, problem, second_neighbours(20, 20, t2))->moments().mean;
    BOOST_TEST(std::abs(32 * (s[2] + 1) - 3 - 6 * t2 * t2) < 1e-12);
    BOOST_TEST(std::abs(128 * (s[3] + 3 * s[1]) - 12 * t2 * t2 * t2 - 18 * t2) < 1e-12);
}

BOOST_AUTO_TEST_CASE(disorder_of_every_kind_against_dense_matrices) {
    Context context = make_context(2);
    for (const OnSite on_site : {OnSite::constant, OnSite::box, OnSite::normal, OnSite::energies, OnSite::binary}) {
        const CellLattice lattice = with_disorder(on_site);
        BOOST_TEST(is_random(Hamiltonian{lattice}) == (on_site != OnSite::constant && on_site != OnSite::energies));
        Problem problem = all_sites(lattice.sites(), 60);
        problem.realisations = 3;
        problem.seed = 11;
        const Interval bounds = gershgorin_bounds(lattice, 11, 3, 2);
        for (const Format format : {Format::crs, Format::ell}) {
            problem.format = format;
            const auto solver = finished(context, problem, lattice);
            std::vector<double> mean(60);
            for (std::int64_t s = 0; s < 3; ++s) {
                CellLattice fixed = lattice;
                fixed.on_site = OnSite::energies;
                fixed.site_energies.resize(static_cast<std::size_t>(lattice.sites()));
                draw_energies(lattice, 11, s, 0, fixed.site_energies);
                for (std::size_t site = 0; site < fixed.site_energies.size(); ++site)
                    fixed.site_energies[site] -= lattice.energies[site % 2];
                const std::vector<double> energies = eigenvalues(fixed);
                BOOST_TEST(energies.front() >= bounds.lowest);
                BOOST_TEST(energies.back() <= bounds.highest);
                const std::vector<double> moments = exact_moments(energies, solver->rescaling(), 60);
                for (std::size_t n = 0; n < 60; ++n) mean[n] += moments[n] / 3;
            }
            BOOST_TEST(largest_difference(solver->moments().mean, mean) < 1e-12);
        }
    }
}

BOOST_AUTO_TEST_CASE(two_valued_disorder) {
    CellLattice lattice = with_disorder(OnSite::binary);
    lattice.extents = {300, 200, 1};
    std::int64_t upper = 0, changed = 0;
    bool right = true;
    for (std::int64_t site = 0; site < lattice.sites(); ++site) {
        const double energy = lattice.energies[static_cast<std::size_t>(site % 2)];
        const double first = binary_energy(lattice, 0, site), second = binary_energy(lattice, 1, site);
        right = right && (first == energy + 0.75 || first == energy - 0.75);
        upper += first > energy ? 1 : 0;
        changed += first != second ? 1 : 0;
    }
    BOOST_TEST(right);
    const auto sites = static_cast<double>(lattice.sites());
    const auto pull = [&](std::int64_t count, double p) {
        return (static_cast<double>(count) - p * sites) / std::sqrt(p * (1 - p) * sites);
    };
    BOOST_TEST(std::abs(pull(upper, 0.3)) < 4);
    BOOST_TEST(std::abs(pull(changed, 2 * 0.3 * 0.7)) < 4);
    for (const double concentration : {0.0, 1.0}) {
        lattice.concentration = concentration;
        for (std::int64_t site = 0; site < 100; ++site)
            BOOST_TEST(binary_energy(lattice, 0, site) ==
                       lattice.energies[static_cast<std::size_t>(site % 2)] + (concentration - 0.5) * 1.5);
    }
}

// The simple lattices have two-valued disorder too: mean square 6 + W^2 / 4 with equal concentrations.
BOOST_AUTO_TEST_CASE(two_valued_disorder_of_simple_lattices) {
    Context context = make_context(2);
    Lattice lattice;
    lattice.extents = {5, 4, 6};
    lattice.on_site = OnSite::binary;
    lattice.disorder = 3;
    lattice.energy = 0.5;
    lattice.concentration = 0.25;
    BOOST_TEST(is_random(lattice));
    std::vector<double> drawn(120);
    draw_energies(lattice, 1, 0, 0, drawn);
    for (const double energy : drawn) BOOST_TEST((energy == 2.0 || energy == -1.0));
    for (const Format format : {Format::stencil, Format::crs, Format::ell}) {
        Problem problem = all_sites(120, 50);
        problem.format = format;
        const auto solver = finished(context, problem, lattice);
        const std::vector<double> energies = eigenvalues(matrix_of(lattice, 1, 0));
        BOOST_TEST(energies.front() >= -1.0 - 6);
        BOOST_TEST(solver->rescaling().centre == 0.5);
        BOOST_TEST(largest_difference(solver->moments().mean, exact_moments(energies, solver->rescaling(), 50)) <
                   1e-12);
    }
}

// Simple lattices are cells of one orbital: the same matrix.
BOOST_AUTO_TEST_CASE(cells_of_one_orbital_are_simple_lattices) {
    for (const Boundary boundary : {Boundary::periodic, Boundary::hard_wall})
        for (const std::array<std::int64_t, 3>& extents :
             {std::array<std::int64_t, 3>{5, 4, 3}, std::array<std::int64_t, 3>{2, 7, 1},
              std::array<std::int64_t, 3>{9, 1, 1}}) {
            Lattice simple;
            CellLattice cells;
            simple.extents = cells.extents = extents;
            simple.boundary.fill(boundary);
            cells.boundary.fill(boundary);
            simple.on_site = cells.on_site = OnSite::normal;
            simple.disorder = cells.disorder = 2;
            simple.energy = 0.25;
            cells.energies = {0.25};
            for (std::size_t d = 0; d < 3; ++d) {
                std::array<std::int64_t, 3> step{};
                step[d] = 1;
                if (extents[d] > 1) cells.hoppings.push_back({0, 0, step, -1.0});
            }
            const CrsMatrix a = matrix_of(simple, 4, 2), b = matrix_of(cells, 4, 2, 2);
            BOOST_TEST((a.row_pointers == b.row_pointers && a.columns == b.columns && a.values == b.values));
            BOOST_TEST(elements_of(simple) == elements_of(cells));
            BOOST_TEST(longest_row(Hamiltonian{simple}) <= longest_row(Hamiltonian{cells}));
        }
}

BOOST_AUTO_TEST_CASE(every_change_changes_the_fingerprint) {
    CellLattice lattice = with_disorder(OnSite::binary);
    std::set<std::int64_t> prints{fingerprint(lattice)};
    std::size_t count = 1;
    const auto changed = [&](const auto& change) {
        CellLattice other = lattice;
        change(other);
        prints.insert(fingerprint(other));
        BOOST_TEST(prints.size() == ++count);
    };
    changed([](CellLattice& l) { std::swap(l.extents[0], l.extents[1]); });
    changed([](CellLattice& l) { l.boundary[2] = Boundary::hard_wall; });
    changed([](CellLattice& l) { l.orbitals = 3; });
    changed([](CellLattice& l) { l.positions[1][0] += 1e-9; });
    changed([](CellLattice& l) { l.positions.clear(); });
    changed([](CellLattice& l) { l.energies[0] += 1e-9; });
    changed([](CellLattice& l) { l.hoppings[1].amplitude += 1e-9; });
    changed([](CellLattice& l) { l.hoppings[1].amplitude += 1e-9 * i; });
    changed([](CellLattice& l) { l.hoppings[1].offset[2] = 1; });
    changed([](CellLattice& l) { l.hoppings[1].from = 0; });
    changed([](CellLattice& l) { l.hoppings[1].to = 1; });
    changed([](CellLattice& l) { l.twist[0] = 0.1; });
    changed([](CellLattice& l) { l.flux[1] = 0.1; });
    changed([](CellLattice& l) { l.on_site = OnSite::box; });
    changed([](CellLattice& l) { l.disorder = 1; });
    changed([](CellLattice& l) { l.concentration = 0.4; });
    changed([](CellLattice& l) { l.site_energies = {1}; });
}

// Tables of phases are as long as the lattice, and may need more memory than the vectors.
BOOST_AUTO_TEST_CASE(tables_of_phases_are_counted) {
    for (const CellLattice& lattice : crystals()) {
        std::size_t factors = 0;
        for (const auto& table : stencil_of(lattice).tables) factors += table.size();
        BOOST_TEST(factors_of(lattice) == static_cast<std::int64_t>(factors));
        const CellArrays arrays(lattice);
        BOOST_TEST(2 * factors == arrays.factors.size());
    }
    CellLattice chain;
    chain.extents = {1 << 20, 1, 1};
    chain.hoppings = {{0, 0, {1, 0, 0}, i}, {0, 0, {2, 0, 0}, i}};
    const auto needs = [&] { return memory_needs(Backend::cpu, {}, chain, Format::stencil).fixed; };
    const std::int64_t without = needs();
    chain.twist[0] = 0.1;
    BOOST_TEST(needs() == without + std::int64_t{4 << 20} * 32);

    chain.extents[0] = 1 << 30;
    const auto [status, message] = failure_of([&] { validate(Problem{}, Hamiltonian{chain}); });
    BOOST_TEST((status == Status::invalid_argument));
    BOOST_TEST(message.find("need 4294967296 phase factors, more than 2147483647") != std::string::npos, message);
}

BOOST_AUTO_TEST_CASE(refusals_name_the_field_the_value_and_the_range) {
    const auto refused = [](const auto& change, const std::string& message) {
        CellLattice lattice = with_disorder(OnSite::energies);
        change(lattice);
        const std::string said = refusal_of(lattice);
        BOOST_TEST(said.starts_with(message), said);
    };
    refused([](CellLattice&) {}, "nothing thrown");
    refused([](CellLattice& l) { l.extents[1] = 0; }, "kpm.cell_lattice.extents[1]: 0 is not in 1..1099511627776");
    refused(
        [](CellLattice& l) {
            l.extents = {1 << 20, 1 << 20, 1};
        },
        "kpm.cell_lattice.extents: 1048576 x 1048576 x 1 cells of 2 sites are not in 1..1099511627776");
    refused([](CellLattice& l) { l.boundary[2] = static_cast<Boundary>(2); },
            "kpm.cell_lattice.boundary[2]: 2 is not in 0..1");
    refused([](CellLattice& l) { l.orbitals = 17; }, "kpm.cell_lattice.orbitals: 17 is not in 1..16");
    refused([](CellLattice& l) { l.orbitals = 1; }, "kpm.positions: 2 positions are not 1, one for each orbital");
    refused([](CellLattice& l) { l.positions[1][2] = NAN; }, "kpm.positions[5]: nan is not in [-1000, 1000]");
    refused([](CellLattice& l) { l.energies.push_back(0); }, "kpm.energies: 3 values are not 2, one for each orbital");
    refused([](CellLattice& l) { l.energies[1] = 1e7; }, "kpm.energies[1]: 10000000 is not in [-1000000, 1000000]");
    refused([](CellLattice& l) { l.twist[0] = INFINITY; }, "kpm.cell_lattice.twist[0]: inf is not in [-1000, 1000]");
    refused([](CellLattice& l) { l.twist[2] = 0.5, l.boundary[2] = Boundary::hard_wall; },
            "kpm.cell_lattice.twist[2]: 0.5 is not 0, but boundary[2] is a hard wall");
    refused([](CellLattice& l) { l.flux[0] = -1001; }, "kpm.cell_lattice.flux[0]: -1001 is not in [-1000, 1000]");
    refused([](CellLattice& l) { l.hoppings[2].from = 2; }, "kpm.from[2]: 2 is not in 0..1");
    refused([](CellLattice& l) { l.hoppings[2].to = -1; }, "kpm.to[2]: -1 is not in 0..1");
    refused([](CellLattice& l) { l.hoppings[0].offset[1] = -5000; }, "kpm.offsets[1]: -5000 is not in -4096..4096");
    refused(
        [](CellLattice& l) {
            l.hoppings[0].amplitude = {0, NAN};
        },
        "kpm.amplitudes[1]: nan is not in [-1000000, 1000000]");
    refused([](CellLattice& l) { l.hoppings[0].amplitude = 2e6; },
            "kpm.amplitudes[0]: 2000000 is not in [-1000000, 1000000]");
    refused([](CellLattice& l) { l.hoppings[0].to = 1; }, "kpm.to[0]: hopping 0 joins orbital 1 with itself");
    refused([](CellLattice& l) { l.site_energies.pop_back(); },
            "kpm.site_energies: 39 values are not 40, one for each site");
    refused([](CellLattice& l) { l.site_energies[7] = NAN; },
            "kpm.site_energies[7]: nan is not in [-1000000, 1000000]");
    refused([](CellLattice& l) { l.on_site = static_cast<OnSite>(5); }, "kpm.cell_lattice.on_site: 5 is not in 0..4");
    refused([](CellLattice& l) { l.on_site = OnSite::box, l.disorder = -1; },
            "kpm.cell_lattice.disorder: -1 is not in [0, 1000000]");
    refused([](CellLattice& l) { l.on_site = OnSite::binary, l.concentration = 1.5; },
            "kpm.cell_lattice.concentration: 1.5 is not in [0, 1]");
}

BOOST_AUTO_TEST_CASE(fluxes_fit_periodic_lattices) {
    CellLattice lattice = square(24, 10);
    const auto allowed = [&](double flux) {
        lattice.flux[2] = flux;
        return refusal_of(lattice) == "nothing thrown";
    };
    for (const double flux : {5.0 / 24, 0.1, -0.3, 1.0 / 3, 0.25, 0.333333333333333, 7.0 / 24 + 3})
        BOOST_TEST(allowed(flux));
    for (const double flux : {0.11, 1.0 / 240, 0.3333333333}) BOOST_TEST(!allowed(flux));
    lattice.flux[2] = 0.11;
    BOOST_TEST(refusal_of(lattice) ==
               "kpm.cell_lattice.flux[2]: 0.11 times kpm.cell_lattice.extents[0] (24) or extents[1] (10) must be an "
               "integer, because both directions are periodic; the nearest allowed values are 3/24 and 1/10");
    lattice.boundary[1] = Boundary::hard_wall;
    BOOST_TEST(allowed(0.11));
    lattice.boundary = {Boundary::hard_wall, Boundary::periodic, Boundary::periodic};
    BOOST_TEST(allowed(0.11));
    lattice.boundary.fill(Boundary::periodic);
    lattice.flux = {0.37, 0.41, 0};  // no hopping leads along axis 2
    BOOST_TEST(refusal_of(lattice) == "nothing thrown");
    lattice.hoppings.push_back({0, 0, {0, 0, 1}, 1.0});
    BOOST_TEST(
        refusal_of(lattice).starts_with("kpm.cell_lattice.flux[0]: 0.37 times kpm.cell_lattice.extents[1] (10)"));
}

BOOST_AUTO_TEST_CASE(what_is_not_available_is_refused) {
    Context context = make_context();
    const auto refused = [&](const CellLattice& lattice, const auto& change, const std::string& message) {
        Problem problem;
        change(problem);
        const auto [status, said] = failure_of([&] { const Solver solver(context, problem, prepared(lattice)); });
        BOOST_TEST(said.starts_with(message), said);
    };
    refused(
        graphene(1 << 20, 1 << 10), [](Problem&) {},
        "kpm.hamiltonian: a unit-cell lattice can have at most 2147483647 sites, not 2147483648");
    refused(
        graphene(3, 3), [](Problem& p) { p.division = Division::lattice, p.format = Format::crs; },
        "kpm.params.division: 2 (lattice) needs kpm.params.format 0 (auto) or 3 (stencil), not 1");
}
