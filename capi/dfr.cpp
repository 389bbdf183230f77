#include "legato/dfr.h"

#include <algorithm>
#include <limits>
#include <span>

#include "dfr/corrections.hpp"
#include "dfr/extended_balance.hpp"
#include "dfr/levels.hpp"
#include "dfr/properties.hpp"
#include "dfr/shell_list.hpp"
#include "dfr/trial.hpp"
#include "dfr/vectors_file.hpp"
#include "dfr_list.hpp"

using namespace legato;
using namespace legato::capi;

template <>
inline constexpr std::size_t capi::first_size<legato_dfr_atom> = LEGATO_SIZE_UP_TO(legato_dfr_atom, gradient);
template <>
inline constexpr std::size_t capi::first_size<legato_dfr_correction_energies> =
    LEGATO_SIZE_UP_TO(legato_dfr_correction_energies, uehling);

namespace {

constexpr int32_t max_shells = 10000;

// Returns an atom with all its functions, also before the run begins.
dfr::Atom solved_atom(const AtomList& list, int64_t index) {
    const dfr::Atom& atom = atom_at(list, index);
    return list.run ? atom : dfr::balanced(list.problem, atom);
}

const dfr::Species& species_at(const dfr::AtomResult& result, int32_t species) {
    require_index("dfr.species", species, result.species.size());
    return result.species[static_cast<std::size_t>(species)];
}

std::size_t state_at(const dfr::AtomResult& result, int32_t species, int32_t state) {
    require_index("dfr.state", state, species_at(result, species).orbital_energies.size());
    return static_cast<std::size_t>(state);
}

void require_small_components(const AtomList& list, const std::string& field) {
    if (!list.problem.relativistic)
        fail(Status::invalid_argument, field, ": there are no small components without relativity");
}

// Reads n radii. `caller` begins the names of arguments in messages.
std::span<const double> read_radii(const std::string& caller, int64_t n, const double* r) {
    require_integer(caller + ".n", n, 0, std::numeric_limits<int32_t>::max());
    if (n == 0) return {};
    require_pointer((caller + ".r").c_str(), r);
    for (int64_t i = 0; i < n; ++i) require_real(text(caller, ".r[", i, "]"), r[i], 0.0, 1e6);
    return {r, static_cast<std::size_t>(n)};
}

void require_not_begun(const AtomList& list) {
    if (list.run || list.beginning.is_active())
        fail(Status::invalid_argument, "dfr.add: the run has begun; add atoms before it begins");
}

int64_t add(AtomList& list, dfr::Atom atom) {
    require_not_begun(list);
    require_integer("dfr.n_atoms", static_cast<int64_t>(list.items.size()) + 1, 1, dfr::max_atoms);
    validate(list.problem, atom, text("dfr.atoms[", list.items.size(), "]"));
    return list.add(std::move(atom));
}

}  // namespace

int32_t legato_dfr_params_init_sized(legato_dfr_params* params, size_t struct_size) {
    return guard_call(nullptr, [&] { init_struct("dfr.params", to_c(dfr::Problem{}), params, struct_size); });
}

int32_t legato_dfr_create(legato_context* context, const legato_dfr_params* params, legato_dfr** dfr) {
    return create(context, "dfr", dfr, [&](Context& c) { return std::make_unique<AtomList>(c, read_problem(params)); });
}

int32_t legato_dfr_destroy(legato_dfr* dfr) {
    return destroy(dfr);
}

int32_t legato_dfr_add_element(legato_dfr* dfr, int32_t element, int32_t nuclear_model, int64_t* index) {
    return legato_dfr_add_element_with_basis(dfr, element, nuclear_model, nullptr, index);
}

int32_t legato_dfr_add_element_with_basis(legato_dfr* dfr, int32_t element, int32_t nuclear_model, const char* basis,
                                          int64_t* index) {
    return guard_collective(dfr, "add_element", [&](AtomList& self) {
        require_not_begun(self);
        const int64_t at = add(self, self.named_sets.atom(self.context, basis ? basis : dfr::default_basis, element,
                                                          capi::nuclear_model(nuclear_model)));
        if (index) *index = at;
    });
}

int32_t legato_dfr_add_atom(legato_dfr* dfr, const legato_dfr_nucleus* nucleus, int32_t n_species,
                            const int32_t* n_functions, const double* exponents, const int32_t* closed,
                            const double* electrons, const double* pairs, int64_t* index) {
    return guard(dfr, [&](AtomList& self) {
        dfr::Atom atom{read_nucleus(nucleus), read_exponents(n_species, n_functions, exponents), {}};
        const std::size_t species = atom.exponents.size();
        atom.configuration = read_configuration(species, closed, electrons, pairs);
        const int64_t at = add(self, std::move(atom));
        if (index) *index = at;
    });
}

