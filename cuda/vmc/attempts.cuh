// The attempts of a chain. Few are accepted, and until one is accepted the configuration does not change. A window of
// attempts is therefore looked at together. Groups of lanes compute one ratio each, and the first accepted attempt, in
// their order, ends the window. The decisions of the chain are the same as with one attempt at a time.
#pragma once

#include "vmc/determinant.cuh"

namespace legato::vmc {

// Largest ratio, and reciprocal of the smallest one. Beyond it the inverse has lost digits and is recomputed at once.
inline constexpr double extreme_ratio = 1e4;

// The electron and the target of an attempt, packed into one number.
struct Draw {
    std::uint32_t electron, to_neighbour, target;

    __device__ static std::uint32_t packed(const Attempt& a) {
        return a.electron << 16 | (a.to_neighbour ? 1u << 15 : 0u) | a.target;
    }
    __device__ explicit Draw(std::uint32_t packed)
        : electron(packed >> 16), to_neighbour(packed >> 15 & 1), target(packed & 0x7fff) {}
};

enum class Kind : int { null = 0, hop = 1, exchange = 2 };

// A hop or an exchange in the current configuration, with its position in the window. It is packed into one number; an
// earlier position gives a smaller number.
struct Proposal {
    static constexpr std::uint32_t none = 0xffffffff;

    // `own` is the electron. `other` is the other electron of an exchange, or the target of a hop.
    std::uint32_t position, is_exchange, up, own, other;

