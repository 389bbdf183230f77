// Tests atoms: their configurations and basis sets, their self-consistent fields, and the repulsion for programs with a
// field of their own.
#include <array>

#include "scenario.hpp"
#include "small_libraries.hpp"

namespace legato::tests {
namespace {

using Dfr = Owned<legato_dfr, legato_dfr_destroy>;
using BasisSets = Owned<legato_dfr_basis_sets, legato_dfr_basis_sets_destroy>;
using Repulsion = Owned<legato_dfr_repulsion, legato_dfr_repulsion_destroy>;

constexpr int species = 3;

// Asks for the configuration of boron, from its table to the arguments of legato_dfr_add_atom.
void ask_for_configurations(Scenario& scenario) {
    legato_context* const context = scenario.context();
    int32_t count = 0, n[10], l[10], electrons[10], closed[species], first[species], functions[species], pool = 0;
    double mean[species], pairs[species * species], parameters[4], exponents[200];
    scenario.step("legato_dfr_ground_configuration",
                  [&] { return legato_dfr_ground_configuration(context, 5, 3, &count, n, l, electrons); });
    scenario.step("legato_dfr_average_of_configuration", [&] {
        int32_t found = 0;
        return legato_dfr_average_of_configuration(context, count, n, l, electrons, species, &found, closed, mean,
                                                   pairs);
    });
    scenario.note(mean);
    const int32_t open[] = {1, 2};
    int64_t configurations = 0;
    double occupations[20];
    scenario.step("legato_dfr_all_distributions",
                  [&] { return legato_dfr_all_distributions(context, 2, open, 1, 2, &configurations, occupations); });
    const int32_t below[] = {2, 0, 0};
    scenario.step("legato_dfr_average_of_list", [&] {
        return legato_dfr_average_of_list(context, species, below, 2, open, configurations, occupations, closed, mean,
                                          pairs);
    });
    scenario.note(pairs);
    legato_dfr_nucleus nucleus{};
    nucleus.struct_size = sizeof nucleus;
    scenario.step("legato_dfr_element_nucleus",
                  [&] { return legato_dfr_element_nucleus(context, 5, LEGATO_DFR_NUCLEAR_MODEL_GAUSSIAN, &nucleus); });
    scenario.note(nucleus.exponent);
    scenario.step("legato_dfr_library_basis", [&] {
        return legato_dfr_library_basis(context, 5, parameters, &pool, species, &count, functions, first);
    });
    scenario.step("legato_dfr_well_tempered_basis", [&] {
        return legato_dfr_well_tempered_basis(context, species, functions, first, nullptr, 1, parameters, exponents);
    });
    scenario.step("legato_dfr_well_tempered", [&] {
        return legato_dfr_well_tempered(context, parameters[0], parameters[1], parameters[2], parameters[3], pool,
                                        exponents);
    });
    scenario.note(std::span<const double>(exponents).first(static_cast<std::size_t>(pool)));
    const double one[] = {1};
    scenario.step("legato_dfr_large_basis", [&] {
        return legato_dfr_large_basis(context, nullptr, &nucleus, 1, below, one, 1e-6, functions, nullptr, nullptr);
    });
    scenario.note(functions[0]);
}

void add_atoms(Scenario& scenario, legato_dfr* dfr) {
    int64_t index = 0, atoms = 0;
    scenario.step("legato_dfr_add_element_with_basis", [&] {
        return legato_dfr_add_element_with_basis(dfr, 2, LEGATO_DFR_NUCLEAR_MODEL_SPHERE, "hennessey", &index);
    });
    legato_dfr_nucleus nucleus{};
    nucleus.struct_size = sizeof nucleus;
    nucleus.model = LEGATO_DFR_NUCLEAR_MODEL_POINT;
    nucleus.charge = 5;
    const int32_t functions[] = {5, 4, 4}, closed[] = {2, 0, 0};
    const double exponents[] = {0.1, 0.5, 3, 20, 150, 0.1, 0.5, 2, 10, 0.1, 0.5, 2, 10};
    const double electrons[] = {0, 1.0 / 3, 2.0 / 3}, pairs[species * species] = {};
    scenario.step("legato_dfr_add_atom", [&] {
        return legato_dfr_add_atom(dfr, &nucleus, species, functions, exponents, closed, electrons, pairs, &index);
    });
    scenario.step("legato_dfr_add_element",
                  [&] { return legato_dfr_add_element(dfr, 1, LEGATO_DFR_NUCLEAR_MODEL_SPHERE, &index); });
    const int32_t n[] = {1, 2, 2}, l[] = {0, 0, 1}, twice_j[] = {1, 0, 3}, shell_electrons[] = {1, 2, 2};
    scenario.step("legato_dfr_add_shells", [&] {
        return legato_dfr_add_shells(dfr, &nucleus, species, functions, exponents, 3, n, l, twice_j, shell_electrons,
                                     &index);
    });
    scenario.step("legato_dfr_size", [&] { return legato_dfr_size(dfr, &atoms); });
    scenario.note(static_cast<double>(atoms));
}

// Fewer than two functions are left, so the atom fails with a warning.
void leave_out_functions(Scenario& scenario) {
    auto params = scenario.defaults("legato_dfr_params_init", legato_dfr_params_init);
    params.dependence_threshold = 1e-4;
    Dfr dfr;
    scenario.make("legato_dfr_create", dfr,
                  [&](legato_dfr** made) { return legato_dfr_create(scenario.context(), &params, made); });
    legato_dfr_nucleus nucleus{};
    nucleus.struct_size = sizeof nucleus;
    nucleus.model = LEGATO_DFR_NUCLEAR_MODEL_POINT;
    nucleus.charge = 5;
    const double dependent[] = {1, 1.000001}, none = 0;
    const int32_t two = 2;
    int64_t index = 0;
    scenario.step("legato_dfr_add_atom", [&] {
        return legato_dfr_add_atom(dfr.get(), &nucleus, 1, &two, dependent, &two, &none, nullptr, &index);
    });
    scenario.step("legato_dfr_run", [&] { return legato_dfr_run(dfr.get(), nullptr, nullptr); });
    legato_dfr_atom atom{};
    atom.struct_size = sizeof atom;
    scenario.step("legato_dfr_result", [&] { return legato_dfr_result(dfr.get(), 0, &atom); });
    scenario.note(atom.status);
}

void read(Scenario& scenario, legato_dfr* dfr) {
    for (int64_t i = 0; i < 2; ++i) {
        legato_dfr_atom atom{};
        atom.struct_size = sizeof atom;
        scenario.step("legato_dfr_result", [&] { return legato_dfr_result(dfr, i, &atom); });
        scenario.note(std::array{atom.energy, atom.kinetic, atom.nuclear, atom.repulsion, atom.virial_ratio});
        int32_t count = 0, functions[species], states = 0;
        scenario.step("legato_dfr_atom_size", [&] { return legato_dfr_atom_size(dfr, i, &count, functions); });
        std::array<double, 200> exponents{};
        scenario.step("legato_dfr_exponents", [&] { return legato_dfr_exponents(dfr, i, 0, exponents.data()); });
        legato_dfr_correction_energies energies{sizeof energies, 0, 0, 0};
        scenario.step("legato_dfr_corrections", [&] { return legato_dfr_corrections(dfr, i, &energies); });
        scenario.note(std::array{energies.gaunt, energies.breit});
        int64_t levels = 0;
        std::array<int32_t, 2> twice_j{};
        std::array<double, 2> level_energies{};
        scenario.step("legato_dfr_levels", [&] {
            return legato_dfr_levels(dfr, i, LEGATO_DFR_LEVEL_SPACE_NONRELATIVISTIC, i + 1, &levels, nullptr,
                                     twice_j.data(), level_energies.data());
        });
        scenario.note(level_energies);
        double energy = 0, occupation = 0, moment = 0;
        std::vector<double> large(static_cast<std::size_t>(functions[0])), small(large.size());
        scenario.step("legato_dfr_spinors", [&] {
            return legato_dfr_spinors(dfr, i, 0, 1, &states, &energy, &occupation, large.data(), small.data());
        });
        scenario.step("legato_dfr_radial_moment", [&] { return legato_dfr_radial_moment(dfr, i, 0, 0, -1, &moment); });
        const double r[] = {0.01, 0.5, 3};
        double density[3];
        scenario.step("legato_dfr_radial_density", [&] { return legato_dfr_radial_density(dfr, i, 3, r, density); });
        double p[3];
        scenario.step("legato_dfr_radial_functions",
                      [&] { return legato_dfr_radial_functions(dfr, i, 0, 0, 3, r, p, nullptr); });
        scenario.note(std::array{energy, occupation, moment, density[0], density[1], density[2], p[1]});
    }
}

// Writes a contracted and an uncontracted set to a file of each format, and reads them again.
void exchange_basis_sets(Scenario& scenario, legato_dfr* dfr) {
    BasisSets sets, read;
    scenario.make("legato_dfr_basis_sets_create", sets,
                  [&](legato_dfr_basis_sets** made) { return legato_dfr_basis_sets_create(scenario.context(), made); });
    const int32_t functions[] = {2, 1, 1};
    const double exponents[] = {0.5, 3, 0.4, 0.4};
    scenario.step("legato_dfr_basis_sets_add",
                  [&] { return legato_dfr_basis_sets_add(sets.get(), 10, species, functions, exponents); });
    scenario.step("legato_dfr_basis_sets_add_contracted", [&] {
        return legato_dfr_basis_sets_add_contracted(sets.get(), dfr, 0, LEGATO_DFR_CONTRACTION_L_AVERAGED, 1);
    });
    for (int32_t format = LEGATO_DFR_BASIS_FORMAT_BSE_JSON; format <= LEGATO_DFR_BASIS_FORMAT_DIRAC; ++format) {
        scenario.save("legato_dfr_basis_sets_write", "sets",
                      [&] { return legato_dfr_basis_sets_write(sets.get(), "sets", format, "name", "description"); });
        scenario.make("legato_dfr_basis_sets_read", read, [&](legato_dfr_basis_sets** made) {
            return legato_dfr_basis_sets_read(scenario.context(), "sets", format, made);
        });
        int64_t index = 0;
        int32_t count = 0, of_species[species], from[species], group[species], forms[species];
        double found[200] = {};
        scenario.step("legato_dfr_basis_sets_find", [&] { return legato_dfr_basis_sets_find(read.get(), 10, &index); });
        scenario.step("legato_dfr_basis_sets_exponents",
                      [&] { return legato_dfr_basis_sets_exponents(read.get(), index, &count, of_species, found); });
        scenario.step("legato_dfr_basis_sets_groups", [&] {
            int32_t groups = 0, parameters = 0;
            double of_groups[200];
            return legato_dfr_basis_sets_groups(read.get(), index, species, &groups, &parameters, of_species, from,
                                                group, forms, of_groups);
        });
        scenario.note(std::span<const double>(found).first(4));
    }
}

void iterate(Scenario& scenario, int32_t relativistic) {
    auto params = scenario.defaults("legato_dfr_params_init", legato_dfr_params_init);
    params.relativistic = relativistic;
    Dfr dfr;
    scenario.make("legato_dfr_create", dfr,
                  [&](legato_dfr** made) { return legato_dfr_create(scenario.context(), &params, made); });
    add_atoms(scenario, dfr.get());
    int64_t finished = 0;
    scenario.step("legato_dfr_advance", [&] { return legato_dfr_advance(dfr.get(), 1, &finished); });
    scenario.step("legato_dfr_run", [&] { return legato_dfr_run(dfr.get(), Scenario::progress, nullptr); });
    if (relativistic) read(scenario, dfr.get());
    if (relativistic) exchange_basis_sets(scenario, dfr.get());
}

void repel(Scenario& scenario) {
    const int32_t functions[] = {2, 2}, which[] = {0, 1}, spinors[] = {1, 1};
    const double exponents[] = {0.5, 3, 0.4, 2}, electrons[] = {2, 1}, factors[] = {1, 1};
    const double coefficients[] = {0.6, 0.5, 0.01, 0.02, 0.3, 0.7, 0.03, 0.01};
    double matrix[16];
    Repulsion repulsion;
    scenario.make("legato_dfr_repulsion_create", repulsion, [&](legato_dfr_repulsion** made) {
        return legato_dfr_repulsion_create(scenario.context(), 1, 2, functions, exponents, made);
    });
    scenario.step("legato_dfr_repulsion_apply", [&] {
        return legato_dfr_repulsion_apply(repulsion.get(), 2, which, spinors, electrons, coefficients, 1, which,
                                          factors, matrix);
    });
    scenario.note(matrix);
}

}  // namespace

// There are so many heavy atoms that it pays to use a GPU's eigensolver.
void use_dfr_list(Scenario& scenario) {
    scenario.note_to(1e-6);  // repeated iterations converge further, and three do not suffice
    auto params = scenario.defaults("legato_dfr_params_init", legato_dfr_params_init);
    params.max_iterations = 3;
    Dfr dfr;
    scenario.make("legato_dfr_create", dfr,
                  [&](legato_dfr** made) { return legato_dfr_create(scenario.context(), &params, made); });
    write_small_library("hennessey", {{54, {22, 18, 14}}});
    constexpr int64_t atoms = 24;
    int64_t index = 0;
    for (int64_t i = 0; i < atoms; ++i)
        scenario.step("legato_dfr_add_element_with_basis", [&] {
            return legato_dfr_add_element_with_basis(dfr.get(), 54, LEGATO_DFR_NUCLEAR_MODEL_POINT, "hennessey",
                                                     &index);
        });
    scenario.step("legato_dfr_run", [&] { return legato_dfr_run(dfr.get(), nullptr, nullptr); });
    for (int64_t i = 0; i < atoms; ++i) {
        legato_dfr_atom atom{};
        atom.struct_size = sizeof atom;
        scenario.step("legato_dfr_result", [&] { return legato_dfr_result(dfr.get(), i, &atom); });
        scenario.note(atom.energy);
    }
}

void use_dfr(Scenario& scenario) {
    scenario.note_to(1e-8);
    write_small_library("hennessey", {{2, {9}}, {5, {10, 6}}});
    write_small_library("legato-5e-9", {{1, {8}}});
    ask_for_configurations(scenario);
    leave_out_functions(scenario);
    iterate(scenario, 1);
    iterate(scenario, 0);
    repel(scenario);
}

}  // namespace legato::tests
