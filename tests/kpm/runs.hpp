// Functions that the tests of the kernel polynomial method share.
#pragma once

#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/matrix.hpp"
#include "kpm/solver.hpp"

namespace legato::kpm::tests {

inline Context make_context(int threads = 1, Backend backend = Backend::cpu) {
    ContextOptions options;
    options.backend = backend;
    options.threads = threads;
    options.log_level = LogLevel::silent;
    return Context(options);
}

inline std::unique_ptr<Solver> finished(Context& context, const Problem& problem, const Hamiltonian& hamiltonian) {
    auto solver = std::make_unique<Solver>(context, problem, prepared(hamiltonian));
    while (!solver->advance()) {
    }
    return solver;
}

inline Matrix dense(const CrsMatrix& crs) {
    const auto rows = static_cast<std::size_t>(crs.rows());
    Matrix matrix(rows, rows);
    for (std::size_t i = 0; i < rows; ++i)
        for (auto k = static_cast<std::size_t>(crs.row_pointers[i]);
             k < static_cast<std::size_t>(crs.row_pointers[i + 1]); ++k)
            matrix(i, static_cast<std::size_t>(crs.columns[k])) += crs.values[k];
    return matrix;
}

inline std::vector<double> eigenvalues(const CrsMatrix& crs) {
    Matrix matrix = dense(crs);
    return diagonalise(matrix);
}

// Returns (1/D) sum of T_n(E_k) = cos(n arccos e_k), 0 <= n < count.
inline std::vector<double> exact_moments(const std::vector<double>& energies, const Rescaling& rescaling, int count) {
    std::vector<double> moments(static_cast<std::size_t>(count));
    for (const double energy : energies) {
        const double e = (energy - rescaling.centre) / rescaling.half_width;
        const double theta = std::acos(std::fmin(std::fmax(e, -1.0), 1.0));
        for (std::size_t n = 0; n < moments.size(); ++n) moments[n] += std::cos(static_cast<double>(n) * theta);
    }
    for (double& moment : moments) moment /= static_cast<double>(energies.size());
    return moments;
}

// Returns a connected random symmetric matrix with about `per_row` elements in a row. Some elements occur twice, and
// rows are not sorted.
inline CrsMatrix random_matrix(std::mt19937_64& random, std::int32_t rows, int per_row) {
    std::normal_distribution<double> normal;
    std::uniform_int_distribution<std::int32_t> any(0, rows - 1);
    std::vector<std::vector<std::pair<std::int32_t, double>>> lists(static_cast<std::size_t>(rows));
    const auto add = [&](std::int32_t i, std::int32_t j, double value) {
        lists[static_cast<std::size_t>(i)].emplace_back(j, value);
        if (i != j) lists[static_cast<std::size_t>(j)].emplace_back(i, value);
    };
    for (std::int32_t i = 0; i < rows; ++i) {
        add(i, i, normal(random));
        add(i, (i + 1) % rows, normal(random));
        for (int k = 0; k < per_row / 2; ++k) add(i, any(random), normal(random));
    }
    CrsMatrix matrix;
    matrix.row_pointers.push_back(0);
    for (const auto& list : lists) {
        for (const auto& [column, value] : list) {
            matrix.columns.push_back(column);
            matrix.values.push_back(value);
        }
        matrix.row_pointers.push_back(static_cast<std::int64_t>(matrix.columns.size()));
    }
    return matrix;
}

// Returns a problem with every site as a start vector, which gives the exact trace.
inline Problem all_sites(std::int64_t sites, int moments) {
    Problem problem;
    problem.moments = moments;
    problem.start_vectors = StartVectors::sites;
    problem.sites.resize(static_cast<std::size_t>(sites));
    std::iota(problem.sites.begin(), problem.sites.end(), std::int64_t{0});
    return problem;
}

inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
    double largest = a.size() == b.size() ? 0 : INFINITY;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        if (!(std::abs(a[i] - b[i]) <= largest)) largest = std::abs(a[i] - b[i]);
    return largest;
}

template <class Action>
std::pair<Status, std::string> failure_of(const Action& action) {
    try {
        action();
    } catch (const Error& error) {
        return {error.status(), error.what()};
    }
    return {Status::success, "nothing thrown"};
}

}  // namespace legato::kpm::tests
