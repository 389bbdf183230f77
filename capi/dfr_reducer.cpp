#include "legato/dfr_reducer.h"

#include <cmath>

#include "dfr/reducer.hpp"
#include "dfr_optimiser.hpp"
#include "dfr_reducer_params.hpp"
#include "handle.hpp"

using namespace legato;
using namespace legato::capi;

template <>
inline constexpr std::size_t capi::first_size<legato_dfr_reducer_params> = LEGATO_SIZE_UP_TO(legato_dfr_reducer_params,
                                                                                             limit);
template <>
inline constexpr std::size_t capi::first_size<legato_dfr_reduction> = LEGATO_SIZE_UP_TO(legato_dfr_reduction,
                                                                                        relative_error);
template <>
inline constexpr std::size_t capi::first_size<legato_dfr_stage> = LEGATO_SIZE_UP_TO(legato_dfr_stage, parameters);

template <>
struct capi::StandsFor<legato_dfr_reducer> : Handle<dfr::Reducer> {};

int32_t legato_dfr_reducer_params_init_sized(legato_dfr_reducer_params* params, size_t struct_size) {
    return guard_call(nullptr,
                      [&] { init_struct("dfr.reducer.params", to_c(dfr::ReducerProblem{}), params, struct_size); });
}

int32_t legato_dfr_reducer_create(legato_context* context, const legato_dfr_params* field,
                                  const legato_dfr_optimiser_params* optimiser_params,
                                  const legato_dfr_reducer_params* params, const legato_dfr_nucleus* nucleus,
                                  int32_t n_species, const int32_t* closed, const double* electrons,
                                  const double* pairs, const double* start, legato_dfr_reducer** reducer) {
    return create(context, "dfr.reducer", reducer, [&](Context& c) {
        dfr::ReducerProblem problem;
        legato_dfr_reducer_params p = to_c(problem);
        if (params) read_struct("dfr.reducer.params", params, p);
        problem.optimiser = read_problem(field, optimiser_params);
        problem.nucleus = read_nucleus(nucleus);
        require_integer("dfr.n_species", n_species, 1, dfr::max_symmetries);
        problem.configuration = read_configuration(static_cast<std::size_t>(n_species), closed, electrons, pairs);
        require_pointer("dfr.reducer.start", start);
        problem.start = {start[0], start[1], start[2], start[3]};
        from_c(p, problem);
        return std::make_unique<dfr::Reducer>(c, problem);
    });
}

int32_t legato_dfr_reducer_destroy(legato_dfr_reducer* reducer) {
    return destroy(reducer);
}

int32_t legato_dfr_reducer_run(legato_dfr_reducer* reducer, legato_progress_callback callback, void* user) {
    return run(reducer, callback, user);
}

int32_t legato_dfr_reducer_advance(legato_dfr_reducer* reducer, int64_t energies, int32_t* finished) {
    return guard_collective(reducer, "advance", [&](dfr::Reducer& self) {
        advance_by("dfr.reducer.advance.energies", energies, self);
        if (finished) *finished = self.finished();
    });
}

int32_t legato_dfr_reducer_result(legato_dfr_reducer* reducer, legato_dfr_reduction* reduction) {
    return guard(reducer, [&](dfr::Reducer& self) {
        const dfr::ReducerResult result = self.result();
        legato_dfr_reduction out{};
        out.status = static_cast<int32_t>(result.status);
        out.stages_done = static_cast<int32_t>(result.stages_done);
        out.stages = static_cast<int32_t>(result.stages);
        out.energy = result.energy;
        out.limit = result.limit;
        if (result.energy != 0.0 && result.limit != 0.0)
            out.relative_error = (result.energy - result.limit) / std::fabs(result.limit);
        write_struct("dfr.reduction", out, reduction);
    });
}

int32_t legato_dfr_reducer_stage(legato_dfr_reducer* reducer, int32_t index, legato_dfr_stage* stage) {
    return guard(reducer, [&](dfr::Reducer& self) {
        require_index("dfr.reducer.stage.index", index, self.stages().size());
        const dfr::ReducerStage& done = self.stages()[static_cast<std::size_t>(index)];
        legato_dfr_stage out{};
        out.kind = static_cast<int32_t>(done.kind);
        out.l = done.l;
        out.chosen = done.chosen;
        out.energies = done.energies;
        out.energy = done.energy;
        put(done.parameters, out.parameters);
        write_struct("dfr.stage", out, stage);
    });
}

int32_t legato_dfr_reducer_basis(legato_dfr_reducer* reducer, int32_t* n_species, int32_t* n_functions, int32_t* first,
                                 double* parameters) {
    return guard(reducer, [&](dfr::Reducer& self) {
        const dfr::GroupedBasis basis = self.result().basis;
        copy_out(basis, n_species, n_functions, first);
        if (parameters) put(basis.groups.front(), parameters);
    });
}

int32_t legato_dfr_reducer_atom(legato_dfr_reducer* reducer, legato_dfr_nucleus* nucleus, int32_t* n_species,
                                int32_t* closed, double* electrons, double* pairs, double* limit, double* start) {
    return guard(reducer, [&](dfr::Reducer& self) {
        const dfr::ReducerProblem& problem = self.problem();
        copy_out(problem.nucleus, problem.configuration, nucleus, n_species, closed, electrons, pairs);
        if (limit) *limit = problem.limit;
        if (start) put(problem.start, start);
    });
}

int32_t legato_dfr_reducer_save(legato_dfr_reducer* reducer, const char* path) {
    return save("dfr.reducer", reducer, path);
}

int32_t legato_dfr_reducer_resume(legato_context* context, const char* path, legato_dfr_reducer** reducer) {
    return resume("dfr.reducer", context, path, reducer);
}

int32_t legato_dfr_reducer_get_params(legato_dfr_reducer* reducer, legato_dfr_params* field,
                                      legato_dfr_optimiser_params* optimiser_params,
                                      legato_dfr_reducer_params* params) {
    return guard(reducer, [&](dfr::Reducer& self) {
        const dfr::ReducerProblem& problem = self.problem();
        if (field) require_struct("dfr.params", field);
        if (optimiser_params) require_struct("dfr.optimiser.params", optimiser_params);
        if (params) write_struct("dfr.reducer.params", to_c(problem), params);
        if (optimiser_params) write_struct("dfr.optimiser.params", to_c(problem.optimiser), optimiser_params);
        if (field) write_struct("dfr.params", to_c(problem.optimiser.field), field);
    });
}
