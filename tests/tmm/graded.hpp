// Makes columns whose singular values are spread evenly over many orders of magnitude, computes their QR factors, and
// measures the errors of QR factors from elsewhere.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>

#include "core/larger.hpp"
#include "runs.hpp"

namespace legato::tmm::tests {

struct Factors {
    Matrix q;
    std::vector<double> log_norms;
};

// The largest |ln R_jj - exact| and |Q^T Q - 1|.
struct Errors {
    double log_norm = 0, overlap = 0;

    void take(const Errors& other) {
        log_norm = larger(log_norm, other.log_norm);
        overlap = larger(overlap, other.overlap);
    }
};

// Returns the ln R_jj of modified Gram-Schmidt, which is done `turns` times. The columns become orthonormal.
template <class Real>
std::vector<Real> gram_schmidt(std::size_t rows, std::vector<Real>& columns, int turns) {
    const std::size_t n = columns.size() / rows;
    std::vector<Real> log_norms(n);
    const auto dot = [rows](const Real* a, const Real* b) {
        Real sums[4] = {};  // four partial sums, for speed
        for (std::size_t i = 0; i < rows; ++i) sums[i % 4] += a[i] * b[i];
        return (sums[0] + sums[1]) + (sums[2] + sums[3]);
    };
    for (int turn = 0; turn < turns; ++turn)
        for (std::size_t v = 0; v < n; ++v) {
            Real* const own = columns.data() + v * rows;
            const Real norm = std::sqrt(dot(own, own));
            log_norms[v] += std::log(norm);
            for (std::size_t i = 0; i < rows; ++i) own[i] /= norm;
            for (std::size_t j = v + 1; j < n; ++j) {
                Real* const other = columns.data() + j * rows;
                const Real overlap = dot(own, other);
                for (std::size_t i = 0; i < rows; ++i) other[i] -= overlap * own[i];
            }
        }
    return log_norms;
}

inline Factors modified_gram_schmidt(Matrix x) {
    std::vector<double> log_norms = gram_schmidt(x.rows, x.values, 1);
    return {std::move(x), std::move(log_norms)};
}

// Computes in extended precision, with a second turn. This is accurate for ratios of up to about 1e15 from first to
// last singular value.
inline std::vector<double> exact_log_norms(const Matrix& x) {
    std::vector<long double> columns(x.values.begin(), x.values.end());
    const std::vector<long double> log_norms = gram_schmidt(x.rows, columns, 2);
    return {log_norms.begin(), log_norms.end()};
}

inline Matrix random_orthonormal(std::size_t rows, std::size_t columns) {
    static std::mt19937_64 generator(19);
    Matrix a(rows, columns);
    for (double& x : a.values) x = std::normal_distribution()(generator);
    gram_schmidt(rows, a.values, 2);
    return a;
}

// Returns the 2n x n matrix U diag(1 .. 1 / ratio) V^T.
inline Matrix graded(std::size_t n, double ratio) {
    const Matrix u = random_orthonormal(2 * n, n), v = random_orthonormal(n, n);
    Matrix x(2 * n, n);
    for (std::size_t j = 0; j < n; ++j)
        for (std::size_t k = 0; k < n; ++k) {
            const double place = n > 1 ? static_cast<double>(k) / static_cast<double>(n - 1) : 0.0;
            const double factor = std::pow(ratio, -place) * v(j, k);
            for (std::size_t i = 0; i < 2 * n; ++i) x(i, j) += factor * u(i, k);
        }
    return x;
}

inline Errors errors_of(const Factors& f, const std::vector<double>& exact) {
    Errors errors;
    const std::size_t rows = f.q.rows;
    for (std::size_t j = 0; j < f.q.columns; ++j) {
        errors.log_norm = larger(errors.log_norm, std::fabs(f.log_norms[j] - exact[j]));
        for (std::size_t k = 0; k <= j; ++k) {
            double sums[4] = {};
            for (std::size_t i = 0; i < rows; ++i) sums[i % 4] += f.q(i, j) * f.q(i, k);
            const double sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
            errors.overlap = larger(errors.overlap, std::fabs(sum - (j == k ? 1 : 0)));
        }
    }
    return errors;
}

// Orthonormalises f.q in a slot of an engine by a cycle without multiplications. f.q is unchanged if precision is lost.
inline CycleEnd in_engine(Engine& engine, Factors& f) {
    const std::size_t n = f.q.columns;
    PointState state;
    state.log_norms.assign(n, 0.0);
    state.log_norms2.assign(n, 0.0);
    state.psi = f.q.values;
    state.random.assign(4 * n, 128);
    load(engine, Point{}, state);
    f.log_norms.assign(n, 0.0);
    const CycleEnd end = engine.cycle(0, {}, f.log_norms);
    f.q.values = store(engine, true).psi;
    return end;
}

}  // namespace legato::tmm::tests
