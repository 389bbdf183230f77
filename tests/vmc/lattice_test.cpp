// Tests sites, neighbours and wave vectors of the clusters.
#define BOOST_TEST_MODULE vmc_lattice
#include "vmc/lattice.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <set>

#include "core/error.hpp"
#include "core/larger.hpp"

using namespace legato;
using namespace legato::vmc;

namespace {

Lattice tilted(int length) {
    Lattice lattice;
    lattice.length = length;
    return lattice;
}

Lattice rectangular(int lx, int ly, Boundary x = Boundary::periodic, Boundary y = Boundary::periodic) {
    return {Cluster::rectangular, 0, {lx, ly}, {x, y}};
}

std::vector<Lattice> some_lattices() {
    constexpr auto anti = Boundary::antiperiodic;
    return {tilted(3),
            tilted(5),
            tilted(9),
            tilted(15),
            rectangular(3, 4),
            rectangular(8, 6),
            rectangular(6, 6, anti),
            rectangular(4, 5, Boundary::periodic, anti),
            rectangular(4, 4, anti, anti)};
}

// Returns the squared distance from a to the nearest image of site b of a tilted cluster, found among points of the
// plane.
int squared_distance(int length, int a, int b) {
    const int sites = length * length + 1;
    int least = 1 << 30;
    for (int x = -length; x <= length; ++x)
        for (int y = -length; y <= length; ++y)
            if (((a + x - length * y - b) % sites + sites) % sites == 0) least = std::min(least, x * x + y * y);
    return least;
}

}  // namespace

BOOST_AUTO_TEST_CASE(numbers_of_sites) {
    for (const int length : {3, 5, 9, 15}) {
        BOOST_TEST(sites_of(tilted(length)) == length * length + 1);
        BOOST_TEST(Geometry(tilted(length)).sites() == static_cast<std::size_t>(length * length + 1));
    }
    BOOST_TEST(sites_of(rectangular(8, 6)) == 48);
}

// Opposite steps cancel, with the same sign.
BOOST_AUTO_TEST_CASE(neighbours_are_mutual) {
    for (const Lattice& lattice : some_lattices()) {
        const Geometry geometry(lattice);
        for (int shell = 1; shell <= shells; ++shell)
            for (std::size_t site = 0; site < geometry.sites(); ++site) {
                const auto neighbours = geometry.neighbours(shell, site);
                for (std::size_t n = 0; n < 4; ++n) {
                    const SignedSite there = neighbours[n];
                    const SignedSite back =
                        geometry.neighbours(shell, static_cast<std::size_t>(there.site))[(n + 2) % 4];
                    BOOST_TEST(static_cast<std::size_t>(back.site) == site);
                    BOOST_TEST(back.sign == there.sign);
                }
            }
    }
}

BOOST_AUTO_TEST_CASE(nearest_images) {
    for (const int length : {3, 5, 9, 15}) {
        const Geometry geometry(tilted(length));
        for (std::size_t site = 0; site < geometry.sites(); ++site) {
            const auto [x, y] = nearest_image(tilted(length), site);
            BOOST_TEST(static_cast<std::size_t>(geometry.moved(0, x, y).site) == site);
            BOOST_TEST(x * x + y * y == squared_distance(length, 0, static_cast<int>(site)));
        }
    }
    const Lattice lattice = rectangular(8, 6, Boundary::antiperiodic);
    const Geometry geometry(lattice);
    for (std::size_t site = 0; site < geometry.sites(); ++site) {
        const auto [x, y] = nearest_image(lattice, site);
        BOOST_TEST(static_cast<std::size_t>(geometry.moved(0, x, y).site) == site);
        BOOST_TEST(geometry.moved(0, x, y).sign == 1.0);
    }
}

BOOST_AUTO_TEST_CASE(distances_of_tilted_clusters) {
    for (const int length : {5, 9, 15}) {
        const Geometry geometry(tilted(length));
        for (std::size_t site = 0; site < geometry.sites(); ++site)
            for (int shell = 1; shell <= shells; ++shell) {
                std::set<int> all;
                for (const SignedSite& neighbour : geometry.neighbours(shell, site)) {
                    all.insert(neighbour.site);
                    const int d2 = squared_distance(length, static_cast<int>(site), neighbour.site);
                    BOOST_TEST(d2 == (shell == 3 ? 4 : shell));
                    BOOST_TEST(neighbour.sign == 1.0);
                }
                BOOST_TEST(all.size() == 4u);
            }
    }
}

// The second and the third shell of the smallest cluster reach the same sites; the first shell is complete.
BOOST_AUTO_TEST_CASE(shells_of_ten_sites) {
    const Geometry geometry(tilted(3));
    const auto of = [&](int shell) {
        std::set<int> all;
        for (const SignedSite& neighbour : geometry.neighbours(shell, 0)) all.insert(neighbour.site);
        return all;
    };
    BOOST_TEST((of(1) == std::set<int>{1, 9, 3, 7}));
    BOOST_TEST((of(2) == std::set<int>{2, 8, 4, 6}));
    BOOST_TEST((of(3) == of(2)));
}

