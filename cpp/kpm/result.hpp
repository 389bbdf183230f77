// What the kernel polynomial method gives.
#pragma once

#include <cstdint>
#include <vector>

namespace legato::kpm {

struct Moments {
    double centre = 0, half_width = 1;  // of the rescaling
    std::int64_t samples = 0;           // those of R S, or the sites, that are there so far
    std::vector<double> mean;           // [N] of all samples; mu_0 = 1 but for random vectors other than sign
    std::vector<double> error;          // [N] standard error: where the disorder is random and two or more realisations
                                        // are there, from their means, of sites too; else from the vectors, of which
                                        // one, or sites, tell none: 0
};

}  // namespace legato::kpm
