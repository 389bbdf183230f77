// The innermost loops of the CPU engine. They are compiled once for every instruction set (core/cpu_level.hpp).
//
// A panel is a number of interleaved vectors of a block: element v of site i is at [i * width + v], where the width is
// a power of two. The order of every product and sum depends on neither the width nor the instruction set, and products
// are not fused with sums. A vector is therefore bitwise identical in all of them. Elements of vectors are double or
// float. All arithmetic is in double, and y is stored as the nearest `Real`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/cpu_level.hpp"
#include "kpm/cell_rows.hpp"

namespace legato::kpm {

inline constexpr std::size_t stencil_widths = 4;  // widths 1, 2, 4, 8: wider panels have nothing more to share
inline constexpr std::size_t matrix_widths = 7;   // widths 1 to 64: all vectors share what is read of the matrix
inline constexpr std::size_t partial_sums = 4;    // partial sums of each product, added up at the end of a chunk

// Coefficients of y <- hopping * (sum over neighbours of x) + (a * energy + b) x + c y for the sites of a row.
struct StencilStep {
    double hopping, a, b, c;
};
template <class Real>
struct StencilRow {
    std::size_t sites;
    const Real* x;
    const Real* y;
    Real* y_new;          // y itself, or a row that is not read
    const Real* left;     // site before the first one
    const Real* right;    // site after the last one
    const Real* near[4];  // neighbouring rows: 0, 2 or 4 of them
    const double* energies;
};

// Coefficients and vectors of y <- a H x + b x + c y for rows of a matrix.
template <class Real>
struct MatrixStep {
    double a, b, c;
    const Real* x;
    const Real* y;
    Real* y_new;
    std::size_t y_new_first;  // row with which y_new begins
    const double* energies;   // energies of the rows, added to the diagonal; null if there are none
};
struct CrsRows {
    const std::int64_t* row_pointers;
    const std::int32_t* columns;
    const double* values;  // a complex element has two numbers
    std::int32_t base;     // number from which row pointers and columns count
};
struct EllRows {
    std::size_t rows, length;     // element k of row i is at [k * rows + i]
    const std::int32_t* columns;  // padding has the row itself
    const double* values;         // padding has 0
};

// The rows of a matrix in patterns (row_patterns.hpp).
struct PatternedRows {
    const std::uint16_t* pattern;   // of each row
    const double* diagonal;         // of each row
    const std::int32_t* first;      // element of each pattern
    const std::int32_t* own;        // element of each pattern with distance 0; the end of the pattern: none
    const std::int32_t* distances;  // from the row to the column
    const double* values;           // a complex element has two numbers; that with distance 0 is not used
};

template <class Real>
struct KernelsOf {
    // Adds the contribution of the row to <x|x> and <y|x> to sums[2][partial_sums][width]. The kernels are stored as
    // [dimension - 1][log2 of the width].
    using Stencil = void (*)(const StencilRow<Real>& row, const StencilStep& step, double* sums);
    std::array<std::array<Stencil, stencil_widths>, 3> stencil;

    // Adds the contribution of the rows to sums[2][width]. The kernels are stored as [log2 of the width].
    using Crs = void (*)(const CrsRows& matrix, const MatrixStep<Real>& step, std::size_t first, std::size_t last,
                         double* sums);
    using Ell = void (*)(const EllRows& matrix, const MatrixStep<Real>& step, std::size_t first, std::size_t last,
                         double* sums);
    std::array<Crs, matrix_widths> crs;
    std::array<Ell, matrix_widths> ell;
    // The same for a complex matrix. The width counts the lanes of vectors, two for each; there is none of width 1.
    std::array<Crs, matrix_widths> complex_crs;
    std::array<Ell, matrix_widths> complex_ell;
    // The same for rows in patterns, with the same bits as for compressed rows.
    using Patterned = void (*)(const PatternedRows& matrix, const MatrixStep<Real>& step, std::size_t first,
                               std::size_t last, double* sums);
    std::array<Patterned, matrix_widths> patterned, complex_patterned;
    // The same for unit-cell lattices without a matrix.
    using Cells = void (*)(const CellRows& cells, const MatrixStep<Real>& step, std::size_t first, std::size_t last,
                           double* sums);
    std::array<Cells, matrix_widths> cells, complex_cells;
};

struct CpuKernels {
    KernelsOf<double> full;
    KernelsOf<float> single;

    static const CpuKernels baseline, v3, v4;
};

inline const CpuKernels& cpu_kernels() {
    return best_kernels<CpuKernels>();
}

}  // namespace legato::kpm
