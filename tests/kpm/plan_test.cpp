// Tests how the CUDA engine divides lattices and matrices. It needs no device.
#define BOOST_TEST_MODULE kpm_plan
#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "kpm/cell_walk.hpp"
#include "kpm/lattice_layout.hpp"
#include "kpm/row_walk.hpp"
#include "runs.hpp"

using namespace legato;
using namespace legato::kpm;
using namespace legato::kpm::tests;

namespace {

Lattice lattice_of(std::array<std::int64_t, 3> extents) {
    Lattice lattice;
    lattice.extents = extents;
    return lattice;
}

bool visits_every_row_once(const RowWalk& walk) {
    std::vector<int> visits(walk.rows);
    for (std::uint32_t chunk = 0; chunk < walk.chunks(); ++chunk)
        for (int k = 0; k < walk.chunk_rows(); ++k) {
            const std::int32_t row = walk.row(walk.start(chunk), k);
            if (row >= 0) ++visits[static_cast<std::size_t>(row)];
        }
    return std::all_of(visits.begin(), visits.end(), [](int n) { return n == 1; });
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_row_once) {
    for (const RowWalk& walk : {walk_with(1000, 1000, 1000, 5, 0, 1), walk_with(262151, 64, 4096, 3, 3, 16),
                                walk_with(300007, 50, 2500, 3, 3, 16), walk_with(300007, 77, 77, 6, 0, 16),
                                walk_with(300007, 16, 128, 3, 3, 16)})
        BOOST_TEST(visits_every_row_once(walk), walk.line << " " << walk.plane);
    // This is the largest number of rows that columns of 32 bits allow.
    const RowWalk largest = walk_with(2147483647, 46340, 46340 * 8, 3, 3, 16);
    for (std::uint32_t chunk = largest.chunks() - 3 * largest.tiles_x; chunk < largest.chunks(); ++chunk)
        for (int k = 0; k < largest.chunk_rows(); ++k) {
            const RowWalk::Place start = largest.start(chunk);
            const std::int64_t x = start.x + k % 8, y = start.y + k / 8 % 8, z = start.z + k / 64;
            const std::int64_t row = x + 46340 * (y + 8 * z);
            BOOST_REQUIRE(largest.row(start, k) == (x < 46340 && row < 2147483647 ? row : -1));
        }
}

// The matrix of a lattice is traversed in the same order as the lattice, if it is large enough.
BOOST_AUTO_TEST_CASE(strides_of_lattices) {
    for (const auto& extents : std::vector<std::array<std::int64_t, 3>>{
             {64, 64, 64}, {50, 60, 70}, {600, 500, 1}, {1, 600, 500}, {40, 2, 4000}, {200000, 1, 1}, {20, 20, 20}}) {
        const Lattice lattice = lattice_of(extents);
        const RowWalk walk = walk_of(lattice), same = walk_of(matrix_of(lattice, 1, 0));
        BOOST_TEST(walk.line == same.line);
        BOOST_TEST(walk.plane == same.plane);
        BOOST_TEST(walk.rows == lattice.sites());
        BOOST_TEST(visits_every_row_once(walk));
    }
    BOOST_TEST(walk_of(lattice_of({64, 64, 64})).line == 64u);
    BOOST_TEST(walk_of(lattice_of({64, 64, 64})).plane == 4096u);
    BOOST_TEST(walk_of(lattice_of({600, 500, 1})).plane == 600u);
    BOOST_TEST(walk_of(lattice_of({200000, 1, 1})).line == 200000u);
    std::mt19937_64 random(1);
    BOOST_TEST(walk_of(random_matrix(random, 400, 5)).line == 400u);
}

// The rows of a slab are those of its chunks in the whole matrix, in the same order.
BOOST_AUTO_TEST_CASE(slabs_of_rows) {
    for (const RowWalk& walk : {walk_with(1000, 1000, 1000, 5, 0, 1), walk_with(300007, 300007, 300007, 11, 0, 1),
                                walk_with(262151, 64, 4096, 3, 3, 16), walk_with(300007, 50, 2500, 3, 3, 16),
                                walk_with(300007, 77, 77, 6, 0, 16), walk_with(300007, 16, 128, 3, 3, 16)}) {
        const std::int64_t segments = walk.segment_count();
        BOOST_TEST(segments <= 64);
        BOOST_TEST(walk.first_row(segments) == walk.rows);
        for (const std::int64_t slabs : {std::int64_t{1}, std::int64_t{3}, segments}) {
            std::uint32_t chunk = 0;
            for (std::int64_t s = 0; s < slabs; ++s) {
                const SegmentRange range{static_cast<std::size_t>(segments * s / slabs),
                                         static_cast<std::size_t>(segments * (s + 1) / slabs)};
                const RowWalk slab = walk.slab(range);
                const std::int64_t first = walk.first_row(static_cast<std::int64_t>(range.first));
                for (std::uint32_t own = 0; own < slab.chunks(); ++own, ++chunk)
                    for (int k = 0; k < walk.chunk_rows(); ++k) {
                        const std::int64_t row = slab.row(slab.start(own), k);
                        BOOST_REQUIRE((row < 0 ? -1 : row + first) == walk.row(walk.start(chunk), k));
                    }
            }
            BOOST_TEST(chunk == walk.chunks());
        }
    }
}

// The cells of a slab are those of its chunks in the whole lattice, in the same order, with their coordinates. Layers
// inside have no site that is passed or next to a halo.
BOOST_AUTO_TEST_CASE(slabs_of_cells) {
    int divided = 0;
    for (const auto& extents : std::vector<std::array<std::int64_t, 3>>{{1, 1, 1},
                                                                        {3, 1, 1},
                                                                        {701, 1, 1},
                                                                        {200000, 1, 1},
                                                                        {1, 41, 1},
                                                                        {60, 70, 1},
                                                                        {600, 500, 1},
                                                                        {16, 1, 33},
                                                                        {1, 1, 300},
                                                                        {7, 5, 6},
                                                                        {12, 14, 111},
                                                                        {40, 30, 70},
                                                                        {2, 3, 4000}}) {
        CellLattice lattice;
        lattice.extents = extents;
        lattice.orbitals = 3;
        lattice.hoppings = {{0, 1, {1, 1, 1}, 1.0}};
        const RowWalk whole = cell_walk_of(lattice);
        const auto segments = static_cast<std::size_t>(whole.segment_count());
        BOOST_TEST(segments <= most_segments);
        for (const std::size_t slabs : {std::size_t{1}, std::size_t{2}, std::size_t{5}, segments}) {
            if (slabs > segments) continue;
            std::uint32_t chunk = 0;
            for (std::size_t s = 0; s < slabs; ++s) {
                const CellSlab slab = cells_of_slab(lattice, {segments * s / slabs, segments * (s + 1) / slabs});
                const InnerLayers inner = inner_layers(slab.walk, slab.halo, lattice.orbitals);
                BOOST_TEST((slab.halo > 0) == (slabs > 1));
                BOOST_REQUIRE((0 <= inner.first && inner.first <= inner.end && inner.end <= slab.walk.layers()));
                divided += slabs > 1 && inner.first < inner.end ? 1 : 0;
                for (std::uint32_t own = 0; own < slab.walk.chunks(); ++own, ++chunk)
                    for (int k = 0; k < whole.chunk_rows(); ++k) {
                        const RowWalk::Place place = slab.walk.place(slab.walk.start(own), k);
                        const std::int64_t cell = slab.walk.row_at(place), number = cell + slab.first / 3;
                        BOOST_REQUIRE((cell < 0 ? -1 : number) == whole.row(whole.start(chunk), k));
                        if (cell < 0) continue;
                        const CellRows::Place cell_there = slab.cell_at(place);
                        const auto& at = cell_there.cell;
                        BOOST_REQUIRE(at[0] + extents[0] * (at[1] + extents[1] * std::int64_t{at[2]}) == number);
                        BOOST_REQUIRE((at[0] < extents[0] && at[1] < extents[1] && at[2] < extents[2]));
                        const std::int64_t layer = own / slab.walk.chunks_of_layer();
                        if (layer >= inner.first && layer < inner.end)
                            BOOST_REQUIRE((3 * cell >= slab.halo && 3 * cell + 3 <= slab.count - slab.halo));
                    }
            }
            BOOST_TEST(chunk == whole.chunks());
        }
    }
    BOOST_TEST(divided > 20);
}

// Tiles and chunks cover a lattice, and there is a slot for every site beside a tile.
BOOST_AUTO_TEST_CASE(layouts) {
    for (const auto& extents : std::vector<std::array<std::int64_t, 3>>{
             {1, 1, 1}, {701, 1, 1}, {130, 1, 90}, {2, 2, 4000}, {7, 6, 5}, {64, 64, 64}, {150, 2, 1}, {33, 170, 35}}) {
        const LatticeLayout layout = layout_of(lattice_of(extents));
        BOOST_TEST(layout.tiles_x * layout.tile_x >= layout.extents[0]);
        BOOST_TEST(layout.tiles_y * layout.tile_y() >= layout.extents[1]);
        BOOST_TEST(layout.layers * layout.chunk_planes >= layout.extents[2]);
        BOOST_TEST((layout.layers - 1) * layout.chunk_planes < layout.extents[2]);
        BOOST_TEST(layout.extents[0] * layout.extents[1] * layout.extents[2] == lattice_of(extents).sites());
        const int beside = 2 * layout.tile_y() + 2 * layout.rim_y() * layout.tile_x;
        BOOST_TEST(beside <= tile_sites);
    }
}

// Slabs of consecutive segments cover a lattice, for every number of slabs.
BOOST_AUTO_TEST_CASE(slabs_cover_a_lattice) {
    for (const auto& extents : std::vector<std::array<std::int64_t, 3>>{
             {1, 1, 1}, {701, 1, 1}, {130, 1, 90}, {2, 2, 4000}, {64, 64, 64}, {33, 170, 35}, {8, 8, 100000}}) {
        const LatticeLayout whole = layout_of(lattice_of(extents));
        const auto segments = static_cast<std::size_t>(whole.segments());
        BOOST_TEST(segments <= most_segments);
        for (std::size_t slabs = 1; slabs <= segments; ++slabs) {
            std::int64_t site = 0, layers = 0;
            for (std::size_t s = 0; s < slabs; ++s) {
                const LatticeLayout slab = whole.slab({segments * s / slabs, segments * (s + 1) / slabs});
                BOOST_REQUIRE(slab.first_site() == site);
                BOOST_REQUIRE(slab.sites() > 0);
                BOOST_REQUIRE(slab.has_halos == (slabs > 1));
                BOOST_REQUIRE(slab.layers * slab.chunk_planes >= slab.extents[2]);
                site += slab.sites();
                layers += slab.layers;
            }
            BOOST_REQUIRE(site == whole.sites());
            BOOST_REQUIRE(layers == whole.layers);
        }
    }
}
