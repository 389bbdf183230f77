// The refresh of demons (ising/demon_draws.hpp).
//
// If the number of demons is drawn, a team of threads works on each level of each system. It proposes as many sites at
// once as will probably be enough, up to four for each of its threads. It takes the first sites that serve, but no more
// than are missing. If a site was proposed twice, it takes the next one instead. The result is the same as with one
// proposal after the other.
#pragma once

#include "ising/demon_counts.cuh"

namespace legato::ising {

inline constexpr std::uint32_t proposals_of_thread = 4;

// Numbers of candidates, in the order of their threads: those before this thread, and all.
struct Ranked {
    std::uint32_t before, total;
};

// The threads of a warp as a team.
class WarpTeam {
  public:
    __device__ std::uint32_t rank() const { return threadIdx.x % 32; }
    __device__ std::uint32_t size() const { return 32; }
    __device__ Ranked ranked(const bool (&candidate)[proposals_of_thread]) const {
        const std::uint32_t before = (1u << rank()) - 1;
        Ranked ranked{0, 0};
#pragma unroll
        for (const bool is_one : candidate) {
            const std::uint32_t all = __ballot_sync(whole_warp, is_one);
            ranked.before += static_cast<std::uint32_t>(__popc(all & before));
            ranked.total += static_cast<std::uint32_t>(__popc(all));
        }
        return ranked;
    }
    // Returns the total of `changed`. Afterwards all threads see what each has changed.
    __device__ std::uint32_t total(std::uint32_t changed) const {
        __syncwarp();
        return __reduce_add_sync(whole_warp, changed);
    }
};

// The threads of a block, up to 1024, as a team. Successive exchanges between warps use different memory, so that one
// synchronisation for each is enough.
class BlockTeam {
  public:
    struct Shared {
        std::uint32_t of_warp[2][32];
    };
    __device__ explicit BlockTeam(Shared& shared) : shared_(shared) {}
    __device__ std::uint32_t rank() const { return threadIdx.x; }
    __device__ std::uint32_t size() const { return blockDim.x; }

    __device__ Ranked ranked(const bool (&candidate)[proposals_of_thread]) {
        const Ranked in_warp = WarpTeam().ranked(candidate);
        const std::uint32_t of_warp = exchanged_by_warps(in_warp.total);
        return {in_warp.before + __reduce_add_sync(whole_warp, threadIdx.x % 32 < threadIdx.x / 32 ? of_warp : 0),
                __reduce_add_sync(whole_warp, of_warp)};
    }
    __device__ std::uint32_t total(std::uint32_t changed) {
        const std::uint32_t in_warp = __reduce_add_sync(whole_warp, changed);
        return __reduce_add_sync(whole_warp, exchanged_by_warps(in_warp));
    }

  private:
    // Returns in thread k of each warp the value of warp k.
    __device__ std::uint32_t exchanged_by_warps(std::uint32_t value) {
        const std::uint32_t lane = threadIdx.x % 32;
        std::uint32_t* const of_warp = shared_.of_warp[turn_];
        turn_ ^= 1;
        if (lane == 0) of_warp[threadIdx.x / 32] = value;
        __syncthreads();
        return lane < blockDim.x / 32 ? of_warp[lane] : 0;
    }

    Shared& shared_;
    std::uint32_t turn_ = 0;
};

// A level of a system, which a team works on.
struct LevelOfSystem {
    const Parts& parts;
    std::uint32_t* plane;
    std::uint32_t sites, level, system;  // sites of the system

