#include "tmm/step_kernels.hpp"

#include <utility>

#include "tmm/transpose.hpp"

#ifdef __AVX512F__
#include "tmm/narrow_orthonormalise.hpp"
#include "tmm/narrow_steps.hpp"
#endif

namespace legato::tmm {
namespace {

// Unaligned vectors. Rows are processed in four lanes, because they are short in bars for which callers make millions
// of steps. These are typedefs, because Clang ignores the alignment in a `using`.
// NOLINTBEGIN(modernize-use-using)
typedef double Lanes4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef double Lanes8 __attribute__((vector_size(64), aligned(8), may_alias));
typedef double Value8 __attribute__((vector_size(64)));
// NOLINTEND(modernize-use-using)

// The two neighbours of a row in a square cross-section, and the factors of the hopping to them.
struct NeighbourPair {
    std::size_t below, above;
    double down, up;
};

NeighbourPair neighbour_pair(std::size_t m, std::size_t y, double edge) {
    const bool lowest = y == 0, highest = y + 1 == m;
    return {lowest ? m - 1 : y - 1, highest ? 0 : y + 1, lowest ? edge : 1.0, highest ? edge : 1.0};
}

// All functions below combine one product with b, and the second product with the result. A compiler that fuses
// products and sums then has no choice, and all instruction sets with fused operations give bitwise identical results.

// Multiplies one row of one column. The two ends are outside the loop, which therefore has no branch.
template <bool square>
void step_row(std::size_t m, double hopping, double edge, double down, double up, const double* diagonal,
              const double* a, const double* below, const double* above, double* __restrict b) {
    const auto step = [=](std::size_t x, double left, double right) {
        double sum = left + right;
        if (square) sum += down * below[x] + up * above[x];
        b[x] = diagonal[x] * a[x] - b[x] - hopping * sum;
    };
    const auto at = [](const double* p) -> const Lanes4& { return *reinterpret_cast<const Lanes4*>(p); };
    if (m == 1) return step(0, edge * a[0], edge * a[0]);
    step(0, edge * a[m - 1], a[1]);
    std::size_t x = 1;
    for (; x + 4 < m; x += 4) {
        auto sum = at(a + x - 1) + at(a + x + 1);
        if (square) sum += down * at(below + x) + up * at(above + x);
        *reinterpret_cast<Lanes4*>(b + x) = at(diagonal + x) * at(a + x) - at(b + x) - hopping * sum;
    }
    for (; x + 1 < m; ++x) step(x, a[x - 1], a[x + 1]);
    step(m - 1, a[m - 2], edge * a[0]);
}

void site_first(const StepLattice& lattice, std::size_t first, std::size_t last, const double* diagonal,
                const double* psi_a, double* psi_b) {
#ifdef __AVX512F__
    if (lattice.m <= narrow)
        return (lattice.square ? narrow_square : narrow_chain)(lattice, first, last, diagonal, psi_a, psi_b);
#endif
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
            const NeighbourPair near = neighbour_pair(m, y, edge);
            step_row<true>(m, t, edge, near.down, near.up, diagonal + y * m, a + y * m, a + near.below * m,
                           a + near.above * m, b + y * m);
        }
    }
}

// Multiplies one site of all columns.
template <bool square>
void step_site(std::size_t states, double hopping, double diagonal, double to_left, double to_right, double down,
               double up, const double* a, const double* left, const double* right, const double* below,
               const double* above, double* __restrict b) {
    for (std::size_t j = 0; j < states; ++j) {
        double sum = to_left * left[j] + to_right * right[j];
        if (square) sum += down * below[j] + up * above[j];
        b[j] = diagonal * a[j] - b[j] - hopping * sum;
    }
}

void state_first(const StepLattice& lattice, std::size_t first, std::size_t last, const double* diagonal,
                 const double* psi_a, double* psi_b) {
    const std::size_t m = lattice.m, states = lattice.square ? m * m : m;
    const double t = lattice.hopping, edge = lattice.edge;
    for (std::size_t i = first; i < last; ++i) {
        const std::size_t y = lattice.square ? i / m : 0, x = i - y * m;
        const NeighbourPair row = neighbour_pair(m, x, edge);  // along x, below and above are left and right
        const double* const start = psi_a + y * m * states;
        const double* const a = start + x * states;
        const double* const left = start + row.below * states;
        const double* const right = start + row.above * states;
        if (!lattice.square) {
            step_site<false>(states, t, diagonal[i], row.down, row.up, 0.0, 0.0, a, left, right, a, a,
                             psi_b + i * states);
            continue;
        }
        const NeighbourPair column = neighbour_pair(m, y, edge);
        step_site<true>(states, t, diagonal[i], row.down, row.up, column.down, column.up, a, left, right,
                        psi_a + (column.below * m + x) * states, psi_a + (column.above * m + x) * states,
                        psi_b + i * states);
    }
}