    __device__ std::uint32_t packed() const {
        return position << 27 | is_exchange << 26 | up << 25 | own << 12 | other;
    }
    __device__ explicit Proposal(std::uint32_t packed)
        : position(packed >> 27),
          is_exchange(packed >> 26 & 1),
          up(packed >> 25 & 1),
          own(packed >> 12 & 0x1fff),
          other(packed & 0xfff) {}
    __device__ int k() const { return static_cast<int>(up ? own : other); }
    __device__ int l() const { return static_cast<int>(up ? other : own); }
    __device__ int site() const { return static_cast<int>(other); }
};

template <class S>
__device__ Kind look_at(Draw draw, int position, std::uint32_t& proposal) {
    using C = Chain<S>;
    const int pairs = C::m().d.pairs, electron = static_cast<int>(draw.electron);
    const bool up = electron < pairs;
    const int own = up ? electron : electron - pairs,
              from = up ? C::block_data().up_site[own] : C::block_data().down_site[own],
              target = static_cast<int>(draw.target), site = draw.to_neighbour ? C::neighbour(from, target) : target;
    const std::int32_t there = C::electron_at()[site];
    const Kind kind = there >= first_hole ? Kind::hop : up == (there > 0) ? Kind::null : Kind::exchange;
    Proposal p(0);
    p.position = static_cast<std::uint32_t>(position);
    p.is_exchange = kind == Kind::exchange;
    p.up = up;
    p.own = static_cast<std::uint32_t>(own);
    p.other = static_cast<std::uint32_t>(kind == Kind::hop ? site : abs(there) - 1);
    proposal = p.packed();
    return kind;
}

// Computes Psi' / Psi by a group of lanes, and the elements s01 and s11 that an exchange's update needs. All lanes of
// the warp must call this.
template <class S>
__device__ void ratio_of(bool there, Proposal p, double& ratio, double& s01, double& s11) {
    using C = Chain<S>;
    double first = 0, second = 0, w = 0;
    const int k = p.k(), l = p.l();
    if (there && p.is_exchange) {
        const int r = C::up_code(k), s = C::down_code(l);
        const double *const product = C::product(l), *const inverse = C::inverse(l);
        w = C::phi(s, r) - C::phi(0, 0);
        C::each([&](int, int i) {
            const double b = i == k ? w : C::from(r, i) - C::from(s, i);
            first += product[i] * b;
            second += inverse[i] * b;
        });
    } else if (there) {
        const int code = C::m().codes[p.site()], order = C::m().d.order();
        const double* const element = p.up ? C::inverse(0) + k : C::inverse(l);
        const std::int32_t* const base = p.up ? C::block_data().down_base : C::block_data().up_base;
        const int step = p.up ? C::stride() : 1, towards = p.up ? code : -code;
        // Elements i >= order of the inverse count as 0, because there are only `order` rows, without padding.
        C::each([&](int, int i) { first += C::table()[base[i] + towards] * (i < order ? element[i * step] : 0.0); });
    }
    first = C::group_sum(first);
    second = C::group_sum(second);
    ratio = first;
    s01 = first - w;
    s11 = 1 + second;
    if (there && p.is_exchange) ratio = C::product(l)[k] * s11 - s01 * C::inverse(l)[k];
}

template <class S>
__device__ void count(Kind kind, bool to_neighbour, bool accepted) {
    std::uint32_t* const counters = Chain<S>::block_data().counters[to_neighbour ? 1 : 0];
    atomicAdd(counters + static_cast<int>(kind), 1u);
    if (accepted) atomicAdd(counters + move_kinds - 1 + static_cast<int>(kind), 1u);
}

template <class S>
__device__ bool accept(Proposal p, const double* outcome) {
    using C = Chain<S>;
    Move move{p.k(), p.l(), p.site(), outcome[0], {}};
    if (p.is_exchange) {
        move.s[0][0] = C::product(p.l())[p.k()];
        move.s[0][1] = outcome[1];
        move.s[1][0] = C::inverse(p.l())[p.k()];
        move.s[1][1] = outcome[2];
        __syncthreads();
        exchange<S>(move);
    } else {
        hop<S>(move, p.up != 0);
    }
    return fabs(move.ratio) > extreme_ratio || fabs(move.ratio) < 1 / extreme_ratio;
}

// Makes the next attempts from number `begin` of the drawn ones on: `left` of them, and at most a window. Returns the
// number of attempts made. `extreme` is set if the last one was accepted with a ratio after which the inverse must be
// recomputed. `round` counts the calls.
template <class S>
__device__ int try_window(int begin, int left, unsigned round, bool& extreme) {
    using C = Chain<S>;
    BlockData<S>& kept = C::block_data();
    const int lane = C::thread() % 32, warp = C::thread() / 32;
    Kind kind = Kind::null;
    const Draw draw(lane < left ? kept.draws[begin + lane] : 0);
    std::uint32_t seen = 0;
    if (lane < left) kind = look_at<S>(draw, lane, seen);
    const unsigned ratios = __ballot_sync(whole_warp, kind != Kind::null);
    const int rank = __popc(ratios & ((1u << lane) - 1));
    const bool evaluated = kind != Kind::null && rank < S::groups;
    const unsigned all = __ballot_sync(whole_warp, evaluated);
    const int seen_through = all == ratios ? min(left, window) : 32 - __clz(static_cast<int>(all));
    if (evaluated && rank / S::groups_of_warp == warp) kept.proposals[rank] = seen;
    __syncwarp();
    const bool there = C::group() < __popc(all);
    const Proposal mine(there ? kept.proposals[C::group()] : 0);
    double ratio, s01, s11;
    ratio_of<S>(there, mine, ratio, s01, s11);
    if (there && C::lane() == 0 && ratio * ratio > kept.thresholds[begin + static_cast<int>(mine.position)]) {
        atomicMin(kept.first + round % 3, mine.packed());
        kept.outcomes[C::group()][0] = ratio;
        kept.outcomes[C::group()][1] = s01;
        kept.outcomes[C::group()][2] = s11;
    }
    if (C::thread() == 0) kept.first[(round + 1) % 3] = Proposal::none;
    __syncthreads();
    const std::uint32_t first = kept.first[round % 3];
    const Proposal accepted(first);
    const int done = first == Proposal::none ? seen_through : static_cast<int>(accepted.position) + 1;
    if (warp == 0 && lane < done) count<S>(kind, draw.to_neighbour != 0, first != Proposal::none && lane == done - 1);
    extreme = false;
    if (first != Proposal::none)
        extreme = accept<S>(accepted, kept.outcomes[__popc(ratios & ((1u << accepted.position) - 1))]);
    return done;
}

// Makes attempts number first .. first + count - 1, but at most S::batch of them, and none after the inverse must be
// recomputed. Returns the number of attempts made.
template <class S>
__device__ int attempt(std::uint32_t chain, std::int64_t first, int count, unsigned& round, bool& extreme) {
    using C = Chain<S>;
    const DeviceModel& m = C::m();
    const int batch = min(count, S::batch);
    __syncthreads();
    if (C::thread() < batch) {
        const Attempt a =
            draw_attempt(m.seed, m.run, chain, first + C::thread(), static_cast<std::uint32_t>(2 * m.d.pairs),
                         static_cast<std::uint32_t>(m.d.sites), m.neighbour_share);
        C::block_data().draws[C::thread()] = Draw::packed(a);
        C::block_data().thresholds[C::thread()] = a.threshold;
    }
    __syncthreads();
    int done = 0;
    extreme = false;
#pragma unroll 1
    while (done < batch && !extreme) done += try_window<S>(done, batch - done, round++, extreme);
    return done;
}

}  // namespace legato::vmc
