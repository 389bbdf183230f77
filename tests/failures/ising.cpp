// Tests all algorithms, with all measurements.
#include <array>
#include <string>

#include "scenario.hpp"

namespace legato::tests {
namespace {

using Ising = Owned<legato_ising, legato_ising_destroy>;
using Reweighting = Owned<legato_ising_reweighting, legato_ising_reweighting_destroy>;

constexpr double betas[] = {0.3, 0.5};
constexpr int64_t seeds[] = {7, 8};

legato_ising_params params_of(Scenario& scenario, int32_t algorithm, int64_t extent) {
    auto params = scenario.defaults("legato_ising_params_init", legato_ising_params_init);
    params.algorithm = algorithm;
    params.extents[0] = params.extents[1] = extent;
    params.replicas = algorithm == LEGATO_ISING_ALGORITHM_METROPOLIS ? 1 : 32;
    params.thermalisation = 2;
    params.measurements_per_bin = 2;
    params.bins = 3;
    params.time_series = 1;
    params.correlations = scenario.backend() == LEGATO_BACKEND_CPU || algorithm != LEGATO_ISING_ALGORITHM_SWENDSEN_WANG;
    params.acceptance = algorithm == LEGATO_ISING_ALGORITHM_METROPOLIS;
    return params;
}

void read(Scenario& scenario, legato_ising* ising, const legato_ising_params& params) {
    legato_ising_averages averages{};
    averages.struct_size = sizeof averages;
    scenario.step("legato_ising_result", [&] { return legato_ising_result(ising, 1, &averages); });
    scenario.note(std::array{averages.energy, averages.energy_error, averages.susceptibility, averages.binder,
                             averages.demon_beta});
    double m[6], e[6];
    scenario.step("legato_ising_time_series", [&] { return legato_ising_time_series(ising, 1, 6, m, e); });
    scenario.note(m);
    scenario.note(e);
    if (params.correlations == 0) return;
    const int64_t n = params.extents[0] / 2 + 1;
    std::vector<double> mean(static_cast<std::size_t>(n)), error(mean.size());
    scenario.step("legato_ising_correlation_function",
                  [&] { return legato_ising_correlation_function(ising, 0, 1, n, mean.data(), error.data()); });
    scenario.note(mean);
    double length = 0, length_error = 0;
    scenario.step("legato_ising_correlation_length",
                  [&] { return legato_ising_correlation_length(ising, 0, &length, &length_error); });
    scenario.note(std::array{length, length_error});
    if (!params.acceptance) return;
    int64_t attempts[10], flips[10];
    scenario.step("legato_ising_acceptance", [&] { return legato_ising_acceptance(ising, 10, attempts, flips); });
    for (const int64_t count : flips) scenario.note(static_cast<double>(count));
}

void set_spins(Scenario& scenario, legato_ising* ising, const legato_ising_params& params) {
    std::vector<int8_t> spins(static_cast<std::size_t>(params.extents[0] * params.extents[1]));
    const auto size = static_cast<int64_t>(spins.size());
    scenario.step("legato_ising_spins", [&] { return legato_ising_spins(ising, 0, size, spins.data()); });
    spins[3] = -1;
    scenario.step("legato_ising_set_spins", [&] { return legato_ising_set_spins(ising, 0, size, spins.data()); });
}

// Starts a run, saves it, runs it to its end, and resumes the saved state.
void run(Scenario& scenario, const legato_ising_params& params) {
    Ising ising, resumed;
    scenario.make("legato_ising_create", ising, [&](legato_ising** made) {
        return legato_ising_create(scenario.context(), &params, 2, betas, 2, seeds, made);
    });
    set_spins(scenario, ising.get(), params);
    int64_t bins = 0;
    scenario.step("legato_ising_advance", [&] { return legato_ising_advance(ising.get(), 1, &bins); });
    scenario.save("legato_ising_save", "ising.h5", [&] { return legato_ising_save(ising.get(), "ising.h5"); });
    scenario.step("legato_ising_advance", [&] { return legato_ising_advance(ising.get(), 1, &bins); });
    scenario.save("legato_ising_save", "ising.h5", [&] { return legato_ising_save(ising.get(), "ising.h5"); });
    scenario.step("legato_ising_run", [&] { return legato_ising_run(ising.get(), Scenario::progress, nullptr); });
    read(scenario, ising.get(), params);
    scenario.make("legato_ising_resume", resumed,
                  [&](legato_ising** made) { return legato_ising_resume(scenario.context(), "ising.h5", made); });
    legato_ising_params again{};
    again.struct_size = sizeof again;
    legato_ising_state state{};
    state.struct_size = sizeof state;
    double own_betas[2];
    int64_t own_seeds[2];
    scenario.step("legato_ising_get_params", [&] { return legato_ising_get_params(resumed.get(), &again); });
    scenario.step("legato_ising_get_state", [&] { return legato_ising_get_state(resumed.get(), &state); });
    scenario.step("legato_ising_get_betas", [&] { return legato_ising_get_betas(resumed.get(), 2, own_betas); });
    scenario.step("legato_ising_get_seeds", [&] { return legato_ising_get_seeds(resumed.get(), 2, own_seeds); });
    scenario.note(static_cast<double>(state.bins_done));
    scenario.step("legato_ising_run", [&] { return legato_ising_run(resumed.get(), nullptr, nullptr); });
    read(scenario, resumed.get(), params);
}

// Reweights a run, and the measurements of one of its systems.
void reweight(Scenario& scenario) {
    legato_ising_params params = params_of(scenario, LEGATO_ISING_ALGORITHM_METROPOLIS, 4);
    params.measurements_per_bin = 200;
    params.acceptance = params.correlations = 0;
    Ising ising;
    scenario.make("legato_ising_create", ising, [&](legato_ising** made) {
        return legato_ising_create(scenario.context(), &params, 2, betas, 2, seeds, made);
    });
    scenario.step("legato_ising_run", [&] { return legato_ising_run(ising.get(), nullptr, nullptr); });
    Reweighting of_run, of_series;
    scenario.make("legato_ising_reweighting_create_from_run", of_run, [&](legato_ising_reweighting** made) {
        return legato_ising_reweighting_create_from_run(ising.get(), 4, made);
    });
    constexpr int64_t n = 600;
    std::vector<double> m(n), e(n);
    scenario.step("legato_ising_time_series",
                  [&] { return legato_ising_time_series(ising.get(), 1, n, m.data(), e.data()); });
    scenario.make("legato_ising_reweighting_create", of_series, [&](legato_ising_reweighting** made) {
        return legato_ising_reweighting_create(scenario.context(), 16, 1, betas, &n, m.data(), e.data(), 3, made);
    });
    legato_ising_reweighted r{};
    r.struct_size = sizeof r;
    scenario.step("legato_ising_reweighting_at", [&] { return legato_ising_reweighting_at(of_run.get(), 0.4, &r); });
    scenario.note(std::array{r.energy, r.energy_error, r.binder_slope, r.measurements});
    legato_ising_reweighted_point point{};
    point.struct_size = sizeof point;
    scenario.step("legato_ising_reweighting_maximum",
                  [&] { return legato_ising_reweighting_maximum(of_run.get(), 1, 0.1, 0.6, &point); });
    scenario.note(std::array{point.beta, point.beta_error, point.value});
    scenario.step("legato_ising_reweighting_crossing", [&] {
        return legato_ising_reweighting_crossing(of_run.get(), of_series.get(), 2, 0.1, 0.6, &point);
    });
    scenario.note(std::array{point.beta, point.beta_error, point.value});
}

// The lattice is so large that threads share it, or, with clusters, that a device divides it into tiles.
void run_large(Scenario& scenario, int32_t algorithm, int64_t extent) {
    legato_ising_params params = params_of(scenario, algorithm, extent);
    params.bins = 1;
    params.correlations = 0;
    Ising ising;
    scenario.make("legato_ising_create", ising, [&](legato_ising** made) {
        return legato_ising_create(scenario.context(), &params, 1, betas, 1, seeds, made);
    });
    scenario.step("legato_ising_run", [&] { return legato_ising_run(ising.get(), nullptr, nullptr); });
    legato_ising_averages averages{};
    averages.struct_size = sizeof averages;
    scenario.step("legato_ising_result", [&] { return legato_ising_result(ising.get(), 0, &averages); });
    scenario.note(averages.energy);
}

}  // namespace

void use_ising(Scenario& scenario) {
    for (const int32_t algorithm : {LEGATO_ISING_ALGORITHM_METROPOLIS, LEGATO_ISING_ALGORITHM_DEMON_NAIVE,
                                    LEGATO_ISING_ALGORITHM_DEMON_BINOMIAL, LEGATO_ISING_ALGORITHM_DEMON_MICROCANONICAL,
                                    LEGATO_ISING_ALGORITHM_SWENDSEN_WANG, LEGATO_ISING_ALGORITHM_WOLFF})
        if (algorithm != LEGATO_ISING_ALGORITHM_WOLFF || scenario.backend() == LEGATO_BACKEND_CPU)
            run(scenario, params_of(scenario, algorithm, 8));
    run_large(scenario, LEGATO_ISING_ALGORITHM_METROPOLIS, 256);
    run_large(scenario, LEGATO_ISING_ALGORITHM_SWENDSEN_WANG, 64);
    reweight(scenario);
}

}  // namespace legato::tests
