// guest SITUATION: plays the scenarios of all methods (../failures) in a host program that has changed its process as
// programs do. Numbers and saved files must be those of an unchanged process. Nothing may end the process or wait for
// more than `patience`.
#include <fcntl.h>
#include <fenv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <locale>
#include <map>
#include <thread>

#include "../failures/scenario.hpp"

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace legato::tests {
namespace {

constexpr unsigned patience = 60;  // seconds for a scenario on a busy machine; it takes less than one

struct NamedMethod {
    const char* name;
    Method play;
};
constexpr NamedMethod methods[] = {
    {"context", use_context}, {"tmm", use_tmm}, {"dfr", use_dfr},    {"dfr_optimisation", use_dfr_optimisation},
    {"kpm", use_kpm},         {"vmc", use_vmc}, {"ising", use_ising}};

// A new folder for each process and thread, as all scenarios use the same file names.
class Folder {
  public:
    Folder() {
        unshare(CLONE_FS);  // for this thread only; if not permitted, it is the only thread
        std::string name = std::filesystem::temp_directory_path() / "legato-guest-XXXXXX";
        path_ = mkdtemp(name.data());
        if (chdir(path_.c_str()) != 0) std::abort();
    }
    ~Folder() {
        if (chdir("/") == 0) std::filesystem::remove_all(path_);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

  private:
    std::string path_;
};

using OwnedResults = std::unique_ptr<Results>;

OwnedResults play(const NamedMethod& method, int32_t threads = 2, int32_t backend = LEGATO_BACKEND_CPU) {
    const Folder folder;
    auto results = std::make_unique<Results>();
    Scenario scenario({backend, threads}, *results);
    method.play(scenario);
    return results;
}

void require_same(const Results& found, const Results& expected) {
    require(found.count == expected.count, "numbers", "not as many");
    for (std::size_t i = 0; i < found.count; ++i)
        require(std::memcmp(&found.values[i], &expected.values[i], sizeof(double)) == 0, "numbers",
                "number " + std::to_string(i) + " is " + std::to_string(found.values[i]) + ", not " +
                    std::to_string(expected.values[i]));
    for (std::size_t i = 0; i < expected.files; ++i)
        require(found.file_hashes[i] == expected.file_hashes[i], "files", "saved file " + std::to_string(i));
    for (std::size_t i = 0; i < expected.refusals; ++i)
        require(found.message_hashes[i] == expected.message_hashes[i], "message", "message " + std::to_string(i));
}

void play_alike(const NamedMethod& method, const Results& expected, int32_t threads = 2) {
    require_same(*play(method, threads), expected);
}

// Exit status of a child that has succeeded. Errors and crashes give other statuses.
constexpr int well = 7;

template <class Work>
[[noreturn]] void end_child(Work&& work) {
    alarm(patience);
    try {
        work();
    } catch (const Fault& fault) {
        std::fprintf(stderr, "in a child: %s\n", fault.message.c_str());
        _exit(1);
    }
    _exit(well);
}

void wait_for(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    require(!WIFSIGNALED(status), "child", "ended by signal " + std::to_string(WTERMSIG(status)));
    require(WEXITSTATUS(status) == well, "child", "failed");
}

template <class Work>
pid_t fork_child(Work&& work) {
    const pid_t child = fork();
    require(child >= 0, "fork", "not possible");
    if (child == 0) end_child(work);
    return child;
}

template <class Work>
void in_a_child(Work&& work) {
    wait_for(fork_child(work));
}

// ---- fork: the parent has played the scenario, with two threads, before any of these begins

void fork_then_play(const NamedMethod& method, const Results& expected) {
    in_a_child([&] { play_alike(method, expected); });
    play_alike(method, expected);
}

// This process never plays a scenario. One child leaves its results in shared memory, and another one compares.
void fork_before_all(const NamedMethod& method, const Results&) {
    void* const memory = mmap(nullptr, sizeof(Results), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    require(memory != MAP_FAILED, "mmap", "not possible");
    const auto* const shared = static_cast<const Results*>(memory);
    in_a_child([&] { new (memory) Results(*play(method)); });
    in_a_child([&] { play_alike(method, *shared); });
    munmap(memory, sizeof(Results));
}

void fork_a_grandchild(const NamedMethod& method, const Results& expected) {
    in_a_child([&] {
        play_alike(method, expected);
        in_a_child([&] { play_alike(method, expected); });
        play_alike(method, expected);
    });
}

void fork_many(const NamedMethod& method, const Results& expected) {
    std::vector<pid_t> children(4);
    for (pid_t& child : children) child = fork_child([&] { play_alike(method, expected); });
    play_alike(method, expected);
    for (const pid_t child : children) wait_for(child);
}

void fork_while_others_play(const NamedMethod& method, const Results& expected) {
    std::atomic<bool> stop = false, wrong = false;
    std::thread other([&] {
        while (!stop) try {
                play_alike(method, expected);
            } catch (const Fault&) {
                wrong = true;
                return;
            }
    });
    std::string message;
    for (int i = 0; i < 5 && message.empty(); ++i) try {
            in_a_child([&] { play_alike(method, expected); });
        } catch (const Fault& fault) {
            message = fault.message;
        }
    stop = true;
    other.join();
    require(message.empty() && !wrong, "fork", message + (wrong ? " the parent played otherwise" : ""));
}

void fork_in_another_thread(const NamedMethod& method, const Results& expected) {
    std::string message;
    std::thread([&] {
        try {
            fork_then_play(method, expected);
        } catch (const Fault& fault) {
            message = fault.message;
        }
    }).join();
    require(message.empty(), "thread", message);
}

void fork_in_callbacks(const NamedMethod& method, const Results& expected) {
    int calls = 0;
    Scenario::in_progress = [&] {
        if (++calls > 2) return;
        in_a_child([&] {
            calls = 2;  // no further children
            play_alike(method, expected);
        });
    };
    play_alike(method, expected);
    Scenario::in_progress = nullptr;
}

struct Over {};

// The child continues with the objects that its parent has created.
void fork_within_the_scenario(const NamedMethod& method, const Results& expected) {
    int steps = 0;
    Scenario::before_step = [&] { ++steps; };
    play_alike(method, expected);
    for (int at = 0; at < steps; at += 1 + steps / 20) {
        int step = 0;
        bool is_child = false;
        Scenario::before_step = [&] {
            if (step++ != at) return;
            const pid_t child = fork();
            require(child >= 0, "fork", "not possible");
            if (child > 0) {
                wait_for(child);
                throw Over{};
            }
            is_child = true;
            alarm(patience);
        };
        std::string message;
        try {
            play_alike(method, expected);
        } catch (const Over&) {
        } catch (const Fault& fault) {
            message = "a child at step " + std::to_string(at) + ": " + fault.message;
        }
        if (is_child) end_child([&] { require(message.empty(), "continued", message); });
        require(message.empty(), "parent", message);
    }
    Scenario::before_step = nullptr;
}

// ---- floating point

#ifdef __x86_64__
void flush_to_zero() {
    _mm_setcsr(_mm_getcsr() | 0x8040);
}
// Returns traps, rounding and flushing modes, without flags. The fegetexcept and fegetround of glibc report those of
// the x87 only.
unsigned control() {
    return _mm_getcsr() & 0xffc0;
}
#else
void flush_to_zero() {}
unsigned control() {
    return static_cast<unsigned>(fegetexcept()) << 16 | static_cast<unsigned>(fegetround());
}
#endif

void trap() {
    feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
}
void round_upward() {
    fesetround(FE_UPWARD);
}

// The environment is that of the host also after the call, and in callbacks.
template <void (*change)()>
void with_arithmetic(const NamedMethod& method, const Results& expected) {
    fenv_t before;
    fegetenv(&before);
    change();
    const unsigned of_host = control();
    bool kept = true;
    std::string message;
    const auto look = [&] { kept = kept && control() == of_host; };
    Scenario::in_progress = look;
    Scenario::before_step = look;
    OwnedResults results;
    try {
        results = play(method);
        look();
    } catch (const Fault& fault) {
        message = fault.message;
    }
    Scenario::in_progress = Scenario::before_step = nullptr;
    fesetenv(&before);
    require(message.empty(), "scenario", message);
    require(kept, "environment", "is not the host's");
    require_same(*results, expected);
}

// ---- callbacks that do not return

// The first three callbacks of each run leave. The run is continued from deeper in the stack (call_and_come_back).
void leave_by_longjmp(const NamedMethod& method, const Results& expected) {
    int left = 0;
    Scenario::before_step = [&] { left = 0; };
    Scenario::in_progress = [&] {
        if (++left <= 3) Scenario::leave_by_longjmp();
    };
    std::string message;
    try {
        play_alike(method, expected);
    } catch (const Fault& fault) {
        message = fault.message;
    }
    Scenario::in_progress = Scenario::before_step = nullptr;
    require(message.empty(), "scenario", message);
}

// ---- locale

struct Grouping : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

void with_locale(const NamedMethod& method, const Results& expected) {
    const std::locale before = std::locale::global(std::locale(std::locale(), new Grouping));
    std::string message;
    try {
        play_alike(method, expected);
    } catch (const Fault& fault) {
        message = fault.message;
    }
    std::locale::global(before);
    require(message.empty(), "scenario", message);
}

// environment.sh sets this locale.
void with_locale_of_the_environment(const NamedMethod& method, const Results& expected) {
    require(setlocale(LC_ALL, "") != nullptr, "setlocale", "the locale is not there");
    require(std::strcmp(localeconv()->decimal_point, ",") == 0, "setlocale", "no decimal comma");
    play_alike(method, expected);
    const std::locale own("");
    const std::locale before = std::locale::global(own);
    play_alike(method, expected);
    std::locale::global(before);
    setlocale(LC_ALL, "C");
}

// ---- limits

// Some threads can be created, but not the 64 requested.
void with_little_address_space(const NamedMethod& method, const Results& expected) {
    in_a_child([&] {
        long pages = 0;
        std::FILE* const file = std::fopen("/proc/self/statm", "r");
        require(file && std::fscanf(file, "%ld", &pages) == 1, "statm", "cannot be read");
        std::fclose(file);
        const auto now = static_cast<rlim_t>(pages) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
        const rlimit limit{now + (rlim_t{100} << 20), RLIM_INFINITY};
        require(setrlimit(RLIMIT_AS, &limit) == 0, "setrlimit", "not possible");
        try {
            play_alike(method, expected, 64);
        } catch (const Fault& fault) {  // the threads may have left too little memory for the rest
            require(fault.message.find("memory") != std::string::npos, "scenario", fault.message);
        }
    });
}

// The limit is one process per user, so no thread can be created.
void without_threads(const NamedMethod& method, const Results& expected) {
    in_a_child([&] {
        const rlimit limit{1, 1};
        require(setrlimit(RLIMIT_NPROC, &limit) == 0, "setrlimit", "not possible");
        if (getuid() == 0) require(setuid(65534) == 0, "setuid", "not possible");
        bool refused = false;
        try {
            std::thread([] {}).join();
        } catch (const std::system_error&) {
            refused = true;
        }
        require(refused, "limit", "a thread is to be had all the same");
        try {
            play_alike(method, expected, 8);
        } catch (const Fault& fault) {  // NLopt needs a thread of its own
            require(fault.message.find("cannot start a thread for a minimisation") != std::string::npos, "scenario",
                    fault.message);
        }
    });
}

template <int resource>
void with_small_files(const NamedMethod&, const Results&) {
    in_a_child([&] {
        const Folder folder;
        legato_context* context = nullptr;
        legato_ising* ising = nullptr;
        legato_ising_params params;
        const double beta = 0.4;
        const int64_t seed = 1;
        legato_context_create(nullptr, &context);
        legato_ising_params_init(&params);
        params.extents[0] = params.extents[1] = 64;
        require(legato_ising_create(context, &params, 1, &beta, 1, &seed, &ising) == LEGATO_STATUS_SUCCESS, "create",
                "failed");
        require(legato_ising_save(ising, "state") == LEGATO_STATUS_SUCCESS, "save", "failed");
        struct stat before {
        }, after{};
        stat("state", &before);
        rlimit limit{1000, RLIM_INFINITY};
        setrlimit(resource, &limit);
        require(legato_ising_save(ising, "state") == LEGATO_STATUS_IO_ERROR, "save", "no error");
        require(std::strstr(legato_context_message(context), "File too large") != nullptr, "message",
                legato_context_message(context));
        limit.rlim_cur = RLIM_INFINITY;
        setrlimit(resource, &limit);
        sigset_t pending;
        sigpending(&pending);
        require(sigismember(&pending, SIGXFSZ) == 0, "signal", "is pending");
        stat("state", &after);
        require(before.st_ino == after.st_ino && before.st_size == after.st_size, "file", "is not as before");
        require(legato_ising_save(ising, "state") == LEGATO_STATUS_SUCCESS, "save", "failed after an error");
        legato_ising_destroy(ising);
        legato_context_destroy(context);
    });
}

// The stack has 256 KiB, which docs/building.md requires.
void with_a_small_stack(const NamedMethod& method, const Results& expected) {
    struct Call {
        const NamedMethod& method;
        const Results& expected;
        std::string message;
    } call{method, expected, {}};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 256 << 10);
    pthread_t thread;
    const auto work = [](void* argument) -> void* {
        Call& c = *static_cast<Call*>(argument);
        try {
            play_alike(c.method, c.expected);
        } catch (const Fault& fault) {
            c.message = fault.message;
        }
        return nullptr;
    };
    require(pthread_create(&thread, &attributes, work, &call) == 0, "thread", "not possible");
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
    require(call.message.empty(), "scenario", call.message);
}

// environment.sh sets the environment.
void by_default(const NamedMethod& method, const Results& expected) {
    play_alike(method, expected, 0);
}

void in_many_threads(const NamedMethod& method, const Results& expected) {
    std::vector<std::thread> hosts;
    std::vector<std::string> message(8);
    for (std::string& own : message)
        hosts.emplace_back([&] {
            try {
                play_alike(method, expected);
            } catch (const Fault& fault) {
                own = fault.message;
            }
        });
    for (std::thread& host : hosts) host.join();
    for (const std::string& own : message) require(own.empty(), "thread", own);
}

// ---- fork after work on a device: CUDA does not work in the child

legato_context* context_of_a_device(int32_t backend) {
    legato_context_params params;
    legato_context_params_init(&params);
    params.backend = backend;
    params.log_level = LEGATO_LOG_LEVEL_SILENT;
    legato_context* context = nullptr;
    require(legato_context_create(&params, &context) == LEGATO_STATUS_SUCCESS, "context", "not made");
    return context;
}

bool has_a_device() {
    legato_context* const context = context_of_a_device(LEGATO_BACKEND_CPU);
    int32_t count = 0;
    legato_context_device_count(context, &count);
    legato_context_destroy(context);
    return count > 0;
}

void require_refused(legato_context* context, int32_t status) {
    const std::string message = legato_context_message(context);
    require(status == LEGATO_STATUS_NO_DEVICE || status == LEGATO_STATUS_DEVICE_ERROR, "status",
            std::to_string(status) + ": " + message);
    require(!message.empty(), "message", "empty");
}

legato_ising* an_ising(legato_context* context, int32_t& status) {
    const double beta = 0.4;
    const int64_t seed = 1;
    legato_ising_params params;
    legato_ising_params_init(&params);
    legato_ising* ising = nullptr;
    status = legato_ising_create(context, &params, 1, &beta, 1, &seed, &ising);
    return ising;
}

void fork_with_a_device(const NamedMethod& method, const Results& expected) {
    play(method, 2, LEGATO_BACKEND_CUDA);
    legato_context* const inherited = context_of_a_device(LEGATO_BACKEND_CUDA);
    int32_t status = LEGATO_STATUS_SUCCESS;
    legato_ising* const ising = an_ising(inherited, status);
    require(status == LEGATO_STATUS_SUCCESS && legato_ising_advance(ising, 1, nullptr) == LEGATO_STATUS_SUCCESS,
            "ising", "not begun");
    in_a_child([&] { play_alike(method, expected); });
    in_a_child([&] {
        require_refused(inherited, legato_ising_advance(ising, 1, nullptr));
        legato_ising_destroy(ising);
        legato_context* const own = context_of_a_device(LEGATO_BACKEND_CUDA);
        int32_t refusal = LEGATO_STATUS_SUCCESS;
        an_ising(own, refusal);
        require_refused(own, refusal);
    });
    require(legato_ising_run(ising, nullptr, nullptr) == LEGATO_STATUS_SUCCESS, "ising",
            "not carried on by the parent");
    legato_ising_destroy(ising);
    legato_context_destroy(inherited);
}

using Situation = void (*)(const NamedMethod&, const Results&);
const std::map<std::string, Situation> situations{
    {"fork_then_play", fork_then_play},
    {"fork_before_all", fork_before_all},
    {"fork_a_grandchild", fork_a_grandchild},
    {"fork_many", fork_many},
    {"fork_while_others_play", fork_while_others_play},
    {"fork_in_another_thread", fork_in_another_thread},
    {"fork_in_callbacks", fork_in_callbacks},
    {"fork_within_the_scenario", fork_within_the_scenario},
    {"fork_with_a_device", fork_with_a_device},
    {"traps", with_arithmetic<trap>},
    {"rounding_upward", with_arithmetic<round_upward>},
    {"flushing_to_zero", with_arithmetic<flush_to_zero>},
    {"longjmp", leave_by_longjmp},
    {"locale", with_locale},
    {"locale_of_the_environment", with_locale_of_the_environment},
    {"little_address_space", with_little_address_space},
    {"no_threads", without_threads},
    {"small_files", with_small_files<RLIMIT_FSIZE>},
    {"small_stack", with_a_small_stack},
    {"by_default", by_default},
    {"many_threads", in_many_threads},
};

int play_all(const std::string& name, Situation situation) {
    int faults = 0;
    for (const NamedMethod& method : methods) {
        try {
            const OwnedResults expected = name == "fork_before_all" ? std::make_unique<Results>() : play(method);
            situation(method, *expected);
        } catch (const Fault& fault) {
            ++faults;
            std::fprintf(stderr, "%s, %s: %s\n", name.c_str(), method.name, fault.message.c_str());
        }
    }
    return faults;
}

}  // namespace
}  // namespace legato::tests

int main(int argc, char** argv) {
    using namespace legato::tests;
    const auto found = argc == 2 ? situations.find(argv[1]) : situations.end();
    if (found == situations.end()) {
        std::fprintf(stderr, "usage: guest SITUATION\n");
        return 2;
    }
    if (found->first == "fork_with_a_device" && !has_a_device()) return 77;
    return play_all(found->first, found->second) == 0 ? 0 : 1;
}
