// Makes the memory of one thread, a rank, run out, and counts what is allocated.
#pragma once

#include <cstddef>

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

}  // namespace ranks
