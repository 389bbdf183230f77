// The innermost loops of the CPU engine. Compiled once for every instruction set (core/cpu_level.hpp).
//
// A panel is some vectors of the same start, interleaved: element v of site i is at [i * width + v], the width a power
// of two. Every product and sum is formed in an order that depends on neither the width nor the instruction set, and
// products are not fused with sums: a vector's bits are the same in all of them. Elements of vectors are double or
// float; all is computed in double, y stored as the nearest `Real`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/cpu_level.hpp"

namespace legato::kpm {

inline constexpr std::size_t stencil_widths = 4;  // 1, 2, 4, 8: more have nothing left to share
inline constexpr std::size_t matrix_widths = 7;   // .. 64: what is read of the matrix is shared by all
inline constexpr std::size_t partial_sums = 4;    // of each product within a row of sites, added up at its end

// y <- hopping * (sum over neighbours of x) + (a * energy + b) x + c y for the sites of a row.
struct StencilStep {
    double hopping, a, b, c;
};
template <class Real>
struct StencilRow {
    std::size_t sites;
    const Real* x;
    const Real* y;
    Real* y_new;          // y itself, or a row that nobody reads
    const Real* left;     // the site before the first,
    const Real* right;    // and that after the last
    const Real* near[4];  // the rows beside this one: 0, 2 or 4 of them
    const double* energies;
};

// y <- a H x + b x + c y for the rows first .. last - 1 of a matrix.
template <class Real>
struct MatrixStep {
    double a, b, c;
    const Real* x;
    const Real* y;
    Real* y_new;
    std::size_t y_new_first;  // the row that y_new begins with
};
struct CrsRows {
    const std::int64_t* row_pointers;
    const std::int32_t* columns;
    const double* values;
    std::int32_t base;  // from which row pointers and columns count
};
struct EllRows {
    std::size_t rows, length;     // element k of row i is at [k * rows + i]
    const std::int32_t* columns;  // of padding: the row itself
    const double* values;         // of padding: 0
};

template <class Real>
struct KernelsOf {
    // [dimension - 1][log2 of the width]. Adds to sums[2][partial_sums][width] what the row has of <x|x> and <y|x>.
    using Stencil = void (*)(const StencilRow<Real>& row, const StencilStep& step, double* sums);
    std::array<std::array<Stencil, stencil_widths>, 3> stencil;

    // [log2 of the width]. Adds to sums[2][width].
    using Crs = void (*)(const CrsRows& matrix, const MatrixStep<Real>& step, std::size_t first, std::size_t last,
                         double* sums);
    using Ell = void (*)(const EllRows& matrix, const MatrixStep<Real>& step, std::size_t first, std::size_t last,
                         double* sums);
    std::array<Crs, matrix_widths> crs;
    std::array<Ell, matrix_widths> ell;
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
