#include "scenario.hpp"

#include <algorithm>
#include <csetjmp>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace legato::tests {
namespace {

// Returns the statuses that may report a failure.
std::vector<int32_t> statuses_of(Failure kind) {
    switch (kind) {
        case Failure::memory:
        case Failure::thread:
        case Failure::minimiser:
            return {LEGATO_STATUS_OUT_OF_MEMORY};
        case Failure::file:
            return {LEGATO_STATUS_IO_ERROR, LEGATO_STATUS_BAD_FILE, LEGATO_STATUS_OUT_OF_MEMORY};
        case Failure::lapack:
            return {LEGATO_STATUS_NUMERICAL_ERROR};
        case Failure::device:
            return {LEGATO_STATUS_DEVICE_ERROR, LEGATO_STATUS_NO_DEVICE, LEGATO_STATUS_OUT_OF_MEMORY};
        case Failure::callback:
            return {LEGATO_STATUS_INTERNAL_ERROR};
    }
    return {};
}

thread_local std::jmp_buf way_out;

// Makes the call deeper in the stack, so that the stack frames left by the first call are overwritten.
[[gnu::noinline]] int32_t call_from_deeper(const std::function<int32_t()>& call) {
    volatile char frame[1 << 14];
    for (volatile char& byte : frame) byte = 1;
    return call() + (frame[0] - 1);
}

// Repeats a step whose callback has left by longjmp, first from deeper in the stack, then from the same depth.
int32_t call_and_come_back(const std::function<int32_t()>& call) {
    static thread_local int times;
    times = 0;
    if (setjmp(way_out) != 0) ++times;  // NOLINT(cert-err52-cpp): what a host in C may do
    return times == 1 ? call_from_deeper(call) : call();
}

std::string bytes_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

Scenario::Scenario(const Options& options, Results& results) : results_(results), backend_(options.backend) {
    results.count = results.files = results.refusals = 0;
    create(options);
    step("legato_context_set_logger",
         [this] { return legato_context_set_logger(context(), LEGATO_LOG_LEVEL_DEBUG, log, this); });
}

// Creates a context. A context that holds the message exists even if this fails.
void Scenario::create(const Options& options) {
    auto params = defaults("legato_context_params_init", legato_context_params_init);
    params.backend = options.backend;
    params.threads = options.threads;
    step("legato_context_create", [&] {
        legato_context* made = nullptr;
        const int32_t status = legato_context_create(&params, &made);
        context_.reset(made);
        return status;
    });
}

void Scenario::require_message(const char* name, int32_t status) const {
    require(silent_ || !context_ || *legato_context_message(context()), name,
            "status " + std::to_string(status) + " without a word");
}

void Scenario::step(const char* name, const std::function<int32_t()>& call, int32_t expected) {
    if (before_step) before_step();
    const bool before = injected().happened,
               carries_on = std::string_view(name).ends_with("_run") || std::string_view(name).ends_with("_advance");
    const bool long_before = carries_on ? std::exchange(had_happened_, before) : had_happened_;
    const auto called = [&] {
        const Counted counted;
        return call_and_come_back(call);
    };
    const int32_t status = called();
    const auto told = [&](int32_t found) {
        return "status " + std::to_string(found) + ", \"" + (context_ ? legato_context_message(context()) : "") + "\"";
    };
    if (status != LEGATO_STATUS_SUCCESS) require_message(name, status);
    if (status == expected) {
        if (status != LEGATO_STATUS_SUCCESS) note_message();
        return;
    }
    const auto says = [&](std::string_view message) {
        return std::string_view(legato_context_message(context())).find(message) != std::string_view::npos;
    };
    if (before && warned_ && injected().kind == Failure::lapack && says("has failed and has no result"))
        throw RunEnded{};
    // A failure in a minimiser's thread is reported when the run is continued the next time.
    const bool is_told_late = before && carries_on && !long_before && !told_ && injected().kind == Failure::minimiser;
    require((!before || is_told_late) && injected().happened, name, told(status) + " though nothing failed here");
    const std::vector<int32_t> likely = statuses_of(injected().kind);
    require(std::find(likely.begin(), likely.end(), status) != likely.end(), name,
            told(status) + " for such a failure");
    told_ = true;
    if (before_repeating_) before_repeating_();
    const int32_t again = called();
    if (again == expected) {
        if (again != LEGATO_STATUS_SUCCESS) note_message();
        return;
    }
    require_message(name, again);
    const bool ended =
        says("neither be continued") || says("interrupted a cycle") || injected().kind == Failure::minimiser;
    require(ended, name, told(again) + " when called once more");
    throw RunEnded{};
}

// Stores a hash of the message. A message that is cut short has another hash.
void Scenario::note_message() {
    results_.message_hashes.at(results_.refusals++) = std::hash<std::string_view>{}(legato_context_message(context()));
}

void Scenario::save(const char* name, const std::string& path, const std::function<int32_t()>& call) {
    const std::string before = bytes_of(path);
    std::string after_failure = before;
    before_repeating_ = [&] { after_failure = bytes_of(path); };
    step(name, call);
    before_repeating_ = nullptr;
    const std::string saved = bytes_of(path);
    require(after_failure == before || after_failure == saved, name, "has spoilt the file that was there");
    results_.file_hashes.at(results_.files++) = std::hash<std::string>{}(saved);
}

void Scenario::note(std::span<const double> values) {
    require(results_.count + values.size() <= Results::capacity, "note", "too many numbers");
    std::copy(values.begin(), values.end(), results_.values.begin() + static_cast<std::ptrdiff_t>(results_.count));
    results_.count += values.size();
}

void Scenario::throw_if_chosen(const char* what) {
    if (fails(Failure::callback, what)) throw std::runtime_error(std::string(what) + " gave up");
}

void Scenario::leave_by_longjmp() {
    std::longjmp(way_out, 1);  // NOLINT(cert-err52-cpp)
}

int Scenario::progress(void*, const legato_progress*) {
    if (in_progress) in_progress();
    throw_if_chosen("the progress callback");
    return 0;
}

void Scenario::log(void* scenario, int32_t level, const char*) {
    if (level <= LEGATO_LOG_LEVEL_WARNING && injected().happened) static_cast<Scenario*>(scenario)->warned_ = true;
    throw_if_chosen("the log callback");
}

}  // namespace legato::tests
