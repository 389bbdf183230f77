#include "legato/dfr_basis_sets.h"

#include <algorithm>
#include <cmath>

#include "dfr/basis_files.hpp"
#include "dfr/elements.hpp"
#include "dfr/set_groups.hpp"
#include "dfr_list.hpp"

using namespace legato;
using namespace legato::capi;

template <>
struct capi::StandsFor<legato_dfr_basis_sets> : Handle<std::vector<dfr::BasisSet>> {};

namespace {

using BasisSets = std::vector<dfr::BasisSet>;

dfr::BasisFormat format_from_c(int32_t format) {
    require_integer("dfr.basis_sets.format", format, LEGATO_DFR_BASIS_FORMAT_BSE_JSON, LEGATO_DFR_BASIS_FORMAT_DIRAC);
    return static_cast<dfr::BasisFormat>(format);
}

const dfr::BasisSet& set_at(const BasisSets& sets, int64_t index) {
    require_index("dfr.basis_sets.index", index, sets.size());
    return sets[static_cast<std::size_t>(index)];
}

// Throws unless the element is new. `field` is the name of the number of the element.
void require_new_element(const BasisSets& sets, const char* field, int32_t element) {
    require_integer(field, element, 1, dfr::max_element);
    if (dfr::index_of(sets, element) < sets.size())
        fail(Status::invalid_argument, field, ": ", element, ", ", dfr::symbol_of(element), " already has a set");
}

int32_t element_of(const dfr::Nucleus& nucleus) {
    const double charge = nucleus.charge;
    if (charge != std::round(charge) || charge > dfr::max_element)
        fail(Status::invalid_argument, "dfr.basis_sets.add_contracted.index: the charge number ", charge,
             " of the nucleus is not the number of an element, a whole number in 1..", dfr::max_element);
    return static_cast<int32_t>(charge);
}

void require_converged(const dfr::AtomResult& result, int64_t index) {
    for (const dfr::AtomStatus ended : {dfr::AtomStatus::converged, dfr::AtomStatus::collapsed,
                                        dfr::AtomStatus::unbound, dfr::AtomStatus::not_compared})
        if (result.status == ended) return;
    fail(Status::invalid_argument, "dfr.basis_sets.add_contracted.index: ", index, " has not converged");
}

std::string text_from_c(const char* characters) {
    return characters ? characters : "";
}

}  // namespace

int32_t legato_dfr_basis_sets_create(legato_context* context, legato_dfr_basis_sets** sets) {
    return create(context, "dfr.basis_sets", sets, [](Context&) { return std::make_unique<BasisSets>(); });
}

int32_t legato_dfr_basis_sets_read(legato_context* context, const char* path, int32_t format,
                                   legato_dfr_basis_sets** sets) {
    return create(context, "dfr.basis_sets", sets, [&](Context& c) {
        require_path("dfr.basis_sets.read.path", path);
        return std::make_unique<BasisSets>(dfr::read_basis_file(c, path, format_from_c(format)));
    });
}

int32_t legato_dfr_basis_sets_library(legato_context* context, const char* name, double largest_error,
                                      legato_dfr_basis_sets** sets) {
    return create(context, "dfr.basis_sets", sets, [&](Context& c) {
        require_pointer("dfr.basis_sets.library.name", name);
        require_real("dfr.basis_sets.library.largest_error", largest_error, 0.0, 1.0);
        return std::make_unique<BasisSets>(dfr::read_basis_library(c, name, largest_error));
    });
}

int32_t legato_dfr_basis_sets_destroy(legato_dfr_basis_sets* sets) {
    return destroy(sets);
}

int32_t legato_dfr_basis_sets_add(legato_dfr_basis_sets* sets, int32_t element, int32_t n_species,
                                  const int32_t* n_functions, const double* exponents) {
    return guard(sets, [&](BasisSets& self) {
        require_new_element(self, "dfr.basis_sets.add.element", element);
        const auto of_species = read_exponents(n_species, n_functions, exponents);
        dfr::validate_exponents(of_species, "dfr.exponents");
        dfr::BasisSet set = dfr::uncontracted_set(element, of_species, "dfr.exponents");
        if (set.shells.empty())
            fail(Status::invalid_argument, "dfr.n_functions: the set of ", dfr::symbol_of(element),
                 " has no functions");
        self.push_back(std::move(set));
    });
}

int32_t legato_dfr_basis_sets_add_contracted(legato_dfr_basis_sets* sets, const legato_dfr* dfr, int64_t index,
                                             int32_t contraction, int32_t primitives) {
    return guard(sets, [&](BasisSets& self) {
        const Argument<legato_dfr> list("dfr.basis_sets.add_contracted.dfr", dfr);
        require_integer("dfr.basis_sets.add_contracted.contraction", contraction, LEGATO_DFR_CONTRACTION_J_ADAPTED,
                        LEGATO_DFR_CONTRACTION_L_AVERAGED);
        const dfr::Atom& atom = atom_at(*list, index);
        const dfr::AtomResult result = result_of(*list, index);
        require_converged(result, index);
        const int32_t element = element_of(atom.nucleus);
        require_new_element(self, "dfr.basis_sets.add_contracted.index", element);
        self.push_back(dfr::contracted_set(element, atom, result, static_cast<dfr::Contraction>(contraction),
                                           primitives, "dfr.basis_sets.add_contracted"));
    });
}

