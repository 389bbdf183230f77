// Attraction of a density by a nucleus.
#pragma once

#include <optional>

#include "dfr/fermi_nucleus.hpp"
#include "dfr/problem.hpp"
#include "dfr/radial_function.hpp"

namespace legato::dfr {

class NuclearAttraction {
  public:
    explicit NuclearAttraction(const Nucleus& nucleus);

    // Returns int V_nucleus(r) density(r) dr for a product of two functions of one species, with 3 or 4 terms.
    template <int Terms>
    double operator()(const GaussianPolynomial<Terms>& density) const;

  private:
    Nucleus nucleus_;
    std::optional<FermiPotential> fermi_;
};

}  // namespace legato::dfr