template <std::size_t m, bool square, int edge, bool sites_first>
void narrow_step_of(double hopping, const double* diagonal, const double* psi_a, double* psi_b) {
    constexpr std::size_t sites = square ? m * m : m;
    const StepLattice lattice{m, square, hopping, edge};
    if constexpr (m == 1)
        step_row<square>(1, hopping, edge, edge, edge, diagonal, psi_a, psi_a, psi_a, psi_b);
    else if constexpr (!sites_first)
        state_first(lattice, 0, sites, diagonal, psi_a, psi_b);
    else
#ifdef __AVX512F__
        (square ? narrow_square_of<m> : narrow_chain_of<m>)(lattice, 0, sites, diagonal, psi_a, psi_b);
#else
        site_first(lattice, 0, sites, diagonal, psi_a, psi_b);
#endif
}

template <bool square, int edge, bool sites_first, std::size_t... m>
NarrowStep narrow_step_of_width(std::size_t width, std::index_sequence<m...>) {
    constexpr NarrowStep of[] = {narrow_step_of<m + 1, square, edge, sites_first>...};
    return of[width - 1];
}

template <bool square, bool sites_first>
NarrowStep narrow_step_of_edge(std::size_t width, double edge) {
    constexpr auto widths = std::make_index_sequence<narrow_most>();
    if (edge > 0) return narrow_step_of_width<square, 1, sites_first>(width, widths);
    if (edge < 0) return narrow_step_of_width<square, -1, sites_first>(width, widths);
    return narrow_step_of_width<square, 0, sites_first>(width, widths);
}

NarrowStep narrow_step(std::size_t m, bool square, double edge, bool sites_first) {
    if (square)
        return sites_first ? narrow_step_of_edge<true, true>(m, edge) : narrow_step_of_edge<true, false>(m, edge);
    return sites_first ? narrow_step_of_edge<false, true>(m, edge) : narrow_step_of_edge<false, false>(m, edge);
}

#ifdef __AVX512F__

void transpose(const double* from, std::size_t from_row, std::size_t rows, std::size_t columns, double* to,
               std::size_t to_row) {
    // Transposes eight vectors in any case, so that all remain in registers.
    Value8 r[8];
    if (rows == 8 && columns == 8) {
#pragma GCC unroll 8
        for (std::size_t i = 0; i < 8; ++i) r[i] = _mm512_loadu_pd(from + i * from_row);
        transpose_rows<8>(r);
#pragma GCC unroll 8
        for (std::size_t j = 0; j < 8; ++j) _mm512_storeu_pd(to + j * to_row, r[j]);
        return;
    }
    const unsigned of_row = (1U << columns) - 1, of_column = (1U << rows) - 1;
#pragma GCC unroll 8
    for (std::size_t i = 0; i < 8; ++i)
        r[i] = _mm512_maskz_loadu_pd(static_cast<__mmask8>(i < rows ? of_row : 0), from + i * from_row);
    transpose_rows<8>(r);
#pragma GCC unroll 8
    for (std::size_t j = 0; j < 8; ++j)
        _mm512_mask_storeu_pd(to + j * to_row, static_cast<__mmask8>(j < columns ? of_column : 0), r[j]);
}

#else

void transpose(const double* from, std::size_t from_row, std::size_t rows, std::size_t columns, double* to,
               std::size_t to_row) {
    if (rows < 8 || columns < 8) {
        for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t j = 0; j < columns; ++j) to[j * to_row + i] = from[i * from_row + j];
        return;
    }
    Value8 r[8];
    for (std::size_t i = 0; i < 8; ++i) r[i] = *reinterpret_cast<const Lanes8*>(from + i * from_row);
    transpose_rows<8>(r);
    for (std::size_t i = 0; i < 8; ++i) *reinterpret_cast<Lanes8*>(to + i * to_row) = r[i];
}

#endif

}  // namespace
}  // namespace legato::tmm

#include "tmm/column_orthonormalise.hpp"

namespace legato::tmm {
namespace {

#ifdef __AVX512F__
constexpr StepKernels table{site_first, state_first,           narrow_step,           transpose,
                            narrow,     orthonormalise_narrow, orthonormalise_columns};
#else
constexpr StepKernels table{site_first, state_first, narrow_step, transpose, 0, nullptr, orthonormalise_columns};
#endif

}  // namespace

const StepKernels StepKernels::LEGATO_CPU_LEVEL = table;

}  // namespace legato::tmm
