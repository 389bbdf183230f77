// A context carries what a user chooses once: backend, device, threads, logging. There is no global state, so two
// contexts may work in two threads.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "core/activity.hpp"
#include "core/error.hpp"

namespace legato {

enum class Backend : int { auto_ = 0, cpu = 1, cuda = 2 };
enum class LogLevel : int { silent = 0, error = 1, warning = 2, info = 3, debug = 4 };

const char* name(Backend backend);

// Seconds of a backend that cannot do a job.
inline constexpr double never = std::numeric_limits<double>::infinity();

struct ContextOptions {
    Backend backend = Backend::auto_;
    int device = 0;   // CUDA ordinal
    int threads = 0;  // 0: default_threads() of core/parallel.hpp
    LogLevel log_level = LogLevel::warning;
};

// Returns the defaults above, replaced by LEGATO_BACKEND (auto, cpu, cuda), LEGATO_DEVICE, LEGATO_NUM_THREADS and
// LEGATO_LOG (silent, error, warning, info, debug) if they are set. Throws invalid_argument for any other value.
ContextOptions options_from_environment();

// The chosen backend, and the reason of the choice as a text for the user.
struct BackendChoice {
    Backend backend = Backend::cpu;
    std::string reason;
};

struct Trial;

class Context {
  public:
    using Logger = std::function<void(LogLevel, std::string_view)>;

    explicit Context(const ContextOptions& options);

    const ContextOptions& options() const { return options_; }
    int threads() const;

    // Takes the backend that the user named, or the faster one by the timing trial (trial.hpp). Throws no_device if the
    // user named CUDA and the device is not usable; it never falls back to the CPU silently.
    const BackendChoice& choose_backend(const Trial& trial, std::optional<Backend> saved_on = {});
    const BackendChoice& last_choice() const { return choice_; }

    void set_logger(LogLevel level, Logger logger);
    void log(LogLevel level, std::string_view line) const;

    // Tells a logger that the user has set why a call failed, unless the logger itself made that call. It writes
    // nothing to standard error, because the call returns the message anyway.
    void log_failure(const char* why) const noexcept;

  private:
    void call_logger(LogLevel level, std::string_view line) const;

    ContextOptions options_;
    BackendChoice choice_;
    double waited_ = 0;         // seconds of the CPU jobs so far; see choose_by_trial
    Logger logger_;             // empty: standard error
    mutable Activity logging_;  // active while the logger is called
};

}  // namespace legato
