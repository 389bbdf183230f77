// Improved estimators: averages over the directions that the clusters of a sweep might have been given (U. Wolff, Nucl.
// Phys. B 300, 501 (1988)). Spins of different clusters then have no correlation. Let m_c be the sum of the spins of
// cluster c, g that of the cluster with the ghost (clusters.hpp), which is 0 without a field, S2 = sum_c m_c^2 and
// S4 = sum_c m_c^4 over the other clusters. For the sum M of all spins
//
//     <M> = <g>,    <M^2> = <g^2 + S2>,    <M^4> = <g^4 + 6 g^2 S2 + 3 S2^2 - 2 S4>.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/host_device.hpp"
#include "ising/problem.hpp"

namespace legato::ising {

// The sums over the clusters of a measurement, in units that make all of them exact integers: they do not depend on how
// clusters are divided among threads. |m_c| and the sum of all |m_c| are below 2^31.
class ClusterSums {
  public:
    // Numbers of the sums among MeasuredValues. S4 is the sum of the last four, times 2^64, 2^33, 2^32 and 1.
    enum : std::size_t { ghost, squares, high, middle, low_high, low, count };

    LEGATO_HOST_DEVICE void add_ghost(std::int64_t g) { sums_[ghost] += g; }
    LEGATO_HOST_DEVICE void add(std::int64_t m) {
        const std::int64_t square = m * m, upper = square >> 32, lower = square & 0xffffffff;
        const auto of_lower = static_cast<std::uint64_t>(lower) * static_cast<std::uint64_t>(lower);
        sums_[squares] += square;
        sums_[high] += upper * upper;
        sums_[middle] += upper * lower;
        sums_[low_high] += static_cast<std::int64_t>(of_lower >> 32);
        sums_[low] += static_cast<std::int64_t>(of_lower & 0xffffffff);
    }
    LEGATO_HOST_DEVICE std::int64_t operator[](std::size_t i) const { return sums_[i]; }
    void add_to(std::span<std::int64_t> values) const {
        for (std::size_t i = 0; i < count; ++i) values[i] += sums_[i];
    }

  private:
    std::int64_t sums_[count] = {};
};

// Adds the estimates of m, m^2 and m^4 per spin, from the sums of ClusterSums, to those of a bin.
void add_clusters_to_bin(std::span<const std::int64_t> measured, double sites, std::span<double> sums);

// The label of a site: the first site of its cluster, and its spin.
inline std::uint32_t label_of(std::uint32_t first, bool up) {
    return first << 1 | static_cast<std::uint32_t>(up);
}

// Adds the correlations of the sites of pieces first .. end - 1 (clusters.hpp) to the values. The labels are numbered
// as sites are.
void add_cluster_correlations(const Model& model, std::span<const std::uint32_t> labels, std::uint32_t first,
                              std::uint32_t end, std::span<std::int64_t> values);

}  // namespace legato::ising
