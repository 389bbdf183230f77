// Single steps of the transfer-matrix method on a caller's arrays, for programs that keep their own loop: one
// multiplication, or one orthonormalisation. They run on the CPU; up to `threads` threads share a wide bar.
#pragma once

#include <cstddef>

#include "tmm/problem.hpp"
#include "tmm/step_kernels.hpp"

namespace legato::tmm {

enum class Layout : int {
    site_first = 0,   // Fortran psi(site, column): [columns][sites] in memory
    state_first = 1,  // Fortran psi(column, site): [sites][columns]
};

inline constexpr std::int64_t shared_from = 96;  // number of sites from which more than one thread is used

// Computes psi_b <- diagonal psi_a - t (sum of the transverse neighbours in psi_a) - psi_b, both [N][N]. Only
// dimension, width, boundary and hopping of `problem` are used. diagonal[N] is E - V.
void multiply(const Problem& problem, Layout layout, const double* diagonal, const double* psi_a, double* psi_b,
              int threads);

// Does the same in the calling thread, for 2D or 3D (`square`), but not for a chain.
void multiply_narrow(std::size_t width, bool square, Boundary boundary, double hopping, Layout layout,
                     const double* diagonal, const double* psi_a, double* psi_b);

// Returns a function that multiplies for this width, boundary and layout only. Returns null if the width exceeds
// narrow_most.
NarrowStep narrow_step(const Problem& problem, Layout layout);

// Orthonormalises the 2n-component vectors (psi_a; psi_b), in order; log_norms[n] becomes ln R_ii. Returns false if a
// norm is zero or not finite: log_norms is then NaN from that vector on, and the arrays are unchanged. The calling
// thread keeps 16 n^2 bytes of scratch. largest_loss may be null. It becomes the largest ratio of a vector's length to
// what remains of it when the vectors before it are taken out. If it exceeds most_growth (precision.hpp), precision is
// lost, and the result is that of modified Gram-Schmidt without panels.
bool orthonormalise(std::size_t n, Layout layout, double* psi_a, double* psi_b, double* log_norms, int threads,
                    double* largest_loss = nullptr);

// Does the same for up to eight vectors in registers. Returns false and writes nothing if the processor has too few
// registers, if a norm is zero or not finite, or if precision would be lost.
bool orthonormalise_narrow(std::size_t n, Layout layout, double* psi_a, double* psi_b, double* log_norms);

}  // namespace legato::tmm
