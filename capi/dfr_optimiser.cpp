#include "dfr_optimiser.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "handle.hpp"

using namespace legato;
using namespace legato::capi;

template <>
inline constexpr std::size_t capi::first_size<legato_dfr_optimisation> = LEGATO_SIZE_UP_TO(legato_dfr_optimisation,
                                                                                           limit);

namespace {

using CandidateList = GrowingList<dfr::OptimiserProblem, dfr::Candidate, dfr::Optimiser>;

}  // namespace

template <>
struct capi::StandsFor<legato_dfr_optimiser> : Handle<CandidateList> {};

namespace {

const std::vector<dfr::Candidate>& candidates_of(const CandidateList& list) {
    return list.run ? list.run->candidates() : list.items;
}

std::size_t index_in(const CandidateList& list, int64_t index) {
    require_index("dfr.optimiser.index", index, candidates_of(list).size());
    return static_cast<std::size_t>(index);
}

void require_not_begun(const CandidateList& list) {
    if (list.run || list.beginning.is_active())
        fail(Status::invalid_argument, "dfr.optimiser.add: the run has begun; add basis sets before it begins");
}

int64_t add(CandidateList& list, dfr::Candidate candidate) {
    require_not_begun(list);
    require_integer("dfr.optimiser.n_candidates", static_cast<int64_t>(list.items.size()) + 1, 1, dfr::max_candidates);
    validate(list.problem, candidate, text("dfr.candidates[", list.items.size(), "]"));
    return list.add(std::move(candidate));
}

const std::vector<dfr::EnergyRecord>& records_of(const CandidateList& list, std::size_t index) {
    static const std::vector<dfr::EnergyRecord> none;
    return list.run ? list.run->records()[index] : none;
}

std::span<const dfr::EnergyRecord> records_of(const CandidateList& list, std::size_t index, int64_t first, int64_t n) {
    const std::vector<dfr::EnergyRecord>& records = records_of(list, index);
    require_integer("dfr.optimiser.history.first", first, 0, std::ssize(records));
    require_integer("dfr.optimiser.history.n", n, 0, std::ssize(records) - first);
    return std::span(records).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(n));
}

// `field` is an array of four parameters for each group. Other groups are read with `instead`.
void require_well_tempered(const dfr::GroupedBasis& basis, const char* field, const char* instead) {
    for (std::size_t g = 0; g < basis.groups.size(); ++g)
        if (basis.groups[g].form != dfr::GroupForm::well_tempered)
            fail(Status::invalid_argument, field, ": groups[", g, "] is not well-tempered; pass NULL and call ",
                 instead);
}

// Writes the parameters of all groups, multiplied by exp(x) unless x is empty. Returns the end of the written range.
double* put(const dfr::GroupedBasis& basis, const std::vector<double>& x, double* parameters) {
    double* const begin = parameters;
    for (const dfr::ExponentGroup& group : basis.groups) parameters = capi::put(group, parameters);
    for (std::size_t i = 0; i < x.size(); ++i) begin[i] *= std::exp(x[i]);
    return parameters;
}

int32_t add_candidate(legato_dfr_optimiser* optimiser, const legato_dfr_nucleus* nucleus, int32_t n_species,
                      const int32_t* n_functions, const int32_t* first, const int32_t* group, int32_t n_groups,
                      const int32_t* forms, const double* parameters, const int32_t* closed, const double* electrons,
                      const double* pairs, double limit, int64_t* index) {
    return guard(optimiser, [&](CandidateList& self) {
        const int64_t at = add(self, read_candidate(nucleus, n_species, n_functions, first, group, n_groups, forms,
                                                    parameters, closed, electrons, pairs, limit));
        if (index) *index = at;
    });
}

}  // namespace

int32_t legato_dfr_optimiser_params_init_sized(legato_dfr_optimiser_params* params, size_t struct_size) {
    return guard_call(nullptr,
                      [&] { init_struct("dfr.optimiser.params", to_c(dfr::OptimiserProblem{}), params, struct_size); });
}

int32_t legato_dfr_optimiser_create(legato_context* context, const legato_dfr_params* field,
                                    const legato_dfr_optimiser_params* params, legato_dfr_optimiser** optimiser) {
    return create(context, "dfr.optimiser", optimiser,
                  [&](Context& c) { return std::make_unique<CandidateList>(c, read_problem(field, params)); });
}

