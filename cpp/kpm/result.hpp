// The result of the kernel polynomial method.
#pragma once

#include <cstdint>
#include <vector>

namespace legato::kpm {

struct Moments {
    std::int64_t samples = 0;   // number finished so far, of R S, or of S times the number of sites
    std::vector<double> mean;   // [N] mean of all samples; mu_0 = 1 except for random vectors other than sign
    std::vector<double> error;  // [N] standard error: from the means of the realisations if the disorder is random and
                                // two or more are finished, from the random vectors otherwise; 0 for local moments of
                                // one Hamiltonian, which are exact; NaN if a single sample leaves it unknown
};

}  // namespace legato::kpm
