// Modified Gram-Schmidt, in blocks for wide bars, over wave functions in the padded rows of cpu_kernels.hpp: what the
// CPU engine and the building blocks share.
//
// A panel q of a block is orthogonal to within eps times what its columns have lost among themselves. Where that is
// much, q^T x would not do: its errors come on top of those of the columns still to come, and the loss of orthogonality
// grows as the square of the growth. Taking the panel's columns out in turn is x - q (1 + L)^-1 q^T x, L the strictly
// lower triangle of q^T q: with it the blocks are as accurate as modified Gram-Schmidt (J. L. Barlow, SIAM J. Matrix
// Anal. Appl. 40, 1257 (2019)).
#pragma once

#include <cstddef>
#include <vector>

#include "core/aligned.hpp"
#include "core/parallel.hpp"
#include "tmm/cpu_kernels.hpp"

namespace legato::tmm {

inline constexpr std::size_t blocked_from = 48;  // sites from which panels pay
inline constexpr std::size_t team_from = 96;     // sites from which threads share one point
inline constexpr double mild_loss = 4;           // of a column's length within its panel, up to which q^T x will do

// One for each team.
struct OrthonormaliseScratch {
    AlignedVector panel_rows;    // [2 sites][panel]
    AlignedVector lower;         // [panel][panel]
    AlignedVector dots;          // [2 row]
    AlignedVector removed2;      // [row] squares of what each column has lost
    AlignedVector within2;       // [panel] of that, to the columns of its own panel
    bool steep = false;          // does the present panel need `lower`
    std::vector<double> norms2;  // [sites], squared norms in order: the result
    bool sound = true;           // false once a norm was zero or not finite; norms2 holds those before it

    void resize(std::size_t sites);

    // The largest ratio of a column's length to what the columns before it have left of that.
    double largest_loss() const;
};

void orthonormalise_blocked(const CpuKernels& kernels, std::size_t sites, double* rows, OrthonormaliseScratch& scratch,
                            Team team);

// Modified Gram-Schmidt without blocks, by one thread.
void orthonormalise_plainly(const CpuKernels& kernels, std::size_t sites, double* rows, OrthonormaliseScratch& scratch);

// rows: [2 sites][row_length(sites)], psi_{n+1}, then psi_n. Called by every thread of the team; the leader's result is
// there for all after the next wait.
inline void orthonormalise(const CpuKernels& kernels, std::size_t sites, double* rows, OrthonormaliseScratch& scratch,
                           Team team) {
    if (sites >= blocked_from) return orthonormalise_blocked(kernels, sites, rows, scratch, team);
    if (team.leads()) orthonormalise_plainly(kernels, sites, rows, scratch);
}

}  // namespace legato::tmm
