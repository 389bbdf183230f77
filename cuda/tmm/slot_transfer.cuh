// Copies rows of many slots between the host's ordinary memory and the device. A row is what an array has for one slot.
// Rows pass through a piece of page-locked memory and a piece of device memory, whatever their number and length.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "core/buffer.hpp"
#include "core/parallel.hpp"

namespace legato::tmm {

// Numbers [first, first + count) of the rows of the given slots, one row after the other.
struct RowRange {
    const std::size_t* slots;
    std::size_t row;  // length of a row
    std::size_t first, count;
};

// Writes zeros if `from` is null.
template <class Number>
__global__ void scatter_rows(RowRange range, const Number* from, Number* array) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < range.count; i += stride) {
        const std::size_t at = range.first + i;
        array[range.slots[at / range.row] * range.row + at % range.row] = from ? from[i] : Number{};
    }
}

template <class Number>
__global__ void gather_rows(RowRange range, const Number* array, Number* to) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < range.count; i += stride) {
        const std::size_t at = range.first + i;
        to[i] = array[range.slots[at / range.row] * range.row + at % range.row];
    }
}

class SlotTransfer {
  public:
    explicit SlotTransfer(int threads) : threads_(threads) {}

    // Writes row i of `count` rows, row_of(i), to array[slots[i]], where `slots` is in device memory. An empty span
    // stands for zeros. row_of must not throw, because several threads call it.
    template <class Number, class RowOf>
    void load(const cuda::Buffer<Number>& array, std::size_t row, const std::size_t* slots, std::size_t count,
              const RowOf& row_of) {
        bool zeros = true;
        for (std::size_t i = 0; i < count && zeros; ++i) zeros = row_of(i).empty();
        if (zeros) return launch(scatter_rows<Number>, {slots, row, 0, count * row}, nullptr, array.data());
        in_pieces<Number>(row, slots, count, [&](const RowRange& range) {
            auto* const packed = static_cast<Number*>(host_.data());
            for_each_part(range, sizeof(Number), [&](std::size_t i, std::size_t k, std::size_t length, std::size_t at) {
                const std::span<const Number> from = row_of(i);
                if (from.empty())
                    std::fill_n(packed + at, length, Number{});
                else
                    std::copy_n(from.data() + k, length, packed + at);
            });
            auto* const on_device = reinterpret_cast<Number*>(device_.data());
            copy(on_device, packed, range.count * sizeof(Number), cudaMemcpyHostToDevice);
            launch(scatter_rows<Number>, range, on_device, array.data());
        });
    }

    // Reads array[slots[i]] into row_of(i), whose length is that of a row.
    template <class Number, class RowOf>
    void store(const cuda::Buffer<Number>& array, std::size_t row, const std::size_t* slots, std::size_t count,
               const RowOf& row_of) {
        in_pieces<Number>(row, slots, count, [&](const RowRange& range) {
            auto* const on_device = reinterpret_cast<Number*>(device_.data());
            auto* const packed = static_cast<Number*>(host_.data());
            launch(gather_rows<Number>, range, array.data(), on_device);
            copy(packed, on_device, range.count * sizeof(Number), cudaMemcpyDeviceToHost);
            for_each_part(range, sizeof(Number), [&](std::size_t i, std::size_t k, std::size_t length, std::size_t at) {
                const std::span<Number> to = row_of(i);
                std::copy_n(packed + at, length, to.data() + k);
            });
        });
    }

  private:
    // Largest size of a piece, and smallest share of it for a thread.
    static constexpr std::size_t most_bytes = std::size_t{16} << 20, least_bytes = std::size_t{1} << 17;

    static void copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind direction) {
        cuda::check(cudaMemcpy(to, from, bytes, direction), "cudaMemcpy of slots");
    }

    template <class Kernel, class From, class To>
    static void launch(Kernel kernel, const RowRange& range, From from, To to) {
        constexpr std::size_t threads = 256, most = 4096;
        if (range.count == 0) return;
        const std::size_t blocks = std::min((range.count + threads - 1) / threads, most);
        kernel<<<static_cast<unsigned>(blocks), static_cast<unsigned>(threads)>>>(range, from, to);
        cuda::check(cudaGetLastError(), "launch of a tmm transfer kernel");
    }

    // Calls work(range) for ranges that each fit into the two pieces.
    template <class Number, class Work>
    void in_pieces(std::size_t row, const std::size_t* slots, std::size_t count, const Work& work) {
        const std::size_t all = count * row, bytes = std::min(all * sizeof(Number), most_bytes);
        grow(device_, bytes);
        grow(host_, bytes);
        const std::size_t at_a_time = most_bytes / sizeof(Number);
        for (std::size_t first = 0; first < all; first += at_a_time)
            work(RowRange{slots, row, first, std::min(at_a_time, all - first)});
    }

    // Calls work(i, k, length, at) for the parts of a range that lie in one row each, on several threads: `length`
    // numbers from number k of row i on are at `at` in the piece.
    template <class Work>
    void for_each_part(const RowRange& range, std::size_t number_bytes, const Work& work) const {
        const auto threads = static_cast<std::size_t>(threads_);
        const std::size_t team_size = std::clamp<std::size_t>(range.count * number_bytes / least_bytes, 1, threads);
        in_team(static_cast<int>(team_size), [&](const Team& team) {
            const auto [begin, end] = team.share(range.count);
            for (std::size_t at = begin; at < end;) {
                const std::size_t i = (range.first + at) / range.row, k = (range.first + at) % range.row;
                const std::size_t length = std::min(range.row - k, end - at);
                work(i, k, length, at);
                at += length;
            }
        });
    }

    int threads_;
    cuda::Buffer<std::byte> device_;
    cuda::HostBuffer host_;
};

}  // namespace legato::tmm
