// Written by tools/parameters.py from capi/include/legato/dfr.h. Change that instead.
#pragma once

#include <concepts>
#include <cstdint>

#include "core/range.hpp"

namespace legato::dfr {

// Parameters that all atoms of a list share.
struct Params {
    // 1: Dirac-Coulomb Hamiltonian, 0: large components only, with T = p^2/2. Range [0, 1], default 1.
    bool relativistic = true;
    // Largest number of iterations of an atom. Range [1, 1000000], default 50.
    int max_iterations = 50;
    // Number of iterations that the extrapolation (DIIS) uses; 1 disables it. Range [1, 100], default 10.
    int diis_vectors = 10;
    // Speed of light c in atomic units. Range [1, 1e8], default 137.03599976.
    double speed_of_light = 137.03599976;
    // Largest relative change of the energy in the last iteration. If rounding errors change the energy by more, the
    // size of this change replaces the threshold. Range [1e-16, 1], default 1e-12.
    double energy_threshold = 1e-12;
    // Largest element of the commutator [F, D] of Fock and density matrix, in hartree. A larger element is accepted if
    // it is a rounding error and the energy is accurate nevertheless. Range [1e-14, 1e6], default 1e-9.
    double gradient_threshold = 1e-9;
    // Smallest eigenvalue of the overlap matrix that is used; eigenvectors with a smaller eigenvalue are left out.
    // Range [1e-14, 0.01], default 1e-10.
    double dependence_threshold = 1e-10;
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
}

}  // namespace legato::dfr
