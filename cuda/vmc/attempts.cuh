// Attempts of a chain. Few are accepted, and until one is the configuration stays: a window of them is looked at
// together, groups of lanes compute as many ratios at once, and the first that is accepted, in their order, ends the
// window. So a chain takes the decisions that it would take one by one.
#pragma once

#include "vmc/determinant.cuh"

namespace legato::vmc {

// Beyond it the inverse has lost digits: it is computed anew at once.
inline constexpr double extreme_ratio = 1e4;

enum class Kind : int { null = 0, hop = 1, exchange = 2, none = 3 };

// An attempt in the configuration as it is.
struct Proposal {
    Kind kind = Kind::none;
    bool up = false, to_neighbour = false;
    int k = 0, l = 0;  // electrons, of a hop one of them
    int site = 0;      // of a hop: the target
    double threshold = 0;
};

template <class S>
__device__ Proposal proposal_of(const Chain<S>& c, const Attempt& a) {
    Proposal p;
    const int pairs = c.m.d.pairs, electron = static_cast<int>(a.electron);
    p.up = electron < pairs;
    p.to_neighbour = a.to_neighbour;
    p.threshold = a.threshold;
    const int own = p.up ? electron : electron - pairs, from = p.up ? c.up_site()[own] : c.down_site()[own];
    p.site = a.to_neighbour ? c.neighbour(from, static_cast<int>(a.target)) : static_cast<int>(a.target);
    const std::int32_t there = c.electron_at()[p.site];
    const int other = there > 0 ? there - 1 : -there - 1;
    p.k = p.up ? own : other;
    p.l = p.up ? other : own;
    p.kind = there >= first_hole ? Kind::hop : p.up == (there > 0) ? Kind::null : Kind::exchange;
    return p;
}

__device__ inline Proposal from_lane(const Proposal& p, int lane) {
    Proposal q;
    const int flags = __shfl_sync(whole_warp, static_cast<int>(p.kind) + (p.up ? 4 : 0), lane);
    q.kind = static_cast<Kind>(flags % 4);
    q.up = flags >= 4;
    q.k = __shfl_sync(whole_warp, p.k, lane);
    q.l = __shfl_sync(whole_warp, p.l, lane);
    q.site = __shfl_sync(whole_warp, p.site, lane);
    q.threshold = __shfl_sync(whole_warp, p.threshold, lane);
    return q;
}

// Psi' / Psi by a group, and what an exchange's update takes. All lanes of the warp call this.
template <class S>
__device__ Move ratio_of(const Chain<S>& c, const Proposal& p) {
    Move move{p.k, p.l, p.site, 0, 0, {}};
    double first = 0, second = 0, w = 0;
    if (p.kind == Kind::exchange) {
        const int r_site = c.up_site()[p.k], r = c.up_code()[p.k], s_site = c.down_site()[p.l], s = c.down_code()[p.l];
        const double *const product = c.product(p.l), *const inverse = c.inverse(p.l);
        w = c.table()[s - r] - c.table()[0];
        c.each([&](int, int i) {
            const double b = i == p.k ? w : c.from(r_site, r, i) - c.from(s_site, s, i);
            first += product[i] * b;
            second += inverse[i] * b;
        });
    } else if (p.kind == Kind::hop) {
        move.code = c.m.codes[p.site];
        if (p.up)
            c.each([&](int, int j) { first += c.to(p.site, move.code, j) * c.inverse(j)[p.k]; });
        else
            c.each([&](int, int i) { first += c.from(p.site, move.code, i) * c.inverse(p.l)[i]; });
    }
    first = c.group_sum(first);
    second = c.group_sum(second);
    if (p.kind == Kind::exchange) {
        move.s[0][0] = c.product(p.l)[p.k];
        move.s[0][1] = first - w;
        move.s[1][0] = c.inverse(p.l)[p.k];
        move.s[1][1] = 1 + second;
        move.ratio = move.s[0][0] * move.s[1][1] - move.s[0][1] * move.s[1][0];
    } else {
        move.ratio = first;
    }
    return move;
}

template <class S>
__device__ void count(const Chain<S>& c, const Proposal& p, bool accepted) {
    std::uint32_t* const counters = c.counters() + (p.to_neighbour ? move_counters : 0);
    atomicAdd(counters + static_cast<int>(p.kind), 1u);
    if (accepted) atomicAdd(counters + move_kinds - 1 + static_cast<int>(p.kind), 1u);
}

// Of the attempts from `begin` on, `left` of them and at most a window. Returns how many are done; `extreme`: the last
// one was accepted with a ratio after which the inverse must be computed anew. `round` counts the calls.
template <class S>
__device__ int try_window(const Chain<S>& c, const Attempt* attempts, int left, unsigned round, bool& extreme) {
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
    Proposal seen;
    if (lane < left) seen = proposal_of(c, attempts[lane]);
    const bool to_do = seen.kind == Kind::hop || seen.kind == Kind::exchange;
    const unsigned ratios = __ballot_sync(whole_warp, to_do);
    const int rank = __popc(ratios & ((1u << lane) - 1));
    const unsigned evaluated = __ballot_sync(whole_warp, to_do && rank < S::groups);
    const int seen_through = evaluated == ratios ? min(left, window) : 32 - __clz(static_cast<int>(evaluated));
    int position = -1;
#pragma unroll
    for (int g = 0; g < S::groups_of_warp; ++g) {
        const unsigned found = __ballot_sync(whole_warp, to_do && rank == warp * S::groups_of_warp + g);
        if (lane / S::lanes == g) position = __ffs(static_cast<int>(found)) - 1;
    }
    Proposal mine = from_lane(seen, max(position, 0));
    if (position < 0) mine.kind = Kind::none;
    const Move move = ratio_of(c, mine);
    std::uint32_t* const first = c.first() + round % 3;
    if (mine.kind != Kind::none && c.lane() == 0 && move.ratio * move.ratio > mine.threshold) {
        atomicMin(first, static_cast<unsigned>(position));
        double* const outcome = c.outcome(position);
        outcome[0] = move.ratio;
        outcome[1] = move.s[0][1];
        outcome[2] = move.s[1][1];
    }
    if (threadIdx.x == 0) c.first()[(round + 1) % 3] = window;
    __syncthreads();
    const int accepted = static_cast<int>(*first), done = accepted < window ? accepted + 1 : seen_through;
    if (warp == 0 && lane < done) count(c, seen, lane == accepted);
    extreme = false;
    if (accepted == window) return done;
    const Proposal p = from_lane(seen, accepted);
    Move best{p.k, p.l, p.site, 0, c.outcome(accepted)[0], {}};
    if (p.kind == Kind::exchange) {
        best.s[0][0] = c.product(p.l)[p.k];
        best.s[0][1] = c.outcome(accepted)[1];
        best.s[1][0] = c.inverse(p.l)[p.k];
        best.s[1][1] = c.outcome(accepted)[2];
        __syncthreads();
        exchange(c, best);
    } else {
        best.code = c.m.codes[p.site];
        if (p.up)
            move_up(c, best);
        else
            move_down(c, best);
    }
    extreme = fabs(best.ratio) > extreme_ratio || fabs(best.ratio) < 1 / extreme_ratio;
    return done;
}

// Attempts first .. first + count - 1. False where the matrix has become singular.
template <class S>
__device__ bool attempt(const Chain<S>& c, std::uint32_t chain, std::int64_t first, int count, unsigned& round,
                        double& drift) {
    const auto electrons = static_cast<std::uint32_t>(2 * c.m.d.pairs), sites = static_cast<std::uint32_t>(c.m.d.sites);
    for (int begin = 0; begin < count; begin += S::threads) {
        const int batch = min(count - begin, S::threads);
        __syncthreads();
        if (static_cast<int>(threadIdx.x) < batch)
            c.attempts()[threadIdx.x] =
                draw_attempt(c.m.seed, chain, first + begin + threadIdx.x, electrons, sites, c.m.neighbour_share);
        __syncthreads();
        for (int done = 0; done < batch;) {
            bool extreme;
            done += try_window(c, c.attempts() + done, batch - done, round++, extreme);
            if (!extreme) continue;
            double change = 0;
            if (!refresh(c, change)) return false;
            drift = change > drift ? change : drift;
        }
    }
    return true;
}

}  // namespace legato::vmc
