// Compiled once for each instruction set, with LEGATO_STEP_KERNELS naming the table it defines; see step_kernels.hpp.
// Nothing inline from a header may be called here: the linker would keep one copy for all instruction sets.
#include "tmm/step_kernels.hpp"

namespace legato::tmm {
namespace {

// The rows of a square cross-section beside a row, and the factors of their hopping.
struct Beside {
    std::size_t below, above;
    double down, up;
};

Beside beside(std::size_t m, std::size_t y, double edge) {
    const bool lowest = y == 0, highest = y + 1 == m;
    return {lowest ? m - 1 : y - 1, highest ? 0 : y + 1, lowest ? edge : 1.0, highest ? edge : 1.0};
}

// One row of one state; the two ends stand outside the loop, which has no branch.
template <bool square>
void step_row(std::size_t m, double hopping, double edge, double down, double up, const double* diagonal,
              const double* a, const double* below, const double* above, double* __restrict b) {
    const auto step = [=](std::size_t x, double left, double right) {
        double sum = left + right;
        if (square) sum += down * below[x] + up * above[x];
        b[x] = diagonal[x] * a[x] - hopping * sum - b[x];
    };
    if (m == 1) return step(0, edge * a[0], edge * a[0]);
    step(0, edge * a[m - 1], a[1]);
    for (std::size_t x = 1; x + 1 < m; ++x) step(x, a[x - 1], a[x + 1]);
    step(m - 1, a[m - 2], edge * a[0]);
}

void site_first(const StepLattice& lattice, std::size_t first, std::size_t last, const double* diagonal,
                const double* psi_a, double* psi_b) {
    const std::size_t m = lattice.m, sites = lattice.square ? m * m : m;
    const double t = lattice.hopping, edge = lattice.edge;
    for (std::size_t j = first; j < last; ++j) {
        const double* const a = psi_a + j * sites;
        double* const b = psi_b + j * sites;
        if (!lattice.square) {
            step_row<false>(m, t, edge, 0.0, 0.0, diagonal, a, a, a, b);
            continue;
        }
        for (std::size_t y = 0; y < m; ++y) {
            const Beside near = beside(m, y, edge);
            step_row<true>(m, t, edge, near.down, near.up, diagonal + y * m, a + y * m, a + near.below * m,
                           a + near.above * m, b + y * m);
        }
    }
}

// One site of all states.
template <bool square>
void step_site(std::size_t states, double hopping, double diagonal, double to_left, double to_right, double down,
               double up, const double* a, const double* left, const double* right, const double* below,
               const double* above, double* __restrict b) {
    for (std::size_t j = 0; j < states; ++j) {
        double sum = to_left * left[j] + to_right * right[j];
        if (square) sum += down * below[j] + up * above[j];
        b[j] = diagonal * a[j] - hopping * sum - b[j];
    }
}

void state_first(const StepLattice& lattice, std::size_t first, std::size_t last, const double* diagonal,
                 const double* psi_a, double* psi_b) {
    const std::size_t m = lattice.m, states = lattice.square ? m * m : m;
    const double t = lattice.hopping, edge = lattice.edge;
    for (std::size_t i = first; i < last; ++i) {
        const std::size_t y = lattice.square ? i / m : 0, x = i - y * m;
        const Beside row = beside(m, x, edge);  // along x it is left and right
        const double* const start = psi_a + y * m * states;
        const double* const a = start + x * states;
        const double* const left = start + row.below * states;
        const double* const right = start + row.above * states;
        if (!lattice.square) {
            step_site<false>(states, t, diagonal[i], row.down, row.up, 0.0, 0.0, a, left, right, a, a,
                             psi_b + i * states);
            continue;
        }
        const Beside column = beside(m, y, edge);
        step_site<true>(states, t, diagonal[i], row.down, row.up, column.down, column.up, a, left, right,
                        psi_a + (column.below * m + x) * states, psi_a + (column.above * m + x) * states,
                        psi_b + i * states);
    }
}

}  // namespace

extern const StepKernels LEGATO_STEP_KERNELS;
const StepKernels LEGATO_STEP_KERNELS{site_first, state_first};

}  // namespace legato::tmm
