// The bounds of the spectrum, and the rescaling that puts it into [-1, 1].
#pragma once

#include "kpm/engine.hpp"

namespace legato::kpm {

struct Rescaling {
    double centre = 0, half_width = 1;
};

// Returns the rescaling with half_width = (highest - lowest) / 2 * (1 + margin). If the interval is a point except for
// rounding, half_width is a millionth of its energy. Given bounds of this kind are refused earlier.
Rescaling rescaling_of(const Interval& interval, double margin);

// Returns bounds by Lanczos's method with a normally distributed start vector for each realisation of the disorder. The
// extreme Ritz values theta are moved outwards by the possible rounding of k steps, and by the larger of two numbers.
// One is their residual. The other one is proved for k steps and D sites by J. Kuczynski and H. Wozniakowski (SIAM J.
// Matrix Anal. Appl. 13, 1094 (1992), theorem 3.2): with E_max - E_min = w,
//     E_max - theta_max > eps w    with a probability of less than    1.648 sqrt(D) exp(-(2 k - 1) sqrt(eps)),
// which is 1e-6 here for all realisations together. Few steps therefore give wide bounds, never wrong ones. The bounds
// are never wider than `outer`, Gershgorin's. The vectors in the engine's block are overwritten.
Interval lanczos_bounds(Engine& engine, const Problem& problem, const Hamiltonian& hamiltonian, const Interval& outer);

}  // namespace legato::kpm
