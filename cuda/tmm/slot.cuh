// Arguments of the kernels: the problem by value, and the slots in device memory.
#pragma once

#include <cstdint>

#include "tmm/convergence.hpp"
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
    double* psi;            // [slot][sites][2 sites], as PointState::psi
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
    int sites;
    double wrap;  // factor of the hopping across the edge: 0, 1 or -1
    Slots slots;
    const std::uint32_t* leap;  // lfsr113: tables that advance a generator from the end of its run to its next run
    const std::size_t* work;    // [count] slots to advance
    int count;
    std::int64_t cycles;
    std::int64_t max_cycles;    // limit of a point's cycles in all launches
    PointStatus status_at_max;  // of a point that reaches it
    unsigned* queue;            // next index into work
    const double* given;        // [slices][sites] E - V of the caller; null if they are drawn
};

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

}  // namespace legato::tmm
