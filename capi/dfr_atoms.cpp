#include "legato/dfr_atoms.h"

#include <algorithm>

#include "dfr.hpp"
#include "dfr/configuration.hpp"
#include "dfr/elements.hpp"
#include "dfr/large_basis.hpp"
#include "dfr/set_groups.hpp"

using namespace legato;
using namespace legato::capi;

namespace {

std::vector<dfr::Subshell> subshells_from(int32_t count, const int32_t* n, const int32_t* l, const int32_t* electrons) {
    require_integer("dfr.n_subshells", count, 0, 100);
    std::vector<dfr::Subshell> subshells(static_cast<std::size_t>(count));
    if (subshells.empty()) return subshells;
    require_pointer("dfr.subshell_n", n);
    require_pointer("dfr.subshell_l", l);
    require_pointer("dfr.subshell_electrons", electrons);
    for (std::size_t i = 0; i < subshells.size(); ++i) subshells[i] = {n[i], l[i], electrons[i]};
    return subshells;
}

// Returns the first `extent` species. Species beyond those of the configuration are empty.
void copy_out(const dfr::Configuration& configuration, std::size_t extent, int32_t* closed, double* electrons,
              double* pairs) {
    const std::size_t species = configuration.closed.size();
    for (std::size_t s = 0; s < extent; ++s) {
        if (closed) closed[s] = s < species ? configuration.closed[s] : 0;
        if (electrons) electrons[s] = s < species ? configuration.electrons[s] : 0.0;
        for (std::size_t t = 0; pairs && t < extent; ++t)
            pairs[s * extent + t] = s < species && t < species ? configuration.pairs[s * species + t] : 1.0;
    }
}

std::vector<int> open_species_from(const char* field, int32_t n_open, const int32_t* open_species) {
    require_integer(text(field, ".n_open"), n_open, 0, dfr::max_symmetries);
    return copied(text(field, ".open_species").c_str(), open_species, static_cast<std::size_t>(n_open));
}

// Reads an atom without a basis. Its functions only stand for those that it will have.
dfr::Atom read_atom_without_basis(const dfr::Problem& problem, const legato_dfr_nucleus* nucleus, int32_t n_species,
                                  const int32_t* closed, const double* electrons) {
    require_integer("dfr.n_species", n_species, 1, dfr::max_symmetries);
    const auto species = static_cast<std::size_t>(n_species);
    const std::vector<double> no_pairs(species * species), any(dfr::max_functions, 1.0);
    dfr::Atom atom{read_nucleus(nucleus), std::vector(species, any),
                   read_configuration(species, closed, electrons, no_pairs.data())};
    validate(problem, atom, "dfr.large_basis");
    return atom;
}

void put_exponents(const char* field, const dfr::GroupedBasis& basis, double* exponents) {
    validate(basis, "dfr");
    require_pointer(field, exponents);
    for (const auto& species : dfr::exponents_of(basis))
        exponents = std::copy(species.begin(), species.end(), exponents);
}

}  // namespace

int32_t legato_dfr_average_of_configuration(legato_context* context, int32_t n_subshells, const int32_t* subshell_n,
                                            const int32_t* subshell_l, const int32_t* subshell_electrons, int32_t n,
                                            int32_t* n_species, int32_t* closed, double* electrons, double* pairs) {
    return guard(context, [&](Context&) {
        const auto subshells = subshells_from(n_subshells, subshell_n, subshell_l, subshell_electrons);
        const dfr::Configuration configuration = dfr::average_of_configuration(subshells, "dfr.subshells");
        const auto species = static_cast<int32_t>(configuration.closed.size());
        if (n_species) *n_species = species;
        const bool sizes_only = n == 0 && !closed && !electrons && !pairs;
        require_integer("dfr.average_of_configuration.n", n, sizes_only ? 0 : species, dfr::max_symmetries);
        copy_out(configuration, static_cast<std::size_t>(n), closed, electrons, pairs);
    });
}

int32_t legato_dfr_average_of_list(legato_context* context, int32_t n_species, const int32_t* closed, int32_t n_open,
                                   const int32_t* open_species, int64_t n_configurations, const double* occupations,
                                   int32_t* filled, double* electrons, double* pairs) {
    return guard(context, [&](Context&) {
        require_integer("dfr.list.n_species", n_species, 1, dfr::max_symmetries);
        const auto below = copied("dfr.list.closed", closed, static_cast<std::size_t>(n_species));
        const auto open = open_species_from("dfr.list", n_open, open_species);
        require_integer("dfr.list.n_configurations", n_configurations, n_open > 0 ? 1 : 0, dfr::max_rows);
        if (n_open > 0) require_pointer("dfr.list.occupations", occupations);
        std::vector<std::vector<double>> rows(static_cast<std::size_t>(n_configurations));
        for (auto& row : rows) {
            row = copied("dfr.list.occupations", occupations, open.size());
            if (occupations) occupations += open.size();
        }
        copy_out(dfr::average_of_list(below, open, rows, "dfr.list"), below.size(), filled, electrons, pairs);
    });
}

