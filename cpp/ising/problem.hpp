// The problem of ising: averages of
//     H = -J sum_<xy> s_x s_y - h sum_x s_x
// on a square or simple cubic lattice, at one or several temperatures, by Metropolis' algorithm, by Creutz's demons or
// by clusters.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ising/lattice.hpp"
#include "ising/parts.hpp"
#include "ising/random_words.hpp"

namespace legato::ising {

inline bool has_demons(Algorithm algorithm) {
    return algorithm == Algorithm::demon_naive || algorithm == Algorithm::demon_binomial ||
           algorithm == Algorithm::demon_microcanonical;
}

// Returns whether each sweep has clusters of all sites, which give improved estimators.
inline bool has_all_clusters(Algorithm algorithm) {
    return algorithm == Algorithm::swendsen_wang;
}

inline bool has_clusters(Algorithm algorithm) {
    return algorithm == Algorithm::swendsen_wang || algorithm == Algorithm::wolff;
}

struct Problem : Params {
    // J / kT. The default is off the critical point, where the errors of a short run are not reliable.
    std::vector<double> betas{0.4};
    std::vector<std::int64_t> seeds{1};
};

// Throws an invalid_argument that names the field, the value and the range.
void validate(const Problem& problem);

// Returns why no device can make a run, with the parameter and its value; empty if one can.
std::string why_only_on_cpu(const Problem& problem);

// Systems are independent lattices. A system has the number (beta * seeds + seed) * replicas + replica.
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

// The values of a measurement of a system. All are integers, and the same on every backend.
//     sum of the spins; sum over bonds of s_x s_y (with the opposite sign across an antiperiodic boundary)
//     demons: numbers of demons that have the levels 4, 8, 16: [3]
//     clusters of all sites: sums over the clusters: [ClusterSums::count]
//     correlations: for every axis a, for r = 1 .. L_a / 2: sum_x s_x s_(x + r e_a), with the boundaries' signs; then
//     the magnetisations of the planes (lines) across the last axis: [L]. With clusters of all sites, the correlations
//     are sums over pairs of the same cluster.
struct MeasuredValues {
    explicit MeasuredValues(const Problem& problem);

    static constexpr std::size_t magnetisation = 0, bonds = 1;
    std::size_t demons = 2, clusters = 2;
    std::array<std::size_t, 3> correlations{};
    std::size_t planes = 0;
    std::size_t count = 2;
};

// The systems with the numbers first .. end - 1.
struct Systems {
    std::size_t first, end;
    std::size_t count() const { return end - first; }
};

// Data that all systems share. A block is updated together. It is a lattice, or with demons all lattices that share a
// word (parts.hpp). The last block may have surplus systems, which are updated but not measured. Their demons are drawn
// one by one, but never by numbers.
//
// A model may have some blocks of a run only. It numbers them and their systems from 0, but their streams and
// temperatures are those that they have in the run.
struct Model {
    explicit Model(const Problem& p);  // p must be valid
    Model(const Problem& p, const Division& division);

    Problem problem;
    Division division;  // used with demons
    Packing packing;    // packing of a lattice; not used with demons
    Parts parts;        // used with demons
    MeasuredValues values;
    std::size_t first_block = 0, end_block;  // blocks of the run

    Model of_blocks(std::size_t first, std::size_t end) const;

    std::size_t systems() const { return systems_; }
    std::int64_t sites() const { return sites_of(problem.lattice); }
    std::size_t systems_per_block() const;
    std::size_t blocks_per_seed() const;                // blocks of each seed and temperature
    Systems systems_of_block(std::size_t block) const;  // without surplus systems
    std::size_t blocks() const { return end_block - first_block; }
    std::size_t block_words() const;  // words of a block's state, engine.hpp
    std::size_t words() const { return blocks() * block_words(); }
    std::size_t blocks_per_beta() const { return problem.seeds.size() * blocks_per_seed(); }
    std::size_t beta_number(std::size_t block) const { return (first_block + block) / blocks_per_beta(); }
    std::size_t first_system(std::size_t block) const;  // first system of a block; systems() if block is blocks()
    // Returns the stream of a block: its seed, and its number among all blocks with this seed.
    Stream stream(std::size_t block) const;

  private:
    Systems systems_of_run(std::size_t block) const;  // numbers of block and systems in the run

    std::size_t systems_ = systems_of(problem);
};

// Returns the state that a run begins with, [blocks][block_words], or some of its words, from number `first` on.
std::vector<std::uint32_t> first_words(const Model& model, int threads);
void first_words(const Model& model, std::size_t first, std::span<std::uint32_t> words, int threads);

}  // namespace legato::ising
