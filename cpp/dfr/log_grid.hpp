// Two-electron integrals by a quadrature that is exact to rounding.
//
// A product of basis functions is, to rounding, a smooth and band-limited function of x = ln r. The kernel
//     r<^nu / r>^(nu+1) = (r1 r2)^(-1/2) exp(-(nu + 1/2) |x1 - x2|)
// depends only on x1 - x2. On equidistant points x_i = first + i step the double integral of band-limited functions is
// therefore a double sum (F. Stenger, SIAM Rev. 23, 165 (1981)):
//     int int A(r1) B(r2) r<^nu/r>^(nu+1) dr1 dr2 = sum_ij A_i T_nu(i-j) B_j,   A_i = step r_i^(1/2) A(r_i),
//     T_nu(n) = (1/2 pi) int_(-pi/step)^(pi/step) 2a/(a^2 + k^2) e^(i k n step) dk,   a = nu + 1/2,
// where T_nu is the kernel with the same band limit. No table of four-index integrals is needed: a Fock matrix takes a
// few matrix products over the points.
//
// Kernels that differ for r1 < r2 and r1 > r2 have a part that is odd in x1 - x2. It is a sum of functions sgn(x1 - x2)
// exp(-a |x1 - x2|), for which U_nu takes the place of T_nu:
//     U_nu(n) = (1/2 pi) int_(-pi/step)^(pi/step) -2ik/(a^2 + k^2) e^(i k n step) dk.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/matrix.hpp"

namespace legato::dfr {

struct LogGrid {
    double first = 0;  // ln of the smallest radius
    double step = 0;
    std::size_t points = 0;

    double radius(std::size_t i) const;
};

// Returns a grid that is wide enough for all functions with exponents in [smallest, largest].
LogGrid make_log_grid(double smallest_exponent, double largest_exponent);

// Step of every grid. The two-electron integrals have 14 correct digits with it (tests/dfr/log_grid_test.cpp).
inline constexpr double log_step = 0.08;
inline constexpr std::size_t grid_multiple = 16;  // divides the number of points, so that loops have no remainder

// Returns T_nu(0), T_nu(1), ... T_nu(count - 1).
std::vector<double> band_limited_kernel(int nu, std::size_t count);

// Returns U_nu(0), U_nu(1), ... U_nu(count - 1).
std::vector<double> band_limited_odd_kernel(int nu, std::size_t count);

}  // namespace legato::dfr
