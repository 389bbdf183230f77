// Double expansions: moments mu_mn = (1/D) Tr[A T_m(H~) B T_n(H~)] of two operators, by random vectors.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "core/run.hpp"
#include "kpm/bounds.hpp"
#include "kpm/problem.hpp"

namespace legato::kpm {

// What functions of the moments need of a computation of them.
class Correlation {
  public:
    const Rescaling& rescaling() const;
    const Context& context() const;
    int moments_per_side() const;              // N
    std::int64_t samples() const;              // all
    std::int64_t samples_done() const;         // finished ones, realisation by realisation
    std::int64_t independent_samples() const;  // whose spread gives the errors, as Solver::independent_samples
    // These functions return mu_mn at [m * N + n]: of one independent sample, or the mean of all finished ones.
    std::vector<std::complex<double>> independent_sample(std::int64_t number) const;
    std::vector<std::complex<double>> mean() const;
};

}  // namespace legato::kpm
