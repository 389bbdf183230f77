// Limits of the host: a copy that is larger than the caches, and multiply-adds in the registers of this processor, for
// which the serial programs are compiled, too. A matrix product would measure the library: Debian's reference BLAS
// reaches a tenth.
#include <cstring>
#include <thread>

#include "limits.hpp"

namespace benchmarks {
namespace {

#ifdef __AVX512F__
constexpr int lane_bytes = 64;
#else
constexpr int lane_bytes = 32;
#endif
using Lanes = double __attribute__((vector_size(lane_bytes)));
constexpr int chains = 10;  // independent sums, so that none waits for another
constexpr double flops_each = 2.0 * chains * lane_bytes / sizeof(double);

// The result is used, so that the compiler leaves out nothing.
double multiply_add(int64_t times) {
    Lanes sums[chains];
    for (int i = 0; i < chains; ++i) sums[i] = Lanes{} + i;
    for (int64_t n = 0; n < times; ++n)
        for (Lanes& sum : sums) sum = sum * 0.5 + 1.0;
    double total = 0;
    for (const Lanes& sum : sums) total += sum[0];
    return total;
}

// Returns the seconds that `threads` threads take, each with work(its number).
template <class Work>
double seconds_of_team(int threads, const Work& work) {
    return best_of(3, [&] {
        return seconds_of([&] {
            std::vector<std::thread> team;
            team.reserve(static_cast<std::size_t>(threads));
            for (int t = 0; t < threads; ++t) team.emplace_back(work, static_cast<std::size_t>(t));
            for (std::thread& thread : team) thread.join();
        });
    });
}

}  // namespace

Limit host_limit(int threads) {
    constexpr int64_t times = 20000000;
    constexpr std::size_t bytes = std::size_t{1} << 28;
    std::vector<char> from(bytes, 1), to(bytes, 2);
    std::vector<double> results(static_cast<std::size_t>(threads));
    const std::size_t part = bytes / static_cast<std::size_t>(threads);
    const double copying =
        seconds_of_team(threads, [&](std::size_t t) { std::memcpy(&to[t * part], &from[t * part], part); });
    const double adding = seconds_of_team(threads, [&](std::size_t t) { results[t] = multiply_add(times); });
    return {2.0 * static_cast<double>(part) * threads / copying, flops_each * times * threads / adding};
}

Limits measure_limits(const Options& options) {
    return {host_limit(1), host_limit(options.threads), options.gpu ? device_limit() : Limit{}};
}

}  // namespace benchmarks
