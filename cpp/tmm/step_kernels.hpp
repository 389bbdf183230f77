// One multiplication on arrays as a Fortran caller holds them: unpadded, of any alignment, in either layout. The work
// is three loads and a store a number, so that copying into the padded rows of cpu_kernels.hpp would double it.
// Compiled once for every instruction set (core/cpu_level.hpp).
#pragma once

#include <cstddef>

#include "core/cpu_level.hpp"

namespace legato::tmm {

// The cross-section, m sites in a row (x), and one row (2D) or m of them (3D).
struct StepLattice {
    std::size_t m;
    bool square;     // 3D
    double hopping;  // t
    double edge;     // factor of t across the edge: 0, 1, -1

    std::size_t sites() const { return square ? m * m : m; }
};

inline constexpr std::size_t narrow_most = 8;
inline constexpr std::size_t columns_from = narrow_most + 1, columns_end = 48;  // sites of orthonormalise_columns

// A multiplication of all states of one shape.
using NarrowStep = void (*)(double hopping, const double* diagonal, const double* psi_a, double* psi_b);

struct StepKernels {
    // psi_b <- diagonal psi_a - t (sum of neighbours in psi_a) - psi_b; the arrays do not overlap.

    // psi[states][sites], states [first, last).
    void (*site_first)(const StepLattice& lattice, std::size_t first, std::size_t last, const double* diagonal,
                       const double* psi_a, double* psi_b);
    // psi[sites][states], sites [first, last).
    void (*state_first)(const StepLattice& lattice, std::size_t first, std::size_t last, const double* diagonal,
                        const double* psi_a, double* psi_b);

    // For m of 1 to narrow_most; the same bits as the functions above.
    NarrowStep (*narrow_step)(std::size_t m, bool square, double edge, bool sites_first);

    // to[j * to_row + i] = from[i * from_row + j] for i < rows, j < columns, both 1..8; of any alignment.
    void (*transpose)(const double* from, std::size_t from_row, std::size_t rows, std::size_t columns, double* to,
                      std::size_t to_row);

    // gram_schmidt of cpu_kernels.hpp on the caller's arrays, all in registers, with the same bits: for n of 1 to
    // `narrow`, which is 0 where the processor has too few of them. False, and nothing is written, if a norm is zero or
    // not finite or a vector loses more of its length than all but one part in most_loss.
    std::size_t narrow;
    bool (*orthonormalise_narrow)(std::size_t n, bool site_first, double most_loss, double* psi_a, double* psi_b,
                                  double* norms2);

    // Modified Gram-Schmidt on the caller's arrays for n from columns_from on, below columns_end. columns: scratch of
    // column_numbers(n) doubles, aligned. removed2[n] += the squares of what each vector has lost. False, and nothing
    // is written but norms2 as far as it goes, if a norm is zero or not finite.
    bool (*orthonormalise_columns)(std::size_t n, bool site_first, double* psi_a, double* psi_b, double* columns,
                                   double* norms2, double* removed2);

    static const StepKernels baseline, v3, v4;
};

constexpr std::size_t column_numbers(std::size_t n) {
    return n * ((2 * n + 7) / 8 * 8);
}

inline const StepKernels& step_kernels() {
    return best_kernels<StepKernels>();
}

}  // namespace legato::tmm
