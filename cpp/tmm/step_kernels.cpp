#include "tmm/step_kernels.hpp"

namespace legato::tmm {
namespace {

// Unaligned vectors: four lanes for the rows, which are short in the bars that are stepped through by the million.
// Typedefs, because Clang ignores the alignment that a `using` asks for.
// NOLINTBEGIN(modernize-use-using)
typedef double Lanes4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef double Lanes8 __attribute__((vector_size(64), aligned(8), may_alias));
typedef double Value8 __attribute__((vector_size(64)));
// NOLINTEND(modernize-use-using)

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
    const auto at = [](const double* p) -> const Lanes4& { return *reinterpret_cast<const Lanes4*>(p); };
    if (m == 1) return step(0, edge * a[0], edge * a[0]);
    step(0, edge * a[m - 1], a[1]);
    std::size_t x = 1;
    for (; x + 4 < m; x += 4) {
        auto sum = at(a + x - 1) + at(a + x + 1);
        if (square) sum += down * at(below + x) + up * at(above + x);
        *reinterpret_cast<Lanes4*>(b + x) = at(diagonal + x) * at(a + x) - hopping * sum - at(b + x);
    }
    for (; x + 1 < m; ++x) step(x, a[x - 1], a[x + 1]);
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

// Exchanges the off-diagonal squares of side `s` of all squares of side 2 s.
template <int s>
void exchange(Value8* r) {
    constexpr auto lower = [](int l) { return l & s ? 8 + l - s : l; };
    constexpr auto upper = [](int l) { return l & s ? 8 + l : l + s; };
    for (int i = 0; i < 8; ++i) {
        if (i & s) continue;
        const Value8 low = r[i], high = r[i + s];
        r[i] = __builtin_shufflevector(low, high, lower(0), lower(1), lower(2), lower(3), lower(4), lower(5), lower(6),
                                       lower(7));
        r[i + s] = __builtin_shufflevector(low, high, upper(0), upper(1), upper(2), upper(3), upper(4), upper(5),
                                           upper(6), upper(7));
    }
}

void transpose8(const double* from, std::size_t from_row, double* to, std::size_t to_row) {
    Value8 r[8];
    for (std::size_t i = 0; i < 8; ++i) r[i] = *reinterpret_cast<const Lanes8*>(from + i * from_row);
    exchange<1>(r);
    exchange<2>(r);
    exchange<4>(r);
    for (std::size_t i = 0; i < 8; ++i) *reinterpret_cast<Lanes8*>(to + i * to_row) = r[i];
}

constexpr StepKernels table{site_first, state_first, transpose8};

}  // namespace

const StepKernels StepKernels::LEGATO_CPU_LEVEL = table;

}  // namespace legato::tmm
