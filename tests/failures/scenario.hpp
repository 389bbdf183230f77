// A small but complete use of a method through the C ABI, step by step. If a failure is injected into a step, the step
// must report it by a status and a message, leave nothing behind, and succeed when it is called again. If the step does
// not report it, all results must be those without a failure.
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

// Numbers and files that a scenario gives, in order.
struct Results {
    static constexpr std::size_t capacity = 1 << 15;
    std::array<double, capacity> values;
    double rounding = 0;  // relative tolerance for iterations that took another path
    std::size_t count = 0, files = 0, refusals = 0;
    std::array<std::size_t, 16> file_hashes, message_hashes;
};

// A violated requirement.
struct Fault {
    std::string message;
};
// Thrown if a run has reported that it cannot continue.
struct RunEnded {};

template <class Message>
void require(bool holds, const char* step, const Message& message) {
    if (!holds) throw Fault{std::string(step) + ": " + message};
}

template <auto destroy>
struct Destroy {
    template <class Handle>
    void operator()(Handle* handle) const {
        const Counted counted;
        if (destroy(handle) != LEGATO_STATUS_SUCCESS) std::abort();
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

    void step(const char* name, const std::function<int32_t()>& call, int32_t expected = LEGATO_STATUS_SUCCESS);

    // Returns the defaults. No context exists yet to hold a message.
    template <class Params>
    Params defaults(const char* name, int32_t (*init)(Params*)) {
        Params params{};
        silent_ = true;
        step(name, [&] { return init(&params); });
        silent_ = false;
        return params;
    }

    // Calls call(legato_tmm**), or that of another handle, which must leave a null pointer if it fails.
    template <class Handle, auto destroy, class Make>
    void make(const char* name, Owned<Handle, destroy>& owned, const Make& call) {
        step(name, [&] {
            Handle* made = nullptr;
            const int32_t status = call(&made);
            owned.reset(made);
            require(status == LEGATO_STATUS_SUCCESS || !made, name, "a handle in spite of an error");
            return status;
        });
    }

    // Saves to `path`. If this fails, the file is unchanged, or already the new one.
    void save(const char* name, const std::string& path, const std::function<int32_t()>& call);

    void note(std::span<const double> values);
    void note(double value) { note({&value, 1}); }
    void note_to(double rounding) { results_.rounding = rounding; }

    // These are called before each step and in each progress callback, if a test sets them.
    static inline std::function<void()> before_step, in_progress;
    // Leaves the callback, and the library, by longjmp. The step is then repeated.
    [[noreturn]] static void leave_by_longjmp();

    // These throw if they are the chosen call.
    static int progress(void* scenario, const legato_progress* progress);
    static void throw_if_chosen(const char* what);

    bool told() const { return told_; }      // a status has reported the failure
    bool warned() const { return warned_; }  // a warning was logged after the failure

  private:
    static void log(void* scenario, int32_t level, const char* line);
    void create(const Options& options);
    void require_message(const char* name, int32_t status) const;
    void note_message();

    Results& results_;
    int32_t backend_;
    bool silent_ = false, told_ = false, warned_ = false;
    bool had_happened_ = false;  // the failure came before the run was last continued
    std::function<void()> before_repeating_;
    Owned<legato_context, legato_context_destroy> context_;
};

using Method = void (*)(Scenario&);
void use_context(Scenario& scenario);
void use_tmm(Scenario& scenario);
void use_dfr(Scenario& scenario);
void use_dfr_list(Scenario& scenario);
void use_dfr_optimisation(Scenario& scenario);
void use_kpm(Scenario& scenario);
void use_vmc(Scenario& scenario);
void use_fss(Scenario& scenario);
void use_ising(Scenario& scenario);
void use_slabs(Scenario& scenario);

}  // namespace legato::tests
