// Arguments of the kernels: the problem by value, and the slots in device memory.
#pragma once

#include <cstdint>

#include "tmm/convergence.hpp"
#include "tmm/couplings.hpp"
#include "tmm/disorder.hpp"
#include "tmm/problem.hpp"
#include "tmm/result.hpp"

namespace legato::tmm {

// The head of a slot. The other data are in arrays with the slot as index.
struct SlotHead {
    double energy, strength;
    std::int64_t cycles, slices, interval;
    std::uint32_t stream;
    PointStatus status;
};

struct Slots {
    SlotHead* heads;
    double* psi;            // [slot][sites][2 sites], as PointState::psi; a site is a channel here
    double* log_norms;      // [slot][sites]
    double* log_norms2;     // [slot][sites]
    double* blocks;         // [slot][most_blocks][sites], as PointState::blocks; null with Rule::tmsexd
    std::uint32_t* random;  // [slot][random_words]
    std::uint32_t random_words;
};

// Calls update_blocks, and returns the sum of the block that is then open. It is rarely needed and not inlined, so that
// it takes no registers of the kernels.
__device__ __noinline__ inline double close_block(double* blocks, int stride, std::int64_t cycles, double sum) {
    update_blocks(blocks, stride, cycles, sum);
    return completes_block(cycles) ? 0.0 : sum;
}

__device__ __noinline__ inline bool blocks_have_converged(const double* blocks, int stride, std::int64_t cycles,
                                                          const Problem& problem) {
    return completes_block(cycles) && has_converged(blocks, stride, cycles, problem);
}

struct KernelArguments {
    Problem problem;
    int sites;    // channels (Problem::channels), as in all these kernels except where they draw
    double wrap;  // factor of the hopping across the edge: 0, 1 or -1
    Slots slots;
    const std::uint32_t* leap;  // lfsr113: tables that advance a generator from the end of its run to its next run
    const std::size_t* work;    // [count] slots to advance
    int count;
    std::int64_t cycles;
    std::int64_t max_cycles;    // limit of a point's cycles in all launches
    PointStatus status_at_max;  // of a point that reaches it
    unsigned* queue;            // next index into work
    const double* given;        // [slices][sites] E - V of the caller, for one cycle; null if they are drawn
    // The members below are for other than plain hopping. given_slices has the slices of the caller for each point of
    // `work` and each slice of the launch, or is null: E - V, the hopping from the earlier slice, and the parts of the
    // hopping from the neighbour in each direction. All are divided by the hopping to the next slice.
    int directions;              // of neighbours of a site, at most 4
    const int* near;             // [sites / components][directions] neighbours in the caller's lattice, or null
    const double* given_slices;  // [count][cycles * n_ortho][2 + directions][sites]
};

// Returns the numbers that are given for point `index` of KernelArguments::work, or null.
__device__ inline const double* given_of(const KernelArguments& a, int index) {
    const std::int64_t slices = a.cycles * a.problem.n_ortho, numbers = (2 + a.directions) * a.sites;
    return a.given_slices ? a.given_slices + index * slices * numbers : nullptr;
}

// The random generator of one site, from the present slice of the point on. With the single lfsr113 stream, a generator
// can also begin with the first of `run` successive numbers that a thread draws ahead; `site` then counts these runs.
class SiteRandom {
  public:
    __device__ void load(const KernelArguments& arguments, const SlotHead& head, std::size_t slot, int site,
                         int run = 1) {
        const Problem& p = arguments.problem;
        const std::uint32_t* words = arguments.slots.random + slot * arguments.slots.random_words;
        if (p.random_stream == RandomStream::lfsr113_per_site) words += 4 * site;
        if (p.random_stream != RandomStream::philox) generator_ = {words[0], words[1], words[2], words[3]};
        if (p.random_stream == RandomStream::lfsr113)
            for (int i = site * run * draws_per_site(p.disorder); i > 0; --i) generator_.step();
        slice_ = static_cast<std::uint64_t>(head.slices);
        site_ = static_cast<std::uint32_t>(site);
        stream_ = head.stream;
    }

    // Returns the next potential.
    __device__ double draw(const Problem& p, double strength) {
        if (p.random_stream == RandomStream::philox)
            return potential(p.disorder, strength, static_cast<std::uint64_t>(p.seed), stream_, slice_++, site_);
        return potential(p.disorder, strength, generator_);
    }

    // Returns the hopping along the bar to the next slice and from the earlier one. draw() then goes on to the next
    // slice.
    struct HoppingAlong {
        double next, earlier;
    };
    __device__ HoppingAlong hopping_along(const Problem& p) const {
        return {tmm::hopping_along(p, stream_, slice_, site_), tmm::hopping_along(p, stream_, slice_ - 1, site_)};
    }
    __device__ Quaternion hopping_to(const Problem& p, int direction) const {
        return tmm::hopping_to(p, stream_, slice_, site_, direction);
    }

    // Skips the numbers that other threads draw. `leap` is arguments.leap, or a copy in faster memory.
    __device__ void skip(const Problem& p, const std::uint32_t* leap) {
        if (p.random_stream == RandomStream::lfsr113) generator_ = random::Lfsr113Leap::apply(leap, generator_);
    }

    __device__ void store(const KernelArguments& arguments, std::size_t slot, int site) const {
        std::uint32_t* words = arguments.slots.random + slot * arguments.slots.random_words;
        if (arguments.problem.random_stream == RandomStream::philox) return;
        if (arguments.problem.random_stream == RandomStream::lfsr113_per_site)
            words += 4 * site;
        else if (site != 0)
            return;
        words[0] = generator_.z1, words[1] = generator_.z2, words[2] = generator_.z3, words[3] = generator_.z4;
    }

  private:
    random::Lfsr113 generator_;
    std::uint64_t slice_;
    std::uint32_t site_, stream_;
};

// Draws what a channel needs in a slice, and calls put(number, channel, value). `number` is 0 for E - V, 1 for the
// hopping from the earlier slice, and 2 + d for a part of the hopping from the neighbour in direction d; all are
// divided by the hopping to the next slice. The channels of a site share the directions, so that `channel` may be
// another one of the site; it counts from the site's first channel.
template <class Put>
__device__ void draw_channel(SiteRandom& random, const KernelArguments& a, const SlotHead& head, int part,
                             int components, const Put& put) {
    const auto [next, earlier] = random.hopping_along(a.problem);
    for (int direction = part; direction < a.directions; direction += components) {
        const Quaternion h = random.hopping_to(a.problem, direction);
        for (int b = 0; b < components; ++b) put(2 + direction, b, h.part[b] / next);
    }
    put(1, part, earlier / next);
    put(0, part, (head.energy - random.draw(a.problem, head.strength)) / next);
}

}  // namespace legato::tmm
