// Block Gram-Schmidt over wave functions in the padded rows of cpu_kernels.hpp: what the CPU engine and the building
// blocks share.
#pragma once

#include <cstddef>
#include <vector>

#include "core/aligned.hpp"
#include "tmm/cpu_kernels.hpp"

namespace legato::tmm {

inline constexpr std::size_t blocked_from = 48;  // sites from which panels pay
inline constexpr std::size_t team_from = 96;     // sites from which threads share one point

// The threads that carry one point together. A team of one executes no OpenMP construct at all.
struct Team {
    std::size_t size = 1;
    std::size_t rank = 0;

    bool leads() const { return rank == 0; }
    void wait() const {
        if (size > 1) {
#pragma omp barrier
        }
    }
};

// One for each team.
struct OrthonormaliseScratch {
    AlignedVector panel_rows;    // [2 sites][panel]
    AlignedVector dots;          // [2 row]
    std::vector<double> norms2;  // [sites], squared norms in order: the result
    bool sound = true;           // false once a norm was zero or not finite; norms2 holds those before it

    void resize(std::size_t sites);
};

void orthonormalise_blocked(const CpuKernels& kernels, std::size_t sites, double* rows, OrthonormaliseScratch& scratch,
                            Team team);

// rows: [2 sites][row_length(sites)], psi_{n+1}, then psi_n. Called by every thread of the team; the leader's result is
// there for all after the next wait.
inline void orthonormalise(const CpuKernels& kernels, std::size_t sites, double* rows, OrthonormaliseScratch& scratch,
                           Team team) {
    if (sites >= blocked_from) return orthonormalise_blocked(kernels, sites, rows, scratch, team);
    const std::size_t row = row_length(sites);
    if (team.leads())
        scratch.sound = kernels.gram_schmidt(sites, row, sites, rows, rows + sites * row, scratch.norms2.data(),
                                             scratch.dots.data());
}

}  // namespace legato::tmm
