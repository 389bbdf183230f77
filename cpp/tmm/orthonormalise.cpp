#include "tmm/orthonormalise.hpp"

#include <algorithm>

namespace legato::tmm {
namespace {

// Columns [first, first + count) among themselves, in rows of their own.
void orthonormalise_panel(const CpuKernels& kernels, std::size_t sites, double* rows, OrthonormaliseScratch& scratch,
                          std::size_t first, std::size_t count) {
    const std::size_t row = row_length(sites);
    double* const x = rows + first;
    double* const columns = scratch.panel_rows.data();
    for (std::size_t k = 0; k < 2 * sites; ++k) {
        std::copy_n(x + k * row, count, columns + k * panel);
        std::fill_n(columns + k * panel + count, panel - count, 0.0);
    }
    scratch.sound = kernels.gram_schmidt(sites, panel, count, columns, columns + sites * panel,
                                         scratch.norms2.data() + first, scratch.dots.data());
    for (std::size_t k = 0; k < 2 * sites; ++k) std::copy_n(columns + k * panel, count, x + k * row);
}

// Takes the panel out of all columns from `first` on, each thread out of its share.
void project_out_panel(const CpuKernels& kernels, std::size_t sites, double* rows, const OrthonormaliseScratch& scratch,
                       std::size_t first, Team team) {
    const std::size_t groups = (sites - first + lane_count - 1) / lane_count;
    kernels.project_out(2 * sites, row_length(sites), first + groups * team.rank / team.size * lane_count,
                        first + groups * (team.rank + 1) / team.size * lane_count, scratch.panel_rows.data(), rows);
}

}  // namespace

void OrthonormaliseScratch::resize(std::size_t sites) {
    panel_rows.resize(2 * sites * panel);
    dots.resize(2 * std::max(row_length(sites), panel));
    norms2.resize(sites);
}

// A panel of columns by modified Gram-Schmidt, then out of all that follow, at matrix-multiply rates.
void orthonormalise_blocked(const CpuKernels& kernels, std::size_t sites, double* rows, OrthonormaliseScratch& scratch,
                            Team team) {
    for (std::size_t first = 0; first < sites && scratch.sound; first += panel) {
        const std::size_t count = std::min(panel, sites - first);
        if (team.leads()) orthonormalise_panel(kernels, sites, rows, scratch, first, count);
        team.wait();
        if (scratch.sound && first + panel < sites)
            project_out_panel(kernels, sites, rows, scratch, first + panel, team);
        team.wait();
    }
}

}  // namespace legato::tmm
