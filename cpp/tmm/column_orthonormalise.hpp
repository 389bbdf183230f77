// Modified Gram-Schmidt for bars that are too wide for registers and too narrow for panels. A vector is contiguous in
// memory. Arrays with the sites first have this form already and are not transposed. A column is loaded and stored once
// for each column before it. This is a part of step_kernels.cpp. Every instruction set adds in the order of eight
// lanes.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>

#include "core/lanes.hpp"
#include "tmm/step_kernels.hpp"

namespace legato::tmm {
namespace {

using Native = double __attribute__((vector_size(native_lanes * sizeof(double)), may_alias));
constexpr std::size_t eight = 8, natives = eight / native_lanes;  // number of lanes, and of vectors for them

// Returns the sum of eight lanes, added in pairs: l and l + 4, then l and l + 2, then the two that are left.
double total(const Native (&sum)[natives]) {
    double lane[eight];
    for (std::size_t i = 0; i < natives; ++i)
        for (std::size_t l = 0; l < native_lanes; ++l) lane[i * native_lanes + l] = sum[i][l];
    for (std::size_t half = eight / 2; half > 0; half /= 2)
        for (std::size_t l = 0; l < half; ++l) lane[l] += lane[l + half];
    return lane[0];
}

// Sums the products of two columns. Three chains of sums hide the latency of an addition. One chain is enough if eight
// lanes are four vectors: these are independent, and there are few registers.
class Products {
  public:
    void add(std::size_t i, std::size_t k, Native a, Native b) { sum_[i % chains][k] += a * b; }
    double total() {
        if constexpr (chains == 3)
            for (std::size_t k = 0; k < natives; ++k) sum_[0][k] += sum_[1][k] + sum_[2][k];
        return legato::tmm::total(sum_[0]);
    }

  private:
    static constexpr std::size_t chains = natives < 4 ? 3 : 1;
    Native sum_[chains][natives] = {};
};

Native native(const double* column, std::size_t i, std::size_t k) {
    return *reinterpret_cast<const Native*>(column + i * eight + k * native_lanes);
}

// A column by which many others are multiplied. It stays in registers if there are enough of them.
template <std::size_t eights>
class Factor {
  public:
    explicit Factor(const double* column) : column_(column) {
        if constexpr (in_registers)
            for (std::size_t i = 0; i < eights; ++i) part_[i] = native(column, i, 0);
    }
    Native operator()(std::size_t i, std::size_t k) const {
        if constexpr (in_registers) return part_[i];
        return native(column_, i, k);
    }
    double dot(const double* column) const {
        Products products;
        for (std::size_t i = 0; i < eights; ++i)
            for (std::size_t k = 0; k < natives; ++k) products.add(i, k, (*this)(i, k), native(column, i, k));
        return products.total();
    }

