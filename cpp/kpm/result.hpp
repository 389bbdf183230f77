// What the kernel polynomial method gives.
#pragma once

#include <cstdint>
#include <vector>

namespace legato::kpm {

struct Moments {
    std::int64_t samples = 0;   // finished so far, of R S, or of S times the number of sites
    std::vector<double> mean;   // [N] of all samples; mu_0 = 1 but for random vectors other than sign
    std::vector<double> error;  // [N] standard error: from the means of the realisations if the disorder is random and
                                // two or more are finished, from the random vectors otherwise; 0 for local moments of
                                // one Hamiltonian, which are exact; NaN if a single sample leaves it unknown
};

}  // namespace legato::kpm
