// Tests which backend AUTO chooses, for costs and drivers of the test's own, and the file of measured costs.
#define BOOST_TEST_MODULE trial
#include "core/trial.hpp"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

using namespace legato;
namespace fs = std::filesystem;

namespace {

// A folder of this process, in which costs are kept.
struct Folder {
    Folder() {
        fs::create_directories(path);
        setenv("LEGATO_CACHE", path.c_str(), 1);
    }
    ~Folder() { fs::remove_all(path); }

    const fs::path path = fs::temp_directory_path() / ("legato_trial_" + std::to_string(getpid()));
} folder;

std::string contents(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

// Returns true if work() returns true within ten seconds, in a process of its own that knows no costs yet.
template <class Work>
bool holds_in_a_child(const Work& work) {
    const pid_t child = fork();
    if (child == 0) {
        alarm(10);
        _exit(work() ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::string sound(int) {
    return {};
}
std::string broken(int) {
    return "no usable CUDA device: broken";
}
bool yes() {
    return true;
}
bool no() {
    return false;
}
bool is(int) {
    return true;
}
bool is_not(int) {
    return false;
}
constexpr Driver fresh{yes, is_not, sound}, running{yes, is, sound}, absent{no, is_not, broken},
    defect{yes, is_not, broken};

struct Choice {
    BackendChoice choice;
    double waited;
    int measured_cpu, measured_cuda;
};

// Makes a choice for a job with the given costs of a unit. Its shape has no known costs, unless it is given.
Choice choose(double cpu, double cuda, const Driver& driver, double waited = 0, std::string shape = {}) {
    static int number = 0;
    if (shape.empty()) shape = text("shape ", ++number);
    Choice made{{}, waited, 0, 0};
    const auto cost = [&](Backend backend) { return backend == Backend::cpu ? cpu : cuda; };
    const Trial trial{"test", shape, 100, [&](Backend backend) { return cost(backend) < never; },
                      [&](Backend backend) {
                          ++(backend == Backend::cpu ? made.measured_cpu : made.measured_cuda);
                          return Cost{0.001, cost(backend)};
                      }};
    made.choice = choose_by_trial({}, 1, trial, {}, made.waited, driver);
    return made;
}

}  // namespace

// This test comes first, as the file is read once. The file contains lines of other programs, complete and incomplete.
BOOST_AUTO_TEST_CASE(reads_what_is_whole) {
    BOOST_TEST_REQUIRE(cost_file() == folder.path / "costs-1.txt");
    std::ofstream(cost_file())
        << "twice\t1\t2\t\ntwice\t3\t4\t\nno numbers\nnegative\t-1\t2\t\nnone\t1\tnan\t\none\t1\t\n\n"
           "more\t1\t2 3\t\nexponents\t1e-3\t2.5e-10\t\nlower\t3\t4\t\nlower\t2\t4\tleast\n"
           "lower\t5\t4\tleast\nlower\t1\t4\t\nwords\ta\tb\t\ncut off\t1\t2";
    BOOST_TEST_REQUIRE(known_cost("twice").has_value());
    BOOST_TEST(known_cost("twice")->fixed == 1);
    BOOST_TEST(known_cost("twice")->each == 2);
    BOOST_TEST_REQUIRE(known_cost("exponents").has_value());
    BOOST_TEST(known_cost("exponents")->each == 2.5e-10);
    BOOST_TEST_REQUIRE(known_cost("lower").has_value());
    BOOST_TEST(known_cost("lower")->fixed == 2);
    for (const char* key : {"no numbers", "negative", "none", "one", "", "more", "words", "cut off", "never"})
        BOOST_TEST(!known_cost(key).has_value(), key);
}

BOOST_AUTO_TEST_CASE(keeps_for_others) {
    keep_cost("mine", {0.1, 1.0 / 3});
    keep_cost("mine", {7, 7});
    BOOST_TEST(known_cost("mine")->each == 1.0 / 3);
    const std::string all = contents(cost_file());
    BOOST_TEST(all.find("\nmine\t0.1\t") == all.rfind("mine") - 1);
}

// 0.34 is too close to the known 0.35 to be written.
BOOST_AUTO_TEST_CASE(keeps_the_least) {
    for (const double fixed : {0.5, 0.6, 0.35, 0.34}) lower_fixed_cost("start", {fixed, 0});
    BOOST_TEST(known_cost("start")->fixed == 0.35);
    const std::string all = contents(cost_file());
    BOOST_TEST(all.find("\nstart\t0.5\t0\tleast\n\nstart\t0.35\t0\tleast\n") != std::string::npos);
    BOOST_TEST(all.find("start\t0.34") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(does_without_a_file) {
    const fs::path other = folder.path / "other";
    const auto works = [&](const char* key) {
        return holds_in_a_child([&] {
            setenv("LEGATO_CACHE", other.c_str(), 1);
            keep_cost(key, {1, 2});
            return known_cost(key) && known_cost(key)->each == 2;
        });
    };
    BOOST_TEST(works("first"));  // the folder is created
    BOOST_TEST(contents(other / "costs-1.txt") == "\nfirst\t1\t2\t\n");
    std::ofstream(other / "costs-1.txt") << std::string(1 << 20, '\n');
    BOOST_TEST(works("full"));  // the full file is replaced
    BOOST_TEST(contents(other / "costs-1.txt") == "\nfull\t1\t2\t\n");
    fs::remove(other / "costs-1.txt");
    BOOST_TEST_REQUIRE(mkfifo((other / "costs-1.txt").c_str(), 0600) == 0);
    BOOST_TEST(works("second"));
    fs::remove(other / "costs-1.txt");
    std::ofstream(folder.path / "another's") << "kept";
    fs::create_symlink(folder.path / "another's", other / "costs-1.txt");
    BOOST_TEST(works("third"));
    BOOST_TEST(contents(folder.path / "another's") == "kept");
    fs::remove_all(other);
    std::ofstream(other) << "no folder";
    BOOST_TEST(works("fourth"));
    BOOST_TEST(holds_in_a_child([] {
        setenv("LEGATO_CACHE", "none", 1);
        return cost_file().empty() && (keep_cost("fifth", {1, 2}), known_cost("fifth").has_value());
    }));
    BOOST_TEST(holds_in_a_child([] {
        unsetenv("LEGATO_CACHE");
        setenv("XDG_CACHE_HOME", "/somewhere", 1);
        return cost_file() == "/somewhere/legato/costs-1.txt";
    }));
    BOOST_TEST(holds_in_a_child([] {
        unsetenv("LEGATO_CACHE");
        unsetenv("XDG_CACHE_HOME");
        setenv("HOME", "/home/somebody", 1);
        return cost_file() == "/home/somebody/.cache/legato/costs-1.txt";
    }));
}

BOOST_AUTO_TEST_CASE(the_machine_has_a_name) {
    BOOST_TEST(!machine_name().empty());
    BOOST_TEST(machine_name().find_first_of(" \t\n") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(no_trial_without_a_driver) {
    const Choice made = choose(1, 1e-6, absent);
    BOOST_TEST((made.choice.backend == Backend::cpu));
    BOOST_TEST(made.choice.reason == "no usable CUDA device: broken");
    BOOST_TEST(made.measured_cpu + made.measured_cuda == 0);
}

// 100 units of 1 ms take less than the start of a device. That start counts as 0.3 s until one has been measured.
BOOST_AUTO_TEST_CASE(a_short_job_starts_no_device) {
    const Choice made = choose(1e-3, 1e-9, fresh);
    BOOST_TEST((made.choice.backend == Backend::cpu));
    BOOST_TEST(made.measured_cuda == 0);
    BOOST_TEST(made.waited == 0.101, boost::test_tools::tolerance(1e-12));
    BOOST_TEST(made.choice.reason.find("less than a GPU takes to start") != std::string::npos);
    BOOST_TEST((choose(1e-3, 1e-9, running).choice.backend == Backend::cuda));
    // Many short jobs count as a long one.
    BOOST_TEST((choose(1e-3, 1e-9, fresh, 0.25).choice.backend == Backend::cuda));
}

// A resumed run continues on its backend, if that backend can do the job.
BOOST_AUTO_TEST_CASE(a_resumed_run_keeps_its_backend) {
    const auto resumed = [](Backend saved, const Driver& driver, bool device_can = true) {
        double waited = 0;
        const Trial trial{.job = "test",
                          .shape = "resumed",
                          .units = 1000,
                          .can =
                              [&](Backend backend) {
                                  // The real ones ask the device, which throws if it cannot be used.
                                  if (backend == Backend::cuda && !driver.why_unusable(0).empty())
                                      fail(Status::no_device, "the device was asked");
                                  return backend == Backend::cpu || device_can;
                              },
                          .measure =
                              [&](Backend backend) {
                                  return Cost{0, backend == saved ? 1e-3 : 1e-6};
                              }};
        const BackendChoice choice = choose_by_trial({}, 1, trial, saved, waited, driver);
        BOOST_TEST((choice.reason.find("the saved run used it") != std::string::npos) == (choice.backend == saved));
        return choice.backend;
    };
    for (const Driver& driver : {fresh, running}) {
        BOOST_TEST((resumed(Backend::cuda, driver) == Backend::cuda));
        BOOST_TEST((resumed(Backend::cpu, driver) == Backend::cpu));
        BOOST_TEST((resumed(Backend::cuda, driver, false) == Backend::cpu));
    }
    for (const Driver& driver : {absent, defect}) BOOST_TEST((resumed(Backend::cuda, driver) == Backend::cpu));
}

// The time of a job whose length is a guess does not count.
BOOST_AUTO_TEST_CASE(a_guess_is_not_waited_for) {
    double waited = 1;
    const Trial guess{.job = "test",
                      .shape = "guess",
                      .units = 100,
                      .can = [](Backend) { return true; },
                      .measure =
                          [](Backend) {
                              return Cost{0, 1e-3};
                          },
                      .counts = false};
    BOOST_TEST((choose_by_trial({}, 1, guess, {}, waited, fresh).backend == Backend::cpu));
    BOOST_TEST(waited == 1);
}

BOOST_AUTO_TEST_CASE(the_faster_one) {
    BOOST_TEST((choose(1, 0.9, fresh).choice.backend == Backend::cuda));
    BOOST_TEST((choose(0.9, 1, fresh).choice.backend == Backend::cpu));
    BOOST_TEST((choose(1, 0.999, fresh).choice.backend == Backend::cpu));  // slower with its start
    BOOST_TEST((choose(1, 0.999, running).choice.backend == Backend::cuda));
    BOOST_TEST((choose(never, 1, fresh).choice.backend == Backend::cuda));
    BOOST_TEST((choose(1, never, fresh).choice.backend == Backend::cpu));
}

BOOST_AUTO_TEST_CASE(measured_once_a_shape) {
    const Choice first = choose(1, 0.5, running, 0, "the same"), second = choose(0.5, 1, running, 0, "the same");
    BOOST_TEST(first.measured_cpu == 1);
    BOOST_TEST(first.measured_cuda == 1);
    BOOST_TEST(second.measured_cpu + second.measured_cuda == 0);
    BOOST_TEST((second.choice.backend == Backend::cuda));
    BOOST_TEST((choose(1, never, running, 0, "the same").choice.backend == Backend::cpu));  // too little memory now
    BOOST_TEST((choose(1, never, running, 0, "too large").choice.backend == Backend::cpu));
    BOOST_TEST((choose(1, 0.5, running, 0, "too large").choice.backend == Backend::cuda));  // it fits now
}

// If the costs of a device are known, it need not be started.
BOOST_AUTO_TEST_CASE(a_slower_device_is_not_started) {
    static int starts = 0;
    constexpr Driver counting{yes, is_not, [](int) { return ++starts, std::string(); }};
    BOOST_TEST((choose(1, 2, counting, 0, "known").choice.backend == Backend::cpu));
    BOOST_TEST(starts == 1);
    const Choice again = choose(1, 2, counting, 0, "known");
    BOOST_TEST((again.choice.backend == Backend::cpu));
    BOOST_TEST(starts == 1);
    BOOST_TEST(again.waited == 100.001, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_device_that_fails_is_left_alone) {
    const Choice made = choose(1, 1e-9, defect);
    BOOST_TEST((made.choice.backend == Backend::cpu));
    BOOST_TEST(made.choice.reason == "no usable CUDA device: broken");
    double waited = 0;
    bool cpu_can = true;
    const Trial trial{"test", "fails", 100, [&](Backend backend) { return backend == Backend::cuda || cpu_can; },
                      [](Backend backend) {
                          if (backend == Backend::cuda) fail(Status::device_error, "CUDA: broken");
                          return Cost{0, 1};
                      }};
    const BackendChoice choice = choose_by_trial({}, 1, trial, {}, waited, running);
    BOOST_TEST((choice.backend == Backend::cpu));
    BOOST_TEST(choice.reason == "the trial on the GPU has failed: CUDA: broken");
    cpu_can = false;
    BOOST_CHECK_THROW(choose_by_trial({}, 1, trial, {}, waited, running), Error);
}

BOOST_AUTO_TEST_CASE(units_until_it_takes_milliseconds) {
    std::int64_t done = 0;
    const double seconds = seconds_per_unit([&](std::int64_t units) {
        const RunClock clock;
        while (clock.seconds() < 1e-4 * static_cast<double>(units)) continue;
        done += units;
    });
    BOOST_TEST(seconds >= 1e-4);
    BOOST_TEST(done > 2);
}
