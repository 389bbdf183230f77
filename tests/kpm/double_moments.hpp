// Moments of double expansions from dense matrices, for the tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <span>
#include <stdexcept>
#include <vector>

#include "complex_matrices.hpp"
#include "kpm/correlation.hpp"
#include "kpm/start_vectors.hpp"
#include "slot_runs.hpp"

namespace legato::kpm::tests {

using Dense = std::vector<std::vector<Element>>;

inline Dense dense_of(const Hamiltonian& matrix) {
    return complex_dense(copy_as_complex(std::get<CrsMatrix>(matrix)));
}

inline std::vector<Element> multiplied(const Dense& matrix, const std::vector<Element>& x) {
    std::vector<Element> y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t j = 0; j < x.size(); ++j) y[i] += matrix[i][j] * x[j];
    return y;
}

// Returns T_n(H~) x for 0 <= n < count.
inline Dense chebyshev_vectors(const Dense& h, const std::vector<Element>& x, const Rescaling& rescaling, int count) {
    Dense vectors{x};
    for (std::size_t n = 1; n < static_cast<std::size_t>(count); ++n) {
        std::vector<Element> next = multiplied(h, vectors[n - 1]);
        for (std::size_t i = 0; i < x.size(); ++i) {
            next[i] = (next[i] - rescaling.centre * vectors[n - 1][i]) / rescaling.half_width;
            if (n > 1) next[i] = 2.0 * next[i] - vectors[n - 2][i];
        }
        vectors.push_back(next);
    }
    return vectors;
}

// Returns <r| A T_m(H~) B T_n(H~) |r> / D at [m * count + n], from the right to the left.
inline std::vector<Element> dense_double_moments(const Dense& h, const Dense& a, const Dense& b,
                                                 const std::vector<Element>& r, const Rescaling& rescaling, int count) {
    const Dense right = chebyshev_vectors(h, r, rescaling, count);
    std::vector<Element> moments(static_cast<std::size_t>(count) * static_cast<std::size_t>(count));
    for (std::size_t n = 0; n < right.size(); ++n) {
        const Dense middle = chebyshev_vectors(h, multiplied(b, right[n]), rescaling, count);
        for (std::size_t m = 0; m < middle.size(); ++m) {
            const std::vector<Element> all = multiplied(a, middle[m]);
            for (std::size_t i = 0; i < r.size(); ++i)
                moments[m * right.size() + n] += std::conj(r[i]) * all[i] / static_cast<double>(r.size());
        }
    }
    return moments;
}

// The same for operators that are matrices.
inline std::vector<Element> dense_double_moments(const OperatorsOfCorrelation& operators, const std::vector<Element>& r,
                                                 const Rescaling& rescaling, int count) {
    return dense_double_moments(dense_of(*operators.h), dense_of(*operators.a), dense_of(*operators.b), r, rescaling,
                                count);
}

// Returns the traces of the moments by exact diagonalisation,
//     mu_mn = (1/D) sum_jk <k|A|j> T_m(E_j) <j|B|k> T_n(E_k).
inline std::vector<Element> traces(const OperatorsOfCorrelation& operators, const Rescaling& rescaling, int count) {
    const Dense h = dense_of(*operators.h);
    const std::size_t d = h.size();
    const int n = static_cast<int>(d), work_size = 64 * n;
    std::vector<Element> states(d * d), work(static_cast<std::size_t>(work_size));
    for (std::size_t i = 0; i < d; ++i)
        for (std::size_t j = 0; j < d; ++j) states[j * d + i] = h[i][j];  // column by column
    std::vector<double> energies(d), reals(3 * d);
    int info = 0;
    zheev_("V", "U", &n, states.data(), &n, energies.data(), work.data(), &work_size, reals.data(), &info, 1, 1);
    if (info != 0) throw std::runtime_error("zheev failed");
    // Returns <j|O|k> at [j * d + k].
    const auto in_states = [&](const Dense& o) {
        std::vector<Element> elements(d * d);
        for (std::size_t k = 0; k < d; ++k) {
            const auto column = multiplied(o, {states.begin() + static_cast<std::ptrdiff_t>(k * d),
                                               states.begin() + static_cast<std::ptrdiff_t>((k + 1) * d)});
            for (std::size_t j = 0; j < d; ++j)
                for (std::size_t i = 0; i < d; ++i) elements[j * d + k] += std::conj(states[j * d + i]) * column[i];
        }
        return elements;
    };
    const std::vector<Element> a = in_states(dense_of(*operators.a)), b = in_states(dense_of(*operators.b));
    const auto polynomial = [&](int order, std::size_t k) {
        const double e = (energies[k] - rescaling.centre) / rescaling.half_width;
        return std::cos(order * std::acos(std::clamp(e, -1.0, 1.0)));
    };
    std::vector<Element> moments;
    for (int m = 0; m < count; ++m)
        for (int l = 0; l < count; ++l) {
            Element sum = 0;
            for (std::size_t j = 0; j < d; ++j)
                for (std::size_t k = 0; k < d; ++k)
                    sum += a[k * d + j] * polynomial(m, j) * b[j * d + k] * polynomial(l, k);
            moments.push_back(sum / static_cast<double>(d));
        }
    return moments;
}

inline double largest_difference(std::span<const Element> a, std::span<const Element> b) {
    double largest = a.size() == b.size() ? 0 : INFINITY;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        if (!(std::abs(a[i] - b[i]) <= largest)) largest = std::abs(a[i] - b[i]);
    return largest;
}

}  // namespace legato::kpm::tests