int32_t legato_dfr_basis_sets_write(legato_dfr_basis_sets* sets, const char* path, int32_t format, const char* name,
                                    const char* description) {
    return guard(sets, [&](BasisSets& self) {
        require_path("dfr.basis_sets.write.path", path);
        dfr::write_basis_file(path, format_from_c(format), self, {text_from_c(name), text_from_c(description)});
    });
}

int32_t legato_dfr_basis_sets_size(legato_dfr_basis_sets* sets, int64_t* count) {
    return guard(sets, [&](BasisSets& self) {
        require_pointer("dfr.basis_sets.count", count) = static_cast<int64_t>(self.size());
    });
}

int32_t legato_dfr_basis_sets_element(legato_dfr_basis_sets* sets, int64_t index, int32_t* element) {
    return guard(sets, [&](BasisSets& self) {
        const dfr::BasisSet& set = set_at(self, index);
        require_pointer("dfr.basis_sets.element", element) = set.element;
    });
}

int32_t legato_dfr_basis_sets_find(legato_dfr_basis_sets* sets, int32_t element, int64_t* index) {
    return guard(sets, [&](BasisSets& self) {
        require_integer("dfr.basis_sets.find.element", element, 1, dfr::max_element);
        require_pointer("dfr.basis_sets.find.index", index);
        const std::size_t at = dfr::index_of(self, element);
        if (at == self.size())
            fail(Status::invalid_argument, "dfr.basis_sets.find.element: there is no set for ", element, ", ",
                 dfr::symbol_of(element), "; there are sets for: ", dfr::elements_of(self));
        *index = static_cast<int64_t>(at);
    });
}

int32_t legato_dfr_basis_sets_exponents(legato_dfr_basis_sets* sets, int64_t index, int32_t* n_species,
                                        int32_t* n_functions, double* exponents) {
    return guard(sets, [&](BasisSets& self) {
        const auto of_species = dfr::exponents_of(set_at(self, index), "dfr.basis_sets");
        if (n_species) *n_species = static_cast<int32_t>(of_species.size());
        for (const auto& of_one : of_species) {
            if (n_functions) *n_functions++ = static_cast<int32_t>(of_one.size());
            if (exponents) exponents = std::copy(of_one.begin(), of_one.end(), exponents);
        }
    });
}

int32_t legato_dfr_basis_sets_groups(legato_dfr_basis_sets* sets, int64_t index, int32_t n, int32_t* n_groups,
                                     int32_t* n_parameters, int32_t* n_functions, int32_t* first, int32_t* group,
                                     int32_t* forms, double* parameters) {
    return guard(sets, [&](BasisSets& self) {
        const dfr::BasisSet& set = set_at(self, index);
        require_integer("dfr.basis_sets.groups.n", n, 1, dfr::max_symmetries);
        copy_out(dfr::groups_of(set, static_cast<std::size_t>(n)), n_groups, n_parameters, n_functions, first, group,
                 forms, parameters);
    });
}

int32_t legato_dfr_basis_sets_shells(legato_dfr_basis_sets* sets, int64_t index, int32_t* shells) {
    return guard(sets, [&](BasisSets& self) {
        const dfr::BasisSet& set = set_at(self, index);
        require_pointer("dfr.basis_sets.shells", shells) = static_cast<int32_t>(set.shells.size());
    });
}

int32_t legato_dfr_basis_sets_shell(legato_dfr_basis_sets* sets, int64_t index, int32_t shell, int32_t* l,
                                    int32_t* twice_j, int32_t* n_exponents, int32_t* n_functions, double* exponents,
                                    double* coefficients) {
    return guard(sets, [&](BasisSets& self) {
        const dfr::BasisSet& set = set_at(self, index);
        require_index("dfr.basis_sets.shell", shell, set.shells.size());
        const dfr::BasisShell& of_set = set.shells[static_cast<std::size_t>(shell)];
        if (l) *l = of_set.l;
        if (twice_j) *twice_j = of_set.twice_j;
        if (n_exponents) *n_exponents = static_cast<int32_t>(of_set.exponents.size());
        if (n_functions) *n_functions = static_cast<int32_t>(of_set.coefficients.size());
        if (exponents) std::copy(of_set.exponents.begin(), of_set.exponents.end(), exponents);
        if (!coefficients) return;
        for (const auto& function : of_set.coefficients)
            coefficients = std::copy(function.begin(), function.end(), coefficients);
    });
}
