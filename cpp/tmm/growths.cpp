#include "tmm/growths.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "tmm/convergence.hpp"

namespace legato::tmm {
namespace {

// Returns the error of block sums that scatter as those of a single replica, if `sums` are averages over replicas.
double error_alone(const double* sums, std::int64_t stride, int count, const Problem& problem, double mean) {
    const double factor = std::sqrt(static_cast<double>(problem.replicas));
    std::array<double, most_blocks> alone;
    for (int b = 0; b < count; ++b) alone[static_cast<std::size_t>(b)] = mean + factor * (sums[b * stride] - mean);
    return average_blocks(alone.data(), 1, count).error;
}

Growth growth_in_blocks(const Problem& problem, const PointState& state, std::size_t column) {
    const auto sites = static_cast<std::int64_t>(state.log_norms.size());
    const std::int64_t length = block_length(state.cycles), open = state.cycles % length;
    const auto count = static_cast<int>(state.cycles / length);
    const int first = blocks_left_out(count, length, problem.burn_in), used = count - first;
    const double* const sums = state.blocks.data() + column + first * sites;
    const BlockAverage average = average_blocks(sums, sites, used);
    const auto cycles = static_cast<double>(used * length);
    double mean = average.mean / static_cast<double>(length);
    if (open > 0) mean = (mean * cycles + state.log_norms[column]) / (cycles + static_cast<double>(open));
    const double error = open > 0 ? average.error / static_cast<double>(length) / std::fabs(mean)
                                  : average.error / std::fabs(average.mean);
    if (problem.replicas == 1) return {mean, error};
    const double alone = error_alone(sums, sites, used, problem, average.mean);
    return {mean, error, alone / static_cast<double>(length) / std::fabs(mean)};
}

// Enlarges errors of columns that the run cannot separate. Columns whose growths differ by less than about e^20 over
// the run are mixtures of each other's channels. Disorder mixes them anyway. With almost no disorder, the blocks of a
// column do not show this: its sum of ln R fluctuates by less than least_growth, the smallest error that is given to a
// sum. Its error is then the distance to the farthest of these columns. With replicas, the fluctuations of a single one
// count, because those of the average are small with any disorder.
void widen_unresolved(std::vector<Growth>& growths, double cycles) {
    constexpr double resolved = 20;
    const std::vector<Growth> own = growths;
    for (std::size_t j = 0; j < own.size(); ++j) {
        double farthest = 0;
        for (const Growth& other : own)
            if (const double distance = std::fabs(other.mean - own[j].mean); distance * cycles < resolved)
                farthest = std::max(farthest, distance);
        const double absolute = std::fabs(own[j].mean);
        if (own[j].error_alone * absolute * cycles < 1.5 * least_growth && farthest > own[j].error * absolute)
            growths[j].error = farthest / std::fabs(own[j].mean);
    }
}

std::vector<Growth> growths_in_blocks(const Problem& problem, const PointState& state) {
    std::vector<Growth> growths;
    for (std::size_t j = 0; j < state.log_norms.size(); ++j) growths.push_back(growth_in_blocks(problem, state, j));
    const std::int64_t length = block_length(state.cycles), count = state.cycles / length;
    const std::int64_t used = count - blocks_left_out(static_cast<int>(count), length, problem.burn_in);
    widen_unresolved(growths, static_cast<double>(used * length));
    return growths;
}

}  // namespace

std::vector<Growth> growths_per_slice(const Problem& problem, const PointState& state) {
    std::vector<Growth> growths;
    for (std::size_t j = 0; j < state.log_norms.size(); ++j)
        growths.push_back({state.log_norms[j], state.log_norms2[j]});
    if (problem.rule == Rule::tmsexd) {
        for (Growth& growth : growths)
            growth = {lyapunov_exponent(growth.mean, problem.n_ortho, state.cycles),
                      relative_error(growth.mean, growth.error, state.cycles)};
        return growths;
    }
    if (!state.blocks.empty()) growths = growths_in_blocks(problem, state);
    for (Growth& growth : growths) growth.mean /= static_cast<double>(problem.n_ortho);
    return growths;
}

void replace_blocks(const Problem& problem, PointState& state) {
    if (problem.rule != Rule::blocks) return;
    if (state.cycles > 0) {
        const std::vector<Growth> growths = growths_in_blocks(problem, state);
        for (std::size_t j = 0; j < growths.size(); ++j) {
            state.log_norms[j] = growths[j].mean;
            state.log_norms2[j] = growths[j].error;
        }
        if (state.status == PointStatus::converged && !(growths.back().error <= problem.epsilon))
            state.status = PointStatus::not_converged;
    }
    state.blocks = std::vector<double>();  // frees the memory
}

}  // namespace legato::tmm
