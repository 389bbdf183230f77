#include "vmc/cpu_kernels.hpp"

#include "core/lanes.hpp"

namespace legato::vmc {
namespace {

// Number of partial sums, each of every eighth product. They do not depend on the number of SIMD lanes, and neither
// does the order in which they are added up: it is the same for every instruction set.
constexpr std::size_t parts = 8;

double total_of(const double* s) {
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

double dot(std::size_t row, const double* x, const double* y) {
    using Lanes = double __attribute__((vector_size(native_lanes * sizeof(double)), may_alias));
    constexpr std::size_t vectors = parts / native_lanes;
    Lanes sum[vectors] = {};
    for (std::size_t k = 0; k < row; k += parts)
        for (std::size_t v = 0; v < vectors; ++v)
            sum[v] += *reinterpret_cast<const Lanes*>(x + k + v * native_lanes) *
                      *reinterpret_cast<const Lanes*>(y + k + v * native_lanes);
    alignas(64) double all[parts];
    for (std::size_t v = 0; v < vectors; ++v) *reinterpret_cast<Lanes*>(all + v * native_lanes) = sum[v];
    return total_of(all);
}

void gather(std::size_t order, const double* table, const std::int32_t* sites, double* out) {
#pragma omp simd
    for (std::size_t i = 0; i < order; ++i) out[i] = table[sites[i]];
}

void gathered_difference(std::size_t order, const double* table, const double* other, const std::int32_t* sites,
                         double* out) {
#pragma omp simd
    for (std::size_t i = 0; i < order; ++i) out[i] = table[sites[i]] - other[sites[i]];
}

double gathered_dot(std::size_t order, const double* table, const std::int32_t* sites, const double* y) {
    double sum[parts] = {};
    std::size_t i = 0;
    for (; i + parts <= order; i += parts)
#pragma omp simd
        for (std::size_t j = 0; j < parts; ++j) sum[j] += table[sites[i + j]] * y[i + j];
    for (std::size_t j = 0; i + j < order; ++j) sum[j] += table[sites[i + j]] * y[i + j];
    return total_of(sum);
}

double magnitude(double x) {
    return x < 0 ? -x : x;
}

void swap(double& a, double& b) {
    const double was = a;
    a = b;
    b = was;
}

// Computes columns k .. k + width - 1 of `rows` rows. The sums stay in registers.
template <std::size_t rows, std::size_t width>
void product_tile(std::size_t order, std::size_t row, std::size_t k, const double* v, const double* m, double* out) {
    double sums[rows][width] = {};
    for (std::size_t j = 0; j < order; ++j)
        for (std::size_t r = 0; r < rows; ++r) {
            const double factor = v[r * row + j];
#pragma omp simd
            for (std::size_t c = 0; c < width; ++c) sums[r][c] += factor * m[j * row + k + c];
        }
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < width; ++c) out[r * row + k + c] = sums[r][c];
}

template <std::size_t rows>
void product_of(std::size_t order, std::size_t row, const double* v, const double* m, double* out) {
    std::size_t k = 0;
    for (; k + 16 <= row; k += 16) product_tile<rows, 16>(order, row, k, v, m, out);
    if (k < row) product_tile<rows, 8>(order, row, k, v, m, out);
}

void product(std::size_t count, std::size_t order, std::size_t row, const double* v, const double* m, double* out) {
    std::size_t r = 0;
    for (; r + 4 <= count; r += 4) product_of<4>(order, row, v + r * row, m, out + r * row);
    for (; r < count; ++r) product_of<1>(order, row, v + r * row, m, out + r * row);
}

void move_up(std::size_t count, std::size_t row, std::size_t k, const double* x, double* m) {
    for (double *line = m, *end = m + count * row; line != end; line += row) {
        const double f = line[k];
#pragma omp simd aligned(line, x : 64)
        for (std::size_t i = 0; i < row; ++i) line[i] -= f * x[i];
    }
}

void move_down(std::size_t count, std::size_t row, const double* b, const double* shift, const double* y, double* m) {
    for (std::size_t r = 0; r < count; ++r) {
        double* const line = m + r * row;
        const double f = dot(row, line, b) - shift[r];
#pragma omp simd aligned(line, y : 64)
        for (std::size_t i = 0; i < row; ++i) line[i] -= f * y[i];
    }
}

void exchange(std::size_t count, std::size_t row, std::size_t k, const double* b, const double* shift, const double* x,
              const double* y, double* m) {
    for (std::size_t r = 0; r < count; ++r) {
        double* const line = m + r * row;
        const double f = line[k], g = dot(row, line, b) - shift[r];
#pragma omp simd aligned(line, x, y : 64)
        for (std::size_t i = 0; i < row; ++i) line[i] -= f * x[i] + g * y[i];
    }
}

// Swaps the row with the largest element of column c, from row c on, with row c. Returns its number. `above`, if not
// null, is the pivot row of column c - 1, which is still to be subtracted. Elements are compared as they will be after
// the subtraction.
std::size_t pivot_to(std::size_t order, std::size_t row, std::size_t c, const double* above, double* m) {
    std::size_t p = c;
    double largest = -1;
    for (std::size_t i = c; i < order; ++i) {
        const double* const line = m + i * row;
        const double size = magnitude(above ? line[c] - line[c - 1] * above[c] : line[c]);
        if (size > largest) {
            largest = size;
            p = i;
        }
    }
    if (p != c)
        for (std::size_t k = 0; k < order; ++k) swap(m[p * row + k], m[c * row + k]);
    return p;
}

bool divide_by_pivot(std::size_t row, std::size_t c, double* line) {
    const double inverse = 1 / line[c];
    if (!(magnitude(inverse) < 1e300)) return false;
    line[c] = 1;
    for (std::size_t k = 0; k < row; ++k) line[k] *= inverse;
    return true;
}

void subtract_pivot_row(std::size_t row, std::size_t c, const double* pivot, double* line) {
    const double factor = line[c];
    line[c] = 0;
#pragma omp simd aligned(line, pivot : 64)
    for (std::size_t k = 0; k < row; ++k) line[k] -= factor * pivot[k];
}

// Eliminates columns c and c + 1 together. This halves the number of passes over the matrix.
bool eliminate_two(std::size_t order, std::size_t row, std::size_t c, double* m, std::size_t* pivots) {
    double *const first = m + c * row, *const second = first + row;
    pivots[c] = pivot_to(order, row, c, nullptr, m);
    if (!divide_by_pivot(row, c, first)) return false;
    pivots[c + 1] = pivot_to(order, row, c + 1, first, m);
    subtract_pivot_row(row, c, first, second);
    if (!divide_by_pivot(row, c + 1, second)) return false;
    subtract_pivot_row(row, c + 1, second, first);
    for (std::size_t i = 0; i < order; ++i) {
        if (i == c || i == c + 1) continue;
        double* const line = m + i * row;
        const double f = line[c], g = line[c + 1];
        line[c] = line[c + 1] = 0;
#pragma omp simd aligned(line, first, second : 64)
        for (std::size_t k = 0; k < row; ++k) line[k] -= f * first[k] + g * second[k];
    }
    return true;
}

bool eliminate_one(std::size_t order, std::size_t row, std::size_t c, double* m, std::size_t* pivots) {
    pivots[c] = pivot_to(order, row, c, nullptr, m);
    if (!divide_by_pivot(row, c, m + c * row)) return false;
    for (std::size_t i = 0; i < order; ++i)
        if (i != c) subtract_pivot_row(row, c, m + c * row, m + i * row);
    return true;
}

bool invert(std::size_t order, std::size_t row, double* m, std::size_t* pivots) {
    std::size_t c = 0;
    for (; c + 2 <= order; c += 2)
        if (!eliminate_two(order, row, c, m, pivots)) return false;
    if (c < order && !eliminate_one(order, row, c, m, pivots)) return false;
    for (c = order; c-- > 0;)
        if (pivots[c] != c)
            for (std::size_t i = 0; i < order; ++i) swap(m[i * row + c], m[i * row + pivots[c]]);
    return true;
}

constexpr CpuKernels table{dot,      gather, gathered_difference, gathered_dot, product, move_up, move_down,
                           exchange, invert};

}  // namespace

const CpuKernels CpuKernels::LEGATO_CPU_LEVEL = table;

}  // namespace legato::vmc
