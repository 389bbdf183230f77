// Input of the Dirac-Fock-Roothaan method, which computes the average energy of a configuration of an atom with the
// Dirac-Coulomb Hamiltonian. Spinors are expanded in Gaussian functions with restricted kinetic balance (O. Matsuoka
// and Y. Watanabe, Comput. Phys. Commun. 139, 218 (2001)). Units are Hartree atomic units; energies exclude the rest
// mass.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "dfr/params.hpp"
#include "dfr/symmetry.hpp"

namespace legato::dfr {

enum class NuclearModel : int { point = 1, sphere = 2, gaussian = 3, fermi = 4 };

struct Nucleus {
    double charge = 0;  // Z
    NuclearModel model = NuclearModel::point;
    double radius = 0;    // radius of the uniform sphere, or half-density radius of the Fermi distribution, bohr
    double exponent = 0;  // exponent of the Gaussian: the charge density is proportional to exp(-exponent r^2)
    double skin = 0;      // skin thickness of the Fermi distribution, bohr (dfr/fermi_nucleus.hpp); 0 for other models

    bool operator==(const Nucleus&) const = default;
};

// A shell that is not full.
struct OpenShell {
    int species = 0;
    int index = 0;         // 0 for the lowest shell of the species
    double electrons = 0;  // mean number; 0 if the shell is empty, but a higher one is not

    bool operator==(const OpenShell&) const = default;
};

// A configuration has one of two forms. In the first one, `open` is empty. The shells of a species are filled from
// below: first the closed shells, then at most one open shell.
//
// In the second form, `open` lists all shells that are not full. Any shells can be open or empty, so that there may be
// holes, and several open shells of a species. The other shells are closed. All `electrons` are 0.
struct Configuration {
    std::vector<int> closed;        // [species] number of closed shells
    std::vector<double> electrons;  // [species] mean number of electrons in the open shell, 0 if there is none
    // A_ab: the mean number of pairs of electrons divided by that of independent occupations. The matrix is symmetric.
    // First form: [species x species]; elements are ignored for species without an open shell. Second form: [open x
    // open]; elements are ignored for empty shells. A row of 1 gives a shell of any occupation the Fock operator of the
    // closed shells.
    std::vector<double> pairs;
    // Ascending by species and index. Empty shells below an occupied one are listed; those above are not.
    std::vector<OpenShell> open = {};

    bool operator==(const Configuration&) const = default;
};

// Returns the number of shells up to the highest one with electrons.
inline int shells(const Configuration& configuration, std::size_t species) {
    int count = configuration.closed[species] + (configuration.electrons[species] > 0 ? 1 : 0);
    for (const OpenShell& shell : configuration.open) count += shell.species == static_cast<int>(species) ? 1 : 0;
    return count;
}

struct Atom {
    Nucleus nucleus;
    std::vector<std::vector<double>> exponents;  // [species][function]
    Configuration configuration;
    // [species] number of functions, the last ones, whose large component is not used (dfr/extended_balance.hpp);
    // empty: 0
    std::vector<std::size_t> only_small = {};
};

using Problem = Params;

inline constexpr int max_atoms = 100000;
inline constexpr int max_functions = 200;  // per species
inline constexpr double smallest_exponent = 1e-8, largest_exponent = 1e20;

// These functions throw an invalid_argument that names the wrong field.
void validate_exponents(const std::vector<std::vector<double>>& exponents, std::string_view field);
void validate(const Problem& problem);
void validate(const Atom& atom, std::string_view field);
// Checks the atom, and that a relativistic point nucleus has Z < c.
void validate(const Problem& problem, const Atom& atom, std::string_view field);

}  // namespace legato::dfr
