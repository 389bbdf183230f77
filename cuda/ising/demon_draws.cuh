// Demons drawn anew (ising/demon_draws.hpp).
//
// By numbers, a team of threads looks after a level of a system: it proposes some sites for each of its threads at
// once, and takes the first ones that serve, no more than are missing. Then it goes on behind the last that it has
// taken: the result is that of proposing one after the other.
#pragma once

#include "ising/demon_counts.cuh"

namespace legato::ising {

// Of the candidates, by their threads' order: how many come before this thread, and how many there are.
struct Ranked {
    std::uint32_t before, total;
};
// After a round, for all threads: how many demons have changed, and what the last one that was taken proposed.
struct Outcome {
    std::uint32_t changed, last;
};

// The threads of a warp as a team.
class WarpTeam {
  public:
    __device__ std::uint32_t rank() const { return threadIdx.x % 32; }
    __device__ std::uint32_t size() const { return 32; }
    __device__ Ranked ranked(bool first, bool second) const {
        const std::uint32_t firsts = __ballot_sync(whole_warp, first), seconds = __ballot_sync(whole_warp, second);
        const std::uint32_t before = (1u << rank()) - 1;
        return {static_cast<std::uint32_t>(__popc(firsts & before) + __popc(seconds & before)),
                static_cast<std::uint32_t>(__popc(firsts) + __popc(seconds))};
    }
    __device__ Outcome outcome(std::uint32_t changed, bool is_last, std::uint32_t number) const {
        __syncwarp();
        const int last = __ffs(static_cast<int>(__ballot_sync(whole_warp, is_last))) - 1;
        return {__reduce_add_sync(whole_warp, changed), __shfl_sync(whole_warp, number, last < 0 ? 0 : last)};
    }
};

// The threads of a block, up to 1024, as a team. Ranks and outcomes have shared memory of their own, so that one
// synchronisation for each is enough.
class BlockTeam {
  public:
    struct Shared {
        std::uint32_t candidates[32], changed[32], last;
    };
    __device__ explicit BlockTeam(Shared& shared) : shared_(shared) {}
    __device__ std::uint32_t rank() const { return threadIdx.x; }
    __device__ std::uint32_t size() const { return blockDim.x; }

    __device__ Ranked ranked(bool first, bool second) const {
        const std::uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        const Ranked in_warp = WarpTeam().ranked(first, second);
        if (lane == 0) shared_.candidates[warp] = in_warp.total;
        __syncthreads();
        const std::uint32_t of_warp = lane < blockDim.x / 32 ? shared_.candidates[lane] : 0;
        return {in_warp.before + __reduce_add_sync(whole_warp, lane < warp ? of_warp : 0),
                __reduce_add_sync(whole_warp, of_warp)};
    }

    __device__ Outcome outcome(std::uint32_t changed, bool is_last, std::uint32_t number) const {
        const std::uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        const std::uint32_t in_warp = __reduce_add_sync(whole_warp, changed);
        if (lane == 0) shared_.changed[warp] = in_warp;
        if (is_last) shared_.last = number;
        __syncthreads();
        const std::uint32_t of_warp = lane < blockDim.x / 32 ? shared_.changed[lane] : 0;
        return {__reduce_add_sync(whole_warp, of_warp), shared_.last};
    }

