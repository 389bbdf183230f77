#include "ising/cluster_measurement.hpp"

#include "ising/clusters.hpp"

namespace legato::ising {
namespace {

// Returns the sum of s_x s_y over pairs of sites of the same cluster. The pairs are those of `count` labels from a and
// b on.
std::int64_t correlated(const std::uint32_t* a, const std::uint32_t* b, std::uint32_t count) {
    std::int32_t sum = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t difference = a[i] ^ b[i];
        sum += static_cast<std::int32_t>(difference == 0) - static_cast<std::int32_t>(difference == 1);
    }
    return sum;
}

// The labels of a piece, and of all others.
struct Sites {
    const Packing& packing;
    const std::uint32_t* labels;
    Place at;
    std::uint32_t count;

    const std::uint32_t* row(std::uint32_t number) const { return labels + site_number(number * packing.width, 0); }
    const std::uint32_t* own() const { return row(at.row) + sites_of_piece * at.word; }
};

// Returns the sum for pairs at distance r along x.
std::int64_t along_row(const Sites& s, std::uint32_t extent, std::uint32_t r) {
    const std::uint32_t there = sites_of_piece * s.at.word + r, inside = there < extent ? extent - there : 0,
                        before = std::min(inside, s.count);
    const std::int64_t sum = before == 0 ? 0 : correlated(s.own(), s.row(s.at.row) + there, before);
    if (before == s.count) return sum;
    const std::int64_t beyond =
        correlated(s.own() + before, s.row(s.at.row) + (there + before) % extent, s.count - before);
    return s.packing.flip_x ? sum - beyond : sum + beyond;
}

// Returns the sum for pairs at distance r along y or z.
std::int64_t between_rows(const Sites& s, int axis, std::uint32_t r) {
    const Packing& p = s.packing;
    std::uint32_t y = s.at.y, z = s.at.z;
    std::uint32_t& moved = axis == 1 ? y : z;
    const std::uint32_t extent = axis == 1 ? p.rows_y : p.rows_z;
    moved += r;
    const bool beyond = moved >= extent;
    if (beyond) moved -= extent;
    const std::int64_t sum = correlated(s.own(), s.row(z * p.rows_y + y) + sites_of_piece * s.at.word, s.count);
    return beyond && (axis == 1 ? p.flip_y : p.flip_z) ? -sum : sum;
}

}  // namespace

void add_clusters_to_bin(std::span<const std::int64_t> measured, double sites, std::span<double> sums) {
    const auto value = [&](std::size_t i) { return static_cast<double>(measured[i]); };
    const double fourth = value(ClusterSums::high) * 0x1p64 + value(ClusterSums::middle) * 0x1p33 +
                          value(ClusterSums::low_high) * 0x1p32 + value(ClusterSums::low),
                 square = sites * sites, g = value(ClusterSums::ghost) / sites, g_2 = g * g,
                 s_2 = value(ClusterSums::squares) / square, s_4 = fourth / (square * square);
    sums[0] += g;
    sums[1] += g_2 + s_2;
    sums[2] += g_2 * g_2 + 6 * g_2 * s_2 + 3 * s_2 * s_2 - 2 * s_4;
}

void add_cluster_correlations(const Model& model, std::span<const std::uint32_t> labels, std::uint32_t first,
                              std::uint32_t end, std::span<std::int64_t> values) {
    const Packing& p = model.packing;
    const Lattice& lattice = model.problem.lattice;
    for (std::uint32_t word = first; word < end; ++word) {
        const Place at = place_of(p, word);
        const Sites sites{p, labels.data(), at, last_site(p, at.word) + 1};
        for (int axis = 0; axis < lattice.dimension; ++axis) {
            const auto a = static_cast<std::size_t>(axis);
            const auto extent = static_cast<std::uint32_t>(lattice.extents[a]);
            std::int64_t* const of_axis = values.data() + model.values.correlations[a];
            for (std::uint32_t r = 1; r <= extent / 2; ++r)
                of_axis[r - 1] += axis == 0 ? along_row(sites, extent, r) : between_rows(sites, axis, r);
        }
    }
}

}  // namespace legato::ising
