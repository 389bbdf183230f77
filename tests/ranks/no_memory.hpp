// Makes the memory of one thread, a rank, run out, and counts what is allocated.
#pragma once

#include <cstddef>
#include <cstdint>

#include "in_memory.hpp"

namespace ranks {

// After so many calls in this thread, operator new throws, until memory_is_back() is called.
void memory_runs_out(long after);
void memory_is_back();

// Returns the bytes of the largest call of operator new in this thread since it last asked.
std::size_t largest_allocation();

// There is memory as long as this object lives.
class MemoryAgain {
  public:
    MemoryAgain();
    MemoryAgain(const MemoryAgain&) = delete;
    MemoryAgain& operator=(const MemoryAgain&) = delete;
    ~MemoryAgain();

  private:
    long kept_;
};

// A transport that has memory even if the ranks have none.
class NetworkWithMemory final : public Network {
  public:
    using Network::Network;

    bool gather(int rank, std::int64_t bytes, const void* mine, void* all) override {
        const MemoryAgain again;
        return Network::gather(rank, bytes, mine, all);
    }
    bool exchange(int rank, int to, std::int64_t send_bytes, const void* send, int from, std::int64_t receive_bytes,
                  void* receive) override {
        const MemoryAgain again;
        return Network::exchange(rank, to, send_bytes, send, from, receive_bytes, receive);
    }
};

}  // namespace ranks
