// legato-bench compares the library with the serial Fortran routines, in one process.
#include <cstring>
#include <thread>

#include "report.hpp"
#include "scaling.hpp"

using namespace benchmarks;

namespace {

const char usage[] =
    "usage: legato-bench METHOD|all [--json FILE] [--quick] [--seconds S] [--minutes M] [--only TEXT] [--inputs "
    "FOLDER]\n"
    "Compares the library with the serial program of METHOD, which is tmm, dfr, kpm, vmc or ising. All times are\n"
    "for a unit of work. The column \"reached\" is a lower bound of the time divided by the measured time. The\n"
    "lower bound is the larger of two times: bytes divided by the bandwidth of a copy, and floating-point\n"
    "operations divided by the rate of multiply-adds (on a GPU, of matrix products).\n"
    "  --json FILE      also writes the results to FILE, one measurement a line, for tools/benchmark_table.py\n"
    "  --quick          short measurements, and without the problems that take long\n"
    "  --seconds S      time of a measurement whose length can be chosen; at least half of S (0.3, with --quick 0.05)\n"
    "  --minutes M      begins no problem after M minutes; with all, the methods share them (6)\n"
    "  --only TEXT      only problems whose name contains TEXT\n"
    "  --inputs FOLDER  folder with the inputs of dfratom\n"
    "\"legato-bench scaling\" measures whole jobs on several devices or ranks.\n";

struct Command {
    std::string method, json_path, only;
    double minutes = 6, seconds = 0;
    Options options;
};

double number(const char* text) {
    char* end = nullptr;
    const double value = std::strtod(text, &end);
    if (*end != '\0' || !(value > 0)) fail(std::string(text) + " is no number above 0");
    return value;
}

Command read_command(int argc, char** argv) {
    Command command;
    command.options.inputs = LEGATO_DFR_INPUTS;
    if (argc >= 2) command.method = argv[1];
    for (int i = 2; i < argc; ++i) {
        const std::string name = argv[i];
        const bool more = i + 1 < argc;
        if (name == "--quick")
            command.options.quick = true;
        else if (name == "--json" && more)
            command.json_path = argv[++i];
        else if (name == "--seconds" && more)
            command.seconds = number(argv[++i]);
        else if (name == "--minutes" && more)
            command.minutes = number(argv[++i]);
        else if (name == "--only" && more)
            command.only = argv[++i];
        else if (name == "--inputs" && more)
            command.options.inputs = argv[++i];
        else
            command.method.clear();
    }
    command.options.seconds = command.seconds > 0 ? command.seconds : command.options.quick ? 0.05 : 0.3;
    command.options.threads = static_cast<int>(std::thread::hardware_concurrency());
    return command;
}

bool has_device() {
    legato_context* context = nullptr;
    int32_t count = 0;
    require(context, legato_context_create(nullptr, &context));
    require(context, legato_context_device_count(context, &count));
    legato_context_destroy(context);
    return count > 0;
}

Timing library_time(const Problem& problem, int32_t backend, int threads) {
    legato_context_params params;
    legato_context_params_init(&params);
    params.backend = backend;
    params.threads = threads;
    legato_context* context = nullptr;
    require(context, legato_context_create(&params, &context));
    const Timing timing = problem.library({context, backend, threads});
    legato_context_destroy(context);
    return timing;
}

Measurement measure(const Problem& problem, const Options& options) {
    Measurement m;
    if (problem.serial) m.serial = problem.serial();
    if (problem.on_cpu) {
        m.one_thread = library_time(problem, LEGATO_BACKEND_CPU, 1);
        m.all_threads = library_time(problem, LEGATO_BACKEND_CPU, options.threads);
    }
    if (options.gpu) {
        m.gpu = library_time(problem, LEGATO_BACKEND_CUDA, options.threads);
        if (problem.peer.seconds) m.peer = problem.peer.seconds();
    }
    return m;
}

void measure(const Method& method, const Options& options, double deadline, Report& report) {
    report.begin(method);
    std::size_t left_out = 0;
    for (const Problem& problem : method.problems) {
        if (!problem.on_cpu && !options.gpu) continue;
        if (now() < deadline)
            report.add(method, problem, measure(problem, options));
        else
            ++left_out;
    }
    if (left_out > 0) std::printf("%zu problems left out: the time for %s was over\n", left_out, method.name.c_str());
}

}  // namespace

int main(int argc, char** argv) {
    if (argc >= 2 && std::strcmp(argv[1], "scaling") == 0) return scaling(argc, argv);
    const struct {
        const char* name;
        Method (*benchmark)(const Options&);
    } methods[] = {{"tmm", tmm_benchmark},
                   {"dfr", dfr_benchmark},
                   {"kpm", kpm_benchmark},
                   {"vmc", vmc_benchmark},
                   {"ising", ising_benchmark}};
    Command command = read_command(argc, argv);
    std::vector<Method> chosen;
    setenv("LEGATO_LOG", "error", 0);  // short batches are intended, so warnings are not shown
    command.options.gpu = has_device();
    for (const auto& method : methods)
        if (command.method == method.name || command.method == "all")
            chosen.push_back(method.benchmark(command.options));
    for (Method& method : chosen)
        std::erase_if(method.problems,
                      [&](const Problem& problem) { return problem.name.find(command.only) == std::string::npos; });
    std::erase_if(chosen, [](const Method& method) { return method.problems.empty(); });
    if (chosen.empty()) return std::fputs(usage, stderr), 2;

    const double begin = now();
    Report report(command.options, measure_limits(command.options), command.json_path);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        // Time that a method does not use goes to the methods after it.
        const double left = begin + 60 * command.minutes - now();
        measure(chosen[i], command.options, now() + left / static_cast<double>(chosen.size() - i), report);
    }
    report.finish();
    std::printf("\n%.0f s in all\n", now() - begin);
    return 0;
}