int32_t legato_dfr_all_distributions(legato_context* context, int32_t n_open, const int32_t* open_species,
                                     int32_t electrons, int64_t n, int64_t* n_configurations, double* occupations) {
    return guard(context, [&](Context&) {
        const auto open = open_species_from("dfr.distributions", n_open, open_species);
        const auto rows = dfr::all_distributions(open, electrons, "dfr.distributions");
        if (n_configurations) *n_configurations = static_cast<int64_t>(rows.size());
        require_integer("dfr.distributions.n", n, 0, static_cast<int64_t>(rows.size()));
        if (!occupations) return;
        for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i)
            occupations = std::copy(rows[i].begin(), rows[i].end(), occupations);
    });
}

int32_t legato_dfr_ground_configuration(legato_context* context, int32_t element, int32_t n, int32_t* n_subshells,
                                        int32_t* subshell_n, int32_t* subshell_l, int32_t* subshell_electrons) {
    return guard(context, [&](Context&) {
        const auto subshells = dfr::ground_configuration(element);
        if (n_subshells) *n_subshells = static_cast<int32_t>(subshells.size());
        require_integer("dfr.ground_configuration.n", n, 0, static_cast<int64_t>(subshells.size()));
        for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
            if (subshell_n) subshell_n[i] = subshells[i].n;
            if (subshell_l) subshell_l[i] = subshells[i].l;
            if (subshell_electrons) subshell_electrons[i] = subshells[i].electrons;
        }
    });
}

int32_t legato_dfr_element_nucleus(legato_context* context, int32_t element, int32_t model,
                                   legato_dfr_nucleus* nucleus) {
    return guard(context, [&](Context&) {
        const dfr::Nucleus made = dfr::make_nucleus(element, nuclear_model(model));
        write_struct("dfr.nucleus", to_c(made), nucleus);
    });
}

int32_t legato_dfr_library_basis(legato_context* context, int32_t element, double* parameters, int32_t* pool, int32_t n,
                                 int32_t* n_species, int32_t* n_functions, int32_t* first) {
    return guard(context, [&](Context& c) {
        dfr::GroupedBasis basis = c.collective("dfr.library_basis", [&] {
            return dfr::groups_of(dfr::NamedSets().set_of(c, dfr::default_start, element));
        });
        if (basis.groups.size() != 1 || basis.groups.front().form != dfr::GroupForm::well_tempered)
            fail(Status::bad_file, "dfr.element: the set of ", dfr::symbol_of(element), " in the basis library ",
                 dfr::default_start, " does not follow from one well-tempered pool");
        const auto species = static_cast<int32_t>(basis.ranges.size());
        if (n_species) *n_species = species;
        require_integer("dfr.library_basis.n", n, 0, species);
        if (parameters) put(basis.groups.front(), parameters);
        if (pool) *pool = pool_size(basis, 0);
        basis.ranges.resize(static_cast<std::size_t>(n));
        copy_out(basis, nullptr, n_functions, first);
    });
}

int32_t legato_dfr_well_tempered_basis(legato_context* context, int32_t n_species, const int32_t* n_functions,
                                       const int32_t* first, const int32_t* group, int32_t n_groups,
                                       const double* parameters, double* exponents) {
    return guard(context, [&](Context&) {
        put_exponents("dfr.well_tempered_basis.exponents",
                      read_basis(n_species, n_functions, first, group, n_groups, well_tempered_forms, parameters),
                      exponents);
    });
}

int32_t legato_dfr_grouped_basis(legato_context* context, int32_t n_species, const int32_t* n_functions,
                                 const int32_t* first, const int32_t* group, int32_t n_groups, const int32_t* forms,
                                 const double* parameters, double* exponents) {
    return guard(context, [&](Context&) {
        put_exponents("dfr.grouped_basis.exponents",
                      read_basis(n_species, n_functions, first, group, n_groups, forms, parameters), exponents);
    });
}

int32_t legato_dfr_large_basis(legato_context* context, const legato_dfr_params* params,
                               const legato_dfr_nucleus* nucleus, int32_t n_species, const int32_t* closed,
                               const double* electrons, double error, int32_t* n_functions, double* exponents,
                               double* cut_off) {
    return guard(context, [&](Context&) {
        const dfr::Problem problem = read_problem(params);
        const dfr::Atom atom = read_atom_without_basis(problem, nucleus, n_species, closed, electrons);
        require_real("dfr.large_basis.error", error, 1e-12, 1e-5);
        const auto basis = dfr::large_basis(problem, atom.nucleus, atom.configuration, dfr::tolerance_for(error));
        for (const auto& species : basis) {
            if (n_functions) *n_functions++ = static_cast<int32_t>(species.size());
            if (exponents) exponents = std::copy(species.begin(), species.end(), exponents);
        }
        if (cut_off) *cut_off = dfr::cut_off_error(problem, atom.nucleus, atom.configuration, error);
    });
}

const char* legato_dfr_symbol(int32_t element) {
    return element >= 1 && element <= dfr::max_element ? dfr::symbol_of(element) : "";
}
