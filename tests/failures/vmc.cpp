// Tests lattices, runs with all measurements, and an optimisation.
#include <array>
#include <string>

#include "scenario.hpp"

namespace legato::tests {
namespace {

using Vmc = Owned<legato_vmc, legato_vmc_destroy>;
using Optimiser = Owned<legato_vmc_optimiser, legato_vmc_optimiser_destroy>;

constexpr int32_t sites = 10;

legato_vmc_params params_of(Scenario& scenario) {
    auto params = scenario.defaults("legato_vmc_params_init", legato_vmc_params_init);
    params.length = 3;
    params.electrons = 8;
    params.chains = 2;
    params.thermalisation = 1;
    params.bins = 3;
    params.sweeps_per_bin = 2;
    params.drift_bound = 1e-14;  // exceeded, so that lines are logged
    params.correlations = params.pair_correlations = params.gradients = 1;
    return params;
}

void ask_for_lattices(Scenario& scenario, const legato_vmc_params& params, double* pair_function) {
    legato_context* const context = scenario.context();
    int32_t count = 0, positions[2 * sites], neighbours[4 * sites], borders = 0;
    double signs[4 * sites];
    scenario.step("legato_vmc_sites", [&] { return legato_vmc_sites(context, &params, &count); });
    scenario.step("legato_vmc_electrons_at", [&] { return legato_vmc_electrons_at(context, &params, 0.1, &count); });
    scenario.step("legato_vmc_positions", [&] { return legato_vmc_positions(context, &params, sites, positions); });
    scenario.step("legato_vmc_neighbours",
                  [&] { return legato_vmc_neighbours(context, &params, 1, sites, neighbours, signs); });
    scenario.step("legato_vmc_pair_function",
                  [&] { return legato_vmc_pair_function(context, &params, sites, pair_function, &borders); });
    scenario.note(std::span<const double>(pair_function, sites));
}

void read(Scenario& scenario, legato_vmc* vmc) {
    legato_vmc_averages averages{};
    averages.struct_size = sizeof averages;
    scenario.step("legato_vmc_result", [&] { return legato_vmc_result(vmc, &averages); });
    scenario.note(std::array{averages.energy, averages.energy_error, averages.variance, averages.spin_spin});
    double means[2], waves[2 * sites], spin[sites], charge[sites], f[4 * sites], gradient[4], metric[16];
    int32_t up[4], down[4];
    scenario.step("legato_vmc_bin_means",
                  [&] { return legato_vmc_bin_means(vmc, LEGATO_VMC_OBSERVABLE_ENERGY, 0, 2, means); });
    scenario.step("legato_vmc_electron_sites", [&] { return legato_vmc_electron_sites(vmc, 1, 4, up, down); });
    scenario.step("legato_vmc_structure_factors",
                  [&] { return legato_vmc_structure_factors(vmc, sites, waves, spin, nullptr, charge, nullptr); });
    scenario.step("legato_vmc_pair_correlations", [&] { return legato_vmc_pair_correlations(vmc, sites, f, nullptr); });
    scenario.step("legato_vmc_gradient", [&] { return legato_vmc_gradient(vmc, 4, gradient, nullptr, metric); });
    scenario.note(means);
    scenario.note(std::array<double, 4>{double(up[0]), double(up[3]), double(down[0]), double(down[3])});
    scenario.note(spin);
    scenario.note(charge);
    scenario.note(f);
    scenario.note(gradient);
    scenario.note(metric);
}

// Advances a run, saves it, runs it to its end, and resumes the saved state.
void finish(Scenario& scenario, Vmc& vmc) {
    int64_t bins = 0;
    scenario.step("legato_vmc_advance", [&] { return legato_vmc_advance(vmc.get(), 1, &bins); });
    scenario.save("legato_vmc_save", "vmc.h5", [&] { return legato_vmc_save(vmc.get(), "vmc.h5"); });
    scenario.step("legato_vmc_advance", [&] { return legato_vmc_advance(vmc.get(), 1, &bins); });
    scenario.save("legato_vmc_save", "vmc.h5", [&] { return legato_vmc_save(vmc.get(), "vmc.h5"); });
    scenario.step("legato_vmc_run", [&] { return legato_vmc_run(vmc.get(), Scenario::progress, nullptr); });
    read(scenario, vmc.get());
    Vmc resumed;
    scenario.make("legato_vmc_resume", resumed,
                  [&](legato_vmc** made) { return legato_vmc_resume(scenario.context(), "vmc.h5", made); });
    legato_vmc_params params{};
    params.struct_size = sizeof params;
    legato_vmc_state state{};
    state.struct_size = sizeof state;
    double pair_function[sites];
    scenario.step("legato_vmc_get_params", [&] { return legato_vmc_get_params(resumed.get(), &params); });
    scenario.step("legato_vmc_get_state", [&] { return legato_vmc_get_state(resumed.get(), &state); });
    scenario.step("legato_vmc_get_pair_function",
                  [&] { return legato_vmc_get_pair_function(resumed.get(), sites, pair_function, nullptr); });
    scenario.step("legato_vmc_run", [&] { return legato_vmc_run(resumed.get(), nullptr, nullptr); });
    read(scenario, resumed.get());
}

void read(Scenario& scenario, legato_vmc_optimiser* optimiser, int64_t steps) {
    legato_vmc_optimisation result{};
    result.struct_size = sizeof result;
    scenario.step("legato_vmc_optimiser_result", [&] { return legato_vmc_optimiser_result(optimiser, &result); });
    scenario.note(result.parameters);
    for (int64_t i = 0; i < steps; ++i) {
        legato_vmc_optimiser_step step{};
        step.struct_size = sizeof step;
        scenario.step("legato_vmc_optimiser_get_step",
                      [&] { return legato_vmc_optimiser_get_step(optimiser, i, &step); });
        scenario.note(step.energy);
        scenario.note(step.gradient);
    }
}

void optimise(Scenario& scenario, legato_vmc_params run) {
    run.correlations = run.pair_correlations = 0;
    run.bins = 4;
    auto params = scenario.defaults("legato_vmc_optimiser_params_init", legato_vmc_optimiser_params_init);
    params.steps = 7;
    params.quiet_steps = 1;
    params.significance = 100;  // so large that descent, survey and refinement follow each other at once
    params.refinement = 1;
    Optimiser optimiser, resumed;
    scenario.make("legato_vmc_optimiser_create", optimiser, [&](legato_vmc_optimiser** made) {
        return legato_vmc_optimiser_create(scenario.context(), &run, &params, made);
    });
    int64_t steps = 0;
    scenario.step("legato_vmc_optimiser_advance",
                  [&] { return legato_vmc_optimiser_advance(optimiser.get(), 2, &steps); });
    scenario.save("legato_vmc_optimiser_save", "optimiser.h5",
                  [&] { return legato_vmc_optimiser_save(optimiser.get(), "optimiser.h5"); });
    scenario.step("legato_vmc_optimiser_run",
                  [&] { return legato_vmc_optimiser_run(optimiser.get(), Scenario::progress, nullptr); });
    read(scenario, optimiser.get(), 1);
    scenario.make("legato_vmc_optimiser_resume", resumed, [&](legato_vmc_optimiser** made) {
        return legato_vmc_optimiser_resume(scenario.context(), "optimiser.h5", made);
    });
    scenario.step("legato_vmc_optimiser_get_params",
                  [&] { return legato_vmc_optimiser_get_params(resumed.get(), &run, &params); });
    scenario.step("legato_vmc_optimiser_run",
                  [&] { return legato_vmc_optimiser_run(resumed.get(), nullptr, nullptr); });
    read(scenario, resumed.get(), 1);
}

}  // namespace

void use_vmc(Scenario& scenario) {
    legato_vmc_params params = params_of(scenario);
    double pair_function[sites];
    ask_for_lattices(scenario, params, pair_function);
    Vmc vmc, given;
    scenario.make("legato_vmc_create", vmc,
                  [&](legato_vmc** made) { return legato_vmc_create(scenario.context(), &params, made); });
    finish(scenario, vmc);
    optimise(scenario, params);
    params.gradients = 0;
    params.correlations = 0;
    scenario.make("legato_vmc_create_given", given, [&](legato_vmc** made) {
        return legato_vmc_create_given(scenario.context(), &params, sites, pair_function, 0, made);
    });
    scenario.step("legato_vmc_run", [&] { return legato_vmc_run(given.get(), nullptr, nullptr); });
}

}  // namespace legato::tests
