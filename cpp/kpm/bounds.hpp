// Where the spectrum lies, and the rescaling that puts it into [-1, 1].
#pragma once

#include "kpm/engine.hpp"

namespace legato::kpm {

struct Rescaling {
    double centre = 0, half_width = 1;
};

// half_width = (highest - lowest) / 2 * (1 + margin); of an interval that is a point but for rounding (none that was
// given: those are refused), a millionth of its energy.
Rescaling rescaling_of(const Interval& interval, double margin);

// Lanczos's method with a normally distributed start vector for each realisation of the disorder. The extreme Ritz
// values theta are moved outwards by what k steps may round, and by the larger of their residual and of what
// J. Kuczynski and H. Wozniakowski (SIAM J. Matrix Anal. Appl. 13, 1094 (1992), theorem 3.2) prove for k steps and D
// sites: with E_max - E_min = w,
//     E_max - theta_max > eps w    with a probability of less than    1.648 sqrt(D) exp(-(2 k - 1) sqrt(eps)),
// here 1e-6 for all realisations together. So few steps give wide bounds, never wrong ones; they are never wider than
// `outer`, Gershgorin's. The engine's block is spoilt.
Interval lanczos_bounds(Engine& engine, const Problem& problem, const Hamiltonian& hamiltonian, const Interval& outer);

}  // namespace legato::kpm
