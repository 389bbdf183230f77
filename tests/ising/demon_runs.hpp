// Functions that the tests of demons share.
#pragma once

#include <memory>
#include <random>
#include <vector>

#include "ising/engine.hpp"

namespace legato::ising::tests {

inline Context& context_on(Backend backend, int threads = 2) {
    ContextOptions options;
    options.backend = backend;
    options.threads = threads;
    options.log_level = LogLevel::silent;
    static std::vector<std::unique_ptr<Context>> contexts;
    contexts.push_back(std::make_unique<Context>(options));
    return *contexts.back();
}

inline Problem demon_problem(const Lattice& lattice, Algorithm algorithm, double beta = 0.3) {
    Problem problem;
    problem.lattice = lattice;
    problem.algorithm = algorithm;
    problem.betas = {beta};
    problem.replicas = 32;
    return problem;
}

inline Lattice square(std::int64_t x, std::int64_t y, Boundary along_x = Boundary::periodic,
                      Boundary along_y = Boundary::periodic) {
    return {2, {x, y, 1}, {along_x, along_y, Boundary::periodic}};
}
inline Lattice cubic(std::int64_t x, std::int64_t y, std::int64_t z, Boundary along_x = Boundary::periodic,
                     Boundary along_y = Boundary::periodic, Boundary along_z = Boundary::periodic) {
    return {3, {x, y, z}, {along_x, along_y, along_z}};
}

// Returns lattices with even and odd numbers of sites of a colour in a row, with all boundaries, and with rows longer
// than what is computed together.
inline std::vector<Lattice> various_lattices() {
    const auto p = Boundary::periodic, a = Boundary::antiperiodic;
    return {square(2, 2),
            square(2, 2, a, p),
            square(2, 8, a, a),
            square(4, 4, p, a),
            square(6, 2, a, p),
            square(6, 10),
            square(10, 6, a, a),
            square(16, 6, p, a),
            square(24, 18, a, a),
            square(64, 32, a, p),
            square(520, 2, a, p),
            square(1032, 2, p, a),
            cubic(2, 2, 2, a, p, a),
            cubic(2, 4, 6, p, a, p),
            cubic(4, 2, 6, p, a, a),
            cubic(6, 4, 2, a, p, p),
            cubic(8, 8, 8, p, p, a),
            cubic(16, 6, 4, a, a, p),
            cubic(40, 6, 10, a, a, a)};
}

// Returns random spins and demons.
inline std::vector<std::uint32_t> random_state(const Model& model, std::uint32_t seed) {
    std::mt19937 generator(seed);
    std::vector<std::uint32_t> words(model.blocks() * model.block_words());
    for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(generator());
    return words;
}

}  // namespace legato::ising::tests
