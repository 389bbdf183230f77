#include "tmm/building_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "core/memory.hpp"
#include "tmm/orthonormalise.hpp"
#include "tmm/precision.hpp"
#include "tmm/step_kernels.hpp"

namespace legato::tmm {
namespace {

static_assert(shared_from == team_from);
static_assert(columns_end == blocked_from);

double factor_across(Boundary boundary) {
    return boundary == Boundary::hard_wall ? 0.0 : boundary == Boundary::periodic ? 1.0 : -1.0;
}

StepLattice lattice_of(const Problem& problem) {
    // A chain has no transverse neighbours.
    return {static_cast<std::size_t>(problem.width), problem.dimension == 3, problem.hopping,
            problem.dimension == 1 ? 0.0 : factor_across(problem.boundary)};
}

const StepKernels& best_steps() {
    static const StepKernels& kernels = step_kernels();
    return kernels;
}

auto kernel_of(Layout layout) {
    const StepKernels& kernels = best_steps();
    return layout == Layout::site_first ? kernels.site_first : kernels.state_first;
}

// Memory that a thread keeps from call to call, for vectors of one length.
struct Workspace {
    const CpuKernels& kernels = cpu_kernels();
    const StepKernels& steps = step_kernels();
    std::size_t n = 0;
    AlignedVector rows;  // [2 n][row], zero after the n-th column
    OrthonormaliseScratch scratch;

    void resize(std::size_t wanted);
};

void Workspace::resize(std::size_t wanted) {
    if (wanted == n) return;
    n = 0;
    rows = {};
    require_memory(text("tmm.orthonormalise.n: ", wanted, " needs"),
                   static_cast<std::int64_t>(2 * wanted * row_length(wanted) * sizeof(double)), free_memory());
    rows.assign(2 * wanted * row_length(wanted), 0.0);
    scratch.resize(wanted);
    n = wanted;
}

// Copies rows [first, last) from the caller's array to the padded one (`in`), or back.
template <bool in>
void copy_rows(const StepKernels& kernels, std::size_t n, Layout layout, std::size_t first, std::size_t last,
               double* psi, double* rows) {
    const std::size_t row = row_length(n);
    if (layout == Layout::state_first) {
        for (std::size_t k = first; k < last; ++k)
            in ? std::copy_n(psi + k * n, n, rows + k * row) : std::copy_n(rows + k * row, n, psi + k * n);
        return;
    }
    constexpr std::size_t side = 8;
    for (std::size_t k0 = first; k0 < last; k0 += side)
        for (std::size_t j0 = 0; j0 < n; j0 += side) {
            double *const columns = psi + j0 * n + k0, *const lines = rows + k0 * row + j0;
            const std::size_t states = std::min(side, n - j0), sites = std::min(side, last - k0);
            in ? kernels.transpose(columns, n, states, sites, lines, row)
               : kernels.transpose(lines, row, sites, states, columns, n);
        }
}

// Orthonormalises in one thread, with each vector contiguous in memory. work.rows has room for the vectors.
void orthonormalise_columns(Workspace& work, Layout layout, double* psi_a, double* psi_b) {
    std::fill(work.scratch.removed2.begin(), work.scratch.removed2.end(), 0.0);
    work.scratch.valid =
        work.steps.orthonormalise_columns(work.n, layout == Layout::site_first, psi_a, psi_b, work.rows.data(),
                                          work.scratch.norms2.data(), work.scratch.removed2.data());
}

// Orthonormalises a copy in padded rows. Every thread of the team calls it.
void orthonormalise_copy(Workspace& work, Layout layout, double* psi_a, double* psi_b, Team team) {
    const std::size_t n = work.n;
    const auto [first, last] = team.share(n);
    double* const rows = work.rows.data();
    double* const second = rows + n * row_length(n);
    copy_rows<true>(work.steps, n, layout, first, last, psi_a, rows);
    copy_rows<true>(work.steps, n, layout, first, last, psi_b, second);
    team.wait();
    orthonormalise(work.kernels, n, rows, work.scratch, team);
    team.wait();
    if (!work.scratch.valid) return;
    if (n >= blocked_from && work.scratch.largest_loss() > most_growth) {  // all threads decide alike
        copy_rows<true>(work.steps, n, layout, first, last, psi_a, rows);
        copy_rows<true>(work.steps, n, layout, first, last, psi_b, second);
        team.wait();
        if (team.leads()) orthonormalise_unblocked(work.kernels, n, rows, work.scratch);
        team.wait();
        if (!work.scratch.valid) return;
    }
    copy_rows<false>(work.steps, n, layout, first, last, psi_a, rows);
    copy_rows<false>(work.steps, n, layout, first, last, psi_b, second);
}

}  // namespace

void multiply(const Problem& problem, Layout layout, const double* diagonal, const double* psi_a, double* psi_b,
              int threads) {
    const StepLattice lattice = lattice_of(problem);
    const std::size_t n = lattice.sites();
    const auto step = kernel_of(layout);
    if (n < team_from || threads == 1) return step(lattice, 0, n, diagonal, psi_a, psi_b);
    in_team(threads, [&](const Team& team) {
        const auto [first, last] = team.share(n);
        step(lattice, first, last, diagonal, psi_a, psi_b);
    });
}

void multiply_narrow(std::size_t width, bool square, Boundary boundary, double hopping, Layout layout,
                     const double* diagonal, const double* psi_a, double* psi_b) {
    const StepLattice lattice{width, square, hopping, factor_across(boundary)};
    kernel_of(layout)(lattice, 0, lattice.sites(), diagonal, psi_a, psi_b);
}

NarrowStep narrow_step(const Problem& problem, Layout layout) {
    const StepLattice lattice = lattice_of(problem);
    if (lattice.m > narrow_most) return nullptr;
    return best_steps().narrow_step(lattice.m, lattice.square, lattice.edge, layout == Layout::site_first);
}

bool orthonormalise_narrow(std::size_t n, Layout layout, double* psi_a, double* psi_b, double* log_norms) {
    const StepKernels& kernels = best_steps();
    double norms2[narrow_most];
    if (n > kernels.narrow) return false;
    if (!kernels.orthonormalise_narrow(n, layout == Layout::site_first, most_growth, psi_a, psi_b, norms2))
        return false;
    for (std::size_t i = 0; i < n; ++i) log_norms[i] = 0.5 * std::log(norms2[i]);
    return true;
}

bool orthonormalise(std::size_t n, Layout layout, double* psi_a, double* psi_b, double* log_norms, int threads,
                    double* largest_loss) {
    thread_local Workspace own;
    Workspace& work = own;  // in a thread of the team, `own` would be the workspace of that thread
    work.resize(n);
    std::vector<double>& norms2 = work.scratch.norms2;
    std::fill(norms2.begin(), norms2.end(), std::numeric_limits<double>::quiet_NaN());
    work.scratch.valid = true;
    if (n >= columns_from && n < columns_end) {
        orthonormalise_columns(work, layout, psi_a, psi_b);
    } else if (n < team_from || threads == 1) {
        orthonormalise_copy(work, layout, psi_a, psi_b, Team{});
    } else {
        in_team(threads, [&](const Team& team) { orthonormalise_copy(work, layout, psi_a, psi_b, team); });
    }
    for (std::size_t i = 0; i < n; ++i) log_norms[i] = 0.5 * std::log(norms2[i]);
    if (largest_loss && work.scratch.valid) *largest_loss = work.scratch.largest_loss();
    return work.scratch.valid;
}

}  // namespace legato::tmm
