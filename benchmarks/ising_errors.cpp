// ising_errors DIMENSION LENGTH SECONDS [REPLICAS]: how long Metropolis' algorithm and clusters take for an error at
// the critical point. Each algorithm runs for about so many seconds on the backend that LEGATO_BACKEND and
// LEGATO_NUM_THREADS select; a GPU has no Wolff clusters. The columns have (error of <|m|>)^2 times seconds, the same
// for U, and the values of Metropolis divided by them.
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "common.hpp"

using namespace benchmarks;

namespace {

struct Algorithm {
    const char* name;
    int32_t number;
    int64_t sweeps_per_measurement;
};

struct Cost {
    double magnetisation = 0, binder = 0;
};

struct Job {
    int32_t dimension;
    int64_t length;
    double seconds;
    int32_t replicas;

    double beta() const { return dimension == 2 ? 0.44068679350977151 : 0.22165462; }
};

// Runs so many measurements in each of 64 bins. Returns the seconds.
double run(legato_context* context, const Job& job, const Algorithm& algorithm, int64_t measurements,
           legato_ising_averages& averages) {
    legato_ising_params params;
    legato_ising_params_init(&params);
    params.dimension = job.dimension;
    for (int axis = 0; axis < 3; ++axis) params.extents[axis] = axis < job.dimension ? job.length : 1;
    params.algorithm = algorithm.number;
    params.replicas = job.replicas;
    params.sweeps_per_measurement = algorithm.sweeps_per_measurement;
    params.measurements_per_bin = measurements;
    params.bins = 64;
    params.thermalisation = 10 * measurements * algorithm.sweeps_per_measurement;
    const double beta = job.beta();
    legato_ising* ising = nullptr;
    require(context, legato_ising_create(context, &params, 1, &beta, 0, nullptr, &ising));
    int64_t bins = 0;
    require(context, legato_ising_advance(ising, 1, &bins));
    const double seconds = seconds_of([&] { require(context, legato_ising_run(ising, nullptr, nullptr)); });
    averages.struct_size = sizeof averages;
    require(context, legato_ising_result(ising, 0, &averages));
    legato_ising_destroy(ising);
    return seconds * 64 / 63;
}

Cost cost_of(legato_context* context, const Job& job, const Algorithm& algorithm) {
    legato_ising_averages averages{};
    int64_t measurements = 1;
    double seconds = run(context, job, algorithm, measurements, averages);
    while (seconds < job.seconds / 2) {
        measurements = std::max<int64_t>(measurements + 1, static_cast<int64_t>(static_cast<double>(measurements) *
                                                                                std::min(8.0, job.seconds / seconds)));
        seconds = run(context, job, algorithm, measurements, averages);
    }
    const double sweeps = 64.0 * static_cast<double>(measurements * algorithm.sweeps_per_measurement);
    std::printf("%-14s %11.4g %10.4g %11.3g %11.3g %9.1f %s", algorithm.name, sweeps, 1e6 * seconds / sweeps,
                averages.absolute_magnetisation_error, averages.binder_error, averages.magnetisation_autocorrelation,
                averages.bins_are_short != 0 ? "short" : "     ");
    return {std::pow(averages.absolute_magnetisation_error, 2) * seconds, std::pow(averages.binder_error, 2) * seconds};
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4 || argc > 5) fail("usage: ising_errors DIMENSION LENGTH SECONDS [REPLICAS]");
    const Job job{std::atoi(argv[1]), std::atoll(argv[2]), std::atof(argv[3]), argc > 4 ? std::atoi(argv[4]) : 1};
    if (job.dimension != 2 && job.dimension != 3) fail("DIMENSION is 2 or 3");
    legato_context* context = nullptr;
    legato_context_params params;
    legato_context_params_init(&params);
    params.log_level = LEGATO_LOG_LEVEL_ERROR;
    require(context, legato_context_create(&params, &context));
    const char* const backend = std::getenv("LEGATO_BACKEND");
    const bool on_device = backend != nullptr && std::strcmp(backend, "cuda") == 0;  // there are no Wolff clusters
    std::printf("# %d x %lld^%d at beta = %.8f\n# %-12s %11s %10s %11s %11s %9s       %11s %11s %8s %8s\n",
                static_cast<int>(job.replicas), static_cast<long long>(job.length), job.dimension, job.beta(),
                "algorithm", "sweeps", "us a sweep", "error |m|", "error U", "tau |m|", "|m|: e^2 s", "U: e^2 s",
                "ratio", "ratio");
    constexpr Algorithm algorithms[] = {{"Metropolis", LEGATO_ISING_ALGORITHM_METROPOLIS, 50},
                                        {"Swendsen-Wang", LEGATO_ISING_ALGORITHM_SWENDSEN_WANG, 1},
                                        {"Wolff", LEGATO_ISING_ALGORITHM_WOLFF, 1}};
    Cost metropolis;
    for (const Algorithm& algorithm : algorithms) {
        if (on_device && algorithm.number == LEGATO_ISING_ALGORITHM_WOLFF) continue;
        const Cost cost = cost_of(context, job, algorithm);
        if (metropolis.magnetisation == 0) metropolis = cost;
        std::printf("  %11.3g %11.3g %8.1f %8.1f\n", cost.magnetisation, cost.binder,
                    metropolis.magnetisation / cost.magnetisation, metropolis.binder / cost.binder);
        std::fflush(stdout);
    }
    legato_context_destroy(context);
    return 0;
}
