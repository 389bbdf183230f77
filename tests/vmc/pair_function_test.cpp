// Compares the pair function with direct sums, and tests its symmetries and divergent amplitudes.
#define BOOST_TEST_MODULE vmc_pair_function
#include "vmc/pair_function.hpp"

#include <boost/test/unit_test.hpp>
#include <random>

#include "core/larger.hpp"
#include "core/parameter.hpp"
#include "exact.hpp"

using namespace legato;
using namespace legato::vmc;

namespace {

Lattice tilted(int length) {
    Lattice lattice;
    lattice.length = length;
    return lattice;
}

Lattice rectangular(int lx, int ly, Boundary x, Boundary y) {
    return {Cluster::rectangular, 0, {lx, ly}, {x, y}};
}

// Electrons of either spin at different sites, and the fictitious pairs.
struct Electrons {
    std::vector<int> up, down;
};
Electrons some_electrons(int sites, int pairs, unsigned seed) {
    std::vector<int> all(static_cast<std::size_t>(sites));
    for (int s = 0; s < sites; ++s) all[static_cast<std::size_t>(s)] = s;
    std::mt19937 random(seed);
    std::shuffle(all.begin(), all.end(), random);
    return {{all.begin(), all.begin() + pairs}, {all.begin() + pairs, all.begin() + 2 * pairs}};
}

double amplitude_of(const PairFunction& pair, Electrons electrons) {
    for (std::size_t m = 0; m < pair.modes; ++m) {
        electrons.up.push_back(static_cast<int>(pair.sites + m));
        electrons.down.push_back(static_cast<int>(pair.sites + m));
    }
    tests::exact::Table matrix;
    for (const int a : electrons.up) {
        matrix.emplace_back();
        for (const int b : electrons.down)
            matrix.back().push_back(pair(static_cast<std::size_t>(a), static_cast<std::size_t>(b)));
    }
    return tests::exact::determinant(matrix);
}

std::string message_of(const Lattice& lattice, const PairParameters& parameters, const PairTable& table = {}) {
    try {
        require_parameters("vmc.params", parameters);
        validate(table, sites_of(lattice));
        pair_function(Geometry(lattice), parameters, table);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(numbers_of_26_sites) {
    const Geometry geometry(tilted(5));
    const PairFunction pair = pair_function(geometry, {});
    const auto phi = [&](int x, int y) { return pair(static_cast<std::size_t>(geometry.moved(0, x, y).site), 0); };
    BOOST_TEST(std::abs(phi(1, 0) - 1.100372230540) < 1e-12);
    BOOST_TEST(std::abs(phi(1, 1) + 0.615384615385) < 1e-12);
    BOOST_TEST(std::abs(phi(2, 0) - 1.846153846154) < 1e-12);
    BOOST_TEST(std::abs(phi(2, 1) - 0.992452087320) < 1e-12);
}

BOOST_AUTO_TEST_CASE(direct_sums) {
    namespace exact = tests::exact;
    struct Case {
        Lattice lattice;
        exact::Cluster cluster;
    };
    constexpr auto yes = Boundary::antiperiodic, no = Boundary::periodic;
    const std::vector<Case> cases{{tilted(3), exact::tilted(3)},
                                  {tilted(5), exact::tilted(5)},
                                  {tilted(9), exact::tilted(9)},
                                  {rectangular(6, 6, yes, no), exact::rectangular(6, 6, 1, 0)},
                                  {rectangular(4, 5, no, yes), exact::rectangular(4, 5, 0, 1)},
                                  {rectangular(4, 6, yes, yes), exact::rectangular(4, 6, 1, 1)}};
    for (const Case& c : cases) {
        PairParameters parameters;
        parameters.mu = -0.41;
        parameters.variational_t_prime = -0.2;
        parameters.variational_t_double_prime = 0.1;
        parameters.delta = 0.7;
        parameters.gap = Gap::b;
        exact::State state;
        state.mu = -0.41;
        state.t2 = -0.2;
        state.t3 = 0.1;
        state.gap = 0.7;
        const PairFunction pair = pair_function(Geometry(c.lattice), parameters);
        const exact::Pairs pairs = exact::pairs(c.cluster, state);
        double largest = 0;
        for (std::size_t a = 0; a < pair.sites; ++a)
            for (std::size_t b = 0; b < pair.sites; ++b)
                largest = larger(largest, std::abs(pair(a, b) - pairs.phi[a][b]));
        BOOST_TEST(largest < 1e-12);
        BOOST_TEST(pair.modes == pairs.borders.size());
    }
}

// The pair function is even. Without k = 0 it is odd under a rotation by 90 degrees.
BOOST_AUTO_TEST_CASE(symmetry) {
    for (const int length : {3, 5, 9}) {
        const Geometry geometry(tilted(length));
        const PairFunction pair = pair_function(geometry, {});
        BOOST_TEST(pair.modes == 1u);
        const double border = pair(0, pair.sites);
        for (std::size_t a = 0; a < pair.sites; ++a) {
            BOOST_TEST(pair(a, pair.sites) == border);
            BOOST_TEST(pair(pair.sites, a) == border);
            BOOST_TEST(std::abs(pair(a, 0)) < 2 * border);
            BOOST_TEST(std::abs(pair(a, 0) - pair(0, a)) < 1e-12);
        }
        BOOST_TEST(pair(pair.sites, pair.sites) == 0.0);
        BOOST_TEST(std::abs(pair(0, 0)) < 1e-12);
        for (int x = -4; x < 5; ++x)
            for (int y = -4; y < 5; ++y) {
                const auto r = static_cast<std::size_t>(geometry.moved(0, x, y).site);
                const auto turned = static_cast<std::size_t>(geometry.moved(0, -y, x).site);
                BOOST_TEST(std::abs(pair(r, 0) + pair(turned, 0)) < 1e-12);
            }
    }
}

BOOST_AUTO_TEST_CASE(conventions) {
    const Geometry geometry(tilted(9));
    PairParameters a, b;
    a.delta = 1.2;
    b.delta = 0.6;
    b.gap = Gap::b;
    BOOST_TEST((pair_function(geometry, a).values == pair_function(geometry, b).values));
}

// Replaces infinite phi_k by large finite ones. Ratios of amplitudes must then be those of the bordered matrix. Of 16
// periodic sites five diverge, k and -k among them.
BOOST_AUTO_TEST_CASE(divergent_amplitudes_are_limits) {
    struct Case {
        Lattice lattice;
        tests::exact::Cluster cluster;
        double mu;
        std::size_t modes;
    };
    constexpr auto no = Boundary::periodic;
    for (const Case& c : {Case{tilted(3), tests::exact::tilted(3), 0, 1},
                          Case{rectangular(4, 4, no, no), tests::exact::rectangular(4, 4, 0, 0), 0.4, 5}}) {
        PairParameters parameters;
        parameters.mu = c.mu;
        tests::exact::State state;
        state.mu = c.mu;
        state.divergent = 1e5;
        const PairFunction pair = pair_function(Geometry(c.lattice), parameters);
        BOOST_TEST(pair.modes == c.modes);
        const tests::exact::Pairs pairs = tests::exact::pairs(c.cluster, state);
        const int n = static_cast<int>(pair.sites), half = n / 2 - 1;
        unsigned seed = 1;  // some amplitudes are zero by symmetry
        while (std::abs(amplitude_of(pair, some_electrons(n, half, seed))) < 1e-6) BOOST_TEST_REQUIRE(++seed < 1000u);
        const Electrons first = some_electrons(n, half, seed);
        const double limit = amplitude_of(pair, first), finite = tests::exact::amplitude(pairs, first.up, first.down);
        for (const unsigned last = seed + 10; seed < last; ++seed) {
            const Electrons other = some_electrons(n, half, seed);
            const double expected = tests::exact::amplitude(pairs, other.up, other.down) / finite;
            BOOST_TEST(std::abs(amplitude_of(pair, other) / limit - expected) < 1e-3 * (1 + std::abs(expected)));
        }
    }
}

BOOST_AUTO_TEST_CASE(tables) {
    const Geometry geometry(rectangular(4, 6, Boundary::antiperiodic, Boundary::periodic));
    const PairParameters parameters;
    const PairFunction expected = pair_function(geometry, parameters);
    PairTable table{pair_function_of(geometry, pair_amplitudes(geometry, parameters))};
    BOOST_TEST((pair_function(geometry, parameters, table).values == expected.values));
    BOOST_TEST(expected.modes == 0u);
    const Geometry ten(tilted(3));
    const PairFunction with_zero = pair_function(ten, parameters);
    table = {pair_function_of(ten, pair_amplitudes(ten, parameters)), true};
    BOOST_TEST((pair_function(ten, parameters, table).values == with_zero.values));
    for (double& value : table.values) value = std::ldexp(value, -900);  // the border scales with it
    PairFunction small = pair_function(ten, parameters, table);
    for (double& value : small.values) value = std::ldexp(value, 900);
    BOOST_TEST((small.values == with_zero.values));
    table.values.assign(10, 0.0);
    BOOST_TEST(pair_function(ten, parameters, table)(0, 10) == 1.0);
}

BOOST_AUTO_TEST_CASE(refused) {
    PairParameters parameters;
    BOOST_TEST(message_of(rectangular(4, 4, Boundary::periodic, Boundary::periodic), parameters)
                   .starts_with("vmc.params.mu: 0 makes xi_k and Delta_k zero at k = ("));
    for (const double unit : {1e-13, 1e6}) {  // unit of energy
        parameters.variational_t = parameters.delta = unit;
        parameters.mu = 0;
        BOOST_TEST(message_of(rectangular(4, 4, Boundary::periodic, Boundary::periodic), parameters)
                       .starts_with("vmc.params.mu: 0 makes xi_k and Delta_k zero at k = ("));
        parameters.mu = 0.3 * unit;
        BOOST_TEST(pair_amplitudes(Geometry(tilted(3)), parameters).divergent.size() == 1u);
    }
    parameters.variational_t = parameters.mu = 0;
    BOOST_TEST(message_of(tilted(3), parameters).starts_with("vmc.params.mu: 0 makes xi_k and Delta_k zero at k = ("));
    parameters = {};
    parameters.delta = NAN;
    BOOST_TEST(message_of(tilted(3), parameters).starts_with("vmc.params.delta: nan is not in"));
    PairTable table{std::vector<double>(9)};
    BOOST_TEST(message_of(tilted(3), {}, table) == "vmc.n_pair_function: 9 is not in 10..10");
    table.values.resize(10);
    table.values[3] = INFINITY;
    BOOST_TEST(message_of(tilted(3), {}, table).starts_with("vmc.pair_function[3]: inf is not in"));
    parameters = {};
    parameters.gap = static_cast<Gap>(2);
    BOOST_TEST(message_of(tilted(3), parameters) == "vmc.params.gap: 2 is not in 0..1");
}
