// The settings that depend on the launcher's variables: devices, threads, and the warning of ranks that do not know of
// each other.
#define BOOST_TEST_MODULE launcher
#include "core/launcher.hpp"

#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "core/context.hpp"
#include "core/device.hpp"
#include "core/parallel.hpp"
#include "core/trial.hpp"
#include "vmc/solver.hpp"

using namespace legato;

namespace {

// Sets environment variables while it lives.
class Environment {
  public:
    using Variables = std::map<std::string, std::string>;

    explicit Environment(Variables variables) : variables_(std::move(variables)) {
        for (const auto& [name, value] : variables_) setenv(name.c_str(), value.c_str(), 1);
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;
    ~Environment() {
        for (const auto& [name, value] : variables_) unsetenv(name.c_str());
    }

  private:
    Variables variables_;
};

Environment::Variables open_mpi(int rank, int size) {
    return {{"OMPI_COMM_WORLD_RANK", std::to_string(rank)},
            {"OMPI_COMM_WORLD_SIZE", std::to_string(size)},
            {"OMPI_COMM_WORLD_LOCAL_RANK", std::to_string(rank)},
            {"OMPI_COMM_WORLD_LOCAL_SIZE", std::to_string(size)}};
}

std::vector<int> devices_for(const std::string& value) {
    const Environment environment(Environment::Variables{{"LEGATO_DEVICE", value}});
    return Context(options_from_environment()).devices();
}

std::string refusal_of(const std::string& value) {
    try {
        devices_for(value);
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_launcher_is_known) {
    BOOST_TEST(launch().launcher == "");
    BOOST_TEST(launch().size == 1);
    {
        const Environment environment(open_mpi(2, 3));
        const Launch found = launch();
        BOOST_TEST(found.launcher == "Open MPI");
        BOOST_TEST(found.rank == 2);
        BOOST_TEST(found.size == 3);
        BOOST_TEST(found.local_rank == 2);
        BOOST_TEST(found.local_size == 3);
    }
    {
        const Environment environment(
            {{"PMI_RANK", "1"}, {"PMI_SIZE", "4"}, {"MPI_LOCALRANKID", "1"}, {"MPI_LOCALNRANKS", "2"}});
        BOOST_TEST(launch().launcher == "MPICH");
        BOOST_TEST(launch().local_size == 2);
    }
    {
        const Environment environment({{"SLURM_PROCID", "5"},
                                       {"SLURM_STEP_NUM_TASKS", "8"},
                                       {"SLURM_LOCALID", "1"},
                                       {"SLURM_STEP_TASKS_PER_NODE", "4(x2)"}});
        BOOST_TEST(launch().launcher == "Slurm");
        BOOST_TEST(launch().local_rank == 1);
        BOOST_TEST(launch().local_size == 4);
    }
    {
        const Environment environment({{"PMI_RANK", "5"},
                                       {"PMI_SIZE", "8"},
                                       {"SLURM_PROCID", "5"},
                                       {"SLURM_STEP_NUM_TASKS", "8"},
                                       {"SLURM_LOCALID", "1"}});
        BOOST_TEST(launch().rank == 5);
        BOOST_TEST(launch().local_rank == 1);  // of srun --mpi=pmi2
    }
}

// The list has the tasks of each node of a step.
BOOST_AUTO_TEST_CASE(tasks_of_a_node_are_read_from_the_list_of_slurm) {
    const auto tasks = [](const std::string& list, int node) {
        const Environment environment({{"SLURM_PROCID", "5"},
                                       {"SLURM_STEP_NUM_TASKS", "12"},
                                       {"SLURM_LOCALID", "1"},
                                       {"SLURM_NODEID", std::to_string(node)},
                                       {"SLURM_STEP_TASKS_PER_NODE", list}});
        return launch().local_size;
    };
    const std::vector<int> expected{4, 4, 3, 1, 1, 2};
    for (std::size_t node = 0; node < expected.size(); ++node)
        BOOST_TEST(tasks("4(x2),3,1(x2),2", static_cast<int>(node)) == expected[node]);
    BOOST_TEST(tasks("12", 0) == 12);
    for (const std::string unknown : {"", "4(x2", "4(2)", "(x2)", "0", "-1", "4;3", "4(x0)", "four"})
        BOOST_TEST(tasks(unknown, 0) == 1, unknown);
    BOOST_TEST(tasks("4(x2),3", 7) == 1);
}

// A batch script of Slurm runs outside of any step.
BOOST_AUTO_TEST_CASE(a_batch_script_and_nonsense_are_no_launcher) {
    {
        const Environment environment(Environment::Variables{{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "8"}});
        BOOST_TEST(launch().size == 1);
    }
    for (const char* rank : {"", "x", "-1", "3", "1 "}) {
        const Environment environment(Environment::Variables{{"PMI_RANK", rank}, {"PMI_SIZE", "3"}});
        BOOST_TEST(launch().size == 1);
    }
}

BOOST_AUTO_TEST_CASE(devices_are_read_from_the_environment) {
    BOOST_TEST(Context(options_from_environment()).devices() == std::vector<int>{0});
    BOOST_TEST(devices_for("3") == std::vector<int>{3});
    BOOST_TEST((devices_for("1,0,7") == std::vector<int>{1, 0, 7}));
    BOOST_TEST(devices_for("local") == std::vector<int>{0});
    BOOST_TEST(devices_for("all").at(0) == 0);
    const std::string allowed = " is not an integer in 0..1023, a list of them such as 0,1, all or local";
    for (const std::string value : {"first", "0,", ",0", "0,,1", "-1", "1024", "0 1", "0;1", "1e0", "ALL"})
        BOOST_TEST(refusal_of(value) == "LEGATO_DEVICE: \"" + value + "\"" + allowed);
    BOOST_TEST(refusal_of("0,1,0") == "LEGATO_DEVICE[2]: device 0 is listed twice");
}

BOOST_AUTO_TEST_CASE(a_device_that_a_program_names_replaces_the_list) {
    const Environment environment(Environment::Variables{{"LEGATO_DEVICE", "1,0"}});
    ContextOptions options = options_from_environment();
    BOOST_TEST((Context(options).devices() == std::vector<int>{1, 0}));
    BOOST_TEST(Context(options).options().device == 1);
    options.device = 2;
    BOOST_TEST(Context(options).devices() == std::vector<int>{2});
}

// Without a device the number of devices counts as 1.
BOOST_AUTO_TEST_CASE(the_default_device_is_that_of_the_local_rank) {
    const int count = std::max(device_count(), 1);
    for (int rank = 0; rank < 4; ++rank) {
        const Environment environment(open_mpi(rank, 4));
        BOOST_TEST(Context(ContextOptions{}).devices() == std::vector<int>{rank % count});
    }
}

BOOST_AUTO_TEST_CASE(processes_of_one_machine_share_its_processors) {
    const int alone = default_threads();
    const bool is_bound = alone < sysconf(_SC_NPROCESSORS_ONLN);
    for (const int size : {1, 2, 3, 1000}) {
        const Environment environment(open_mpi(0, size));
        BOOST_TEST(default_threads() == (is_bound ? alone : std::max(alone / size, 1)));
    }
}

// The warning comes once in a process, so that all its cases are in one test.
BOOST_AUTO_TEST_CASE(ranks_without_communicator_are_warned_of_once_on_rank_0) {
    std::vector<std::string> lines;
    const auto make_run = [&] {
        Context context(ContextOptions{.backend = Backend::cpu, .threads = 1});
        context.set_logger(LogLevel::warning, [&](LogLevel, std::string_view line) { lines.emplace_back(line); });
        vmc::Problem problem;
        problem.chains = 1;
        vmc::Solver solver(context, problem);
    };
    const Environment environment(open_mpi(0, 2));
    make_run();
    make_run();
    BOOST_TEST(lines.size() == 1u);
    BOOST_TEST(lines.at(0) ==
               "Open MPI has started 2 processes, and each of them does the whole work; "
               "call legato_mpi_join to share it");
}

// A device that is named, but missing, is not passed over silently. The cost of the CPU lets `auto` ask for the device.
BOOST_AUTO_TEST_CASE(a_named_device_that_is_missing_is_told) {
    const auto lines_of = [](const std::string& value) {
        const Environment environment(Environment::Variables{{"LEGATO_DEVICE", value}, {"LEGATO_CACHE", "none"}});
        std::vector<std::string> lines;
        Context context(options_from_environment());
        context.set_logger(LogLevel::warning, [&](LogLevel, std::string_view line) { lines.emplace_back(line); });
        const Trial trial{"test", "shape " + value, 1, [](Backend) { return true; },
                          [](Backend backend) {
                              return Cost{0, backend == Backend::cpu ? 1e6 : 1.0};
                          }};
        for (int call = 0; call < 2; ++call) context.choose_backend(trial);
        return lines;
    };
    const std::vector<std::string> missing = lines_of("1023");
    BOOST_TEST_REQUIRE(missing.size() == 1u);
    BOOST_TEST(
        missing[0].starts_with("CUDA device 1023 (LEGATO_DEVICE, context.params.device or "
                               "legato_context_set_devices) cannot be used, and the CPU computes: "));
    for (const char* value : {"", "local", "all"}) BOOST_TEST(lines_of(value).empty(), value);
}

BOOST_AUTO_TEST_CASE(a_backend_that_cannot_be_used_is_refused_with_the_name_of_the_setting) {
    const Environment environment(Environment::Variables{{"LEGATO_DEVICE", "1023"}, {"LEGATO_BACKEND", "cuda"}});
    Context context(options_from_environment());
    try {
        context.choose_backend({"test", "shape", 1, [](Backend) { return true; }, [](Backend) { return Cost{}; }});
        BOOST_TEST(false);
    } catch (const Error& error) {
        const std::string_view message = error.what();
        BOOST_TEST((error.status() == Status::no_device));
        BOOST_TEST(message.starts_with("device: 1023 "), message);
        BOOST_TEST(
            message.ends_with("; the backend is cuda: CUDA was asked for (LEGATO_BACKEND or context.params.backend)"),
            message);
    }
}
