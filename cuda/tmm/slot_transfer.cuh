// Copies rows of many slots between the host's ordinary memory and the device. A row is what an array has for one slot.
// Short rows are packed: many of them pass at a time through page-locked memory and a piece of device memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "core/buffer.hpp"
#include "core/parallel.hpp"

namespace legato::tmm {

struct Rows {
    const std::size_t* slots;   // [count]
    std::size_t length, count;  // of a row, and of rows
};

// Writes packed rows, or zeros if `packed` is null.
template <class Number>
__global__ void scatter_rows(Rows rows, const Number* packed, Number* array) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < rows.length * rows.count; i += stride)
        array[rows.slots[i / rows.length] * rows.length + i % rows.length] = packed ? packed[i] : Number{};
}

template <class Number>
__global__ void gather_rows(Rows rows, const Number* array, Number* packed) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < rows.length * rows.count; i += stride)
        packed[i] = array[rows.slots[i / rows.length] * rows.length + i % rows.length];
}

class SlotTransfer {
  public:
    explicit SlotTransfer(int threads) : threads_(threads) {}

    // Chooses the slots of the next transfers, during which `slots` must not change.
    void choose(std::span<const std::size_t> slots) {
        slots_ = slots;
        if (slots.size() < 2) return;
        grow(list_, slots.size());
        list_.upload(slots);
    }

    // Writes row_of(i), a row of `length` numbers or an empty span for zeros, to chosen slot i of an array. row_of must
    // not throw, because several threads call it.
    template <class Number, class RowOf>
    void load(const cuda::Buffer<Number>& array, std::size_t length, const RowOf& row_of) {
        const std::size_t count = slots_.size();
        if (is_direct(count, length * sizeof(Number))) {
            const std::vector<Number> zeros(length);
            for (std::size_t i = 0; i < count; ++i) {
                const std::span<const Number> row = row_of(i);
                array.upload(row.empty() ? zeros : row, slots_[i] * length);
            }
            return;
        }
        bool all_zero = true;
        for (std::size_t i = 0; i < count && all_zero; ++i) all_zero = row_of(i).empty();
        if (all_zero) return launch(scatter_rows<Number>, {list_.data(), length, count}, nullptr, array.data());
        in_pieces<Number>(length, [&](std::size_t first, Number* host, Number* device, const Rows& rows) {
            for_each_row(rows, length * sizeof(Number), [&](std::size_t i) {
                const std::span<const Number> row = row_of(first + i);
                if (row.empty())
                    std::fill_n(host + i * length, length, Number{});
                else
                    std::copy_n(row.data(), length, host + i * length);
            });
            copy(device, host, rows.count * length * sizeof(Number), cudaMemcpyHostToDevice);
            launch(scatter_rows<Number>, rows, device, array.data());
        });
    }

    // Reads chosen slot i of an array into row_of(i), which has `length` numbers.
    template <class Number, class RowOf>
    void store(const cuda::Buffer<Number>& array, std::size_t length, const RowOf& row_of) {
        const std::size_t count = slots_.size();
        if (is_direct(count, length * sizeof(Number))) {
            for (std::size_t i = 0; i < count; ++i) array.download(row_of(i), slots_[i] * length);
            return;
        }
        in_pieces<Number>(length, [&](std::size_t first, Number* host, Number* device, const Rows& rows) {
            launch(gather_rows<Number>, rows, array.data(), device);
            copy(host, device, rows.count * length * sizeof(Number), cudaMemcpyDeviceToHost);
            for_each_row(rows, length * sizeof(Number), [&](std::size_t i) {
                const std::span<Number> row = row_of(first + i);
                std::copy_n(host + i * length, length, row.data());
            });
        });
    }

  private:
    // Bytes of a piece, of a row that is too long to be packed, and of the smallest share of a thread.
    static constexpr std::size_t piece = std::size_t{16} << 20, long_row = piece / 16, least_share = piece / 128;

    static bool is_direct(std::size_t count, std::size_t row_bytes) { return count < 2 || row_bytes > long_row; }

    static void copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind direction) {
        cuda::check(cudaMemcpy(to, from, bytes, direction), "cudaMemcpy of slots");
    }

    template <class Kernel, class From, class To>
    static void launch(Kernel kernel, const Rows& rows, From from, To to) {
        constexpr std::size_t threads = 256, most = 4096;
        const std::size_t blocks = std::min((rows.length * rows.count + threads - 1) / threads, most);
        kernel<<<static_cast<unsigned>(blocks), static_cast<unsigned>(threads)>>>(rows, from, to);
        cuda::check(cudaGetLastError(), "launch of a tmm transfer kernel");
    }

    // Calls work(first, host, device, rows) for as many of the chosen slots at a time as fit into a piece; the first of
    // them is chosen slot `first`. The packed rows are at `host` and `device`.
    template <class Number, class Work>
    void in_pieces(std::size_t length, const Work& work) {
        const std::size_t count = slots_.size(), row_bytes = length * sizeof(Number);
        const std::size_t at_a_time = std::min(piece / row_bytes, count);
        grow(host_, at_a_time * row_bytes);
        grow(device_, at_a_time * row_bytes);
        for (std::size_t first = 0; first < count; first += at_a_time)
            work(first, static_cast<Number*>(host_.data()), reinterpret_cast<Number*>(device_.data()),
                 Rows{list_.data() + first, length, std::min(at_a_time, count - first)});
    }

    // Calls work(i) for each of the rows, on several threads.
    template <class Work>
    void for_each_row(const Rows& rows, std::size_t row_bytes, const Work& work) const {
        const auto threads = static_cast<std::size_t>(threads_);
        const std::size_t team_size = std::clamp<std::size_t>(rows.count * row_bytes / least_share, 1, threads);
        in_team(static_cast<int>(team_size), [&](const Team& team) {
            const auto [first, last] = team.share(rows.count);
            for (std::size_t i = first; i < last; ++i) work(i);
        });
    }

    int threads_;
    std::span<const std::size_t> slots_;
    cuda::Buffer<std::size_t> list_;  // the chosen slots, if there are several
    cuda::HostBuffer host_;
    cuda::Buffer<std::byte> device_;
};

}  // namespace legato::tmm