    __device__ std::uint32_t* word(std::uint32_t site) const { return plane + parts.place(site); }
    __device__ std::uint32_t bit(std::uint32_t site) const { return parts.bit(system, site); }
};

// Returns an even number of proposals of which `left` will probably serve, if `serving` of all sites serve.
__device__ inline std::uint32_t enough_proposals(std::uint32_t left, std::uint32_t serving, std::uint32_t sites) {
    const float serve = static_cast<float>(left) + 3 * sqrtf(static_cast<float>(left)),
                pairs = 0.5f * serve * static_cast<float>(sites) / static_cast<float>(max(serving, 1u));
    return 2 * static_cast<std::uint32_t>(fminf(pairs, 1e9f) + 1);
}

// The proposals of a thread: numbers first .. first + 3, of which those before `end` count.
struct Proposals {
    std::uint32_t site[proposals_of_thread];
    bool serves[proposals_of_thread];

    __device__ Proposals(const LevelOfSystem& of, const Stream& stream, std::int64_t sweep, std::uint32_t first,
                         std::uint32_t end, bool more)
        : site{}, serves{} {
        if (first >= end) return;
#pragma unroll
        for (std::uint32_t k = 0; k < proposals_of_thread; k += 2) {
            const ProposedPair pair = proposed_pair(stream, sweep, of.level, of.system, first + k, of.sites);
            site[k] = pair.site[0];
            site[k + 1] = pair.site[1];
        }
        // The reads are volatile, because other teams change other bits of the words.
        std::uint32_t word[proposals_of_thread];
#pragma unroll
        for (std::uint32_t k = 0; k < proposals_of_thread; ++k)
            word[k] = *const_cast<const volatile std::uint32_t*>(of.word(site[k]));
#pragma unroll
        for (std::uint32_t k = 0; k < proposals_of_thread; ++k)
            serves[k] = (first + k < end) & (((word[k] & of.bit(site[k])) != 0) != more);
    }
};

// Changes the number of demons of the level from `current` to `wanted`.
template <class Team>
__device__ void change_demons(Team team, const LevelOfSystem& of, const Stream& stream, std::int64_t sweep,
                              std::uint32_t current, std::uint32_t wanted) {
    const bool more = wanted > current;
    const std::uint32_t serving = more ? of.sites - current : current;
    std::uint32_t left = more ? wanted - current : current - wanted;
    for (std::uint32_t begin = 0; left > 0;) {
        const std::uint32_t count = min(enough_proposals(left, serving, of.sites), proposals_of_thread * team.size());
        const Proposals proposals(of, stream, sweep, begin + proposals_of_thread * team.rank(), begin + count, more);
        const Ranked ranked = team.ranked(proposals.serves);
        for (std::uint32_t taken = 0; left > 0 && taken < ranked.total;) {
            const std::uint32_t end = taken + left;
            std::uint32_t rank = ranked.before, changed = 0;
#pragma unroll
            for (std::uint32_t k = 0; k < proposals_of_thread; ++k) {
                if (!proposals.serves[k]) continue;
                if (rank >= taken && rank < end) {
                    std::uint32_t* const word = of.word(proposals.site[k]);
                    const std::uint32_t bit = of.bit(proposals.site[k]);
                    const std::uint32_t before = more ? atomicOr(word, bit) : atomicAnd(word, ~bit);
                    changed += ((before & bit) != 0) != more ? 1 : 0;
                }
                ++rank;
            }
            taken = end;
            left -= team.total(changed);
        }
        begin += count;
    }
}

// Computes binomial_number() by all threads of a warp.
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

// Returns the number of demons of the level that the system has. A rare level is cleared, and the number is 0. All
// threads of the block must call it.
__device__ inline std::uint32_t current_demons(const LevelOfSystem& of, bool rare) {
    __shared__ std::uint32_t total;
    const std::uint32_t bits = of.parts.bits_of_system(of.system), words_of_plane = of.parts.sites();
    std::uint32_t count = 0;
    if (threadIdx.x == 0) total = 0;
    constexpr int at_once = 4;
    for (std::uint32_t first = 4 * threadIdx.x; first < words_of_plane; first += 4 * at_once * blockDim.x) {
        uint4 words[at_once];
#pragma unroll
        for (int k = 0; k < at_once; ++k) {
            const std::uint32_t at = first + 4 * k * blockDim.x;
            words[k] = at < words_of_plane ? __ldcg(reinterpret_cast<const uint4*>(of.plane + at)) : uint4{};
        }
#pragma unroll
        for (int k = 0; k < at_once; ++k) {
            const std::uint32_t of_four[4] = {words[k].x, words[k].y, words[k].z, words[k].w};
            for (std::uint32_t i = 0; i < 4; ++i) {
                if ((of_four[i] & bits) == 0) continue;
                count += static_cast<std::uint32_t>(__popc(of_four[i] & bits));
                if (rare) atomicAnd(of.plane + first + 4 * k * blockDim.x + i, ~bits);
            }
        }
    }
    __syncthreads();
    const std::uint32_t of_warp = __reduce_add_sync(whole_warp, count);
    if (threadIdx.x % 32 == 0) atomicAdd(&total, of_warp);
    __syncthreads();
    return rare ? 0 : total;
}

// State of the counts of the demons, [3][32] for a block: there are none, they are cleared after use, or they are kept
// for a measurement.
enum class CountState { none, to_be_cleared, to_be_kept };

// Draws demons by numbers. There is a block of threads for every level of every system, [blocks][3][systems]. Those of
// surplus systems do nothing.
__global__ void __launch_bounds__(1024)
    draw_numbers(const __grid_constant__ DemonBlocks d, const __grid_constant__ DemonLevels levels,
                 const __grid_constant__ CountsAt at, CountState counts, std::int64_t sweep) {
    __shared__ BlockTeam::Shared shared;
    const std::uint32_t of_block = d.systems * demon_levels;
    const std::uint32_t block = blockIdx.x / of_block, which = blockIdx.x - block * of_block;
    const std::uint32_t level = which / d.systems, system = which - level * d.systems;
    const DemonLevel& draw = levels.of(block, level);
    cuda::allow_next_launch();
    const Stream stream = d.streams[block];
    const std::int64_t wanted =
        binomial_number_of_warp(draw, levels.thresholds + draw.offset, number_for_count(stream, sweep, level, system));
    std::uint32_t* const plane = d.words_of(block) + static_cast<std::size_t>(level + 1) * d.sites;
    const LevelOfSystem of{d.parts, plane, d.sites_of_system, level, system};
    cuda::wait_for_previous_launch();
    if (system >= d.systems_of(block)) return;
    std::uint32_t current = 0;
    if (counts == CountState::none) {
        current = current_demons(of, draw.rare);
    } else {
        const std::uint32_t parts = d.parts.count();
        unsigned long long* const count = at.of(block, level) + system * parts;
        if (!draw.rare)
#pragma unroll 1
            for (std::uint32_t part = 0; part < parts; ++part) current += static_cast<std::uint32_t>(count[part]);
        __syncthreads();
        if (counts == CountState::to_be_cleared && threadIdx.x < parts) count[threadIdx.x] = 0;
    }
    change_demons(BlockTeam(shared), of, stream, sweep, current, wanted);
}

inline constexpr std::uint32_t naive_threads = 256;

__global__ void __launch_bounds__(naive_threads)
    draw_one_by_one(const __grid_constant__ DemonBlocks d, const __grid_constant__ DemonLevels levels,
                    std::uint32_t chunks, std::int64_t sweep) {
    const std::uint32_t block = blockIdx.x / chunks, site = (blockIdx.x - block * chunks) * naive_threads + threadIdx.x;
    cuda::allow_next_launch();
    cuda::wait_for_previous_launch();
    if (site >= d.sites) return;
    const Stream stream = d.streams[block];
    for (std::uint32_t level = 0; level < demon_levels; ++level)
        d.words_of(block)[static_cast<std::size_t>(level + 1) * d.sites + site] =
            draw_demons(levels.of(block, level).probability, stream, sweep, level, site);
}

}  // namespace legato::ising
