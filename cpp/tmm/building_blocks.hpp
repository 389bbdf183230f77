// The steps of the transfer-matrix method on a caller's own arrays, for programs that keep their loop: one
// multiplication, one orthonormalisation. On the CPU; wide bars are shared by up to `threads` threads.
#pragma once

#include <cstddef>

#include "tmm/problem.hpp"
#include "tmm/step_kernels.hpp"

namespace legato::tmm {

enum class Layout : int {
    site_first = 0,   // Fortran psi(site, state): [states][sites] in memory
    state_first = 1,  // Fortran psi(state, site): [sites][states]
};

inline constexpr std::int64_t shared_from = 96;  // sites below which `threads` is not looked at

// psi_b <- diagonal psi_a - t (sum of the transverse neighbours in psi_a) - psi_b, both [N][N]. Of `problem` only
// dimension, width, boundary and hopping count. diagonal[N]: E - V.
void multiply(const Problem& problem, Layout layout, const double* diagonal, const double* psi_a, double* psi_b,
              int threads);

// The same by the calling thread, of a bar (2D, or 3D: `square`) that is no chain.
void multiply_narrow(std::size_t width, bool square, Boundary boundary, double hopping, Layout layout,
                     const double* diagonal, const double* psi_a, double* psi_b);

// Returns the function that does so for one width, boundary and layout, without anything else: null where the bar is
// wider than narrow_most.
NarrowStep narrow_step(const Problem& problem, Layout layout);

// Orthonormalises the 2n-component vectors (psi_a; psi_b), in order; log_norms[n]: ln R_ii. False if a norm is zero or
// not finite: from that vector on log_norms is NaN, and the arrays are as they came. Scratch stays with the calling
// thread, 16 n^2 bytes. largest_loss, if not null: the largest ratio of a vector's length to what the vectors before it
// have left of that. Above most_growth (precision.hpp) precision is gone, and the result is that of modified
// Gram-Schmidt without blocks.
bool orthonormalise(std::size_t n, Layout layout, double* psi_a, double* psi_b, double* log_norms, int threads,
                    double* largest_loss = nullptr);

// The same for up to eight vectors, in registers, where the processor has enough of them. False otherwise, and where a
// norm or precision would be lost: nothing is written then.
bool orthonormalise_narrow(std::size_t n, Layout layout, double* psi_a, double* psi_b, double* log_norms);

}  // namespace legato::tmm
