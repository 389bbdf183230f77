#include "dfr/cpu_kernels.hpp"

#include <algorithm>
#include <cstring>

#include "core/lanes.hpp"

namespace legato::dfr {
namespace {

using Lanes = double __attribute__((vector_size(native_lanes * sizeof(double)), may_alias));
constexpr std::size_t row_vectors = row_block / native_lanes;

Lanes load(const double* from) {
    Lanes v;
    std::memcpy(&v, from, sizeof v);
    return v;
}

void store(double* to, Lanes v) {
    std::memcpy(to, &v, sizeof v);
}

// Processes some columns at a time, so that all of them share the loaded values of the bra.
void multiply(std::size_t points, std::size_t row, std::size_t column, std::size_t columns, std::size_t spinors,
              const double* bra, const double* ket, double* products) {
    constexpr std::size_t width = native_lanes / 2;
    for (std::size_t j = 0; j < columns; j += width) {
        Lanes sum[width][row_vectors] = {};
        for (std::size_t a = 0; a < spinors; ++a) {
            const double* const left = bra + a * points + row;
            const double* const right = ket + a * points + column + j;
            Lanes l[row_vectors];
            for (std::size_t v = 0; v < row_vectors; ++v) l[v] = load(left + v * native_lanes);
            for (std::size_t w = 0; w < width; ++w)
                for (std::size_t v = 0; v < row_vectors; ++v) sum[w][v] += l[v] * right[w];
        }
        for (std::size_t w = 0; w < width; ++w)
            for (std::size_t v = 0; v < row_vectors; ++v)
                store(products + (j + w) * row_block + v * native_lanes, sum[w][v]);
    }
}

void form(std::size_t row, std::size_t column, std::size_t columns, std::size_t terms, const ExchangeTerm* term,
          double* z) {
    for (std::size_t j = 0; j < columns; ++j) {
        Lanes sum[row_vectors] = {};
        for (std::size_t t = 0; t < terms; ++t) {
            const double* const kernel = term[t].kernel + row - (column + j);
            const double* const products = term[t].products + j * row_block;
            for (std::size_t v = 0; v < row_vectors; ++v)
                sum[v] += term[t].factor * (load(kernel + v * native_lanes) * load(products + v * native_lanes));
        }
        for (std::size_t v = 0; v < row_vectors; ++v) store(z + j * row_block + v * native_lanes, sum[v]);
    }
}

// Processes `count` functions at a time, so that their sums stay in registers.
template <std::size_t count>
void accumulate_tile(std::size_t points, std::size_t columns, const double* z, const double* phi, double* half) {
    Lanes sum[count][row_vectors];
    for (std::size_t q = 0; q < count; ++q)
        for (std::size_t v = 0; v < row_vectors; ++v) sum[q][v] = load(half + q * points + v * native_lanes);
    for (std::size_t j = 0; j < columns; ++j) {
        Lanes column[row_vectors];
        for (std::size_t v = 0; v < row_vectors; ++v) column[v] = load(z + j * row_block + v * native_lanes);
        for (std::size_t q = 0; q < count; ++q)
            for (std::size_t v = 0; v < row_vectors; ++v) sum[q][v] += column[v] * phi[q * points + j];
    }
    for (std::size_t q = 0; q < count; ++q)
        for (std::size_t v = 0; v < row_vectors; ++v) store(half + q * points + v * native_lanes, sum[q][v]);
}

constexpr std::size_t tile = native_lanes == 8 ? 12 : native_lanes == 4 ? 3 : 1;  // functions whose sums fit registers

// Processes whole tiles, then the remaining functions in smaller ones.
template <std::size_t count>
void accumulate_from(std::size_t q, std::size_t points, std::size_t columns, std::size_t functions, const double* z,
                     const double* phi, double* half) {
    for (; q + count <= functions; q += count)
        accumulate_tile<count>(points, columns, z, phi + q * points, half + q * points);
    if constexpr (count > 1) accumulate_from<count / 2>(q, points, columns, functions, z, phi, half);
}

void accumulate(std::size_t points, std::size_t row, std::size_t column, std::size_t columns, std::size_t functions,
                const double* z, const double* phi, double* half) {
    accumulate_from<tile>(0, points, columns, functions, z, phi + column, half + row);
}

// Number of partial sums, each over every eighth point. They are formed for any number of lanes and added at the end,
// so that the order is the same at every level. The lanes are processed in turn, so that the sums of a tile stay in
// registers.
constexpr std::size_t sums = 8;

template <std::size_t rows, std::size_t columns>
void contract_tile(std::size_t points, const double* left, const double* right, std::size_t order, double* out) {
    double all[columns][rows][sums];
    for (std::size_t lane = 0; lane < sums; lane += native_lanes) {
        Lanes sum[columns][rows] = {};
        for (std::size_t i = lane; i < points; i += sums) {
            Lanes l[rows];
            for (std::size_t p = 0; p < rows; ++p) l[p] = load(left + p * points + i);
            for (std::size_t q = 0; q < columns; ++q) {
                const Lanes r = load(right + q * points + i);
                for (std::size_t p = 0; p < rows; ++p) sum[q][p] += l[p] * r;
            }
        }
        for (std::size_t q = 0; q < columns; ++q)
            for (std::size_t p = 0; p < rows; ++p) store(all[q][p] + lane, sum[q][p]);
    }
    for (std::size_t q = 0; q < columns; ++q)
        for (std::size_t p = 0; p < rows; ++p) {
            const double* const s = all[q][p];
            out[q * order + p] = ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
        }
}

void contract(std::size_t points, std::size_t left_count, const double* left, std::size_t right_count,
              const double* right, double* out) {
    constexpr std::size_t size = native_lanes == 2 ? 2 : 4;
    for (std::size_t q = 0; q < right_count; q += size)
        for (std::size_t p = 0; p < left_count; p += size) {
            const double* const l = left + p * points;
            const double* const r = right + q * points;
            double* const o = out + q * left_count + p;
            if (q + size <= right_count && p + size <= left_count) {
                contract_tile<size, size>(points, l, r, left_count, o);
                continue;
            }
            for (std::size_t b = 0; b < std::min(size, right_count - q); ++b)
                for (std::size_t a = 0; a < std::min(size, left_count - p); ++a)
                    contract_tile<1, 1>(points, l + a * points, r + b * points, left_count, o + b * left_count + a);
        }
}

constexpr CpuKernels table{multiply, form, accumulate, contract};

}  // namespace

const CpuKernels CpuKernels::LEGATO_CPU_LEVEL = table;

}  // namespace legato::dfr
