// Picoseconds for an update of a spin by the engines with demons, whatever they are asked to do: sweeps alone, with a
// measurement after each, with a draw of the demons after each.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "common.hpp"
#include "ising.hpp"
#include "ising/engine.hpp"

using namespace legato;
using namespace legato::ising;

namespace {

struct Case {
    int dimensions;
    std::int64_t extent;
    int replicas;  // a multiple of 32

    Problem problem() const {
        Problem p;
        p.lattice = {dimensions, {extent, extent, dimensions == 3 ? extent : 1}, {}};
        p.replicas = replicas;
        return p;
    }
};

// What comes after each sweep.
struct Task {
    const char* name;
    Algorithm algorithm;
    double beta;
    bool draw, measure;
};

std::vector<Task> all_tasks() {
    std::vector<Task> tasks{{"nothing", Algorithm::demon_microcanonical, 0.4, false, false},
                            {"measured", Algorithm::demon_microcanonical, 0.4, false, true},
                            {"naive", Algorithm::demon_naive, 0.1, true, false}};
    for (const double beta : {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8})
        tasks.push_back({"binomial", Algorithm::demon_binomial, beta, true, false});
    return tasks;
}

// Seconds of a sweep of all systems, the best of three stretches.
double sweep_seconds(const Context& context, Backend backend, const Case& c, const Task& task, double seconds) {
    Problem problem = c.problem();
    problem.algorithm = task.algorithm;
    problem.betas = {task.beta};
    const Model model(problem);
    const auto engine = make_engine(context, backend, model);
    engine->load(first_words(model, context.threads()));
    engine->advance({0, 20, 0, true}, {});
    std::int64_t sweep = 20, sweeps = 4;
    double best = 0;
    for (int repeat = 0; repeat < 4; ++repeat) {
        std::vector<std::int64_t> measured(
            task.measure ? static_cast<std::size_t>(sweeps) * model.systems() * model.values.count : 0);
        const double begin = benchmarks::now();
        engine->advance({sweep, sweeps, task.measure ? 1 : 0, task.draw}, measured);
        const double took = (benchmarks::now() - begin) / static_cast<double>(sweeps);
        sweep += sweeps;
        if (repeat == 0)  // tells how many are worth while
            sweeps = std::clamp(static_cast<std::int64_t>(seconds / took), std::int64_t{2}, std::int64_t{20000});
        else if (repeat == 1 || took < best)
            best = took;
    }
    return best;
}

class Table {
  public:
    explicit Table(std::FILE* json) : json_(json) {
        std::puts("demons: ps for each spin and sweep, alone, over a copy's, and with what comes after each");
        std::printf("%9s %8s %-4s %8s %8s", "lattice", "replicas", "by", "alone", "copy");
        for (const Task& task : tasks_) {
            std::string name = task.name;
            if (task.algorithm == Algorithm::demon_binomial) name = "bin. " + std::to_string(task.beta).substr(0, 3);
            if (task.draw || task.measure) std::printf(" %8s", name.c_str());
        }
        std::puts("");
    }

    void row(const Context& context, Backend backend, const Case& c, double seconds, double copy) {
        const char* const by = backend == Backend::cuda ? "GPU" : "all";
        const double spins = static_cast<double>(sites_of(c.problem().lattice)) * c.replicas;
        const std::string lattice = std::to_string(c.extent) + "^" + std::to_string(c.dimensions);
        std::printf("%9s %8d %-4s", lattice.c_str(), c.replicas, by);
        for (const Task& task : tasks_) {
            const double each = sweep_seconds(context, backend, c, task, seconds) / spins;
            std::printf(" %8.4g", each * 1e12);
            if (!task.draw && !task.measure) std::printf(" %7.1f%%", 100 * demon_bytes / each / copy);
            std::fflush(stdout);
            if (!json_) continue;
            std::fprintf(json_,
                         "%s\n  {\"dimension\": %d, \"length\": %lld, \"replicas\": %d, \"by\": \"%s\", "
                         "\"after_each_sweep\": \"%s\", \"beta\": %.8g, \"picoseconds\": %.5g, \"bytes\": %.4g, "
                         "\"copy_bytes_per_second\": %.4g}",
                         separator_, c.dimensions, static_cast<long long>(c.extent), c.replicas, by, task.name,
                         task.beta, each * 1e12, task.draw || task.measure ? 0 : demon_bytes, copy);
            separator_ = ",";
        }
        std::puts("");
    }

  private:
    std::FILE* json_;
    const std::vector<Task> tasks_ = all_tasks();
    const char* separator_ = "";
};

}  // namespace

void measure_demon_engines(std::FILE* json, double seconds, double host_copy, double device_copy) {
    const Context context{ContextOptions{}};
    Table table(json);
    for (const Case& c : {Case{2, 64, 32}, {2, 512, 32}}) table.row(context, Backend::cpu, c, seconds, host_copy);
    if (device_copy == 0) return;
    const Case cases[] = {{2, 16, 32},   {2, 64, 32},   {2, 64, 32 * 132}, {2, 64, 32 * 1056}, {2, 100, 32 * 132},
                          {2, 128, 32},  {2, 256, 32},  {2, 512, 32},      {2, 1024, 32},      {2, 2048, 32},
                          {2, 4096, 32}, {2, 4100, 32}, {3, 24, 32},       {3, 64, 32},        {3, 64, 32 * 64},
                          {3, 256, 32},  {3, 512, 32}};
    for (const Case& c : cases) table.row(context, Backend::cuda, c, seconds, device_copy);
}
