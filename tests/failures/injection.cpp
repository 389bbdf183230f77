#include "injection.hpp"

#include <execinfo.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <set>

namespace legato::tests {

std::atomic<long> live_blocks{0};

namespace {

constexpr int most_frames = 48;

struct Stack {
    std::array<void*, most_frames> frames;
    int depth = 0;
    void* injector = nullptr;  // return address of fails(); the frame outside it makes the call
};

struct SeenCall {
    Call call;
    const char* what;
    Stack stack;
};

// Calls that a survey has recorded, in memory that operator new does not know.
struct Seen {
    static constexpr long capacity = 1 << 18;
    SeenCall* calls = static_cast<SeenCall*>(std::malloc(capacity * sizeof(SeenCall)));
    std::atomic<long> count{0};
};

std::atomic<bool> counting{false}, surveying{false};
thread_local bool not_here = false;
std::array<std::atomic<long>, failure_kinds> counted{};
Call chosen;
Injected fired;
Stack fired_at;
Seen seen;

std::uint64_t place_of(const Stack& stack, int frames) {
    std::uint64_t hash = 14695981039346656037u;
    const auto end = stack.frames.begin() + stack.depth;
    auto frame = std::find(stack.frames.begin(), end, stack.injector);
    for (int i = 0; i < frames && frame != end && ++frame != end; ++i)
        hash = (hash ^ reinterpret_cast<std::uintptr_t>(*frame)) * 1099511628211u;
    return hash;
}

}  // namespace

bool fails(Failure kind, const char* what) noexcept {
    if ((!counting && kind != Failure::minimiser) || not_here) return false;
    const long number = counted[static_cast<std::size_t>(kind)]++;
    const bool is_chosen = kind == chosen.kind && number == chosen.number;
    if (!is_chosen && !surveying) return false;
    const Uncounted own_calls;
    Stack stack;
    stack.depth = backtrace(stack.frames.data(), most_frames);
    stack.injector = __builtin_return_address(0);
    if (surveying)
        if (const long at = seen.count++; at < Seen::capacity) seen.calls[at] = {{kind, number}, what, stack};
    if (!is_chosen) return false;
    fired = {true, kind, what};
    fired_at = stack;
    return true;
}

Counted::Counted() {
    counting = true;
}
Counted::~Counted() {
    counting = false;
}

Uncounted::Uncounted() : before_(not_here) {
    not_here = true;
}
Uncounted::~Uncounted() {
    not_here = before_;
}

void inject(const Call& call) {
    for (std::atomic<long>& count : counted) count = 0;
    fired = {};
    chosen = call;
}

const Injected& injected() noexcept {
    return fired;
}

void print_injected() noexcept {
    backtrace_symbols_fd(fired_at.frames.data(), fired_at.depth, STDERR_FILENO);
}

Survey::Survey() {
    void* first[1];
    backtrace(first, 1);  // the first backtrace loads a library
    inject({});
    seen.count = 0;
    surveying = true;
}

Survey::~Survey() {
    surveying = false;
}

long Survey::calls() const {
    return std::min(seen.count.load(), Seen::capacity);
}

bool Survey::saw(std::string_view what) const {
    return std::any_of(seen.calls, seen.calls + calls(), [&](const SeenCall& call) { return call.what == what; });
}

std::vector<Call> Survey::first_calls(int frames) const {
    std::set<std::uint64_t> places;
    std::vector<Call> first;
    for (const SeenCall* seen_call = seen.calls; seen_call != seen.calls + calls(); ++seen_call)
        if (frames == 0 || places.insert(place_of(seen_call->stack, frames)).second) first.push_back(seen_call->call);
    return first;
}

}  // namespace legato::tests
