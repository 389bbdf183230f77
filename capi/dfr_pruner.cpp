#include "legato/dfr_pruner.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dfr.hpp"
#include "dfr/pruner.hpp"
#include "dfr_pruner_params.hpp"
#include "handle.hpp"

using namespace legato;
using namespace legato::capi;

template <>
inline constexpr std::size_t capi::first_size<legato_dfr_pruner_params> = LEGATO_SIZE_UP_TO(legato_dfr_pruner_params,
                                                                                            seed);
template <>
inline constexpr std::size_t capi::first_size<legato_dfr_pruning> = LEGATO_SIZE_UP_TO(legato_dfr_pruning, limit);
template <>
inline constexpr std::size_t capi::first_size<legato_dfr_pruned_set> = LEGATO_SIZE_UP_TO(legato_dfr_pruned_set,
                                                                                         spinor_error);

namespace {

using StartList = GrowingList<dfr::PrunerProblem, dfr::Candidate, dfr::Pruner>;

}  // namespace

template <>
struct capi::StandsFor<legato_dfr_pruner> : Handle<StartList> {};

namespace {

const std::vector<dfr::Candidate>& starts_of(const StartList& list) {
    return list.run ? list.run->starts() : list.items;
}

std::size_t index_in(const StartList& list, int64_t index) {
    require_index("dfr.pruner.index", index, starts_of(list).size());
    return static_cast<std::size_t>(index);
}

int64_t add(StartList& list, dfr::Candidate start) {
    if (list.run || list.beginning.is_active())
        fail(Status::invalid_argument, "dfr.pruner.add: the run has begun; add atoms before it begins");
    require_integer("dfr.pruner.n_atoms", static_cast<int64_t>(list.items.size()) + 1, 1, dfr::max_candidates);
    validate(list.problem, start, text("dfr.candidates[", list.items.size(), "]"));
    return list.add(std::move(start));
}

const dfr::PrunedSet& set_of(const StartList& list, int64_t index, int32_t number) {
    const std::size_t atom = index_in(list, index);
    static const std::vector<dfr::PrunedSet> none;
    const auto& sets = list.run ? list.run->sets(atom) : none;
    require_index("dfr.pruner.set.number", number, sets.size());
    return sets[static_cast<std::size_t>(number)];
}

}  // namespace

int32_t legato_dfr_pruner_params_init_sized(legato_dfr_pruner_params* params, size_t struct_size) {
    return guard_call(nullptr,
                      [&] { init_struct("dfr.pruner.params", to_c(dfr::PrunerProblem{}), params, struct_size); });
}

int32_t legato_dfr_pruner_create(legato_context* context, const legato_dfr_params* field,
                                 const legato_dfr_pruner_params* params, legato_dfr_pruner** pruner) {
    return create(context, "dfr.pruner", pruner, [&](Context& c) {
        dfr::PrunerProblem problem;
        legato_dfr_pruner_params p = to_c(problem);
        if (params) read_struct("dfr.pruner.params", params, p);
        from_c(p, problem);
        problem.field = read_problem(field);
        if (!field) problem.field.kinetic_balance = dfr::KineticBalance::extended;
        validate(problem);
        return std::make_unique<StartList>(c, problem);
    });
}

int32_t legato_dfr_pruner_destroy(legato_dfr_pruner* pruner) {
    return destroy(pruner);
}

int32_t legato_dfr_pruner_add(legato_dfr_pruner* pruner, const legato_dfr_nucleus* nucleus, int32_t n_species,
                              const int32_t* n_functions, const int32_t* first, const int32_t* group, int32_t n_groups,
                              const int32_t* forms, const double* parameters, const int32_t* closed,
                              const double* electrons, const double* pairs, double limit, int64_t* index) {
    return guard(pruner, [&](StartList& self) {
        const int64_t at = add(self, read_candidate(nucleus, n_species, n_functions, first, group, n_groups, forms,
                                                    parameters, closed, electrons, pairs, limit));
        if (index) *index = at;
    });
}

int32_t legato_dfr_pruner_add_element(legato_dfr_pruner* pruner, int32_t element, int32_t nuclear_model,
                                      int64_t* index) {
    return guard(pruner, [&](StartList& self) {
        const int64_t at = add(
            self, dfr::start_of(self.problem.field, element, capi::nuclear_model(nuclear_model), self.problem.seed));
        if (index) *index = at;
    });
}