int32_t legato_dfr_optimiser_destroy(legato_dfr_optimiser* optimiser) {
    return destroy(optimiser);
}

int32_t legato_dfr_optimiser_add(legato_dfr_optimiser* optimiser, const legato_dfr_nucleus* nucleus, int32_t n_species,
                                 const int32_t* n_functions, const int32_t* first, const int32_t* group,
                                 int32_t n_groups, const double* parameters, const int32_t* closed,
                                 const double* electrons, const double* pairs, double limit, int64_t* index) {
    return add_candidate(optimiser, nucleus, n_species, n_functions, first, group, n_groups, well_tempered_forms,
                         parameters, closed, electrons, pairs, limit, index);
}

int32_t legato_dfr_optimiser_add_groups(legato_dfr_optimiser* optimiser, const legato_dfr_nucleus* nucleus,
                                        int32_t n_species, const int32_t* n_functions, const int32_t* first,
                                        const int32_t* group, int32_t n_groups, const int32_t* forms,
                                        const double* parameters, const int32_t* closed, const double* electrons,
                                        const double* pairs, double limit, int64_t* index) {
    return add_candidate(optimiser, nucleus, n_species, n_functions, first, group, n_groups, forms, parameters, closed,
                         electrons, pairs, limit, index);
}

int32_t legato_dfr_optimiser_add_element(legato_dfr_optimiser* optimiser, int32_t element, int32_t nuclear_model,
                                         int64_t* index) {
    return legato_dfr_optimiser_add_element_with_basis(optimiser, element, nuclear_model, nullptr, index);
}

int32_t legato_dfr_optimiser_add_element_with_basis(legato_dfr_optimiser* optimiser, int32_t element,
                                                    int32_t nuclear_model, const char* basis, int64_t* index) {
    return guard_collective(optimiser, "add_element", [&](CandidateList& self) {
        require_not_begun(self);
        const int64_t at = add(self, self.named_sets.start(self.context, basis ? basis : dfr::default_start, element,
                                                           capi::nuclear_model(nuclear_model)));
        if (index) *index = at;
    });
}

int32_t legato_dfr_optimiser_run(legato_dfr_optimiser* optimiser, legato_progress_callback callback, void* user) {
    return run(optimiser, callback, user);
}

int32_t legato_dfr_optimiser_advance(legato_dfr_optimiser* optimiser, int64_t energies, int64_t* finished) {
    return advance("dfr.optimiser.advance.energies", optimiser, energies, finished);
}

int32_t legato_dfr_optimiser_size(legato_dfr_optimiser* optimiser, int64_t* count) {
    return guard(optimiser, [&](CandidateList& self) {
        require_pointer("dfr.optimiser.count", count) = static_cast<int64_t>(candidates_of(self).size());
    });
}

int32_t legato_dfr_optimiser_result(legato_dfr_optimiser* optimiser, int64_t index,
                                    legato_dfr_optimisation* optimisation) {
    return guard(optimiser, [&](CandidateList& self) {
        const std::size_t at = index_in(self, index);
        require_struct("dfr.optimisation", optimisation);
        legato_dfr_optimisation out{};
        out.spinor_error = std::numeric_limits<double>::quiet_NaN();
        if (self.run) {
            const dfr::OptimiserResult result = self.run->result(at);
            out.status = static_cast<int32_t>(result.status);
            out.energies = result.energies;
            out.start_energy = result.start_energy;
            out.energy = result.energy;
            out.limit = result.limit;
            if (self.problem.spinor_weight > 0 && result.energy < 0) out.spinor_error = result.spinor_error;
        }
        for (const dfr::EnergyRecord& record : records_of(self, at)) {
            out.not_converged += record.kind == dfr::EnergyKind::not_converged;
            out.failed += record.kind == dfr::EnergyKind::failed;
            out.collapsed += record.kind == dfr::EnergyKind::collapsed;
        }
        write_struct("dfr.optimisation", out, optimisation);
    });
}

