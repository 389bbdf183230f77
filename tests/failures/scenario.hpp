// A small but complete use of a room through the C ABI, step by step. Where a failure is injected into a step, the step
// must say so in a status and in words, leave nothing behind, and do its work when it is called once more; where it
// does not say so, everything must come out as without.
#pragma once

#include <legato/legato.h>

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "injection.hpp"

namespace legato::tests {

struct Options {
    int32_t backend = LEGATO_BACKEND_CPU;
    int32_t threads = 1;
};

// Numbers and files that came out, in order.
struct Results {
    static constexpr std::size_t capacity = 1 << 15;
    std::array<double, capacity> values;
    double rounding = 0;  // relative, of iterations, where another way has led to the numbers
    std::size_t count = 0, files = 0, refusals = 0;
    std::array<std::size_t, 16> file_hashes, words_hashes;
};

// What is not as it must be.
struct Fault {
    std::string words;
};
// A run has said that it cannot go on.
struct RunEnded {};

template <class Words>
void require(bool holds, const char* step, const Words& words) {
    if (!holds) throw Fault{std::string(step) + ": " + words};
}

template <auto destroy>
struct Destroy {
    template <class Handle>
    void operator()(Handle* handle) const {
        const Counted counted;
        if (destroy(handle) != LEGATO_SUCCESS) std::abort();
    }
};
template <class Handle, auto destroy>
using Owned = std::unique_ptr<Handle, Destroy<destroy>>;

class Scenario {
  public:
    Scenario(const Options& options, Results& results);
    Scenario(const Scenario&) = delete;
    Scenario& operator=(const Scenario&) = delete;

    legato_context* context() const { return context_.get(); }
    int32_t backend() const { return backend_; }

    void step(const char* name, const std::function<int32_t()>& call, int32_t expected = LEGATO_SUCCESS);

    // The defaults; no context is there to keep words.
    template <class Params>
    Params defaults(const char* name, int32_t (*init)(Params*)) {
        Params params{};
        silent_ = true;
        step(name, [&] { return init(&params); });
        silent_ = false;
        return params;
    }

    // call(legato_room**), which leaves a null pointer where it fails.
    template <class Handle, auto destroy, class Make>
    void make(const char* name, Owned<Handle, destroy>& owned, const Make& call) {
        step(name, [&] {
            Handle* made = nullptr;
            const int32_t status = call(&made);
            owned.reset(made);
            require(status == LEGATO_SUCCESS || !made, name, "a handle in spite of an error");
            return status;
        });
    }

    // Where it fails, what is at `path` stays as it was, or is already what it was to become.
    void save(const char* name, const std::string& path, const std::function<int32_t()>& call);

    void note(std::span<const double> values);
    void note(double value) { note({&value, 1}); }
    void note_to(double rounding) { results_.rounding = rounding; }

    // Called before each step and in each progress callback, where a test sets them.
    static inline std::function<void()> before_step, in_progress;
    // Leaves the callback, and the library, by longjmp; the step is then taken once more.
    [[noreturn]] static void leave_by_longjmp();

    // Which throw where they are chosen to.
    static int progress(void* scenario, const legato_progress* progress);
    static void throw_if_chosen(const char* what);

    bool told() const { return told_; }      // of the failure, by a status
    bool warned() const { return warned_; }  // in the log, after it

  private:
    static void log(void* scenario, int32_t level, const char* line);
    void create(const Options& options);
    void require_words(const char* name, int32_t status) const;
    void note_words();

    Results& results_;
    int32_t backend_;
    bool silent_ = false, told_ = false, warned_ = false;
    bool had_happened_ = false;  // the failure, before the run was last carried on
    std::function<void()> before_repeating_;
    Owned<legato_context, legato_context_destroy> context_;
};

using Room = void (*)(Scenario&);
void use_context(Scenario& scenario);
void use_tmm(Scenario& scenario);
void use_dfr(Scenario& scenario);
void use_dfr_list(Scenario& scenario);
void use_dfr_optimisation(Scenario& scenario);
void use_kpm(Scenario& scenario);
void use_vmc(Scenario& scenario);
void use_ising(Scenario& scenario);

}  // namespace legato::tests
