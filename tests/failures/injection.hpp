// Counts calls that may fail while the library works, and makes one of them fail: calls of operator new, of the
// functions that the linker wraps (wrapped_*.cpp), and of the caller's callbacks, which throw.
#pragma once

#include <atomic>
#include <string_view>
#include <vector>

namespace legato::tests {

// Kinds of failures. The expected statuses depend on them.
enum class Failure : int { memory, file, thread, lapack, minimiser, device, callback };
inline constexpr int failure_kinds = 7;

// Call `number` of a kind, counted from 0. A negative number means no call.
struct Call {
    Failure kind = Failure::memory;
    long number = -1;
};

// Returns true if this call is the one to fail.
bool fails(Failure kind, const char* what) noexcept;

// Calls are counted while such an object exists: those within the library, not those in the test's own code. Calls of a
// minimiser, which has a thread of its own, are always counted.
class Counted {
  public:
    Counted();
    ~Counted();
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;
};

// Suspends counting in this thread: in a callback, or in another library.
class Uncounted {
  public:
    Uncounted();
    ~Uncounted();
    Uncounted(const Uncounted&) = delete;
    Uncounted& operator=(const Uncounted&) = delete;

  private:
    bool before_;
};

struct Injected {
    bool happened = false;
    Failure kind = Failure::memory;
    const char* what = "";
};

// Restarts counting, and makes `call` fail.
void inject(const Call& call);
const Injected& injected() noexcept;
// Prints the stack of the injected failure to standard error.
void print_injected() noexcept;

// Records all calls while it exists.
class Survey {
  public:
    Survey();
    ~Survey();
    Survey(const Survey&) = delete;
    Survey& operator=(const Survey&) = delete;

    long calls() const;
    bool saw(std::string_view what) const;
    // Returns the first call from each place. Places are distinguished by the innermost `frames` of their stack.
    // Returns all calls if `frames` is 0.
    std::vector<Call> first_calls(int frames) const;
};

// Number of blocks from operator new, aligned_alloc, CUDA and cuSOLVER that have not been released.
extern std::atomic<long> live_blocks;

}  // namespace legato::tests
