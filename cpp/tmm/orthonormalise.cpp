#include "tmm/orthonormalise.hpp"

#include <algorithm>
#include <cmath>

namespace legato::tmm {
namespace {

// Orthonormalises columns [first, first + count) among themselves, in a copy whose rows have only these columns.
void orthonormalise_panel(const CpuKernels& kernels, std::size_t sites, double* rows, OrthonormaliseScratch& scratch,
                          std::size_t first, std::size_t count) {
    const std::size_t row = row_length(sites);
    double* const x = rows + first;
    double* const columns = scratch.panel_rows.data();
    for (std::size_t k = 0; k < 2 * sites; ++k) {
        std::copy_n(x + k * row, count, columns + k * panel);
        std::fill_n(columns + k * panel + count, panel - count, 0.0);
    }
    double* const norms2 = scratch.norms2.data() + first;
    std::fill(scratch.within2.begin(), scratch.within2.end(), 0.0);
    scratch.valid = kernels.gram_schmidt(sites, panel, count, columns, columns + sites * panel, norms2,
                                         scratch.within2.data(), scratch.dots.data());
    for (std::size_t k = 0; k < 2 * sites; ++k) std::copy_n(columns + k * panel, count, x + k * row);
    if (!scratch.valid) return;
    scratch.steep = false;
    for (std::size_t j = 0; j < count; ++j) {
        scratch.removed2[first + j] += scratch.within2[j];
        scratch.steep |= scratch.within2[j] > (mild_loss * mild_loss - 1) * norms2[j];
    }
    if (scratch.steep && first + count < sites) kernels.overlaps_within(2 * sites, columns, scratch.lower.data());
}

// Takes the panel out of all columns from `first` on. Each thread has a share of them.
void project_out_panel(const CpuKernels& kernels, std::size_t sites, double* rows, OrthonormaliseScratch& scratch,
                       std::size_t first, Team team) {
    const std::size_t groups = (sites - first + lane_count - 1) / lane_count;
    kernels.project_out(2 * sites, row_length(sites), first + groups * team.rank / team.size * lane_count,
                        first + groups * (team.rank + 1) / team.size * lane_count, scratch.panel_rows.data(),
                        scratch.steep ? scratch.lower.data() : nullptr, rows, scratch.removed2.data());
}

}  // namespace

void OrthonormaliseScratch::resize(std::size_t sites) {
    panel_rows.resize(2 * sites * panel);
    lower.resize(panel * panel);
    dots.resize(2 * std::max(row_length(sites), panel));
    removed2.resize(row_length(sites));
    within2.resize(panel);
    norms2.resize(sites);
}

double OrthonormaliseScratch::largest_loss() const {
    double largest2 = 0;
    for (std::size_t j = 0; j < norms2.size(); ++j) largest2 = std::max(largest2, removed2[j] / norms2[j]);
    return std::sqrt(1 + largest2);
}

void orthonormalise_unblocked(const CpuKernels& kernels, std::size_t sites, double* rows,
                              OrthonormaliseScratch& scratch) {
    const std::size_t row = row_length(sites);
    std::fill(scratch.removed2.begin(), scratch.removed2.end(), 0.0);
    scratch.valid = kernels.gram_schmidt(sites, row, sites, rows, rows + sites * row, scratch.norms2.data(),
                                         scratch.removed2.data(), scratch.dots.data());
}

// Orthonormalises each panel by modified Gram-Schmidt, then takes it out of all later columns, at the speed of a matrix
// product. Threads wait for each other between panels, so that all see the leader's result.
void orthonormalise_blocked(const CpuKernels& kernels, std::size_t sites, double* rows, OrthonormaliseScratch& scratch,
                            Team team) {
    if (team.leads()) std::fill(scratch.removed2.begin(), scratch.removed2.end(), 0.0);
    bool valid = true;  // alike in all threads; the leader may already have changed scratch.valid when one comes late
    for (std::size_t first = 0; first < sites && valid; first += panel) {
        const std::size_t count = std::min(panel, sites - first);
        if (team.leads()) orthonormalise_panel(kernels, sites, rows, scratch, first, count);
        team.wait();
        valid = scratch.valid;
        if (valid && first + panel < sites) project_out_panel(kernels, sites, rows, scratch, first + panel, team);
        team.wait();
    }
}

}  // namespace legato::tmm
