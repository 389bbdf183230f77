// The sums of chunks of several steps. They are added up together, because small lattices have few sums, and steps so
// short that adding up after each step would be noticeable.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/buffer.hpp"
#include "kpm/device_vectors.cuh"
#include "kpm/recursion_kernels.cuh"

namespace legato::kpm {
inline namespace engine_parts {

// The chunks of a segment, and where the sums of segments go.
struct SegmentSums {
    std::int64_t chunks;         // of a segment; the last one may have fewer
    std::int64_t all;            // chunks of all segments
    std::int64_t vectors;        // of the panels
    double* to;                  // [steps][segments or 1][2][vectors]
    std::int64_t to_of_step;     // distance of the results of two steps
    std::int64_t to_of_segment;  // of two segments; 0: they are added in their order
};

constexpr int sum_threads = 256;
// Adds up the sums of the chunks of each segment for several steps, with a block for each vector and product of a step.
__global__ void add_chunks(const double* sums, std::int64_t sums_of_step, SegmentSums at) {
    __shared__ double shared[sum_threads];
    const double* const from = sums + blockIdx.y * sums_of_step + blockIdx.x;
    double* to = at.to + blockIdx.y * at.to_of_step + blockIdx.x;
    double total = 0;
    for (std::int64_t first = 0; first < at.all; first += at.chunks) {
        const std::int64_t end = min(first + at.chunks, at.all);
        double sum = 0;
        for (std::int64_t chunk = first + threadIdx.x; chunk < end; chunk += sum_threads)
            sum += from[chunk * 2 * at.vectors];
        __syncthreads();  // the sum of the segment before has been read
        shared[threadIdx.x] = sum;
        for (int half = 1; half < sum_threads; half *= 2) {
            __syncthreads();
            if (threadIdx.x % (2 * half) == 0) shared[threadIdx.x] += shared[threadIdx.x + half];
        }
        if (threadIdx.x != 0) continue;
        total += shared[0];
        if (at.to_of_segment == 0) continue;
        *to = shared[0];
        to += at.to_of_segment;
    }
    if (threadIdx.x == 0 && at.to_of_segment == 0) *to = total;
}

constexpr std::int64_t enough_sums = std::int64_t{1} << 20;  // number of sums that are collected

// Host memory that kernels write to.
class MappedBuffer {
  public:
    explicit MappedBuffer(std::size_t size) {
        check(cudaHostAlloc(&data_, size * sizeof(double), cudaHostAllocMapped), "cudaHostAlloc");
    }
    ~MappedBuffer() { cuda::clear_error(cudaFreeHost(data_)); }
    MappedBuffer(const MappedBuffer&) = delete;
    MappedBuffer& operator=(const MappedBuffer&) = delete;

    double* data() const { return data_; }

  private:
    double* data_ = nullptr;
};

// Returns the device memory for the sums. `lanes` is the number of lanes of a vector. There is room for at least
// `least_steps` steps.
inline MemoryNeeds sums_needs(std::int64_t chunks, std::int64_t lanes = 1, std::int64_t least_steps = 1) {
    constexpr std::int64_t number = sizeof(double);
    return {number * std::min(enough_sums, most_steps * 2 * max_block_width * lanes * chunks),
            number * 2 * lanes * chunks * least_steps};
}

class ChunkSums {
  public:
    // `chunks` chunks in segments of `of_segment`. The sums of the segments are added if `kept_segments` is 1;
    // otherwise it is their number. There is room for at least `least_steps` steps.
    ChunkSums(std::int64_t chunks, std::int64_t of_segment, std::int64_t kept_segments, int block_width,
              std::int64_t least_steps = 1)
        : chunks_(chunks),
          of_segment_(of_segment),
          segments_(kept_segments),
          room_(std::clamp(enough_sums / (2 * chunks * block_width), least_steps, std::int64_t{most_steps})),
          sums_(static_cast<std::size_t>(2 * chunks * block_width * room_)),
          products_(static_cast<std::size_t>(2 * most_steps * segments_ * block_width)) {}

    // Returns where the next step stores the sums of chunks for some panels of a block of `width` vectors, or a step
    // after `later` others. If there is no room for a further step, add_up() comes first.
    double* of_step(const Panels& panels, std::int64_t width, std::int64_t later = 0) const {
        return sums_.data() + 2 * chunks_ * ((collected_ + later) * width + panels.first);
    }
    std::int64_t room() const { return room_ - collected_; }
    bool full() const { return room() == 0; }
    void next_step() { ++collected_; }

    // Adds up the sums of the collected steps.
    void add_up(const std::vector<Panels>& all, std::int64_t width, cudaStream_t stream) {
        for (const Panels& panels : all) {
            const std::int64_t vectors = panels.vectors(), of_panels = 2 * segments_ * panels.first;
            const SegmentSums at{of_segment_,
                                 chunks_,
                                 vectors,
                                 products_.data() + done_ * 2 * segments_ * width + of_panels,
                                 2 * segments_ * width,
                                 segments_ == 1 ? 0 : 2 * vectors};
            if (collected_ > 0)
                add_chunks<<<dim3(static_cast<unsigned>(2 * vectors), static_cast<unsigned>(collected_)), sum_threads,
                             0, stream>>>(sums_.data() + 2 * chunks_ * panels.first, 2 * chunks_ * width, at);
        }
        done_ += collected_;
        collected_ = 0;
    }

    // Returns <x|x>, or with product 1 <y|x>, of a segment for the vectors of some panels. The stream has been waited
    // for since add_up().
    const double* result(std::int64_t step, std::int64_t segment, int product, const Panels& panels,
                         std::int64_t width) const {
        return products_.data() + step * 2 * segments_ * width + 2 * segments_ * panels.first +
               (2 * segment + product) * panels.vectors();
    }
    // Starts to collect anew. The results have been read.
    void clear() { collected_ = done_ = 0; }

  private:
    std::int64_t chunks_, of_segment_, segments_;
    std::int64_t room_;                      // number of steps whose sums of chunks there is room for
    std::int64_t collected_ = 0, done_ = 0;  // steps whose sums of chunks are there, and that are added up
    Buffer<double> sums_;                    // [steps][panels][chunks][2][vectors of the panels]
    MappedBuffer products_;                  // [steps][panels][segments][2][vectors of the panels]
};

}  // namespace engine_parts
}  // namespace legato::kpm
