// Copies large arrays from the host's ordinary memory to the device. They pass through two pieces of page-locked
// memory: while one is transferred, threads fill the other.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

#include "core/check.hpp"
#include "core/parallel.hpp"

namespace legato::cuda {

class Upload {
  public:
    // Allocates pieces of `most` bytes, which should be the size of the largest array, but of `most_bytes` at most.
    Upload(int threads, std::size_t most) : threads_(threads), bytes_(std::min(most, most_bytes)) {
        for (Piece& piece : pieces_) {
            piece.memory = page_locked(bytes_);
            check(cudaEventCreateWithFlags(&piece.sent, cudaEventDisableTiming), "cudaEventCreate");
        }
    }
    Upload(const Upload&) = delete;
    Upload& operator=(const Upload&) = delete;

    // Copies `count` numbers. Kernels that are launched afterwards in the default stream find them at `to`; `from` may
    // change at once. `copy(from, count, to)` fills a share of a piece, on several threads at the same time.
    template <class Number, class Copy>
    void operator()(const Number* from, std::size_t count, Number* to, const Copy& copy) {
        const std::size_t at_a_time = bytes_ / sizeof(Number);
        for (std::size_t first = 0; first < count; first += at_a_time) {
            const std::size_t now = std::min(at_a_time, count - first);
            Piece& piece = pieces_[next_];
            next_ = 1 - next_;
            check(cudaEventSynchronize(piece.sent), "cudaEventSynchronize");
            auto* const memory = static_cast<Number*>(piece.memory);
            const auto team_size = std::clamp<std::size_t>(now * sizeof(Number) / least_bytes, 1, threads());
            in_team(static_cast<int>(team_size), [&](const Team& team) {
                const auto [begin, end] = team.share(now);
                copy(from + first + begin, end - begin, memory + begin);
            });
            check(cudaMemcpyAsync(to + first, memory, now * sizeof(Number), cudaMemcpyHostToDevice), "cudaMemcpyAsync");
            check(cudaEventRecord(piece.sent), "cudaEventRecord");
        }
    }

    template <class Number>
    void operator()(const Number* from, std::size_t count, Number* to) {
        (*this)(from, count, to, [](const Number* f, std::size_t n, Number* t) { std::copy_n(f, n, t); });
    }

  private:
    // Largest size of a piece, and smallest share of it for a thread.
    static constexpr std::size_t most_bytes = std::size_t{4} << 20, least_bytes = std::size_t{1} << 17;

    struct Piece {
        void* memory = nullptr;
        cudaEvent_t sent = nullptr;

        Piece() = default;
        Piece(const Piece&) = delete;
        Piece& operator=(const Piece&) = delete;
        ~Piece() {
            if (sent) clear_error(cudaEventSynchronize(sent));  // the transfer may not have ended
            if (sent) clear_error(cudaEventDestroy(sent));
            clear_error(cudaFreeHost(memory));
        }
    };

    std::size_t threads() const { return static_cast<std::size_t>(threads_); }

    int threads_;
    std::size_t bytes_;
    std::array<Piece, 2> pieces_;
    std::size_t next_ = 0;
};

}  // namespace legato::cuda
