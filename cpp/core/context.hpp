// A context carries what a user chooses once: backend, device, threads, logging. No global state: two contexts may
// work in two threads.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <string_view>

#include "core/activity.hpp"
#include "core/error.hpp"

namespace legato {

enum class Backend : int { automatic = 0, cpu = 1, cuda = 2 };
enum class LogLevel : int { silent = 0, error = 1, warning = 2, info = 3, debug = 4 };

const char* name(Backend backend);

// Seconds of a backend that cannot do a job.
inline constexpr double never = std::numeric_limits<double>::infinity();

struct ContextOptions {
    Backend backend = Backend::automatic;
    int device = 0;   // CUDA ordinal
    int threads = 0;  // 0: default_threads() of core/parallel.hpp
    LogLevel log_level = LogLevel::warning;
};

// The defaults above with LEGATO_BACKEND (auto, cpu, cuda), LEGATO_DEVICE, LEGATO_NUM_THREADS and LEGATO_LOG
// (silent, error, warning, info, debug) laid over them; a value that is none of these is an error.
ContextOptions options_from_environment();

// Which backend was taken, and why, in words for the user.
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

    // Takes the backend that the user named, or the faster one by the trial (trial.hpp). Throws no_device where CUDA
    // was named and none is usable: never a silent fall-back.
    const BackendChoice& choose_backend(const Trial& trial);
    const BackendChoice& last_choice() const { return choice_; }

    void set_logger(LogLevel level, Logger logger);
    void log(LogLevel level, std::string_view line) const;

    // Why a call failed, to a logger that the user has set, unless it is the logger's own call. Not to standard error:
    // the call returns these words anyway.
    void log_failure(const char* why) const noexcept;

  private:
    void tell(LogLevel level, std::string_view line) const;

    ContextOptions options_;
    BackendChoice choice_;
    double waited_ = 0;         // see choose_by_trial
    Logger logger_;             // empty: standard error
    mutable Activity telling_;  // of the logger
};

}  // namespace legato
