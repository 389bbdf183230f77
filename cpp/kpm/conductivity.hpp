// Conductivities from the moments of a double expansion,
//     mu_mn = (1/D) Tr[A T_m(H~) B T_n(H~)],    m, n = 0 .. N - 1,
// with operators A and B, such as velocities (Weisse et al., Rev. Mod. Phys. 78, 275 (2006), section IV.B; Garcia,
// Covaci and Rappoport, Phys. Rev. Lett. 114, 116602 (2015)). Units: hbar = e = 1, and a volume of 1 for each site.
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "kpm/spectrum.hpp"

namespace legato::kpm {

struct DoubleSpectrum {
    std::size_t count = 0;                      // N
    std::vector<std::complex<double>> moments;  // mu_mn at [m * N + n]
    double centre = 0, half_width = 1;
    Kernel kernel = Kernel::jackson;
    double lambda = 4.0;
    Effort effort{};
};

}  // namespace legato::kpm
