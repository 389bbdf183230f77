// failures METHOD [cpu|cuda] [FRAMES] [THREADS]: makes every call that may fail in the scenario of a method fail once.
// Calls from one place count as one. Places are distinguished by the innermost FRAMES of their stack (default 48: all
// of it; 0: every call). Exits with 77 if there is no device.
#include <dirent.h>
#include <hdf5.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <span>

#include "scenario.hpp"

namespace legato::tests {
namespace {

constexpr const char* cusolver_calls[] = {"cusolverDnCreate", "cusolverDnCreateParams",
                                          "cusolverDnXsyevBatched_bufferSize", "cusolverDnXsyevBatched"};

struct Plan {
    Method method;
    std::span<const char* const> on_device = {};  // functions that must be called on a device
};

const std::map<std::string, Plan> plans{
    {"context", {use_context}},
    {"tmm", {use_tmm}},
    {"dfr", {use_dfr}},
    {"dfr_list", {use_dfr_list, cusolver_calls}},
    {"dfr_optimisation", {use_dfr_optimisation}},
    {"kpm", {use_kpm}},
    {"vmc", {use_vmc}},
    {"fss", {use_fss}},
    {"ising", {use_ising}},
    {"slabs", {use_slabs}},
};

void say_where(int signal) {
    const char message[] = "crashed after the failure of ";
    for (const char* text : {message, injected().what, " at\n"})
        if (write(STDERR_FILENO, text, std::strlen(text)) < 0) break;
    print_injected();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

// Resources that a scenario must release.
struct Resources {
    long blocks = live_blocks, descriptors = 0;
    ssize_t identifiers = H5Fget_obj_count(static_cast<hid_t>(H5F_OBJ_ALL), H5F_OBJ_ALL);

    Resources() {
        DIR* const folder = opendir("/proc/self/fd");
        while (readdir(folder)) ++descriptors;
        closedir(folder);
    }
    void require_no_more_than(const Resources& before) const {
        const auto more = [](const char* what, auto now, auto then) {
            require(now <= then, what, std::to_string(now) + " are held, " + std::to_string(then) + " before");
        };
        more("blocks of memory", blocks, before.blocks);
        more("file descriptors", descriptors, before.descriptors);
        more("identifiers of HDF5", identifiers, before.identifiers);
    }
};

void require_no_temporaries() {
    for (const auto& entry : std::filesystem::directory_iterator("."))
        require(entry.path().filename().string()[0] != '.', "files", entry.path().string() + " is left");
}

void remove_files() {
    for (const auto& entry : std::filesystem::directory_iterator(".")) std::filesystem::remove(entry.path());
}

enum class Outcome { told, coped, ended, absent };

// If LAPACK or a device has failed, iterations take another path. They give the same results within rounding, or a
// warning. A repeated step may have converged further than a step without a failure.
void require_same(const Results& results, const Results& expected, bool warned, bool told) {
    const bool lapack = injected().kind == Failure::lapack;
    if (lapack && warned) return;
    require(results.count == expected.count, "numbers",
            std::to_string(results.count) + " of them, not " + std::to_string(expected.count));
    const double rounding = lapack || told || injected().kind == Failure::device ? results.rounding : 0;
    for (std::size_t i = 0; i < results.count; ++i) {
        const double a = results.values[i], b = expected.values[i];
        require(std::memcmp(&a, &b, sizeof a) == 0 || std::abs(a - b) < rounding * std::abs(b), "numbers",
                "number " + std::to_string(i) + " is " + std::to_string(a) + ", not " + std::to_string(b));
    }
    for (std::size_t i = 0; i < results.files && !lapack && !told; ++i)
        require(results.file_hashes[i] == expected.file_hashes[i], "files",
                "saved file " + std::to_string(i) + " has other bytes");
    for (std::size_t i = 0; i < results.refusals && injected().kind == Failure::memory; ++i)
        require(results.message_hashes[i] == expected.message_hashes[i], "message", "it is cut short");
}

Outcome play(Method method, const Options& options, Results& results, const Results* expected) {
    remove_files();
    const Resources before;
    bool warned = false, ended = false, told = false;
    {
        Scenario scenario(options, results);
        try {
            method(scenario);
        } catch (const RunEnded&) {
            ended = true;
        }
        warned = scenario.warned();
        told = scenario.told();
    }
    if (expected) Resources().require_no_more_than(before);
    require_no_temporaries();
    if (ended) return Outcome::ended;
    if (expected) require_same(results, *expected, warned, told);
    if (!injected().happened) return Outcome::absent;
    return told ? Outcome::told : Outcome::coped;
}

class Test {
  public:
    Test(const Plan& plan, const Options& options) : plan_(plan), options_(options) {
        play(plan_.method, options_, expected_, nullptr);  // creates objects that are kept
        play(plan_.method, options_, expected_, nullptr);
    }

    // Returns the number of faults.
    int fail_once_each(int frames) {
        std::vector<Call> calls;
        long all = 0;
        {
            const Survey survey;
            play(plan_.method, options_, results_, &expected_);
            calls = survey.first_calls(frames);
            all = survey.calls();
            for (const char* name : plan_.on_device)
                require(options_.backend != LEGATO_BACKEND_CUDA || survey.saw(name), name, "was not called");
        }
        require(!calls.empty(), "survey", "nothing was called that may fail");
        for (const Call& call : calls) fail(call);
        std::printf("%ld calls from %zu places, %d faults\n", all, calls.size(), faults_);
        constexpr std::array names{"memory", "file", "thread", "LAPACK", "NLopt", "CUDA", "callback"};
        for (std::size_t kind = 0; kind < failure_kinds; ++kind) {
            const auto& [told, coped, ended, absent] = outcomes_[kind];
            if (told + coped + ended + absent > 0)
                std::printf("%8s: %d told, %d made good, %d ended the run, %d did not happen\n", names[kind], told,
                            coped, ended, absent);
        }
        return faults_;
    }

  private:
    void fail(const Call& call) {
        inject(call);
        try {
            const Outcome outcome = play(plan_.method, options_, results_, &expected_);
            require(outcome != Outcome::absent || options_.threads > 1, "call", "it was not made again");
            ++outcomes_[static_cast<std::size_t>(call.kind)][static_cast<std::size_t>(outcome)];
        } catch (const Fault& fault) {
            ++faults_;
            std::fflush(stdout);
            std::fprintf(stderr, "failure of %s (kind %d, call %ld): %s\n", injected().what,
                         static_cast<int>(call.kind), call.number, fault.message.c_str());
            print_injected();
        }
    }

    Plan plan_;
    Options options_;
    Results expected_, results_;
    std::array<std::array<int, 4>, failure_kinds> outcomes_{};
    int faults_ = 0;
};

bool has_device() {
    legato_context* context = nullptr;
    int32_t count = 0;
    legato_context_create(nullptr, &context);
    legato_context_device_count(context, &count);
    legato_context_destroy(context);
    return count > 0;
}

// A new folder for the files, which is removed at the end.
class Folder {
  public:
    Folder() {
        std::string name = std::filesystem::temp_directory_path() / "legato-failures-XXXXXX";
        path_ = mkdtemp(name.data());
        std::filesystem::current_path(path_);
    }
    ~Folder() {
        std::filesystem::current_path("/");
        std::filesystem::remove_all(path_);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

  private:
    std::filesystem::path path_;
};

}  // namespace
}  // namespace legato::tests

int main(int argc, char** argv) {
    using namespace legato::tests;
    const auto plan = argc > 1 ? plans.find(argv[1]) : plans.end();
    if (plan == plans.end()) {
        std::fprintf(stderr, "usage: failures METHOD [cpu|cuda] [FRAMES] [THREADS]\n");
        return EXIT_FAILURE;
    }
    Options options;
    if (argc > 2 && std::strcmp(argv[2], "cuda") == 0) {
        options.backend = LEGATO_BACKEND_CUDA;
        if (!has_device()) return 77;
    }
    if (argc > 4) options.threads = std::atoi(argv[4]);
    for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE}) std::signal(signal, say_where);
    const Folder folder;
    try {
        const auto test = std::make_unique<Test>(plan->second, options);
        return test->fail_once_each(argc > 3 ? std::atoi(argv[3]) : 48) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const Fault& fault) {
        std::fprintf(stderr, "%s\n", fault.message.c_str());
        return EXIT_FAILURE;
    }
}