int32_t legato_dfr_add_shells(legato_dfr* dfr, const legato_dfr_nucleus* nucleus, int32_t n_species,
                              const int32_t* n_functions, const double* exponents, int32_t n_shells,
                              const int32_t* shell_n, const int32_t* shell_l, const int32_t* shell_twice_j,
                              const int32_t* shell_electrons, int64_t* index) {
    return guard(dfr, [&](AtomList& self) {
        dfr::Atom atom{read_nucleus(nucleus), read_exponents(n_species, n_functions, exponents), {}};
        require_integer("dfr.n_shells", n_shells, 1, max_shells);
        require_pointer("dfr.shell_n", shell_n);
        require_pointer("dfr.shell_l", shell_l);
        require_pointer("dfr.shell_electrons", shell_electrons);
        std::vector<dfr::ShellElectrons> shells;
        shells.reserve(static_cast<std::size_t>(n_shells));
        for (int32_t i = 0; i < n_shells; ++i)
            shells.push_back({shell_n[i], shell_l[i], shell_twice_j ? shell_twice_j[i] : 0, shell_electrons[i]});
        atom.configuration = with_species(dfr::average_of_shells(shells), atom.exponents.size());
        const int64_t at = add(self, std::move(atom));
        if (index) *index = at;
    });
}

int32_t legato_dfr_run(legato_dfr* dfr, legato_progress_callback callback, void* user) {
    return run(dfr, callback, user);
}

int32_t legato_dfr_advance(legato_dfr* dfr, int64_t iterations, int64_t* finished) {
    return advance("dfr.advance.iterations", dfr, iterations, finished);
}

int32_t legato_dfr_size(legato_dfr* dfr, int64_t* atoms) {
    return guard(dfr, [&](AtomList& self) {
        require_pointer("dfr.atoms", atoms) = static_cast<int64_t>(atoms_of(self).size());
    });
}

int32_t legato_dfr_atom_size(legato_dfr* dfr, int64_t index, int32_t* n_species, int32_t* n_functions) {
    return guard(dfr, [&](AtomList& self) {
        const dfr::Atom atom = solved_atom(self, index);
        if (n_species) *n_species = static_cast<int32_t>(atom.exponents.size());
        if (!n_functions) return;
        for (const auto& exponents : atom.exponents) *n_functions++ = static_cast<int32_t>(exponents.size());
    });
}

int32_t legato_dfr_exponents(legato_dfr* dfr, int64_t index, int32_t species, double* exponents) {
    return guard(dfr, [&](AtomList& self) {
        const dfr::Atom atom = solved_atom(self, index);
        require_index("dfr.species", species, atom.exponents.size());
        const std::vector<double>& of_species = atom.exponents[static_cast<std::size_t>(species)];
        if (of_species.empty()) return;
        require_pointer("dfr.exponents", exponents);
        std::copy(of_species.begin(), of_species.end(), exponents);
    });
}

int32_t legato_dfr_result(legato_dfr* dfr, int64_t index, legato_dfr_atom* atom) {
    return guard(dfr, [&](AtomList& self) {
        atom_at(self, index);
        require_struct("dfr.atom", atom);
        legato_dfr_atom out{};
        out.limit = std::numeric_limits<double>::quiet_NaN();
        if (self.run) {
            const dfr::AtomResult result = self.run->summary(static_cast<std::size_t>(index));
            out.status = static_cast<int32_t>(result.status);
            out.iterations = result.iterations;
            if (result.status != dfr::AtomStatus::failed) {
                out.energy = result.energy;
                out.kinetic = result.kinetic;
                out.nuclear = result.nuclear;
                out.repulsion = result.repulsion;
                out.virial_ratio = result.virial_ratio();
                out.gradient = result.gradient;
            }
            if (result.limit != 0.0) out.limit = result.limit;
        }
        write_struct("dfr.atom", out, atom);
    });
}

int32_t legato_dfr_spinors(legato_dfr* dfr, int64_t index, int32_t species, int32_t n, int32_t* states,
                           double* energies, double* occupations, double* large, double* small) {
    return guard(dfr, [&](AtomList& self) {
        const dfr::AtomResult result = result_of(self, index);
        const dfr::Species& spinors = species_at(result, species);
        if (states) *states = static_cast<int32_t>(spinors.orbital_energies.size());
        require_integer("dfr.spinors.n", n, 0, static_cast<int64_t>(spinors.orbital_energies.size()));
        if (small) require_small_components(self, "dfr.spinors.small");
        const auto count = static_cast<std::size_t>(n);
        const dfr::Configuration& configuration = atom_at(self, index).configuration;
        if (energies) std::copy_n(spinors.orbital_energies.data(), count, energies);
        if (occupations)
            for (std::size_t a = 0; a < count; ++a) occupations[a] = dfr::occupation(configuration, species, a);
        if (large) std::copy_n(spinors.large.values.data(), count * spinors.large.rows, large);
        if (small) std::copy_n(spinors.small.values.data(), count * spinors.small.rows, small);
    });
}

int32_t legato_dfr_left_out(legato_dfr* dfr, int64_t index, int32_t species, int32_t* functions) {
    return guard(dfr, [&](AtomList& self) {
        const dfr::AtomResult result = result_of(self, index);
        require_pointer("dfr.left_out.functions", functions) = species_at(result, species).functions_left_out;
    });
}