// Nearest neighbours are on the other sublattice, the other neighbours on the same one.
BOOST_AUTO_TEST_CASE(tilted_clusters_are_bipartite) {
    for (const int length : {3, 5, 9, 15}) {
        const Geometry geometry(tilted(length));
        for (std::size_t site = 0; site < geometry.sites(); ++site)
            for (int shell = 1; shell <= shells; ++shell)
                for (const SignedSite& neighbour : geometry.neighbours(shell, site))
                    BOOST_TEST((static_cast<std::size_t>(neighbour.site) + site) % 2 == (shell == 1 ? 1u : 0u));
    }
}

BOOST_AUTO_TEST_CASE(signs_of_boundaries) {
    const Geometry geometry(rectangular(4, 5, Boundary::antiperiodic, Boundary::periodic));
    const auto site = [](std::size_t x, std::size_t y) { return x + 4 * y; };
    BOOST_TEST(geometry.neighbours(1, site(3, 2))[0].sign == -1.0);  // x = 3 -> 4
    BOOST_TEST(geometry.neighbours(1, site(0, 2))[2].sign == -1.0);
    BOOST_TEST(geometry.neighbours(1, site(1, 4))[1].sign == 1.0);  // y is periodic
    BOOST_TEST(geometry.neighbours(3, site(2, 0))[0].sign == -1.0);
    BOOST_TEST(geometry.moved(site(0, 0), 8, 0).sign == 1.0);  // twice around
    BOOST_TEST(geometry.difference(site(0, 0), site(3, 1)).sign == -1.0);
    const Geometry both(rectangular(4, 4, Boundary::antiperiodic, Boundary::antiperiodic));
    BOOST_TEST(both.neighbours(2, 15)[0].site == 0);
    BOOST_TEST(both.neighbours(2, 15)[0].sign == 1.0);  // through both boundaries
}

// A plane wave at the neighbour, with the neighbour's sign, is the plane wave at the site times exp(i k.d).
BOOST_AUTO_TEST_CASE(plane_waves) {
    constexpr int dx[3][4] = {{1, 0, -1, 0}, {1, -1, -1, 1}, {2, 0, -2, 0}};
    constexpr int dy[3][4] = {{0, 1, 0, -1}, {1, 1, -1, -1}, {0, 2, 0, -2}};
    for (const Lattice& lattice : some_lattices()) {
        const Geometry geometry(lattice);
        double largest = 0;
        for (std::size_t k = 0; k < geometry.sites(); ++k)
            for (std::size_t site = 0; site < geometry.sites(); ++site)
                for (int shell = 1; shell <= shells; ++shell)
                    for (std::size_t n = 0; n < 4; ++n) {
                        const SignedSite there = geometry.neighbours(shell, site)[n];
                        const auto q = geometry.wave_vector(k);
                        const double expected =
                            geometry.phase(k, site) + q[0] * dx[shell - 1][n] + q[1] * dy[shell - 1][n];
                        const double found = geometry.phase(k, static_cast<std::size_t>(there.site));
                        largest = larger(largest, std::abs(there.sign * std::cos(found) - std::cos(expected)));
                        largest = larger(largest, std::abs(there.sign * std::sin(found) - std::sin(expected)));
                    }
        BOOST_TEST(largest < 1e-12);
    }
}

BOOST_AUTO_TEST_CASE(wave_vectors_are_different) {
    for (const Lattice& lattice : some_lattices()) {
        const Geometry geometry(lattice);
        std::set<std::pair<long, long>> all;
        for (std::size_t k = 0; k < geometry.sites(); ++k) {
            const auto q = geometry.wave_vector(k);
            all.insert({std::lround(q[0] * 1e6), std::lround(q[1] * 1e6)});
        }
        BOOST_TEST(all.size() == geometry.sites());
    }
}

BOOST_AUTO_TEST_CASE(refused) {
    const auto message = [](const Lattice& lattice) -> std::string {
        try {
            validate(lattice);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    BOOST_TEST(message(tilted(1)) == "vmc.params.length: 1 is not in 3..63");
    BOOST_TEST(message(tilted(65)) == "vmc.params.length: 65 is not in 3..63");
    BOOST_TEST(message(tilted(8)).starts_with("vmc.params.length: 8 is even"));
    BOOST_TEST(message(rectangular(2, 8)) == "vmc.params.extents[0]: 2 is not in 3..1024");
    BOOST_TEST(message(rectangular(8, 4000)) == "vmc.params.extents[1]: 4000 is not in 3..1024");
    BOOST_TEST(message(rectangular(64, 65)).ends_with("are more than 4096 sites"));
    for (const Lattice& lattice : some_lattices()) BOOST_TEST(message(lattice) == "");
}
