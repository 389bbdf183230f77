// A context carries what a user chooses once: backend, devices, threads, logging, and the ranks that share its work.
// There is no global state, so two contexts may work in two threads.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/activity.hpp"
#include "core/communicator.hpp"
#include "core/error.hpp"

namespace legato {

enum class Backend : int { auto_ = 0, cpu = 1, cuda = 2 };
enum class LogLevel : int { silent = 0, error = 1, warning = 2, info = 3, debug = 4 };

const char* name(Backend backend);

// Seconds of a backend that cannot do a job.
inline constexpr double never = std::numeric_limits<double>::infinity();

struct ContextOptions {
    Backend backend = Backend::auto_;
    int device = -1;  // CUDA ordinal; -1: `devices`
    int threads = 0;  // 0: default_threads() of core/parallel.hpp
    LogLevel log_level = LogLevel::warning;
    // CUDA ordinals. If there are none: the launcher's local rank modulo the number of devices, or 0 without launcher.
    std::vector<int> devices = {};
    // For tests: the engines of a rank that share its work, on the CPU or in turn on its devices. 0: one on the CPU, or
    // one for each device.
    int parts = 0;
    // For tests: the fewest words of a slab (ising/slab.hpp). 0: so many that slabs save time.
    std::size_t fewest_words_of_slab = 0;
    // For tests: the most words of a state in one file (ising/engine.hpp). 0: 2^28.
    std::size_t most_words_of_file = 0;
    // For tests: the fewest sites for each device that shares a point of tmm. 0: so many that sharing saves time.
    std::size_t fewest_sites_of_share = 0;
};

// Returns the defaults above, replaced by LEGATO_BACKEND (auto, cpu, cuda), LEGATO_DEVICE (a number, a list of numbers,
// all, local), LEGATO_NUM_THREADS and LEGATO_LOG (silent, error, warning, info, debug) if they are set. Throws
// invalid_argument for any other value.
ContextOptions options_from_environment();

// The chosen backend, and the reason of the choice as a text for the user.
struct BackendChoice {
    Backend backend = Backend::cpu;
    std::string reason;
    bool device_is_unusable = false;  // the reason is that the device cannot be used
};

struct Trial;

class Context {
  public:
    using Logger = std::function<void(LogLevel, std::string_view)>;

    explicit Context(const ContextOptions& options);

    // options().device is the first device.
    const ContextOptions& options() const { return options_; }
    int threads() const;

    // Sets the CUDA devices that share the work of this process. Throws unless they are different and in range.
    void set_devices(std::vector<int> devices);
    const std::vector<int>& devices() const { return options_.devices; }

    // Sets the ranks that share the work. Throws if there are any already.
    void set_communicator(std::shared_ptr<Communicator> communicator);
    const std::shared_ptr<Communicator>& communicator() const { return communicator_; }  // null for a single process
    int rank() const { return communicator_ ? communicator_->rank() : 0; }
    int ranks() const { return communicator_ ? communicator_->size() : 1; }

    // Runs work() as a call that all ranks make: see Communicator::collective.
    template <class Work>
    auto collective(std::string_view call, Work&& work) const {
        return communicator_ ? communicator_->collective(call, work) : work();
    }

    // Returns the devices of the parts of this rank on a backend (work_parts.hpp).
    std::vector<int> parts_on(Backend backend) const;
    // Returns a context for work of this rank alone on one device.
    Context for_part(int device, int threads, bool logs) const;
    Context alone() const { return for_part(options_.device, threads(), true); }

    // Takes the backend that the user named, or the faster one by the timing trial (trial.hpp). Throws no_device if the
    // user named CUDA and the device is not usable; it never falls back to the CPU silently. If the user named devices
    // but no backend, it warns once that the CPU is used because the device is not usable.
    const BackendChoice& choose_backend(const Trial& trial, std::optional<Backend> saved_on = {});
    const BackendChoice& last_choice() const { return choice_; }

    void set_logger(LogLevel level, Logger logger);
    void log(LogLevel level, std::string_view line) const;

    // Tells a logger that the user has set why a call failed, unless the logger itself made that call. It writes
    // nothing to standard error, because the call returns the message anyway.
    void log_failure(const char* why) const noexcept;

  private:
    void call_logger(LogLevel level, std::string_view line) const;
    BackendChoice choice_of_this_rank(const Trial& trial, std::optional<Backend> saved_on);

    ContextOptions options_;
    std::shared_ptr<Communicator> communicator_;
    BackendChoice choice_;
    bool names_devices_ = false;  // the user has named devices, and has not been warned about them
    double waited_ = 0;           // seconds of the CPU jobs so far; see choose_by_trial
    Logger logger_;               // empty: standard error
    mutable Activity logging_;    // active while the logger is called
};

}  // namespace legato