int32_t legato_dfr_corrections(legato_dfr* dfr, int64_t index, legato_dfr_correction_energies* energies) {
    return guard(dfr, [&](AtomList& self) {
        atom_at(self, index);
        require_struct("dfr.energies", energies);
        dfr::CorrectionEnergies found;
        if (self.run) {
            const dfr::AtomResult result = self.run->result(static_cast<std::size_t>(index));
            const dfr::Atom& atom = atom_at(self, index);
            const int threads = dfr::useful_threads(self.context, self.problem, std::span(&atom, 1));
            found = dfr::corrections(self.problem, atom, result, threads);
        }
        legato_dfr_correction_energies out{};
        out.gaunt = found.gaunt;
        out.breit = found.breit;
        out.uehling = found.uehling;
        write_struct("dfr.energies", out, energies);
    });
}

int32_t legato_dfr_levels(legato_dfr* dfr, int64_t index, int32_t space, int64_t n, int64_t* levels, int32_t* parity,
                          int32_t* twice_j, double* energies) {
    return guard(dfr, [&](AtomList& self) {
        require_integer("dfr.levels.space", space, LEGATO_DFR_LEVEL_SPACE_RELATIVISTIC,
                        LEGATO_DFR_LEVEL_SPACE_NONRELATIVISTIC);
        const dfr::AtomResult result = result_of(self, index);
        const dfr::Atom& atom = atom_at(self, index);
        const auto of_space = static_cast<dfr::LevelSpace>(space);
        const dfr::LevelNumber number = dfr::number_of_levels(self.problem, atom, result, of_space);
        if (levels) *levels = static_cast<int64_t>(number.levels);
        if (parity) *parity = number.parity;
        require_integer("dfr.levels.n", n, 0, static_cast<int64_t>(number.levels));
        if (n == 0) return;
        const dfr::Levels found = dfr::levels_of(self.problem, atom, result, of_space);
        for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
            if (twice_j) twice_j[i] = found.levels[i].twice_j;
            if (energies) energies[i] = found.levels[i].energy;
        }
    });
}

int32_t legato_dfr_radial_moment(legato_dfr* dfr, int64_t index, int32_t species, int32_t state, int32_t power,
                                 double* value) {
    return guard(dfr, [&](AtomList& self) {
        const dfr::AtomResult result = result_of(self, index);
        const std::size_t orbital = state_at(result, species, state);
        require_integer("dfr.radial_moment.power", power, -2, 10);
        require_pointer("dfr.radial_moment.value", value) =
            dfr::radial_moment(atom_at(self, index), result, species, orbital, power);
    });
}

int32_t legato_dfr_radial_functions(legato_dfr* dfr, int64_t index, int32_t species, int32_t state, int64_t n,
                                    const double* r, double* large, double* small) {
    return guard(dfr, [&](AtomList& self) {
        const dfr::AtomResult result = result_of(self, index);
        const std::size_t orbital = state_at(result, species, state);
        const auto radii = read_radii("dfr.radial_functions", n, r);
        if (small) require_small_components(self, "dfr.radial_functions.small");
        const dfr::RadialValues values = dfr::radial_functions(atom_at(self, index), result, species, orbital, radii);
        if (large) std::copy(values.large.begin(), values.large.end(), large);
        if (small) std::copy(values.small.begin(), values.small.end(), small);
    });
}

int32_t legato_dfr_radial_density(legato_dfr* dfr, int64_t index, int64_t n, const double* r, double* density) {
    return guard(dfr, [&](AtomList& self) {
        const dfr::AtomResult result = result_of(self, index);
        const auto radii = read_radii("dfr.radial_density", n, r);
        if (n == 0) return;
        require_pointer("dfr.radial_density.density", density);
        const std::vector<double> values = dfr::radial_density(atom_at(self, index), result, radii);
        std::copy(values.begin(), values.end(), density);
    });
}

int32_t legato_dfr_write_vectors(legato_dfr* dfr, const char* path) {
    return guard_collective(dfr, "write_vectors", [&](AtomList& self) {
        require_path("dfr.write_vectors.path", path);
        if (!self.run)
            fail(Status::invalid_argument, "dfr.write_vectors: the run has not begun, so there is no result");
        if (self.context.rank() != 0) return;
        std::vector<dfr::AtomResult> results;
        for (std::size_t i = 0; i < self.run->atoms().size(); ++i) results.push_back(self.run->result(i));
        write_vectors(self.problem, self.run->atoms(), results, path);
    });
}

int32_t legato_dfr_well_tempered(legato_context* context, double alpha, double beta, double delta, double gamma,
                                 int32_t count, double* exponents) {
    return guard(context, [&](Context&) {
        require_pointer("dfr.well_tempered.exponents", exponents);
        const std::vector<double> zeta = dfr::well_tempered_exponents({alpha, beta, delta, gamma}, count);
        std::copy(zeta.begin(), zeta.end(), exponents);
    });
}
