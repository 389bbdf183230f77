// Tests basis sets of helium, which are optimised and reduced.
#include <array>

#include "scenario.hpp"
#include "small_libraries.hpp"

namespace legato::tests {
namespace {

using Optimiser = Owned<legato_dfr_optimiser, legato_dfr_optimiser_destroy>;
using Reducer = Owned<legato_dfr_reducer, legato_dfr_reducer_destroy>;
using Pruner = Owned<legato_dfr_pruner, legato_dfr_pruner_destroy>;

constexpr int32_t one = 1, functions = 3;
constexpr double none = 0, start[] = {0.2, 2.5, 0.5, 0.2}, limit = -2.87;

legato_dfr_nucleus helium() {
    legato_dfr_nucleus nucleus{};
    nucleus.struct_size = sizeof nucleus;
    nucleus.model = LEGATO_DFR_NUCLEAR_MODEL_POINT;
    nucleus.charge = 2;
    return nucleus;
}

legato_dfr_optimiser_params params_of(Scenario& scenario, int64_t energies) {
    auto params = scenario.defaults("legato_dfr_optimiser_params_init", legato_dfr_optimiser_params_init);
    params.max_energies = energies;
    return params;
}

legato_dfr_params field_of(Scenario& scenario) {
    auto field = scenario.defaults("legato_dfr_params_init", legato_dfr_params_init);
    field.relativistic = 0;
    return field;
}

void read(Scenario& scenario, legato_dfr_optimiser* optimiser) {
    int64_t count = 0, total = 0;
    scenario.step("legato_dfr_optimiser_size", [&] { return legato_dfr_optimiser_size(optimiser, &count); });
    for (int64_t i = 0; i < count; ++i) {
        legato_dfr_optimisation result{};
        result.struct_size = sizeof result;
        scenario.step("legato_dfr_optimiser_result",
                      [&] { return legato_dfr_optimiser_result(optimiser, i, &result); });
        double parameters[4], energies[100];
        int32_t kinds[100];
        scenario.step("legato_dfr_optimiser_basis", [&] {
            return legato_dfr_optimiser_basis(optimiser, i, nullptr, nullptr, nullptr, nullptr, nullptr, parameters);
        });
        legato_dfr_nucleus nucleus = helium();
        scenario.step("legato_dfr_optimiser_atom", [&] {
            return legato_dfr_optimiser_atom(optimiser, i, &nucleus, nullptr, nullptr, nullptr, nullptr, nullptr,
                                             nullptr, nullptr);
        });
        scenario.step("legato_dfr_optimiser_history", [&] {
            return legato_dfr_optimiser_history(optimiser, i, 0, result.energies, &total, energies, kinds, nullptr);
        });
        scenario.note(std::array{static_cast<double>(result.status), result.energy, result.limit});
        scenario.note(parameters);
    }
}

void optimise(Scenario& scenario) {
    const legato_dfr_params field = field_of(scenario);
    const legato_dfr_optimiser_params params = params_of(scenario, 4);
    const legato_dfr_nucleus nucleus = helium();
    Optimiser optimiser, resumed;
    scenario.make("legato_dfr_optimiser_create", optimiser, [&](legato_dfr_optimiser** made) {
        return legato_dfr_optimiser_create(scenario.context(), &field, &params, made);
    });
    legato_dfr_optimiser* const o = optimiser.get();
    scenario.step("legato_dfr_optimiser_add", [&] {
        return legato_dfr_optimiser_add(o, &nucleus, 1, &functions, &one, nullptr, 1, start, &one, &none, nullptr,
                                        limit, nullptr);
    });
    int64_t finished = 0;
    scenario.step("legato_dfr_optimiser_advance", [&] { return legato_dfr_optimiser_advance(o, 2, &finished); });
    scenario.save("legato_dfr_optimiser_save", "optimiser.h5",
                  [&] { return legato_dfr_optimiser_save(o, "optimiser.h5"); });
    scenario.step("legato_dfr_optimiser_run", [&] { return legato_dfr_optimiser_run(o, Scenario::progress, nullptr); });
    read(scenario, o);
    scenario.make("legato_dfr_optimiser_resume", resumed, [&](legato_dfr_optimiser** made) {
        return legato_dfr_optimiser_resume(scenario.context(), "optimiser.h5", made);
    });
    legato_dfr_params field_again{};
    field_again.struct_size = sizeof field_again;
    legato_dfr_optimiser_params params_again{};
    params_again.struct_size = sizeof params_again;
    scenario.step("legato_dfr_optimiser_get_params",
                  [&] { return legato_dfr_optimiser_get_params(resumed.get(), &field_again, &params_again); });
    scenario.step("legato_dfr_optimiser_run",
                  [&] { return legato_dfr_optimiser_run(resumed.get(), nullptr, nullptr); });
    read(scenario, resumed.get());
}

// The exponents of the group are free.
void optimise_with_derivatives(Scenario& scenario) {
    const legato_dfr_params field = field_of(scenario);
    legato_dfr_optimiser_params params = params_of(scenario, 4);
    params.method = LEGATO_DFR_OPTIMISER_METHOD_LBFGS;
    const legato_dfr_nucleus nucleus = helium();
    const int32_t four = 4, form = LEGATO_DFR_GROUP_FORM_FREE;
    const std::array<double, 4> exponents{0.3, 1.2, 6.0, 38.0};
    Optimiser optimiser;
    scenario.make("legato_dfr_optimiser_create", optimiser, [&](legato_dfr_optimiser** made) {
        return legato_dfr_optimiser_create(scenario.context(), &field, &params, made);
    });
    scenario.step("legato_dfr_optimiser_add_groups", [&] {
        return legato_dfr_optimiser_add_groups(optimiser.get(), &nucleus, 1, &four, &one, nullptr, 1, &form,
                                               exponents.data(), &one, &none, nullptr, limit, nullptr);
    });
    scenario.step("legato_dfr_optimiser_run",
                  [&] { return legato_dfr_optimiser_run(optimiser.get(), Scenario::progress, nullptr); });
    std::array<double, 4> parameters{};
    int32_t count = 0;
    scenario.step("legato_dfr_optimiser_groups", [&] {
        return legato_dfr_optimiser_groups(optimiser.get(), 0, &count, nullptr, nullptr, parameters.data());
    });
    scenario.note(parameters);
}

// The limit of this candidate is calculated in a large basis.
void add_an_element(Scenario& scenario) {
    write_small_library("hennessey", {{2, {9}}});
    write_small_library("legato-1e-5", {{2, {8}}});
    const legato_dfr_params field = field_of(scenario);
    Optimiser optimiser;
    scenario.make("legato_dfr_optimiser_create", optimiser, [&](legato_dfr_optimiser** made) {
        return legato_dfr_optimiser_create(scenario.context(), &field, nullptr, made);
    });
    int64_t index = -1;
    scenario.step("legato_dfr_optimiser_add_element", [&] {
        return legato_dfr_optimiser_add_element(optimiser.get(), 2, LEGATO_DFR_NUCLEAR_MODEL_POINT, &index);
    });
    scenario.step("legato_dfr_optimiser_add_element_with_basis", [&] {
        return legato_dfr_optimiser_add_element_with_basis(optimiser.get(), 2, LEGATO_DFR_NUCLEAR_MODEL_POINT,
                                                           "legato-1e-5", &index);
    });
    scenario.note(static_cast<double>(index));
    scenario.step("legato_dfr_optimiser_advance",
                  [&] { return legato_dfr_optimiser_advance(optimiser.get(), 1, nullptr); });
    legato_dfr_optimisation result{};
    result.struct_size = sizeof result;
    scenario.step("legato_dfr_optimiser_result",
                  [&] { return legato_dfr_optimiser_result(optimiser.get(), 0, &result); });
    scenario.note(result.limit);
}

void read(Scenario& scenario, legato_dfr_reducer* reducer) {
    legato_dfr_reduction reduction{};
    reduction.struct_size = sizeof reduction;
    scenario.step("legato_dfr_reducer_result", [&] { return legato_dfr_reducer_result(reducer, &reduction); });
    for (int32_t i = 0; i < reduction.stages_done; ++i) {
        legato_dfr_stage stage{};
        stage.struct_size = sizeof stage;
        scenario.step("legato_dfr_reducer_stage", [&] { return legato_dfr_reducer_stage(reducer, i, &stage); });
        scenario.note(std::array{static_cast<double>(stage.chosen), stage.energy});
    }
    double parameters[4], closest = 0;
    scenario.step("legato_dfr_reducer_basis",
                  [&] { return legato_dfr_reducer_basis(reducer, nullptr, nullptr, nullptr, parameters); });
    scenario.step("legato_dfr_reducer_atom", [&] {
        return legato_dfr_reducer_atom(reducer, nullptr, nullptr, nullptr, nullptr, nullptr, &closest, nullptr);
    });
    scenario.note(std::array{static_cast<double>(reduction.status), reduction.energy, closest});
}

void reduce(Scenario& scenario) {
    const legato_dfr_params field = field_of(scenario);
    const legato_dfr_optimiser_params optimiser_params = params_of(scenario, 4);
    const legato_dfr_nucleus nucleus = helium();
    auto params = scenario.defaults("legato_dfr_reducer_params_init", legato_dfr_reducer_params_init);
    params.functions = functions;
    params.accuracy = 0.1;
    params.limit = limit;
    Reducer reducer, resumed;
    scenario.make("legato_dfr_reducer_create", reducer, [&](legato_dfr_reducer** made) {
        return legato_dfr_reducer_create(scenario.context(), &field, &optimiser_params, &params, &nucleus, 1, &one,
                                         &none, nullptr, start, made);
    });
    int32_t finished = 0;
    scenario.step("legato_dfr_reducer_advance",
                  [&] { return legato_dfr_reducer_advance(reducer.get(), 2, &finished); });
    scenario.save("legato_dfr_reducer_save", "reducer.h5",
                  [&] { return legato_dfr_reducer_save(reducer.get(), "reducer.h5"); });
    scenario.step("legato_dfr_reducer_run",
                  [&] { return legato_dfr_reducer_run(reducer.get(), Scenario::progress, nullptr); });
    read(scenario, reducer.get());
    scenario.make("legato_dfr_reducer_resume", resumed, [&](legato_dfr_reducer** made) {
        return legato_dfr_reducer_resume(scenario.context(), "reducer.h5", made);
    });
    scenario.step("legato_dfr_reducer_get_params",
                  [&] { return legato_dfr_reducer_get_params(resumed.get(), nullptr, nullptr, &params); });
    scenario.step("legato_dfr_reducer_run", [&] { return legato_dfr_reducer_run(resumed.get(), nullptr, nullptr); });
    read(scenario, resumed.get());
}

void read(Scenario& scenario, legato_dfr_pruner* pruner) {
    int64_t count = 0;
    scenario.step("legato_dfr_pruner_size", [&] { return legato_dfr_pruner_size(pruner, &count); });
    for (int64_t i = 0; i < count; ++i) {
        legato_dfr_pruning pruning{};
        pruning.struct_size = sizeof pruning;
        scenario.step("legato_dfr_pruner_result", [&] { return legato_dfr_pruner_result(pruner, i, &pruning); });
        legato_dfr_pruned_set set{};
        set.struct_size = sizeof set;
        double parameters[4] = {};
        if (pruning.sets > 0) {
            scenario.step("legato_dfr_pruner_set",
                          [&] { return legato_dfr_pruner_set(pruner, i, pruning.sets - 1, &set); });
            scenario.step("legato_dfr_pruner_basis", [&] {
                return legato_dfr_pruner_basis(pruner, i, pruning.sets - 1, nullptr, nullptr, nullptr, nullptr, nullptr,
                                               nullptr, nullptr, parameters);
            });
        }
        double given = 0;
        scenario.step("legato_dfr_pruner_atom", [&] {
            return legato_dfr_pruner_atom(pruner, i, nullptr, nullptr, nullptr, nullptr, nullptr, &given);
        });
        scenario.note(std::array{static_cast<double>(pruning.status), static_cast<double>(pruning.sets), set.energy,
                                 set.relative_error, given});
    }
}

void prune(Scenario& scenario) {
    const legato_dfr_params field = field_of(scenario);
    const legato_dfr_nucleus nucleus = helium();
    auto params = scenario.defaults("legato_dfr_pruner_params_init", legato_dfr_pruner_params_init);
    params.largest_error = 0.5;
    params.max_energies = 4;
    const int32_t form = LEGATO_DFR_GROUP_FORM_WELL_TEMPERED;
    Pruner pruner, resumed;
    scenario.make("legato_dfr_pruner_create", pruner, [&](legato_dfr_pruner** made) {
        return legato_dfr_pruner_create(scenario.context(), &field, &params, made);
    });
    scenario.step("legato_dfr_pruner_add", [&] {
        return legato_dfr_pruner_add(pruner.get(), &nucleus, 1, &functions, &one, nullptr, 1, &form, start, &one, &none,
                                     nullptr, limit, nullptr);
    });
    scenario.step("legato_dfr_pruner_advance", [&] { return legato_dfr_pruner_advance(pruner.get(), 6, nullptr); });
    scenario.save("legato_dfr_pruner_save", "pruner.h5",
                  [&] { return legato_dfr_pruner_save(pruner.get(), "pruner.h5"); });
    scenario.step("legato_dfr_pruner_run",
                  [&] { return legato_dfr_pruner_run(pruner.get(), Scenario::progress, nullptr); });
    read(scenario, pruner.get());
    scenario.make("legato_dfr_pruner_resume", resumed, [&](legato_dfr_pruner** made) {
        return legato_dfr_pruner_resume(scenario.context(), "pruner.h5", made);
    });
    scenario.step("legato_dfr_pruner_get_params",
                  [&] { return legato_dfr_pruner_get_params(resumed.get(), nullptr, &params); });
    scenario.step("legato_dfr_pruner_run", [&] { return legato_dfr_pruner_run(resumed.get(), nullptr, nullptr); });
    read(scenario, resumed.get());
    Pruner element;
    scenario.make("legato_dfr_pruner_create", element, [&](legato_dfr_pruner** made) {
        return legato_dfr_pruner_create(scenario.context(), &field, nullptr, made);
    });
    scenario.step("legato_dfr_pruner_add_element", [&] {
        return legato_dfr_pruner_add_element(element.get(), 1, LEGATO_DFR_NUCLEAR_MODEL_GAUSSIAN, nullptr);
    });
}

}  // namespace

void use_dfr_optimisation(Scenario& scenario) {
    scenario.note_to(1e-8);
    optimise(scenario);
    optimise_with_derivatives(scenario);
    add_an_element(scenario);
    reduce(scenario);
    prune(scenario);
}

}  // namespace legato::tests
