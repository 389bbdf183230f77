// Common parts of the interface to Dirac-Fock-Roothaan atoms: structs, and copies of the caller's arrays.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "core/context.hpp"
#include "core/run.hpp"
#include "core/validate.hpp"
#include "dfr/candidate.hpp"
#include "dfr/grouped_basis.hpp"
#include "dfr/named_sets.hpp"
#include "dfr/problem.hpp"
#include "dfr_params.hpp"
#include "legato/dfr_atoms.h"

namespace legato::capi {

template <>
inline constexpr std::size_t first_size<legato_dfr_params> = LEGATO_SIZE_UP_TO(legato_dfr_params, dependence_threshold);
template <>
inline constexpr std::size_t first_size<legato_dfr_nucleus> = LEGATO_SIZE_UP_TO(legato_dfr_nucleus, exponent);

// Null stands for the defaults.
inline dfr::Problem read_problem(const legato_dfr_params* params) {
    legato_dfr_params c = to_c(dfr::Params{});
    if (params) read_struct("dfr.params", params, c);
    dfr::Problem p;
    from_c(c, p);
    validate(p);
    return p;
}

inline dfr::NuclearModel nuclear_model(int32_t model) {
    require_integer("dfr.nuclear_model", model, LEGATO_DFR_NUCLEAR_MODEL_POINT, LEGATO_DFR_NUCLEAR_MODEL_FERMI);
    return static_cast<dfr::NuclearModel>(model);
}

inline dfr::Nucleus read_nucleus(const legato_dfr_nucleus* nucleus) {
    legato_dfr_nucleus c{};
    read_struct("dfr.nucleus", nucleus, c);
    return {c.charge, static_cast<dfr::NuclearModel>(c.model), c.radius, c.exponent, c.skin};
}

template <class T>
std::vector<T> copied(const char* field, const T* values, std::size_t count) {
    if (count == 0) return {};
    require_pointer(field, values);
    return {values, values + count};
}

// Copies the exponents of all species. Their values have not been checked.
inline std::vector<std::vector<double>> read_exponents(int32_t n_species, const int32_t* n_functions,
                                                       const double* exponents) {
    require_integer("dfr.n_species", n_species, 1, dfr::max_symmetries);
    std::vector<std::vector<double>> of_species;
    for (const int32_t count : copied("dfr.n_functions", n_functions, static_cast<std::size_t>(n_species))) {
        require_integer("dfr.n_functions", count, 0, dfr::max_functions);
        of_species.push_back(copied("dfr.exponents", exponents, static_cast<std::size_t>(count)));
        if (exponents) exponents += count;
    }
    return of_species;
}

// Copies a configuration of `species` species; this number has been checked. Without `pairs` there must be no open
// shells.
inline dfr::Configuration read_configuration(std::size_t species, const int32_t* closed, const double* electrons,
                                             const double* pairs) {
    dfr::Configuration configuration{
        copied("dfr.closed", closed, species), copied("dfr.electrons", electrons, species), {}};
    if (pairs)
        configuration.pairs.assign(pairs, pairs + species * species);
    else if (std::all_of(electrons, electrons + species, [](double e) { return e == 0.0; }))
        configuration.pairs.assign(species * species, 0.0);
    else
        require_pointer("dfr.pairs", pairs);
    return configuration;
}

// Returns the end of the written range.
inline double* put(const dfr::ExponentGroup& group, double* parameters) {
    return std::copy(group.parameters.begin(), group.parameters.end(), parameters);
}

// The forms of groups that are all well-tempered.
inline constexpr int32_t well_tempered_forms[dfr::max_symmetries] = {};

// Reads a basis set in the form of legato_dfr_grouped_basis.
inline dfr::GroupedBasis read_basis(int32_t n_species, const int32_t* n_functions, const int32_t* first,
                                    const int32_t* group, int32_t n_groups, const int32_t* forms,
                                    const double* parameters) {
    require_integer("dfr.n_species", n_species, 1, dfr::max_symmetries);
    const auto species = static_cast<std::size_t>(n_species);
    dfr::GroupedBasis basis;
    require_pointer("dfr.n_functions", n_functions);
    require_pointer("dfr.first", first);
    for (std::size_t s = 0; s < species; ++s) {
        const std::string name = text("[", dfr::name_of(static_cast<int>(s)), "]");
        require_integer("dfr.n_functions" + name, n_functions[s], 0, dfr::max_functions);
        if (n_functions[s] > 0)
            require_integer("dfr.first" + name, first[s], 1, dfr::max_functions - n_functions[s] + 1);
        basis.ranges.push_back(n_functions[s] > 0 ? dfr::ExponentRange{first[s], first[s] + n_functions[s] - 1}
                                                  : dfr::ExponentRange{});
    }
    require_integer("dfr.n_groups", n_groups, 1, n_species);
    basis.group.assign(species, 0);
    if (group) basis.group.assign(group, group + species);
    require_pointer("dfr.forms", forms);
    require_pointer("dfr.parameters", parameters);
    for (int32_t g = 0; g < n_groups; ++g) {
        require_integer(text("dfr.forms[", g, "]"), forms[g], LEGATO_DFR_GROUP_FORM_WELL_TEMPERED,
                        LEGATO_DFR_GROUP_FORM_FREE);
        const auto of_group = static_cast<dfr::GroupForm>(forms[g]);
        const std::size_t count = parameter_count(of_group, pool_size(basis, static_cast<std::size_t>(g)));
        basis.groups.emplace_back(of_group, std::vector(parameters, parameters + count));
        parameters += count;
    }
    return basis;
}

inline dfr::Candidate read_candidate(const legato_dfr_nucleus* nucleus, int32_t n_species, const int32_t* n_functions,
                                     const int32_t* first, const int32_t* group, int32_t n_groups, const int32_t* forms,
                                     const double* parameters, const int32_t* closed, const double* electrons,
                                     const double* pairs, double limit) {
    dfr::Candidate candidate{read_nucleus(nucleus), {}, {}, limit};
    candidate.basis = read_basis(n_species, n_functions, first, group, n_groups, forms, parameters);
    candidate.configuration = read_configuration(static_cast<std::size_t>(n_species), closed, electrons, pairs);
    return candidate;
}

inline void copy_out(const dfr::GroupedBasis& basis, int32_t* n_species, int32_t* n_functions, int32_t* first) {
    if (n_species) *n_species = static_cast<int32_t>(basis.ranges.size());
    for (std::size_t s = 0; s < basis.ranges.size(); ++s) {
        const auto [begin, end] = basis.ranges[s];
        if (n_functions) n_functions[s] = begin > 0 ? end - begin + 1 : 0;
        if (first) first[s] = begin;
    }
}

// The same with the groups and all their parameters.
inline void copy_out(const dfr::GroupedBasis& basis, int32_t* n_groups, int32_t* n_parameters, int32_t* n_functions,
                     int32_t* first, int32_t* group, int32_t* forms, double* parameters) {
    copy_out(basis, nullptr, n_functions, first);
    if (n_groups) *n_groups = static_cast<int32_t>(basis.groups.size());
    if (n_parameters) *n_parameters = static_cast<int32_t>(parameter_count(basis));
    if (group) std::copy(basis.group.begin(), basis.group.end(), group);
    for (const dfr::ExponentGroup& g : basis.groups) {
        if (forms) *forms++ = static_cast<int32_t>(g.form);
        if (parameters) parameters = put(g, parameters);
    }
}

inline legato_dfr_nucleus to_c(const dfr::Nucleus& nucleus) {
    legato_dfr_nucleus c{};
    c.struct_size = sizeof(c);
    c.model = static_cast<int32_t>(nucleus.model);
    c.charge = nucleus.charge;
    c.radius = nucleus.radius;
    c.exponent = nucleus.exponent;
    c.skin = nucleus.skin;
    return c;
}

inline void copy_out(const dfr::Nucleus& of, const dfr::Configuration& configuration, legato_dfr_nucleus* nucleus,
                     int32_t* n_species, int32_t* closed, double* electrons, double* pairs) {
    if (nucleus) write_struct("dfr.nucleus", to_c(of), nucleus);
    if (n_species) *n_species = static_cast<int32_t>(configuration.closed.size());
    if (closed) std::copy(configuration.closed.begin(), configuration.closed.end(), closed);
    if (electrons) std::copy(configuration.electrons.begin(), configuration.electrons.end(), electrons);
    if (pairs) std::copy(configuration.pairs.begin(), configuration.pairs.end(), pairs);
}

// A list that grows until its run begins.
template <class Problem, class Item, class Run>
struct GrowingList {
    GrowingList(Context& context_of_run, const Problem& problem_of_run, std::unique_ptr<Run> begun_run = nullptr)
        : context(context_of_run), problem(problem_of_run), run(std::move(begun_run)) {}

    static constexpr std::string_view run_name = Run::run_name;

    Context& context;
    Problem problem;
    std::vector<Item> items;    // empty after the run has begun
    std::unique_ptr<Run> run;   // null before the run begins
    Activity beginning;         // busy while the run is made, when log lines may call back
    dfr::NamedSets named_sets;  // of elements

    static std::unique_ptr<GrowingList> resume(Context& c, const char* path) {
        std::unique_ptr<Run> resumed = Run::resume(c, path);
        const Problem of_run = resumed->problem();
        return std::make_unique<GrowingList>(c, of_run, std::move(resumed));
    }

    Run& begun(std::string_view call) {
        if (run) return *run;
        run_without_reentry(beginning, Run::run_name, call, [this] {
            run = std::make_unique<Run>(context, problem, items);
            items.clear();
        });
        return *run;
    }

    int64_t add(Item item) {
        items.push_back(std::move(item));
        return static_cast<int64_t>(items.size()) - 1;
    }
};

}  // namespace legato::capi
