// Functions that the transfer-matrix tests share.
#pragma once

#include <utility>
#include <vector>

#include "tmm/solver.hpp"

namespace legato::tmm::tests {

inline Context make_context(Backend backend, int threads = 1) {
    ContextOptions options;
    options.backend = backend;
    options.threads = threads;
    options.log_level = LogLevel::silent;
    return Context(options);
}

// Returns TMSEXD's settings: its random stream, its rule, and ten multiplications a cycle.
inline Problem legacy_problem(int dimension, int width, Boundary boundary) {
    Problem p;
    p.dimension = dimension;
    p.width = width;
    p.boundary = boundary;
    p.random_stream = RandomStream::lfsr113;
    p.rule = Rule::tmsexd;
    return p;
}

// Returns a problem for the comparison of kernels. Boundary, stream, rule and cycle change with `turn`.
inline Problem varied_problem(int dimension, int width, int turn) {
    Problem p = legacy_problem(dimension, width, static_cast<Boundary>(turn % 3));
    p.random_stream = static_cast<RandomStream>(turn % 3);
    p.rule = turn / 3 % 2 == 0 ? Rule::tmsexd : Rule::blocks;
    p.n_ortho = turn % 4 == 3 ? 1 : 7;
    p.epsilon = 1e-12;
    return p;
}

// Puts a point into slot 0.
inline void load(Engine& engine, const Point& point, const PointState& state, std::uint32_t stream = 0) {
    const Entry entry{0, point, stream, &state};
    engine.load({&entry, 1});
}

// Reads slot 0.
inline PointState store(const Engine& engine, bool whole) {
    const std::size_t slot = 0;
    PointState state;
    engine.store({&slot, 1}, {&state, 1}, whole);
    return state;
}

// A matrix in column-major order.
struct Matrix {
    Matrix(std::size_t m, std::size_t n) : Matrix(m, n, std::vector<double>(m * n)) {}
    Matrix(std::size_t m, std::size_t n, std::vector<double> v) : rows(m), columns(n), values(std::move(v)) {}

    double& operator()(std::size_t i, std::size_t j) { return values[j * rows + i]; }
    double operator()(std::size_t i, std::size_t j) const { return values[j * rows + i]; }

    std::size_t rows, columns;
    std::vector<double> values;
};

// Returns the hopping within a slice, built from its bonds. Each site has a bond to the next in x, and in 3D also one
// to the next in y. The last site is bound to the first with the boundary's factor, so two bonds join the two sites of
// a periodic slice with M = 2.
inline Matrix transverse_hopping(const Problem& p) {
    const auto m = static_cast<std::size_t>(p.width), n = static_cast<std::size_t>(p.sites());
    const double edge = p.boundary == Boundary::hard_wall ? 0.0 : p.boundary == Boundary::periodic ? 1.0 : -1.0;
    Matrix hopping(n, n);
    const auto bond = [&](std::size_t i, std::size_t j, bool across) {
        hopping(i, j) += across ? edge * p.hopping : p.hopping;
        hopping(j, i) += across ? edge * p.hopping : p.hopping;
    };
    for (std::size_t i = 0; i < n && p.dimension > 1; ++i) {
        const std::size_t x = i % m, y = i / m;
        bond(i, (x + 1) % m + m * y, x + 1 == m);
        if (p.dimension == 3) bond(i, x + m * ((y + 1) % m), y + 1 == m);
    }
    return hopping;
}

}  // namespace legato::tmm::tests