  private:
    static constexpr bool in_registers = natives == 1;
    const double* column_;
    Native part_[in_registers ? eights : 1];
};

// Subtracts factor * taken from the column. Returns the product of the rest with the numbers of other(i, k, rest).
template <std::size_t eights, class Other>
double take_out(double* column, double factor, const Factor<eights>& taken, const Other& other) {
    Products products;
    for (std::size_t i = 0; i < eights; ++i)
        for (std::size_t k = 0; k < natives; ++k) {
            const Native left = native(column, i, k) - factor * taken(i, k);
            *reinterpret_cast<Native*>(column + i * eight + k * native_lanes) = left;
            products.add(i, k, left, other(i, k, left));
        }
    return products.total();
}

// Orthogonalises columns[n][8 eights]. Returns false at the first squared norm that is zero or not finite; norms2 then
// has those before it. While column v is taken out of the later columns, their products with column v + 1 are computed.
// They are then ready when column v + 1 is taken out.
template <std::size_t eights>
bool gram_schmidt_columns(std::size_t n, double* columns, double* norms2, double* removed2) {
    const auto at = [&](std::size_t c) { return columns + c * eight * eights; };
    double dots[columns_end];  // products of column v with the later columns
    const Factor<eights> first(at(0));
    double norm2 = first.dot(at(0));
    for (std::size_t c = 1; c < n; ++c) dots[c] = first.dot(at(c));
    for (std::size_t v = 0; v < n; ++v) {
        if (!(norm2 > 0.0 && norm2 <= 1.7976931348623157e308)) return false;
        norms2[v] = norm2;
        const std::size_t w = v + 1;
        if (w == n) break;
        const double inverse2 = 1.0 / norm2;
        const Factor<eights> taken(at(v));
        const auto factor_of = [&](std::size_t c) {
            const double factor = dots[c] * inverse2;
            removed2[c] += dots[c] * factor;
            return factor;
        };
        norm2 = take_out(at(w), factor_of(w), taken, [](std::size_t, std::size_t, Native left) { return left; });
        const Factor<eights> next(at(w));
        for (std::size_t c = w + 1; c < n; ++c)
            dots[c] =
                take_out(at(c), factor_of(c), taken, [&](std::size_t i, std::size_t k, Native) { return next(i, k); });
    }
    return true;
}

constexpr std::size_t eights_of(std::size_t n) {
    return (2 * n + eight - 1) / eight;
}
constexpr std::size_t least_eights = eights_of(columns_from), most_eights = eights_of(columns_end - 1);

template <std::size_t... more>
bool gram_schmidt_columns(std::size_t n, double* columns, double* norms2, double* removed2,
                          std::index_sequence<more...>) {
    static constexpr bool (*of[])(std::size_t, double*, double*,
                                  double*) = {gram_schmidt_columns<least_eights + more>...};
    return of[eights_of(n) - least_eights](n, columns, norms2, removed2);
}

void take_numbers(const double* from, std::size_t n, double* to) {
    std::size_t i = 0;
    for (; i + eight <= n; i += eight) *reinterpret_cast<Lanes8*>(to + i) = *reinterpret_cast<const Lanes8*>(from + i);
    if (n & 4) *reinterpret_cast<Lanes4*>(to + i) = *reinterpret_cast<const Lanes4*>(from + i), i += 4;
    for (; i < n; ++i) to[i] = from[i];
}

void put_numbers(const double* from, std::size_t n, double factor, double* to) {
    std::size_t i = 0;
    for (; i + eight <= n; i += eight)
        *reinterpret_cast<Lanes8*>(to + i) = factor * *reinterpret_cast<const Lanes8*>(from + i);
    if (n & 4) *reinterpret_cast<Lanes4*>(to + i) = factor * *reinterpret_cast<const Lanes4*>(from + i), i += 4;
    for (; i < n; ++i) to[i] = factor * from[i];
}

// Calls work(site, state, sites, states) for squares of up to eight sites and states that cover the matrix.
template <class Work>
void over_squares(std::size_t n, const Work& work) {
    for (std::size_t site = 0; site < n; site += eight)
        for (std::size_t state = 0; state < n; state += eight)
            work(site, state, n - site < eight ? n - site : eight, n - state < eight ? n - state : eight);
}

bool orthonormalise_columns(std::size_t n, bool site_first, double* psi_a, double* psi_b, double* columns,
                            double* norms2, double* removed2) {
    const std::size_t length = eight * eights_of(n);
    double* const halves[] = {psi_a, psi_b};
    for (std::size_t j = 0; j < n; ++j) {
        double* const column = columns + j * length;
        *reinterpret_cast<Lanes8*>(column + length - eight) = Lanes8{};
        if (!site_first) continue;
        take_numbers(psi_a + j * n, n, column);
        take_numbers(psi_b + j * n, n, column + n);
    }
    if (!site_first)
        for (std::size_t h = 0; h < 2; ++h)
            over_squares(n, [&](std::size_t site, std::size_t state, std::size_t sites, std::size_t states) {
                transpose(halves[h] + site * n + state, n, sites, states, columns + state * length + h * n + site,
                          length);
            });
    constexpr auto kinds = std::make_index_sequence<most_eights - least_eights + 1>();
    if (!gram_schmidt_columns(n, columns, norms2, removed2, kinds)) return false;
    for (std::size_t j = 0; j < n; ++j) {
        double* const column = columns + j * length;
        const double inverse = std::sqrt(1.0 / norms2[j]);
        if (site_first) {
            put_numbers(column, n, inverse, psi_a + j * n);
            put_numbers(column + n, n, inverse, psi_b + j * n);
        } else {
            put_numbers(column, 2 * n, inverse, column);
        }
    }
    if (!site_first)
        for (std::size_t h = 0; h < 2; ++h)
            over_squares(n, [&](std::size_t site, std::size_t state, std::size_t sites, std::size_t states) {
                transpose(columns + state * length + h * n + site, length, states, sites, halves[h] + site * n + state,
                          n);
            });
    return true;
}

}  // namespace
}  // namespace legato::tmm
