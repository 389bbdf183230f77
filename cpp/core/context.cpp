#include "core/context.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <utility>

#include "core/comparison.hpp"
#include "core/cpu_level.hpp"
#include "core/device.hpp"
#include "core/launcher.hpp"
#include "core/parallel.hpp"
#include "core/ranks.hpp"
#include "core/trial.hpp"
#include "core/validate.hpp"

namespace legato {
namespace {

constexpr int max_threads = 4096;

constexpr std::array<const char*, 3> backend_names{"auto", "cpu", "cuda"};
constexpr std::array<const char*, 5> level_names{"silent", "error", "warning", "info", "debug"};

template <std::size_t n>
std::optional<int> environment_choice(const char* variable, const std::array<const char*, n>& names) {
    const char* value = std::getenv(variable);
    if (!value || !*value) return std::nullopt;
    std::string allowed;
    for (std::size_t i = 0; i < n; ++i) {
        if (std::string_view(value) == names[i]) return static_cast<int>(i);
        allowed += std::string(i ? ", " : "") + names[i];
    }
    fail(Status::invalid_argument, variable, ": \"", value, "\" is not one of ", allowed);
}

std::optional<int> environment_integer(const char* variable, int low, int high) {
    const char* value = std::getenv(variable);
    if (!value || !*value) return std::nullopt;
    const std::string_view digits(value);
    int number = 0;
    const auto [end, error] = std::from_chars(digits.begin(), digits.end(), number);
    if (error != std::errc() || end != digits.end() || number < low || number > high)
        fail(Status::invalid_argument, variable, ": \"", value, "\" is not an integer in ", low, "..", high);
    return number;
}

void require_devices(std::string_view field, const std::vector<int>& devices) {
    for (std::size_t i = 0; i < devices.size(); ++i) {
        const std::string name = text(field, '[', i, ']');
        require_integer(name, devices[i], 0, most_devices - 1);
        if (std::find(devices.begin(), devices.begin() + static_cast<std::ptrdiff_t>(i), devices[i]) !=
            devices.begin() + static_cast<std::ptrdiff_t>(i))
            fail(Status::invalid_argument, name, ": device ", devices[i], " is listed twice");
    }
}

// Returns the device of this process among those that a launcher has started. It asks for the number of devices, which
// starts the driver, only if the number counts.
int local_device() {
    const int local_rank = launch().local_rank;
    return local_rank == 0 ? 0 : local_rank % std::max(device_count(), 1);
}

// Returns the devices that LEGATO_DEVICE names; none if it is not set or asks for the default.
std::vector<int> environment_devices() {
    const char* const variable = "LEGATO_DEVICE";
    const char* const value = std::getenv(variable);
    if (!value || !*value) return {};
    std::string_view rest(value);
    if (rest == "local") return {};
    std::vector<int> devices;
    if (rest == "all") {
        devices.resize(static_cast<std::size_t>(device_count()));
        std::iota(devices.begin(), devices.end(), 0);
        return devices;
    }
    while (true) {
        int device = 0;
        const auto [end, error] = std::from_chars(rest.begin(), rest.end(), device);
        if (error != std::errc() || device < 0 || device >= most_devices || (end != rest.end() && *end != ','))
            fail(Status::invalid_argument, variable, ": \"", value, "\" is not an integer in 0..", most_devices - 1,
                 ", a list of them such as 0,1, all or local");
        devices.push_back(device);
        if (end == rest.end()) break;
        rest = rest.substr(static_cast<std::size_t>(end + 1 - rest.begin()));
    }
    require_devices(variable, devices);
    return devices;
}

// Throws unless the devices can be used, and says why they are.
void require_usable(const std::vector<int>& devices, std::string_view reason) {
    for (const int device : devices) {
        try {
            device_info(device);
        } catch (const Error& error) {
            fail(error.status(), error.what(), "; the backend is cuda: ", reason);
        }
    }
}

// Warns once if a launcher has started several processes that do not know of each other.
void warn_of_lone_ranks(const Context& context) {
    static std::atomic<bool> is_done = false;
    if (context.communicator() || is_done.exchange(true)) return;
    const Launch started = launch();
    if (started.size > 1 && started.rank == 0)
        context.log(LogLevel::warning,
                    text(started.launcher, " has started ", started.size,
                         " processes, and each of them does the whole work; call legato_mpi_join to share it"));
}

}  // namespace

const char* name(Backend backend) {
    return backend_names[static_cast<std::size_t>(backend)];
}

ContextOptions options_from_environment() {
    ContextOptions options;
    if (const auto backend = environment_choice("LEGATO_BACKEND", backend_names))
        options.backend = static_cast<Backend>(*backend);
    if (const auto level = environment_choice("LEGATO_LOG", level_names))
        options.log_level = static_cast<LogLevel>(*level);
    (void)cpu_level();  // throws if LEGATO_CPU_LEVEL cannot be used
    options.devices = environment_devices();
    options.threads = environment_integer("LEGATO_NUM_THREADS", 0, max_threads).value_or(options.threads);
    return options;
}

Context::Context(const ContextOptions& options) : options_(options) {
    require_integer("context.params.backend", static_cast<int>(options.backend), 0, 2);
    require_integer("context.params.log_level", static_cast<int>(options.log_level), 0, 4);
    require_integer("context.params.threads", options.threads, 0, max_threads);
    require_integer("context.params.device", options.device, -1, most_devices - 1);
    require_integer("context.params.parts", options.parts, 0, max_threads);
    if (options.device >= 0)
        set_devices({options.device});
    else
        set_devices(options.devices.empty() ? std::vector<int>{local_device()} : options.devices);
    names_devices_ = options.device >= 0 || !options.devices.empty();
}

void Context::set_devices(std::vector<int> devices) {
    if (devices.empty()) fail(Status::invalid_argument, "context.devices: at least one device is needed");
    require_devices("context.devices", devices);
    options_.device = devices.front();
    options_.devices = std::move(devices);
    names_devices_ = true;
}

void Context::set_communicator(std::shared_ptr<Communicator> communicator) {
    if (communicator_) fail(Status::invalid_argument, "context.communicator: the context has a communicator already");
    communicator_ = std::move(communicator);
}

std::vector<int> Context::parts_on(Backend backend) const {
    const auto parts = static_cast<std::size_t>(options_.parts);
    if (backend != Backend::cuda) return std::vector<int>(std::max<std::size_t>(parts, 1), options_.device);
    if (parts == 0) return options_.devices;
    std::vector<int> devices(parts);
    for (std::size_t i = 0; i < parts; ++i) devices[i] = options_.devices[i % options_.devices.size()];
    return devices;
}

Context Context::for_part(int device, int threads, bool logs) const {
    Context part(*this);
    part.communicator_ = nullptr;
    part.options_.parts = 0;
    part.options_.threads = threads;
    part.set_devices({device});
    if (!logs) part.set_logger(LogLevel::silent, {});
    return part;
}

int Context::threads() const {
    return options_.threads > 0 ? options_.threads : default_threads();
}

BackendChoice Context::choice_of_this_rank(const Trial& trial, std::optional<Backend> saved_on) {
    switch (options_.backend) {
        case Backend::cpu:
            return {Backend::cpu, "the CPU was asked for"};
        case Backend::cuda:
            return {Backend::cuda, "CUDA was asked for (LEGATO_BACKEND or context.params.backend)"};
        case Backend::auto_:
            break;
    }
    return choose_by_trial(options_, threads(), trial, saved_on, waited_);
}

// Rank 0 chooses for all ranks.
const BackendChoice& Context::choose_backend(const Trial& trial, std::optional<Backend> saved_on) {
    warn_of_lone_ranks(*this);
    log(LogLevel::debug, text(trial.job, ": backend ", name(options_.backend), " is requested, with ", threads(),
                              " threads on the CPU and CUDA device ", options_.device));
    Comparison comparison;
    comparison.add("context.params.backend", options_.backend);
    comparison.require_same(*this);
    BackendChoice choice;
    if (rank() == 0) choice = choice_of_this_rank(trial, saved_on);
    choice.backend = of_first_rank(*this, choice.backend);
    take_of_first_rank(*this, choice.reason);
    if (choice.backend == Backend::cuda) require_usable(options_.devices, choice.reason);
    if (choice.device_is_unusable && std::exchange(names_devices_, false))
        log(LogLevel::warning,
            text("CUDA device ", options_.device, " (LEGATO_DEVICE, context.params.device or ",
                 "legato_context_set_devices) cannot be used, and the CPU computes: ", choice.reason));
    choice_ = std::move(choice);
    log(LogLevel::info, text(trial.job, ": backend ", name(choice_.backend), " (", choice_.reason, ")"));
    return choice_;
}

void Context::set_logger(LogLevel level, Logger logger) {
    require_integer("context.log_level", static_cast<int>(level), 0, 4);
    options_.log_level = level;
    logger_ = std::move(logger);
}

void Context::log(LogLevel level, std::string_view line) const {
    if (level > options_.log_level) return;
    if (logger_)
        call_logger(level, line);
    else if (rank() == 0)
        std::fprintf(stderr, "legato %s: %.*s\n", level_names[static_cast<std::size_t>(level)],
                     static_cast<int>(line.size()), line.data());
}

void Context::log_failure(const char* why) const noexcept {
    if (!logger_ || options_.log_level < LogLevel::error || logging_.is_active()) return;
    try {
        call_logger(LogLevel::error, why);
    } catch (...) {  // NOLINT(bugprone-empty-catch): the failure that is being reported is the one that counts
    }
}

// Calls a copy of the logger, because the logger may replace itself. The logger may also call functions that fail;
// log_failure() does not report these to it.
void Context::call_logger(LogLevel level, std::string_view line) const {
    const Logger logger = logger_;
    const Activity::Scope logging(logging_);
    logger(level, line);
}

}  // namespace legato
