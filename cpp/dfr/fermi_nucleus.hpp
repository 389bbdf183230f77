// The Fermi nucleus: its charge density is proportional to f(r) = 1 / [1 + exp((r - radius) / a)] with a = skin / (4 ln
// 3). Moments and potential are integrals of f, by quadrature in panels that resolve the surface (F. A. Parpia and A.
// K. Mohanty, Phys. Rev. A 46, 3735 (1992), give series). Their relative errors are about 1e-15.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "dfr/problem.hpp"
#include "dfr/radial_function.hpp"
#include "dfr/radial_nodes.hpp"

namespace legato::dfr {

struct FermiDistribution {
    double radius = 0;  // where the density is half of that at the centre if radius >> a
    double a = 0;

    explicit FermiDistribution(const Nucleus& nucleus) : FermiDistribution(nucleus.radius, nucleus.skin) {}
    FermiDistribution(double half_density_radius, double skin);

    double operator()(double r) const { return 1.0 / (1.0 + std::exp((r - radius) / a)); }
    double end() const { return radius + 45.0 * a; }  // the charge beyond is less than 1e-16 of all
    std::vector<double> panels() const;               // ends of panels from 0 to end()
    double moment(int power) const;                   // int f(r) r^power dr
    double mean_square() const { return moment(4) / moment(2); }
};

// Returns the radius of a distribution with this root-mean-square radius, or 0 if the skin alone makes it larger.
double fermi_radius(double rms, double skin);

// The potential -Z U(r) of a Fermi nucleus, where U = 1/r beyond the end of the distribution.
class FermiPotential {
  public:
    explicit FermiPotential(const Nucleus& nucleus);

    // Returns int U(r) density(r) dr.
    template <int Terms>
    double operator()(const GaussianPolynomial<Terms>& density) const;

  private:
    template <int Terms>
    double near(const GaussianPolynomial<Terms>& density) const;
    template <int Terms>
    double near_by_moments(const GaussianPolynomial<Terms>& density) const;

    double end_ = 0;
    std::vector<RadialNode> nodes_;  // weights include U
    std::vector<double> moments_;    // [k] int_0^end U (r/end)^(2k) dr
};

}  // namespace legato::dfr
