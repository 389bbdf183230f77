// Written by tools/parameters.py from capi/include/legato/dfr.h. Change that instead.
#pragma once

#include <concepts>
#include <cstdint>

#include "core/range.hpp"

namespace legato::dfr {

// Small components of the basis. The energy is the minimum over the large components of the maximum over the small ones
// (J. D. Talman, Phys. Rev. Lett. 57, 1091 (1986)). It is too low where small components are missing.
enum class KineticBalance : int {
    // one small component g^S for each large component g^L
    restricted = 0,
    // more small components, so that the energy does not fall below the limit energy. With n functions, s1/2 and p1/2
    // get about n/3 more with large exponents, and species with l = j + 1/2 six diffuse ones. These are the last
    // functions of their species; their large components are not used. The energy minus that with restricted balance is
    // the collapse of the basis
    extended = 1,
};

// Interaction of the electrons. The terms beyond Coulomb are taken at zero frequency of the exchanged photon. They
// belong to the self-consistent field: all energies and spinors contain them.
enum class Interaction : int {
    // 1/r12
    coulomb = 0,
    // 1/r12 - alpha1.alpha2/r12
    gaunt = 1,
    // 1/r12 - [alpha1.alpha2 + (alpha1.r12)(alpha2.r12)/r12^2]/(2 r12), which is Gaunt with retardation
    breit = 2,
};

// Parameters that all atoms of a list share.
struct Params {
    // 1: Dirac-Coulomb Hamiltonian, 0: large components only, with T = p^2/2. Range [0, 1], default 1.
    bool relativistic = true;
    // Largest number of iterations of an atom. Range [1, 1000000], default 50.
    int max_iterations = 50;
    // Number of iterations that the extrapolation (DIIS) uses; 1 means no extrapolation. Range [1, 100], default 10.
    int diis_vectors = 10;
    // Speed of light c in atomic units. Range [1, 1e8], default 137.03599976.
    double speed_of_light = 137.03599976;
    // An atom converges only if the last iteration changes the energy by at most this fraction. If rounding errors
    // change the energy by more, their size is used instead. Range [1e-16, 1], default 1e-12.
    double energy_threshold = 1e-12;
    // An atom converges only if no element of the commutator [F, D] of Fock and density matrix exceeds this value, in
    // hartree. A larger element is accepted if it is a rounding error and the energy is accurate nevertheless. Range
    // [1e-14, 1e6], default 1e-9.
    double gradient_threshold = 1e-9;
    // Eigenvectors of the overlap matrix with an eigenvalue below this value are left out. Range [1e-14, 0.01], default
    // 1e-10.
    double dependence_threshold = 1e-10;
    // Since version 0.2. One of legato_dfr_kinetic_balance, default LEGATO_DFR_KINETIC_BALANCE_RESTRICTED.
    KineticBalance kinetic_balance = KineticBalance::restricted;
    // Since version 0.2. Without relativity only LEGATO_DFR_INTERACTION_COULOMB is allowed. One of
    // legato_dfr_interaction, default LEGATO_DFR_INTERACTION_COULOMB.
    Interaction interaction = Interaction::coulomb;
};

// Calls visit(member, Range) for each parameter. P may be const.
template <std::derived_from<Params> P, class Visit>
void for_each_parameter(P& p, const Visit& visit) {
    visit(p.relativistic, Range("relativistic", 0, 1));
    visit(p.max_iterations, Range("max_iterations", 1, 1000000));
    visit(p.diis_vectors, Range("diis_vectors", 1, 100));
    visit(p.speed_of_light, Range("speed_of_light", 1.0, 100000000.0));
    visit(p.energy_threshold, Range("energy_threshold", 1e-16, 1.0));
    visit(p.gradient_threshold, Range("gradient_threshold", 1e-14, 1000000.0));
    visit(p.dependence_threshold, Range("dependence_threshold", 1e-14, 0.01));
    visit(p.kinetic_balance, Range("kinetic_balance", 0, 1).since_later());
    visit(p.interaction, Range("interaction", 0, 2).since_later());
}

}  // namespace legato::dfr
