// Kernels for arrays as a Fortran caller has them: unpadded, of any alignment, in either layout. A multiplication takes
// three loads and a store per number; a copy to the padded rows of cpu_kernels.hpp would double this work. The kernels
// are compiled once for every instruction set (core/cpu_level.hpp).
#pragma once

#include <cstddef>

#include "core/cpu_level.hpp"

namespace legato::tmm {

// The cross-section: m sites in a row (x), and one row (2D) or m rows (3D).
struct StepLattice {
    std::size_t m;
    bool square;     // 3D
    double hopping;  // t
    double edge;     // factor of t across the edge: 0, 1, -1

    std::size_t sites() const { return square ? m * m : m; }
};

inline constexpr std::size_t narrow_most = 8;
inline constexpr std::size_t columns_from = narrow_most + 1, columns_end = 48;  // range of n in orthonormalise_columns

// Multiplies all columns of one shape.
using NarrowStep = void (*)(double hopping, const double* diagonal, const double* psi_a, double* psi_b);

struct StepKernels {
    // The multiplications compute psi_b <- diagonal psi_a - t (sum of neighbours in psi_a) - psi_b. The arrays do not
    // overlap.

    // Multiplies psi[columns][sites], columns [first, last).
    void (*site_first)(const StepLattice& lattice, std::size_t first, std::size_t last, const double* diagonal,
                       const double* psi_a, double* psi_b);
    // Multiplies psi[sites][columns], sites [first, last).
    void (*state_first)(const StepLattice& lattice, std::size_t first, std::size_t last, const double* diagonal,
                        const double* psi_a, double* psi_b);

    // Returns the multiplication for one shape, with m from 1 to narrow_most. Its results are bitwise identical to
    // those of the functions above.
    NarrowStep (*narrow_step)(std::size_t m, bool square, double edge, bool sites_first);

    // Sets to[j * to_row + i] = from[i * from_row + j] for i < rows, j < columns, both 1..8, with any alignment.
    void (*transpose)(const double* from, std::size_t from_row, std::size_t rows, std::size_t columns, double* to,
                      std::size_t to_row);

    // Orthonormalises the caller's arrays in registers, for n from 1 to `narrow`, which is 0 if the processor has too
    // few registers. Results are bitwise identical to those of gram_schmidt in cpu_kernels.hpp. Returns false and
    // writes nothing if a norm is zero or not finite, or if less than 1 / most_loss of a vector's length remains.
    std::size_t narrow;
    bool (*orthonormalise_narrow)(std::size_t n, bool site_first, double most_loss, double* psi_a, double* psi_b,
                                  double* norms2);

    // Orthonormalises the caller's arrays by modified Gram-Schmidt, for n from columns_from to below columns_end.
    // `columns` is scratch of column_numbers(n) doubles, aligned. The squares of what each vector has lost are added to
    // removed2[n]. Returns false if a norm is zero or not finite: psi_a and psi_b are then unchanged, and norms2 has
    // the norms before it.
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
