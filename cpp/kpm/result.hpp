// What the kernel polynomial method gives.
#pragma once

#include <cstdint>
#include <vector>

namespace legato::kpm {

struct Moments {
    double centre = 0, half_width = 1;  // of the rescaling
    std::int64_t samples = 0;           // R S, or the sites, that are there so far
    std::vector<double> mean;           // [N] of all samples; mu_0 = 1 but for random vectors other than sign
    std::vector<double> error;          // [N] standard error: from the realisations where there are two or more,
                                        // else from the vectors; 0 where there is one sample, or for sites
};

}  // namespace legato::kpm