  private:
    Shared& shared_;
};

// What a team works on.
struct LevelOfSystem {
    std::uint32_t* plane;
    std::uint32_t sites, level, system;
};

// Proposals of which `left` will probably serve, as `serving` of the sites do: an even number.
__device__ inline std::uint32_t enough_proposals(std::uint32_t left, std::uint32_t serving, std::uint32_t sites) {
    const float serve = static_cast<float>(left) + 3 * sqrtf(static_cast<float>(left)),
                pairs = 0.5f * serve * static_cast<float>(sites) / static_cast<float>(max(serving, 1u));
    return 2 * static_cast<std::uint32_t>(fminf(pairs, 1e9f) + 1);
}

// From `held` demons of the level to `wanted` ones.
template <class Team>
__device__ void change_demons(const Team& team, const LevelOfSystem& of, const Stream& stream, std::int64_t sweep,
                              std::uint32_t held, std::uint32_t wanted) {
    const bool more = wanted > held;
    const std::uint32_t bit = 1u << of.system, serving = more ? of.sites - held : held;
    std::uint32_t left = more ? wanted - held : held - wanted;
    for (std::uint32_t position = 0; left > 0;) {
        const std::uint32_t begin = position & ~1u, number = begin + 2 * team.rank();
        const std::uint32_t proposals = min(enough_proposals(left, serving, of.sites), 2 * team.size());
        const bool proposes = number - begin < proposals;
        ProposedPair proposed{};
        std::uint32_t word[2] = {};
        if (proposes) {
            proposed = proposed_pair(stream, sweep, of.level, of.system, number, of.sites);
            // Other teams change other bits of the words.
            const volatile std::uint32_t* const words = of.plane;
            for (int k = 0; k < 2; ++k) word[k] = words[proposed.site[k]];
        }
        bool candidate[2];
        for (std::uint32_t k = 0; k < 2; ++k)
            candidate[k] = proposes && number + k >= position && ((word[k] & bit) != 0) != more;
        const Ranked ranked = team.ranked(candidate[0], candidate[1]);
        std::uint32_t rank = ranked.before, changed = 0, last = 0;
        bool is_last = false;
#pragma unroll
        for (int k = 0; k < 2; ++k) {
            if (!candidate[k]) continue;
            if (rank < left) {
                // A site may have been proposed twice.
                std::uint32_t* const to = of.plane + proposed.site[k];
                const std::uint32_t before = more ? atomicOr(to, bit) : atomicAnd(to, ~bit);
                changed += ((before & bit) != 0) != more ? 1 : 0;
            }
            if (++rank == left) is_last = true, last = number + k;
        }
        const Outcome outcome = team.outcome(changed, is_last, last);
        position = ranked.total > left ? outcome.last + 1 : begin + proposals;
        left -= outcome.changed;
    }
}

// binomial_number by all threads of a warp.
__device__ inline std::int64_t binomial_number_of_warp(const DemonLevel& draw, const std::uint64_t* thresholds,
                                                       std::uint64_t number) {
    std::uint32_t low = 0, high = draw.count;
    while (low < high) {
        const std::uint32_t step = (high - low + 31) / 32, last = low + (threadIdx.x % 32 + 1) * step - 1;
        const bool not_below = last < high && number >= thresholds[last];
        low += step * static_cast<std::uint32_t>(__popc(__ballot_sync(whole_warp, not_below)));
        high = min(high, low + step - 1);
    }
    return draw.first + low;
}

// By a block of threads: how many of the level the system has; where they are rare it has none then.
__device__ inline std::uint32_t held_demons(const LevelOfSystem& of, bool rare) {
    __shared__ std::uint32_t total;
    const std::uint32_t bit = 1u << of.system;
    std::uint32_t count = 0;
    if (threadIdx.x == 0) total = 0;
#pragma unroll 4
    for (std::uint32_t first = 4 * threadIdx.x; first < of.sites; first += 4 * blockDim.x) {
        const uint4 words = __ldcg(reinterpret_cast<const uint4*>(of.plane + first));
        const std::uint32_t held[4] = {words.x & bit, words.y & bit, words.z & bit, words.w & bit};
        for (std::uint32_t k = 0; k < 4; ++k) {
            count += held[k] != 0 ? 1 : 0;
            if (rare && held[k] != 0) atomicAnd(of.plane + first + k, ~bit);
        }
    }
    __syncthreads();
    const std::uint32_t of_warp = __reduce_add_sync(whole_warp, count);
    if (threadIdx.x % 32 == 0) atomicAdd(&total, of_warp);
    __syncthreads();
    return rare ? 0 : total;
}

// Whose the counts of the demons are, [3][32] of a block.
enum class HeldCounts { none, to_be_cleared, to_be_kept };

// A block of threads for every level of every system.
__global__ void __launch_bounds__(1024)
    draw_numbers(const __grid_constant__ DemonBlocks d, const __grid_constant__ DemonLevels levels,
                 const __grid_constant__ CountsAt at, HeldCounts counts, std::int64_t sweep) {
    __shared__ BlockTeam::Shared shared;
    const std::uint32_t block = blockIdx.x / (32 * demon_levels), which = blockIdx.x - block * 32 * demon_levels;
    const std::uint32_t level = which / 32, system = which % 32;
    const DemonLevel& draw = levels.of(block, level);
    let_next_begin();
    const Stream stream = d.streams[block];
    const std::int64_t wanted =
        binomial_number_of_warp(draw, levels.thresholds + draw.offset, number_for_count(stream, sweep, level, system));
    std::uint32_t* const plane = d.words_of(block) + static_cast<std::size_t>(level + 1) * d.sites;
    const LevelOfSystem of{plane, d.sites, level, system};
    wait_for_launch_before();
    std::uint32_t held = 0;
    if (counts == HeldCounts::none) {
        held = held_demons(of, draw.rare);
    } else {
        unsigned long long* const count = at.of(block, level) + system;
        if (!draw.rare) held = static_cast<std::uint32_t>(*count);
        __syncthreads();
        if (counts == HeldCounts::to_be_cleared && threadIdx.x == 0) *count = 0;
    }
    change_demons(BlockTeam(shared), of, stream, sweep, held, wanted);
}

inline constexpr std::uint32_t naive_threads = 256;

__global__ void __launch_bounds__(naive_threads)
    draw_one_by_one(const __grid_constant__ DemonBlocks d, const __grid_constant__ DemonLevels levels,
                    std::uint32_t chunks, std::int64_t sweep) {
    const std::uint32_t block = blockIdx.x / chunks, site = (blockIdx.x - block * chunks) * naive_threads + threadIdx.x;
    let_next_begin();
    wait_for_launch_before();
    if (site >= d.sites) return;
    const Stream stream = d.streams[block];
    for (std::uint32_t level = 0; level < demon_levels; ++level)
        d.words_of(block)[static_cast<std::size_t>(level + 1) * d.sites + site] =
            draw_demons(levels.of(block, level).probability, stream, sweep, level, site);
}

}  // namespace legato::ising
