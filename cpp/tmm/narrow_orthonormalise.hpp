// Modified Gram-Schmidt of up to eight vectors in registers, which is several times as fast as from memory. This is a
// part of step_kernels.cpp for processors with AVX-512. The operations and their order are those of cpu_kernels.cpp.
#pragma once

#include <immintrin.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "tmm/step_kernels.hpp"
#include "tmm/transpose.hpp"

namespace legato::tmm {
namespace {

// A row has one site of all columns: up to four, or up to eight. Whole rows use no mask, because a mask would delay the
// next load or store at the same place.
struct Rows4 {
    static constexpr int lanes = 4;
    using Row = double __attribute__((vector_size(32)));
    using Numbers = std::int64_t __attribute__((vector_size(32)));

    static Row load(unsigned mask, const double* from) {
        return mask == 0xf ? _mm256_loadu_pd(from) : _mm256_maskz_loadu_pd(static_cast<__mmask8>(mask), from);
    }
    static void store(double* to, unsigned mask, Row row) {
        if (mask == 0xf) return _mm256_storeu_pd(to, row);
        _mm256_mask_storeu_pd(to, static_cast<__mmask8>(mask), row);
    }
    template <int l>
    static Row spread(Row row) {
        return __builtin_shufflevector(row, row, l, l, l, l);
    }
    static Row root(Row row) { return _mm256_sqrt_pd(row); }
};

struct Rows8 {
    static constexpr int lanes = 8;
    using Row = double __attribute__((vector_size(64)));
    using Numbers = std::int64_t __attribute__((vector_size(64)));

    static Row load(unsigned mask, const double* from) {
        return mask == 0xff ? _mm512_loadu_pd(from) : _mm512_maskz_loadu_pd(static_cast<__mmask8>(mask), from);
    }
    static void store(double* to, unsigned mask, Row row) {
        if (mask == 0xff) return _mm512_storeu_pd(to, row);
        _mm512_mask_storeu_pd(to, static_cast<__mmask8>(mask), row);
    }
    template <int l>
    static Row spread(Row row) {
        return __builtin_shufflevector(row, row, l, l, l, l, l, l, l, l);
    }
    static Row root(Row row) { return _mm512_maskz_sqrt_pd(0xff, row); }
};

template <class Rows, std::size_t n>
struct NarrowPair {
    using Row = typename Rows::Row;
    static constexpr unsigned mask = (1U << n) - 1;

    Row a[Rows::lanes] = {}, b[Rows::lanes] = {};  // rows of psi_a and psi_b; n are used
    Row dots = {}, removed2 = {}, norms2 = Row{} + 1.0, inverses2 = Row{} + 1.0;

    void load(bool site_first, const double* psi_a, const double* psi_b) {
        for (std::size_t k = 0; k < n; ++k) {
            a[k] = Rows::load(mask, psi_a + k * n);
            b[k] = Rows::load(mask, psi_b + k * n);
        }
        if (site_first) transpose_both();
    }

    void store(bool site_first, double* psi_a, double* psi_b) {
        if (site_first) transpose_both();
        for (std::size_t k = 0; k < n; ++k) {
            Rows::store(psi_a + k * n, mask, a[k]);
            Rows::store(psi_b + k * n, mask, b[k]);
        }
    }

    void transpose_both() {
        transpose_rows<Rows::lanes>(a);
        transpose_rows<Rows::lanes>(b);
    }

    // Takes column v out of the later columns, and computes the products of column v + 1 with all columns.
    template <int v>
    void take_out() {
        typename Rows::Numbers number;
        for (int l = 0; l < Rows::lanes; ++l) number[l] = l;
        const Row factor = number > v ? dots * inverses2[v] : Row{};
        removed2 += dots * factor;
        Row sum = {}, sum2 = {};
        for (std::size_t k = 0; k < n; ++k) {
            a[k] -= Rows::template spread<v>(a[k]) * factor;
            b[k] -= Rows::template spread<v>(b[k]) * factor;
            sum += Rows::template spread<v + 1>(a[k]) * a[k];
            sum2 += Rows::template spread<v + 1>(b[k]) * b[k];
        }
        dots = sum + sum2;
    }

    // Orthogonalises column v and all later columns. Returns false if a norm is zero or not finite.
    template <int v>
    bool orthogonalise_from() {
        const double norm2 = dots[v];
        if (!(norm2 > 0.0 && norm2 <= 1.7976931348623157e308)) return false;
        norms2[v] = norm2;
        inverses2[v] = 1.0 / norm2;
        if constexpr (v + 1 == n) {
            return true;
        } else {
            take_out<v>();
            return orthogonalise_from<v + 1>();
        }
    }

    bool loses_more_than(double most_loss) const {
        const auto more = norms2 + removed2 > most_loss * most_loss * norms2;
        long long any = 0;
        for (int l = 0; l < Rows::lanes; ++l) any |= more[l];
        return any != 0;
    }

    bool orthonormalise() {
        Row sum = {}, sum2 = {};
        for (std::size_t k = 0; k < n; ++k) {
            sum += Rows::template spread<0>(a[k]) * a[k];
            sum2 += Rows::template spread<0>(b[k]) * b[k];
        }
        dots = sum + sum2;
        if (!orthogonalise_from<0>()) return false;
        const Row inverse = Rows::root(inverses2);
        for (std::size_t k = 0; k < n; ++k) {
            a[k] *= inverse;
            b[k] *= inverse;
        }
        return true;
    }
};

// Orthonormalises a single vector, which needs no rows.
bool orthonormalise_one(double* psi_a, double* psi_b, double* norms2) {
    // Both squares are rounded before they are added, as in all other kernels. Written plainly, the compiler would fuse
    // one square with the sum.
    const double norm2 = std::fma(*psi_a, *psi_a, 0.0) + std::fma(*psi_b, *psi_b, 0.0);
    if (!(norm2 > 0.0 && norm2 <= 1.7976931348623157e308)) return false;
    const double inverse = std::sqrt(1.0 / norm2);
    *psi_a *= inverse;
    *psi_b *= inverse;
    *norms2 = norm2;
    return true;
}

template <std::size_t n>
bool orthonormalise_narrow_of(bool site_first, double most_loss, double* psi_a, double* psi_b, double* norms2) {
    if constexpr (n == 1) return orthonormalise_one(psi_a, psi_b, norms2);
    using Rows = std::conditional_t<n <= 4, Rows4, Rows8>;
    NarrowPair<Rows, n> pair;
    pair.load(site_first, psi_a, psi_b);
    if (!pair.orthonormalise() || pair.loses_more_than(most_loss)) return false;
    pair.store(site_first, psi_a, psi_b);
    Rows::store(norms2, pair.mask, pair.norms2);
    return true;
}

bool orthonormalise_narrow(std::size_t n, bool site_first, double most_loss, double* psi_a, double* psi_b,
                           double* norms2) {
    static constexpr decltype(&orthonormalise_narrow_of<1>) of[] = {
        orthonormalise_narrow_of<1>, orthonormalise_narrow_of<2>, orthonormalise_narrow_of<3>,
        orthonormalise_narrow_of<4>, orthonormalise_narrow_of<5>, orthonormalise_narrow_of<6>,
        orthonormalise_narrow_of<7>, orthonormalise_narrow_of<8>};
    return of[n - 1](site_first, most_loss, psi_a, psi_b, norms2);
}

}  // namespace
}  // namespace legato::tmm
