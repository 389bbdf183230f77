// Slater integrals between spinors, and the matrix elements of 1/r12 between them.
#pragma once

#include <cstddef>
#include <map>
#include <tuple>
#include <vector>

#include "dfr/problem.hpp"
#include "dfr/result.hpp"

namespace legato::dfr {

// Returns (-1)^(m + 1/2) [(2j+1)(2j'+1)]^(1/2) (j k j'; 1/2 0 -1/2) (j k j'; -m q m') with q = m - m', the matrix
// element <kappa m|C^k_q|kappa' m'> apart from signs that cancel in matrix elements of 1/r12; 0 if l + k + l' is odd
// (I. P. Grant, Adv. Phys. 19, 747 (1970)). m and m' are doubled.
double angular_element(int k, int species, int twice_m, int other, int twice_other_m);

// The radial functions of some spinors of an atom, on the logarithmic grid (log_grid.hpp).
class SlaterIntegrals {
  public:
    struct Spinor {
        int species = 0;
        std::size_t index = 0;  // of the state
    };

    SlaterIntegrals(const Problem& problem, const Atom& atom, const AtomResult& result,
                    const std::vector<Spinor>& spinors);

    // Returns R^k(ab, cd) = int int [P_a P_c + Q_a Q_c](1) r<^k/r>^(k+1) [P_b P_d + Q_b Q_d](2) dr1 dr2.
    double operator()(int k, std::size_t a, std::size_t b, std::size_t c, std::size_t d);

  private:
    const std::vector<double>& product_of(std::size_t a, std::size_t c);

    std::size_t points_;
    std::vector<Matrix> components_;            // [spinors]: [points x components]
    std::vector<double> inverse_root_radius_;   // [points]
    std::vector<std::vector<double>> kernels_;  // [k], as far as they were needed
    std::map<std::tuple<std::size_t, std::size_t>, std::vector<double>> products_;
    std::map<std::tuple<int, std::size_t, std::size_t, std::size_t, std::size_t>, double> known_;
};

}  // namespace legato::dfr
