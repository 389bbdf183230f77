#include "tmm/replicas.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tmm/convergence.hpp"

namespace legato::tmm {
namespace {

// Blocks between two comparisons. A point that is much longer than burn_in has at least 32 blocks, and takes at most a
// quarter more cycles than it needs.
constexpr std::int64_t blocks_of_round = 4;

bool can_converge(const Problem& problem, std::int64_t cycles) {
    const std::int64_t length = block_length(cycles);
    const int count = static_cast<int>(cycles / length), first = blocks_left_out(count, length, problem.burn_in);
    return count - first >= problem.min_blocks && first * length >= problem.burn_in;
}

void add(std::vector<double>& sum, const std::vector<double>& values) {
    sum.resize(values.size());
    std::transform(sum.begin(), sum.end(), values.begin(), sum.begin(), [](double a, double b) { return a + b; });
}

}  // namespace

Problem problem_of_sequence(const Problem& problem) {
    Problem of_sequence = problem;
    if (problem.replicas == 1) return of_sequence;
    of_sequence.epsilon = 0;
    of_sequence.max_multiplications = std::numeric_limits<std::int64_t>::max();
    return of_sequence;
}

std::int64_t next_comparison(const Problem& problem, std::int64_t cycles, std::int64_t least) {
    const std::int64_t most = problem.max_cycles();
    if (cycles >= most) return most;
    do {
        const std::int64_t step = blocks_of_round * block_length(cycles + 1), rounds = cycles / step + 1;
        if (rounds > most / step) return most;
        cycles = rounds * step;
    } while (cycles < least || !can_converge(problem, cycles));
    return cycles;
}

// The error decreases as one over the square root of the number of cycles. It is known to about a fifth, or worse if
// the start of the run still counts. A round therefore has at most three times as many cycles as there were before.
std::int64_t wanted_cycles(const Problem& problem, const PointState& average) {
    constexpr double share = 0.75, most_growth = 4;
    const std::int64_t channels = problem.channels(), length = block_length(average.cycles);
    const int count = static_cast<int>(average.cycles / length),
              first = blocks_left_out(count, length, problem.burn_in);
    const BlockAverage last =
        average_blocks(average.blocks.data() + first * channels + channels - 1, channels, count - first);
    const double ratio = last.error / (std::fabs(last.mean) * problem.epsilon),
                 cycles = static_cast<double>(average.cycles), wanted = share * ratio * ratio * cycles;
    if (!(wanted > 0)) return 0;  // not even for an error that is not a number
    return static_cast<std::int64_t>(
        std::min({wanted, most_growth * cycles, static_cast<double>(problem.max_cycles()) / 2}));
}

void add_replica(PointState& sum, const PointState& replica) {
    sum.interval = sum.log_norms.empty() ? replica.interval : std::min(sum.interval, replica.interval);
    add(sum.log_norms, replica.log_norms);
    add(sum.log_norms2, replica.log_norms2);
    add(sum.blocks, replica.blocks);
}

void divide(PointState& sum, std::int64_t replicas) {
    for (std::vector<double>* const values : {&sum.log_norms, &sum.log_norms2, &sum.blocks})
        for (double& value : *values) value /= static_cast<double>(replicas);
}

}  // namespace legato::tmm