int32_t legato_dfr_optimiser_basis(legato_dfr_optimiser* optimiser, int64_t index, int32_t* n_species,
                                   int32_t* n_groups, int32_t* n_functions, int32_t* first, int32_t* group,
                                   double* parameters) {
    return guard(optimiser, [&](CandidateList& self) {
        const std::size_t at = index_in(self, index);
        const dfr::GroupedBasis basis = self.run ? self.run->result(at).basis : self.items[at].basis;
        if (parameters) require_well_tempered(basis, "dfr.optimiser.basis.parameters", "legato_dfr_optimiser_groups");
        copy_out(basis, n_species, n_functions, first);
        if (n_groups) *n_groups = static_cast<int32_t>(basis.groups.size());
        if (group) std::copy(basis.group.begin(), basis.group.end(), group);
        if (parameters) put(basis, {}, parameters);
    });
}

int32_t legato_dfr_optimiser_groups(legato_dfr_optimiser* optimiser, int64_t index, int32_t* n_parameters,
                                    int32_t* forms, double* start, double* parameters) {
    return guard(optimiser, [&](CandidateList& self) {
        const std::size_t at = index_in(self, index);
        const dfr::GroupedBasis& basis = candidates_of(self)[at].basis;
        if (n_parameters) *n_parameters = static_cast<int32_t>(parameter_count(basis));
        if (forms)
            for (const dfr::ExponentGroup& group : basis.groups) *forms++ = static_cast<int32_t>(group.form);
        if (start) put(basis, {}, start);
        if (parameters) put(self.run ? self.run->result(at).basis : basis, {}, parameters);
    });
}

int32_t legato_dfr_optimiser_atom(legato_dfr_optimiser* optimiser, int64_t index, legato_dfr_nucleus* nucleus,
                                  int32_t* n_species, int32_t* n_groups, int32_t* closed, double* electrons,
                                  double* pairs, double* limit, double* parameters) {
    return guard(optimiser, [&](CandidateList& self) {
        const dfr::Candidate& candidate = candidates_of(self)[index_in(self, index)];
        if (parameters)
            require_well_tempered(candidate.basis, "dfr.optimiser.atom.parameters", "legato_dfr_optimiser_groups");
        copy_out(candidate.nucleus, candidate.configuration, nucleus, n_species, closed, electrons, pairs);
        if (n_groups) *n_groups = static_cast<int32_t>(candidate.basis.groups.size());
        if (limit) *limit = candidate.limit;
        if (parameters) put(candidate.basis, {}, parameters);
    });
}

int32_t legato_dfr_optimiser_history(legato_dfr_optimiser* optimiser, int64_t index, int64_t first, int64_t n,
                                     int64_t* total, double* energies, int32_t* kinds, double* parameters) {
    return guard(optimiser, [&](CandidateList& self) {
        const std::size_t at = index_in(self, index);
        if (total) *total = std::ssize(records_of(self, at));
        if (parameters)
            require_well_tempered(candidates_of(self)[at].basis, "dfr.optimiser.history.parameters",
                                  "legato_dfr_optimiser_history_of_groups");
        for (const dfr::EnergyRecord& record : records_of(self, at, first, n)) {
            if (energies) *energies++ = record.energy;
            if (kinds) *kinds++ = static_cast<int32_t>(record.kind);
            if (parameters) parameters = put(candidates_of(self)[at].basis, record.x, parameters);
        }
    });
}

int32_t legato_dfr_optimiser_history_of_groups(legato_dfr_optimiser* optimiser, int64_t index, int64_t first, int64_t n,
                                               double* parameters) {
    return guard(optimiser, [&](CandidateList& self) {
        const std::size_t at = index_in(self, index);
        require_pointer("dfr.optimiser.history_of_groups.parameters", parameters);
        for (const dfr::EnergyRecord& record : records_of(self, at, first, n))
            parameters = put(candidates_of(self)[at].basis, record.x, parameters);
    });
}

int32_t legato_dfr_optimiser_save(legato_dfr_optimiser* optimiser, const char* path) {
    return save("dfr.optimiser", optimiser, path);
}

int32_t legato_dfr_optimiser_resume(legato_context* context, const char* path, legato_dfr_optimiser** optimiser) {
    return resume("dfr.optimiser", context, path, optimiser);
}

int32_t legato_dfr_optimiser_get_params(legato_dfr_optimiser* optimiser, legato_dfr_params* field,
                                        legato_dfr_optimiser_params* params) {
    return guard(optimiser, [&](CandidateList& self) {
        if (field) require_struct("dfr.params", field);
        if (params) write_struct("dfr.optimiser.params", to_c(self.problem), params);
        if (field) write_struct("dfr.params", to_c(self.problem.field), field);
    });
}
