// A point whose columns several devices share: which columns a device has, and how the devices wait for each other.
//
// Tiles of grid_panel columns are dealt out to the devices in turn. Every device has memory for all columns. Before a
// panel is needed, its columns are written to the memory of all devices, at their usual place. The device that has the
// first column of the panel factorises its G and writes the factors to all devices. All other work is as on one device,
// and each column is computed in the same order. The results are therefore bitwise identical.
//
// A device writes to its own columns, and the others write to the rest. All devices meet after each orthonormalisation,
// because only then does no device read the panels any more.
#pragma once

#include <cstdint>

#include "tmm/grid_arguments.cuh"

namespace legato::tmm {

struct Piece {
    int first, end;  // columns
};

// The columns of a device. Without `divided` these are all columns.
template <bool divided>
class OwnColumns {
  public:
    __device__ OwnColumns(const GridShare& share) : part_(share.part), parts_(share.parts) {}

    __device__ int owner(int column) const { return divided ? column / grid_panel % parts_ : 0; }
    __device__ bool has(int column) const { return !divided || owner(column) == part_; }

    // Returns the number of pieces of own columns in [from, to). A piece has at most grid_panel columns.
    __device__ int pieces(int from, int to) const {
        if (from >= to) return 0;
        if (!divided) return (to - from + grid_panel - 1) / grid_panel;
        const int tile = first_tile(from), last = (to - 1) / grid_panel;
        return tile > last ? 0 : (last - tile) / parts_ + 1;
    }
    __device__ Piece piece(int from, int to, int number) const {
        if (!divided) return {from + number * grid_panel, min(from + (number + 1) * grid_panel, to)};
        const int tile = first_tile(from) + number * parts_;
        return {max(tile * grid_panel, from), min((tile + 1) * grid_panel, to)};
    }
    // Returns the first column of a group of 8 own columns. The groups have all own columns from `from` on.
    __device__ int group(int from, int number) const {
        if (!divided) return from + 8 * number;
        constexpr int of_tile = grid_panel / 8;
        const int tile = first_tile(from), at = max(from - tile * grid_panel, 0) / 8 + number;
        return (tile + at / of_tile * parts_) * grid_panel + at % of_tile * 8;
    }

  private:
    // Returns the first own tile with columns from `from` on.
    __device__ int first_tile(int from) const {
        const int tile = from / grid_panel;
        return tile + (part_ - tile % parts_ + parts_) % parts_;
    }

    int part_, parts_;
};

__device__ inline unsigned load_acquire(const unsigned* from) {
    unsigned value;
    asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
    return value;
}

__device__ inline void store_release(unsigned* to, unsigned value) {
    asm volatile("st.release.sys.global.u32 [%0], %1;" : : "l"(to), "r"(value) : "memory");
}

__device__ inline std::uint64_t nanoseconds() {
    std::uint64_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

// Waits until *counter is `least`. Both are numbers modulo 2^32. Returns false if this takes too long, so that the
// kernel ends if another device has failed.
__device__ inline bool await(const unsigned* counter, unsigned least, unsigned* stopped) {
    constexpr std::uint64_t longest = 20'000'000'000;  // ns
    constexpr int tries_at_once = 4096;
    std::uint64_t begin = 0;
    for (int tries = 1; static_cast<int>(load_acquire(counter) - least) < 0; ++tries) {
        __nanosleep(20);
        if (tries % tries_at_once != 0) continue;
        const std::uint64_t now = nanoseconds();
        if (begin == 0) begin = now;
        if (now - begin > longest) atomicExch(stopped, 1u);
        if (load_acquire(stopped) != 0) return false;
    }
    return true;
}

// The barriers of a group, and the signals between devices. All threads of a block call the functions.
template <bool divided>
class GridSignals {
  public:
    __device__ GridSignals(const GridArguments& arguments, int group)
        : share_(arguments.share),
          arrivals_(&arguments.counters[group].arrivals.value),
          blocks_(static_cast<unsigned>(arguments.layout.blocks)),
          row_tiles_(arguments.layout.row_tiles) {}

    __device__ bool stopped() const { return stopped_; }

    // The two halves of a barrier of the group.
    __device__ void arrive() {
        __syncthreads();
        reached_ += blocks_;
        if (threadIdx.x != 0) return;
        __threadfence();
        atomicAdd(arrivals_, 1u);
    }
    __device__ void pass() { await_count(arrivals_, reached_); }

    // Tells the other devices that the block has written tile `tile` of the rows of panel `panel` to them.
    __device__ void send_rows(int tile, unsigned panel) const { send(tile, panel); }
    __device__ void send_factors(unsigned panel) const { send(row_tiles_, panel); }
    __device__ void await_rows(int from, unsigned panel) {
        const int tile = static_cast<int>(threadIdx.x);
        await_all(tile < row_tiles_, received(from) + tile, panel);
    }
    __device__ void await_factors(int from, unsigned panel) {
        await_all(threadIdx.x == 0, received(from) + row_tiles_, panel);
    }
    // Meets the other devices. One block of each device calls it.
    __device__ void meet(unsigned number) {
        send(row_tiles_ + 1, number);
        const int from = static_cast<int>(threadIdx.x);
        await_all(from < share_.parts && from != share_.part, received(from) + row_tiles_ + 1, number);
    }
    // Waits until *counter, which blocks of this group increase, is `least`.
    __device__ void await_count(const unsigned* counter, unsigned least) {
        if constexpr (divided) {
            await_all(threadIdx.x == 0, counter, least);
        } else {
            if (threadIdx.x == 0) {
                while (static_cast<int>(*static_cast<const volatile unsigned*>(counter) - least) < 0) continue;
                __threadfence();
            }
            __syncthreads();
        }
    }

  private:
    __device__ const unsigned* received(int from) const {
        return share_.peers[share_.part].signals + from * (row_tiles_ + 2);
    }
    __device__ void send(int which, unsigned value) const {
        __syncthreads();
        const int to = static_cast<int>(threadIdx.x);
        if (to >= share_.parts || to == share_.part) return;
        __threadfence_system();
        store_release(share_.peers[to].signals + share_.part * (row_tiles_ + 2) + which, value);
    }
    __device__ void await_all(bool waits, const unsigned* counter, unsigned least) {
        const bool late = waits && !await(counter, least, share_.stopped);
        stopped_ |= __syncthreads_or(late) != 0;
    }

    const GridShare& share_;
    unsigned* arrivals_;
    unsigned blocks_;
    int row_tiles_;
    unsigned reached_ = 0;  // arrivals that the next barrier needs
    bool stopped_ = false;
};

}  // namespace legato::tmm
