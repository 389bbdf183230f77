// Calls that may fail, counted while the library works, of which one fails: those of operator new, of the functions
// that the linker wraps (wrapped_*.cpp), and of the caller's callbacks, which throw.
#pragma once

#include <atomic>
#include <string_view>
#include <vector>

namespace legato::tests {

// What fails, and so which statuses are expected.
enum class Failure : int { memory, file, thread, lapack, minimiser, device, callback };
inline constexpr int failure_kinds = 7;

// Call `number` of a kind, from 0; none if that is negative.
struct Call {
    Failure kind = Failure::memory;
    long number = -1;
};

// True where this call is the one to fail.
bool fails(Failure kind, const char* what) noexcept;

// Calls are counted while one of these lives: within the library, not in the test's own code. Those of a minimiser,
// which has a thread of its own, always are.
class Counted {
  public:
    Counted();
    ~Counted();
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;
};

// Not counted for a while, in this thread: in a callback, or in another library.
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

// From here on calls are counted anew, and `call` fails.
void inject(const Call& call);
const Injected& injected() noexcept;
// Where it was, to standard error.
void print_injected() noexcept;

// Sees all calls.
class Survey {
  public:
    Survey();
    ~Survey();
    Survey(const Survey&) = delete;
    Survey& operator=(const Survey&) = delete;

    long calls() const;
    bool saw(std::string_view what) const;
    // The first call from each place, places told apart by the innermost `frames` of their stack; all calls if that is
    // 0.
    std::vector<Call> first_calls(int frames) const;
};

// What operator new, aligned_alloc, CUDA and cuSOLVER have given and not got back.
extern std::atomic<long> live_blocks;

}  // namespace legato::tests