int32_t legato_dfr_pruner_run(legato_dfr_pruner* pruner, legato_progress_callback callback, void* user) {
    return run(pruner, callback, user);
}

int32_t legato_dfr_pruner_advance(legato_dfr_pruner* pruner, int64_t energies, int64_t* finished) {
    return advance("dfr.pruner.advance.energies", pruner, energies, finished);
}

int32_t legato_dfr_pruner_size(legato_dfr_pruner* pruner, int64_t* count) {
    return guard(pruner, [&](StartList& self) {
        require_pointer("dfr.pruner.count", count) = static_cast<int64_t>(starts_of(self).size());
    });
}

int32_t legato_dfr_pruner_result(legato_dfr_pruner* pruner, int64_t index, legato_dfr_pruning* pruning) {
    return guard(pruner, [&](StartList& self) {
        const std::size_t at = index_in(self, index);
        require_struct("dfr.pruning", pruning);
        legato_dfr_pruning out{};
        if (self.run) {
            const dfr::PrunerResult result = self.run->result(at);
            out.status = static_cast<int32_t>(result.status);
            out.sets = static_cast<int32_t>(self.run->sets(at).size());
            out.energies = result.energies;
            out.limit = result.limit;
        }
        write_struct("dfr.pruning", out, pruning);
    });
}

int32_t legato_dfr_pruner_set(legato_dfr_pruner* pruner, int64_t index, int32_t number, legato_dfr_pruned_set* set) {
    return guard(pruner, [&](StartList& self) {
        const dfr::PrunedSet& pruned = set_of(self, index, number);
        const double limit = self.run->result(static_cast<std::size_t>(index)).limit;
        legato_dfr_pruned_set out{};
        out.group = pruned.group;
        for (std::size_t g = 0; g < pruned.basis.groups.size(); ++g) out.functions += pool_size(pruned.basis, g);
        out.energy = pruned.energy;
        out.relative_error = (pruned.energy - limit) / std::fabs(limit);
        out.spinor_error =
            self.problem.spinor_weight > 0 ? pruned.spinor_error : std::numeric_limits<double>::quiet_NaN();
        write_struct("dfr.pruned_set", out, set);
    });
}

int32_t legato_dfr_pruner_basis(legato_dfr_pruner* pruner, int64_t index, int32_t number, int32_t* n_species,
                                int32_t* n_groups, int32_t* n_parameters, int32_t* n_functions, int32_t* first,
                                int32_t* group, int32_t* forms, double* parameters) {
    return guard(pruner, [&](StartList& self) {
        const dfr::GroupedBasis& basis = set_of(self, index, number).basis;
        if (n_species) *n_species = static_cast<int32_t>(basis.ranges.size());
        copy_out(basis, n_groups, n_parameters, n_functions, first, group, forms, parameters);
    });
}

int32_t legato_dfr_pruner_atom(legato_dfr_pruner* pruner, int64_t index, legato_dfr_nucleus* nucleus,
                               int32_t* n_species, int32_t* closed, double* electrons, double* pairs, double* limit) {
    return guard(pruner, [&](StartList& self) {
        const dfr::Candidate& start = starts_of(self)[index_in(self, index)];
        copy_out(start.nucleus, start.configuration, nucleus, n_species, closed, electrons, pairs);
        if (limit) *limit = start.limit;
    });
}

int32_t legato_dfr_pruner_save(legato_dfr_pruner* pruner, const char* path) {
    return save("dfr.pruner", pruner, path);
}

int32_t legato_dfr_pruner_resume(legato_context* context, const char* path, legato_dfr_pruner** pruner) {
    return resume("dfr.pruner", context, path, pruner);
}

int32_t legato_dfr_pruner_get_params(legato_dfr_pruner* pruner, legato_dfr_params* field,
                                     legato_dfr_pruner_params* params) {
    return guard(pruner, [&](StartList& self) {
        if (field) require_struct("dfr.params", field);
        if (params) write_struct("dfr.pruner.params", to_c(self.problem), params);
        if (field) write_struct("dfr.params", to_c(self.problem.field), field);
    });
}
