// Modified Gram-Schmidt, in panels for wide bars, on columns in the padded rows of cpu_kernels.hpp. The CPU engine and
// the building blocks share it.
//
// A panel q is orthogonal to within eps times what its columns have lost among themselves. If that is much, q^T x is
// not accurate enough: its errors add to those of the later columns, and the loss of orthogonality grows as the square
// of the growth. Taking out the panel's columns one after the other gives x - q (1 + L)^-1 q^T x, where L is the
// strictly lower triangle of q^T q. With this formula, panels are as accurate as modified Gram-Schmidt (J. L. Barlow,
// SIAM J. Matrix Anal. Appl. 40, 1257 (2019)).
#pragma once

#include <cstddef>
#include <vector>

#include "core/aligned.hpp"
#include "core/parallel.hpp"
#include "tmm/cpu_kernels.hpp"

namespace legato::tmm {

inline constexpr std::size_t blocked_from = 48;  // number of sites from which panels are used
inline constexpr std::size_t team_from = 96;     // number of sites from which threads share one point
inline constexpr double mild_loss = 4;           // largest loss of length within a panel for which q^T x is accurate

// Memory of one team.
struct OrthonormaliseScratch {
    AlignedVector panel_rows;    // [2 sites][panel]
    AlignedVector lower;         // [panel][panel]
    AlignedVector dots;          // [2 row]
    AlignedVector removed2;      // [row] squares of what each column has lost
    AlignedVector within2;       // [panel] squares of what each column has lost to its own panel
    bool steep = false;          // true if the present panel needs `lower`
    std::vector<double> norms2;  // [sites] squared norms in order: the result
    bool valid = true;           // false once a norm was zero or not finite; norms2 has those before it

    void resize(std::size_t sites);

    // Returns the largest ratio of a column's length to what remains of it when the columns before it are taken out.
    double largest_loss() const;
};

void orthonormalise_blocked(const CpuKernels& kernels, std::size_t sites, double* rows, OrthonormaliseScratch& scratch,
                            Team team);

// Orthonormalises by modified Gram-Schmidt without panels, in one thread.
void orthonormalise_unblocked(const CpuKernels& kernels, std::size_t sites, double* rows,
                              OrthonormaliseScratch& scratch);

// Orthonormalises rows[2 sites][row_length(sites)]: psi_{n+1}, then psi_n. Every thread of the team calls it. The
// leader's result is visible to all threads after the next wait.
inline void orthonormalise(const CpuKernels& kernels, std::size_t sites, double* rows, OrthonormaliseScratch& scratch,
                           Team team) {
    if (sites >= blocked_from) return orthonormalise_blocked(kernels, sites, rows, scratch, team);
    if (team.leads()) orthonormalise_unblocked(kernels, sites, rows, scratch);
}

}  // namespace legato::tmm
