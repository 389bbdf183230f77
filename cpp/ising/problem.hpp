// What the Ising room computes: averages of
//     H = -J sum_<xy> s_x s_y - h sum_x s_x
// on a square or simple cubic lattice, at one or several temperatures, by Metropolis' algorithm or by Creutz's demons.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ising/lattice.hpp"
#include "ising/parts.hpp"
#include "ising/random_words.hpp"

namespace legato::ising {

enum class Algorithm : int {
    metropolis = 0,           // many spins of one lattice to a word
    demon_naive = 1,          // up to 32 lattices to a word; demons are drawn anew one by one
    demon_binomial = 2,       // the same; their number is drawn, and as many are changed
    demon_microcanonical = 3  // the same; demons are drawn anew (binomial) in the thermalisation only
};
inline bool has_demons(Algorithm algorithm) {
    return algorithm != Algorithm::metropolis;
}

enum class Start : int {
    up = 0,     // all spins
    random = 1  // every spin up or down with probability 1/2
};

struct Problem {
    Lattice lattice;
    Algorithm algorithm = Algorithm::metropolis;
    std::vector<double> betas{0.4};  // J / kT; off the critical point, where a short run has no errors to rely on
    double field = 0;                // h / J; Metropolis only
    std::vector<std::int64_t> seeds{1};
    int replicas = 1;  // independent lattices for each temperature and seed; with demons best 1, 2, 4, 8, 16, n 32
    Start start = Start::up;
    std::int64_t thermalisation = 1000;  // sweeps before the first measurement
    std::int64_t sweeps_per_measurement = 1;
    std::int64_t measurements_per_bin = 1000;
    std::int64_t bins = 32;
    std::int64_t refresh_interval = 1;  // sweeps between draws of the demons
    bool time_series = false;           // keep every measurement, not only the bins' sums
    bool correlations = false;          // measure <s_x s_(x+r)> along the axes, and plane magnetisations
    bool acceptance = false;            // count attempts and flips of Metropolis' algorithm by their energy
};

// Throws an invalid_argument that names the field, the value and the range.
void validate(const Problem& problem);

// Systems are independent lattices: number (beta * seeds + seed) * replicas + replica.
inline std::size_t systems_per_beta(const Problem& p) {
    return p.seeds.size() * static_cast<std::size_t>(p.replicas);
}
inline std::size_t systems_of(const Problem& p) {
    return p.betas.size() * systems_per_beta(p);
}
inline std::int64_t measurements_of(const Problem& p) {
    return p.bins * p.measurements_per_bin;
}
inline std::int64_t sweeps_of(const Problem& p) {
    return p.thermalisation + measurements_of(p) * p.sweeps_per_measurement;
}

// What a measurement of a system gives, all integers: the same whatever backend measures.
//     sum of the spins; sum over bonds of s_x s_y (minus it across an antiperiodic boundary)
//     demons: how many hold energy 4, 8, 16: [3]
//     correlations: for every axis a, for r = 1 .. L_a / 2: sum_x s_x s_(x + r e_a), with the boundaries' signs; then
//     the magnetisations of the planes (lines) across the last axis: [L]
struct MeasuredValues {
    explicit MeasuredValues(const Problem& problem);

    static constexpr std::size_t magnetisation = 0, bonds = 1;
    std::size_t demons = 2;
    std::array<std::size_t, 3> correlations{};
    std::size_t planes = 0;
    std::size_t count = 2;
};

// Those with the numbers first .. end - 1.
struct Systems {
    std::size_t first, end;
    std::size_t count() const { return end - first; }
};

// What all systems share. A block is what is updated together: a lattice, or with demons as many as share a word
// (parts.hpp). The surplus systems of the last block run along: their demons are drawn one by one, but never by
// numbers, and they are not measured.
struct Model {
    explicit Model(const Problem& p);  // a valid one
    Model(const Problem& p, const Division& division);

    Problem problem;
    Division division;  // with demons
    Packing packing;    // of a lattice, as Metropolis' algorithm has it
    Parts parts;        // with demons
    MeasuredValues values;

    std::size_t systems() const { return systems_of(problem); }
    std::int64_t sites() const { return sites_of(problem.lattice); }
    std::size_t systems_per_block() const;
    std::size_t blocks_per_seed() const;                // and temperature
    Systems systems_of_block(std::size_t block) const;  // those that are no surplus
    std::size_t blocks() const { return problem.betas.size() * problem.seeds.size() * blocks_per_seed(); }
    std::size_t block_words() const;  // of the state, engine.hpp
    std::size_t beta_number(std::size_t block) const { return block / blocks_per_seed() / problem.seeds.size(); }
    std::size_t first_system(std::size_t block) const;  // of a block, or of the first one behind the last: systems()
    // Of a block: its seed, and its number among those of its temperature and seed, plus that of all before.
    Stream stream(std::size_t block) const;
};

// The state that a run begins with, [blocks][block_words].
std::vector<std::uint32_t> first_words(const Model& model, int threads);

}  // namespace legato::ising
