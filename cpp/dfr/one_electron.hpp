// One-electron matrices of a species over its basis. Large and small components have the same number n of functions.
#pragma once

#include <span>

#include "core/matrix.hpp"
#include "dfr/problem.hpp"
#include "dfr/radial_function.hpp"

namespace legato::dfr {

struct OneElectron {
    Matrix overlap_large, overlap_small;  // [n x n], diagonal 1
    Matrix kinetic;                       // [n x n] c Pi, or T if there are no small components
    Matrix nuclear_large, nuclear_small;  // [n x n]
};

// Returns the matrices of a species. With small components Pi_pq = <g^S_p|(d/dr + kappa/r) g^L_q> = (N^L_q / N^S_q)
// S^SS_pq; without them T_pq = (N^L_p N^L_q / (2 N^S_p N^S_q)) S^SS_pq.
OneElectron one_electron(const Problem& problem, const Nucleus& nucleus, int species,
                         std::span<const double> exponents);

// Matrix elements [p, q] in which function p is replaced by its derivative with respect to ln zeta_p.
struct OneElectronDerivatives {
    Matrix overlap;       // [2n x 2n] large components, then small ones; [n x n] without relativity
    Matrix one_electron;  // the same, of nuclear attraction, kinetic energy and rest energy
};

OneElectronDerivatives one_electron_derivatives(const Problem& problem, const Nucleus& nucleus, int species,
                                                std::span<const double> exponents);

}  // namespace legato::dfr
