// Makes the memory of one thread, a rank, run out.
#pragma once

namespace ranks {

// After so many calls in this thread, operator new throws, until memory_is_back() is called.
void memory_runs_out(long after);
void memory_is_back();

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
