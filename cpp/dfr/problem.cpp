#include "dfr/problem.hpp"

#include <cmath>
#include <string>

#include "core/parameter.hpp"
#include "dfr/open_shells.hpp"

namespace legato::dfr {
namespace {

void validate(const Nucleus& nucleus, const std::string& field) {
    require_real(field + ".charge", nucleus.charge, 1.0, 137.0);
    require_integer(field + ".model", static_cast<int>(nucleus.model), static_cast<int>(NuclearModel::point),
                    static_cast<int>(NuclearModel::fermi));
    if (nucleus.model == NuclearModel::sphere || nucleus.model == NuclearModel::fermi)
        require_real(field + ".radius", nucleus.radius, 1e-10, 1.0);
    if (nucleus.model == NuclearModel::fermi) require_real(field + ".skin", nucleus.skin, 1e-10, 1.0);
    if (nucleus.model == NuclearModel::gaussian)
        require_real(field + ".exponent", nucleus.exponent, 1.0, largest_exponent);
    if (nucleus.model != NuclearModel::fermi && nucleus.skin != 0.0)
        fail(Status::invalid_argument, field, ".skin: ", nucleus.skin, " is not 0, but ", field, ".model is ",
             static_cast<int>(nucleus.model), "; only model ", static_cast<int>(NuclearModel::fermi),
             " (Fermi) has a skin");
}

void require_size(const std::string& field, std::size_t size, std::size_t wanted) {
    if (size != wanted)
        fail(Status::invalid_argument, field, ": ", size, " values are not ", wanted,
             ", the number that follows from the symmetries of exponents");
}

// Returns how many functions the basis set has, for messages about one species.
std::string basis_with(int functions) {
    return text("the basis set has ", functions > 0 ? std::to_string(functions) : "no",
                functions == 1 ? " function" : " functions", " of this species");
}

// This check comes before validate_closed, which reserves one function for each open shell.
void validate_electrons(const Configuration& configuration, const std::string& field) {
    for (std::size_t s = 0; s < configuration.electrons.size(); ++s) {
        const double electrons = configuration.electrons[s];
        const int g = degeneracy_of(static_cast<int>(s));
        if (!(electrons >= 0.0 && electrons < g))
            fail(Status::invalid_argument, field, ".electrons[", name_of(static_cast<int>(s)), "]: ", electrons,
                 " is not in [0, ", g, ")");
    }
}

void validate_closed(const Atom& atom, const std::string& field) {
    const Configuration& configuration = atom.configuration;
    double electrons = 0;
    for (std::size_t s = 0; s < configuration.closed.size(); ++s) {
        const auto functions = static_cast<int>(atom.exponents[s].size());
        const int open = configuration.electrons[s] > 0 ? 1 : 0;
        const std::string species = text("[", name_of(static_cast<int>(s)), "]");
        const std::string basis = basis_with(functions);
        if (open > functions)
            fail(Status::invalid_argument, field, ".electrons", species, ": ", configuration.electrons[s],
                 " is not 0, but ", basis);
        if (configuration.closed[s] > functions - open)
            fail(Status::invalid_argument, field, ".closed", species, ": ", configuration.closed[s], " is not in 0..",
                 functions - open, ", because ", basis);
        require_integer(text(field, ".closed", species), configuration.closed[s], 0, functions - open);
        electrons += configuration.closed[s] * degeneracy_of(static_cast<int>(s)) + configuration.electrons[s];
    }
    if (electrons == 0.0) fail(Status::invalid_argument, field, ": no electrons");
}

// `shells` are the names of the rows; those without a name are ignored.
void validate_pairs(const std::vector<double>& pairs, const std::vector<std::string>& shells,
                    const std::string& field) {
    for (std::size_t a = 0; a < shells.size(); ++a)
        for (std::size_t b = 0; b < shells.size(); ++b) {
            if (shells[a].empty() || shells[b].empty()) continue;
            const double pair = pairs[a * shells.size() + b], mirrored = pairs[b * shells.size() + a];
            const std::string name = text(field, "[", shells[a], "][", shells[b], "]");
            require_real(name, pair, 0.0, 1e6);
            if (std::fabs(pair - mirrored) > 1e-12 * pair)
                fail(Status::invalid_argument, name, ": ", pair, " is not ", mirrored,
                     ", the value for the same two shells");
        }
}

void validate_first_form(const Atom& atom, const std::string& field) {
    const Configuration& configuration = atom.configuration;
    const std::size_t species = atom.exponents.size();
    require_size(field + ".pairs", configuration.pairs.size(), species * species);
    validate_electrons(configuration, field);
    validate_closed(atom, field);
    std::vector<std::string> shells(species);
    for (std::size_t s = 0; s < species; ++s)
        if (configuration.electrons[s] > 0.0) shells[s] = name_of(static_cast<int>(s));
    validate_pairs(configuration.pairs, shells, field + ".pairs");
}

void validate_open(const Atom& atom, std::size_t k, const std::string& field) {
    const Configuration& configuration = atom.configuration;
    const OpenShell& shell = configuration.open[k];
    require_integer(field + ".species", shell.species, 0, static_cast<std::int64_t>(atom.exponents.size()) - 1);
    require_integer(field + ".index", shell.index, 0,
                    shells(configuration, static_cast<std::size_t>(shell.species)) - 1);
    const int g = degeneracy_of(shell.species);
    if (!(shell.electrons >= 0.0 && shell.electrons < g))
        fail(Status::invalid_argument, field, ".electrons: ", shell.electrons, " is not in [0, ", g, ")");
    if (k == 0) return;
    const OpenShell& before = configuration.open[k - 1];
    if (shell.species < before.species || (shell.species == before.species && shell.index <= before.index))
        fail(Status::invalid_argument, field, ": shell ", shell.index, " of ", name_of(shell.species),
             " does not follow shell ", before.index, " of ", name_of(before.species),
             "; the order is that of species and index");
}

void validate_second_form(const Atom& atom, const std::string& field) {
    const Configuration& configuration = atom.configuration;
    const std::size_t open = configuration.open.size(), species = atom.exponents.size();
    for (std::size_t s = 0; s < species; ++s) {
        const std::string of = text("[", name_of(static_cast<int>(s)), "]");
        if (configuration.electrons[s] != 0.0)
            fail(Status::invalid_argument, field, ".electrons", of, ": ", configuration.electrons[s],
                 " is not 0, but .open lists the open shells");
        const auto functions = static_cast<int>(atom.exponents[s].size());
        require_integer(text(field, ".closed", of), configuration.closed[s], 0, functions);
        const int count = shells(configuration, s);
        if (count > functions)
            fail(Status::invalid_argument, field, ".open: ", name_of(static_cast<int>(s)), " has ", count,
                 count == 1 ? " shell" : " shells", ", but ", basis_with(functions));
    }
    std::vector<std::string> names(open);
    for (std::size_t k = 0; k < open; ++k) {
        const std::string name = text(field, ".open[", k, "]");
        validate_open(atom, k, name);
        const OpenShell& shell = configuration.open[k];
        if (shell.electrons > 0.0)
            names[k] = std::to_string(k);
        else if (shell.index + 1 == shells(configuration, static_cast<std::size_t>(shell.species)))
            fail(Status::invalid_argument, name, ".electrons: the highest shell of ", name_of(shell.species),
                 " is empty");
    }
    if (number_of_electrons(configuration) == 0.0) fail(Status::invalid_argument, field, ": no electrons");
    if (configuration.pairs.size() != open * open)
        fail(Status::invalid_argument, field, ".pairs: ", configuration.pairs.size(), " values are not ", open * open,
             ", the square of the number of open shells");
    validate_pairs(configuration.pairs, names, field + ".pairs");
}

}  // namespace

void validate_exponents(const std::vector<std::vector<double>>& exponents, std::string_view field) {
    require_integer(field, static_cast<std::int64_t>(exponents.size()), 1, max_symmetries);
    for (std::size_t s = 0; s < exponents.size(); ++s) {
        const std::string species = text(field, "[", name_of(static_cast<int>(s)), "]");
        require_integer(species, static_cast<std::int64_t>(exponents[s].size()), 0, max_functions);
        for (std::size_t p = 0; p < exponents[s].size(); ++p)
            require_real(text(species, "[", p, "]"), exponents[s][p], smallest_exponent, largest_exponent);
    }
}

void validate(const Problem& problem) {
    require_parameters("dfr.params", problem);
    if (!problem.relativistic && problem.interaction != Interaction::coulomb)
        fail(Status::invalid_argument, "dfr.params.interaction: ", static_cast<int>(problem.interaction),
             " needs relativistic = 1; without relativity only 0 (Coulomb) is allowed");
}

void validate(const Atom& atom, std::string_view field) {
    const std::string name(field), configuration = name + ".configuration";
    validate(atom.nucleus, name + ".nucleus");
    validate_exponents(atom.exponents, name + ".exponents");
    const std::size_t species = atom.exponents.size();
    require_size(configuration + ".closed", atom.configuration.closed.size(), species);
    require_size(configuration + ".electrons", atom.configuration.electrons.size(), species);
    if (has_holes(atom.configuration))
        validate_second_form(atom, configuration);
    else
        validate_first_form(atom, configuration);
}

void validate(const Problem& problem, const Atom& atom, std::string_view field) {
    validate(atom, field);
    if (problem.relativistic && atom.nucleus.model == NuclearModel::point &&
        atom.nucleus.charge >= problem.speed_of_light)
        fail(Status::invalid_argument, field, ".nucleus.charge: ", atom.nucleus.charge,
             " is not below dfr.params.speed_of_light (", problem.speed_of_light,
             "), where a point nucleus has bound states");
}

}  // namespace legato::dfr
