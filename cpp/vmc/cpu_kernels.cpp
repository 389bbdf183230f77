// Compiled once for each instruction set, with LEGATO_VMC_KERNELS naming the table it defines. Nothing inline from a
// header may be called here: the linker would keep one copy for all instruction sets.
#include "vmc/cpu_kernels.hpp"

namespace legato::vmc {
namespace {

double dot(std::size_t row, const double* x, const double* y) {
    double sum = 0;
#pragma omp simd reduction(+ : sum) aligned(x, y : 64)
    for (std::size_t k = 0; k < row; ++k) sum += x[k] * y[k];
    return sum;
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
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = 0; i < order; ++i) sum += table[sites[i]] * y[i];
    return sum;
}

double magnitude(double x) {
    return x < 0 ? -x : x;
}

void swap(double& a, double& b) {
    const double was = a;
    a = b;
    b = was;
}

// Columns k .. k + width - 1 of `rows` rows, whose sums stay in registers.
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

bool eliminate(std::size_t order, std::size_t row, std::size_t c, double* m) {
    double* const pivot = m + c * row;
    const double inverse = 1 / pivot[c];
    if (!(magnitude(inverse) < 1e300)) return false;
    pivot[c] = 1;
    for (std::size_t k = 0; k < row; ++k) pivot[k] *= inverse;
    for (std::size_t i = 0; i < order; ++i) {
        if (i == c) continue;
        double* const line = m + i * row;
        const double factor = line[c];
        line[c] = 0;
#pragma omp simd aligned(line, pivot : 64)
        for (std::size_t k = 0; k < row; ++k) line[k] -= factor * pivot[k];
    }
    return true;
}

bool invert(std::size_t order, std::size_t row, double* m, std::size_t* pivots) {
    for (std::size_t c = 0; c < order; ++c) {
        std::size_t p = c;
        for (std::size_t i = c + 1; i < order; ++i)
            if (magnitude(m[i * row + c]) > magnitude(m[p * row + c])) p = i;
        pivots[c] = p;
        if (p != c)
            for (std::size_t k = 0; k < order; ++k) swap(m[p * row + k], m[c * row + k]);
        if (!eliminate(order, row, c, m)) return false;
    }
    for (std::size_t c = order; c-- > 0;)
        if (pivots[c] != c)
            for (std::size_t i = 0; i < order; ++i) swap(m[i * row + c], m[i * row + pivots[c]]);
    return true;
}

}  // namespace

extern const CpuKernels LEGATO_VMC_KERNELS;
const CpuKernels LEGATO_VMC_KERNELS{
    LEGATO_CPU_ISA, dot, gather, gathered_difference, gathered_dot, product, move_up, move_down, exchange, invert};

}  // namespace legato::vmc
