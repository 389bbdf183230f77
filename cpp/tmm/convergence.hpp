// Exponents and errors from the sums that a run keeps, and the rules by which a point converges. Host and device use
// the same code.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "core/host_device.hpp"
#include "tmm/problem.hpp"

// Stands before a loop that nvcc must not unroll, because it seldom runs, and unrolled it would take registers from the
// kernel around it.
#ifdef __CUDA_ARCH__
#define LEGATO_ROLLED _Pragma("unroll 1")
#else
#define LEGATO_ROLLED
#endif

namespace legato::tmm {

// Returns the relative standard error of the mean by Rule::tmsexd. `sum` and `sum2` are the sums of ln R and (ln R)^2
// over k cycles, which count as independent (MacKinnon and Kramer, Z. Phys. B 53, 1 (1983)). It is NaN for one cycle.
LEGATO_HOST_DEVICE inline double relative_error(double sum, double sum2, std::int64_t k) {
    if (k < 2) return NAN;
    const double mean = sum / static_cast<double>(k);
    const double variance = std::fabs(sum2 / static_cast<double>(k) - mean * mean);
    return std::sqrt(variance / static_cast<double>(k - 1)) / std::fabs(mean);
}

LEGATO_HOST_DEVICE inline double lyapunov_exponent(double sum, std::int64_t n_ortho, std::int64_t k) {
    return sum / (static_cast<double>(n_ortho) * static_cast<double>(k));
}

// Tests the smallest exponent by Rule::tmsexd. An error below 1e-15 does not count as converged: it is that of a clean
// system, which has no statistical error.
LEGATO_HOST_DEVICE inline bool has_converged(double sum, double sum2, std::int64_t k, std::int64_t width,
                                             double epsilon) {
    if (k < width || k < 3) return false;
    // Almost every call is far from the bound and needs no division: error^2 = |k sum2 - sum^2| / ((k - 1) sum^2).
    const double n = static_cast<double>(k), square = sum * sum;
    if (std::fabs(n * sum2 - square) > (1.000001 * epsilon * epsilon * (n - 1) + 1e-14) * square) return false;
    const double error = relative_error(sum, sum2, k);
    return error >= 1e-15 && error <= epsilon;
}

// Returns the length of the blocks in cycles. This and all functions below are for Rule::blocks. The cycles of a point
// are summed in blocks of equal length. When a cycle follows after most_blocks full blocks, pairs of blocks are merged.
// The number of blocks and their length depend only on the number of cycles.
LEGATO_HOST_DEVICE inline std::int64_t block_length(std::int64_t cycles) {
    const auto filled = static_cast<std::uint64_t>(cycles > 1 ? cycles - 1 : 0) / most_blocks;
#ifdef __CUDA_ARCH__
    return std::int64_t{1} << (64 - __clzll(static_cast<long long>(filled)));
#else
    return std::int64_t{1} << std::bit_width(filled);
#endif
}

// Returns the number of blocks that are left out at the start: those that burn_in cycles touch, at least an eighth and
// at most half of all. The start relaxes within about a localisation length, and a run takes about 1 / epsilon^2
// localisation lengths. A share of the run is therefore safe, while a fixed number of cycles may be too small.
LEGATO_HOST_DEVICE inline int blocks_left_out(int count, std::int64_t length, std::int64_t burn_in) {
    const std::int64_t touched = (burn_in + length - 1) / length, eighth = (count + 7) / 8;
    const std::int64_t wanted = touched > eighth ? touched : eighth, half = count / 2;
    return static_cast<int>(wanted < half ? wanted : half);
}

inline constexpr double least_growth = 0.25;  // smallest error of the sum of ln R over a run

struct BlockAverage {
    double mean, error;  // mean of the block sums and its standard error; NaN for fewer than fewest_blocks blocks
};

// Returns the standard error of the mean of sums[b * stride], b = 0..count-1. It is that of overlapping pairs of
// blocks, with the variance c0 + c1: c0 is the variance of a block, and c1 the covariance of a block with the next (H.
// Flyvbjerg and H. G. Petersen, J. Chem. Phys. 91, 461 (1989), with two levels in one). It includes correlations within
// two blocks. `first` is the mean of the first half of the blocks, `last` that of the others, or both are the mean of
// all blocks; `means` is 2 or 1.
LEGATO_HOST_DEVICE inline double standard_error_of_blocks(const double* sums, std::int64_t stride, int count,
                                                          double first, double last, int means) {
    double c0 = 0, c1 = 0, before = 0;
    LEGATO_ROLLED
    for (int b = 0; b < count; ++b) {
        const double off = sums[b * stride] - (b < count / 2 ? first : last);
        c0 += off * off;
        c1 += off * before;
        before = off;
    }
    // The mean of a finite run is correlated with its blocks, which lowers the sample's c1 by c0 / n. The variance from
    // overlapping pairs scatters like that of 2/3 as many independent blocks. With so many degrees of freedom, the mean
    // square of deviation over error is freedom / (freedom - 2) by Student's distribution. This factor in the variance
    // makes it 1.
    const double n = count, k = means, freedom = 2 * (n - k) / 3;
    const double variance = (c0 + c1 + k * c0 / n) / (n - k) * freedom / (freedom - 2);
    return std::sqrt(variance > 0 ? variance / n : 0.0);
}

// Averages sums[b * stride], b = 0..count-1. The two halves of a relaxed run seldom differ by more than 3 standard
// errors of their difference. These are 6 errors of the mean, which follow here from the scatter of the blocks about
// the mean of their own half. Three times what exceeds them is added to the error. If at least 32 blocks remain, a
// relaxation that decays as 1 / t has then moved the mean by at most 1.8 errors. By chance this raises the error of
// relaxed runs by 1 % on average. The error of the sum over the run is at least least_growth: a sum that has hardly
// grown contains no information, as in a clean band, whose exponents are 0.
LEGATO_HOST_DEVICE inline BlockAverage average_blocks(const double* sums, std::int64_t stride, int count) {
    const int half = count / 2;
    double first = 0, last = 0;
    LEGATO_ROLLED
    for (int b = 0; b < half; ++b) first += sums[b * stride];
    LEGATO_ROLLED
    for (int b = half; b < count; ++b) last += sums[b * stride];
    const double n = count, mean = (first + last) / n, least = least_growth / n;
    if (count < fewest_blocks) return {mean, NAN};
    first /= half;
    last /= count - half;
    const double error = std::fmax(standard_error_of_blocks(sums, stride, count, mean, mean, 1), least),
                 within = std::fmax(standard_error_of_blocks(sums, stride, count, first, last, 2), least),
                 excess = std::fabs(first - last) - 6 * within;
    return {mean, excess > 0 ? error + 3 * excess : error};
}

// Returns true if the column with these block sums has converged. It is called when a block has just been completed.
LEGATO_HOST_DEVICE inline bool has_converged(const double* sums, std::int64_t stride, std::int64_t cycles,
                                             const Problem& p) {
    const std::int64_t length = block_length(cycles);
    const int count = static_cast<int>(cycles / length), first = blocks_left_out(count, length, p.burn_in);
    if (count - first < p.min_blocks || first * length < p.burn_in) return false;
    const BlockAverage average = average_blocks(sums + first * stride, stride, count - first);
    return average.error / std::fabs(average.mean) <= p.epsilon;  // bitwise the error that is reported
}

LEGATO_HOST_DEVICE inline bool completes_block(std::int64_t cycles) {
    return (cycles & (block_length(cycles) - 1)) == 0;  // the length is a power of two
}

// Returns true if update_blocks has something to do after this cycle.
LEGATO_HOST_DEVICE inline bool touches_blocks(std::int64_t cycles) {
    return completes_block(cycles) || block_length(cycles) != block_length(cycles - 1);
}

// Updates the block sums sums[b * stride] of a column after its `cycles`-th cycle. Merges pairs of blocks if the cycle
// is the first for which there is no room. If the cycle completes a block, stores `sum`, the sum over the cycles since
// the last block.
LEGATO_HOST_DEVICE inline void update_blocks(double* sums, std::int64_t stride, std::int64_t cycles, double sum) {
    const std::int64_t length = block_length(cycles);
    if (length != block_length(cycles - 1))
        for (int b = 0; b < most_blocks / 2; ++b) sums[b * stride] = sums[2 * b * stride] + sums[(2 * b + 1) * stride];
    if (completes_block(cycles)) sums[(cycles / length - 1) * stride] = sum;
}

// Returns the next number of slices between two orthonormalisations. log_ratio is the logarithm of the ratio of largest
// to smallest growth over the last `interval` slices. It is used only with Problem::max_growth > 0.
LEGATO_HOST_DEVICE inline std::int64_t adapted_interval(std::int64_t interval, double log_ratio, double max_growth,
                                                        std::int64_t n_ortho) {
    const double log_bound = std::log(max_growth);
    const double per_slice = log_ratio / static_cast<double>(interval);
    if (log_ratio > log_bound) return interval > 1 ? interval - 1 : 1;
    if (per_slice * static_cast<double>(interval + 1) < 0.9 * log_bound && interval < n_ortho) return interval + 1;
    return interval;
}

}  // namespace legato::tmm
