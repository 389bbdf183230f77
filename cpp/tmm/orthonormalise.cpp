#include "tmm/orthonormalise.hpp"

#include <algorithm>

#include "core/blas.hpp"

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

// Columns in a call of gemm. It follows the sites alone: gemm sums in an order that depends on the shape of the call,
// and the number of threads must not show in a result.
std::size_t columns_per_call(std::size_t sites) {
    return std::clamp<std::size_t>(row_length(sites / 8), 32, 256);
}

// Takes the panel out of all columns that follow, each thread out of its share.
void project_out_panel(std::size_t sites, double* rows, OrthonormaliseScratch& scratch, std::size_t first,
                       std::size_t count, Team team) {
    const std::size_t begin = first + count, block = columns_per_call(sites);
    const auto row = static_cast<int>(row_length(sites)), height = static_cast<int>(2 * sites),
               width = static_cast<int>(panel), used = static_cast<int>(count);
    for (std::size_t c = begin + team.rank * block; c < sites; c += team.size * block) {
        const auto columns = static_cast<int>(std::min(block, sites - c));
        double *const x = rows + c, *const overlap = scratch.overlaps.data() + c;
        gemm('N', 'T', columns, used, height, 1.0, x, row, scratch.panel_rows.data(), width, 0.0, overlap, row);
        gemm('N', 'N', columns, height, used, -1.0, overlap, row, scratch.panel_rows.data(), width, 1.0, x, row);
    }
}

}  // namespace

void OrthonormaliseScratch::resize(std::size_t sites) {
    panel_rows.resize(2 * sites * panel);
    overlaps.resize(row_length(sites) * panel);
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
        if (scratch.sound) project_out_panel(sites, rows, scratch, first, count, team);
        team.wait();
    }
}

}  // namespace legato::tmm
