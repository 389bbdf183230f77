#include "core/context.hpp"

#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <utility>

#include "core/cpu_level.hpp"
#include "core/device.hpp"
#include "core/parallel.hpp"
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
    options.device = environment_integer("LEGATO_DEVICE", 0, most_devices - 1).value_or(options.device);
    options.threads = environment_integer("LEGATO_NUM_THREADS", 0, max_threads).value_or(options.threads);
    return options;
}

Context::Context(const ContextOptions& options) : options_(options) {
    require_integer("context.params.backend", static_cast<int>(options.backend), 0, 2);
    require_integer("context.params.log_level", static_cast<int>(options.log_level), 0, 4);
    require_integer("context.params.threads", options.threads, 0, max_threads);
    require_integer("context.params.device", options.device, 0, most_devices - 1);
}

int Context::threads() const {
    return options_.threads > 0 ? options_.threads : default_threads();
}

const BackendChoice& Context::choose_backend(const Trial& trial, std::optional<Backend> saved_on) {
    log(LogLevel::debug, text(trial.job, ": backend ", name(options_.backend), " is requested, with ", threads(),
                              " threads on the CPU and CUDA device ", options_.device));
    switch (options_.backend) {
        case Backend::cpu:
            choice_ = {Backend::cpu, "the CPU was asked for"};
            break;
        case Backend::cuda:
            device_info(options_.device);  // throws if it cannot be used
            choice_ = {Backend::cuda, "CUDA was asked for"};
            break;
        case Backend::auto_:
            choice_ = choose_by_trial(options_, threads(), trial, saved_on, waited_);
            break;
    }
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
    else
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
