// What the kernel polynomial method computes: Chebyshev moments of a sparse Hamiltonian H of D sites,
//     mu_n = (1/D) Tr T_n(H~) ~ (1/(R S D)) sum_(s,r) <r| T_n(H~) |r>,    H~ = (H - centre) / half_width,
// by R random vectors for each of S realisations, or for given sites the local ones <i| T_n(H~) |i>
// (A. Weisse, G. Wellein, A. Alvermann and H. Fehske, Rev. Mod. Phys. 78, 275 (2006)).
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "kpm/hamiltonian.hpp"

namespace legato::kpm {

enum class StartVectors : int {
    sign = 0,      // +1 or -1: the least variance for real H
    gaussian = 1,  // standard normal
    uniform = 2,   // uniform, of unit variance
    sites = 3,     // one site each: local moments, and with all sites the exact trace
    given = 4,     // the caller's
};

// Fills the start vector of a sample, the same one whenever it is asked.
using StartVectorSource = std::function<void(std::int64_t sample, std::span<double> vector)>;

enum class BoundsMethod : int {
    gershgorin = 0,  // safe
    lanczos = 1,     // tighter: more resolution for each moment
    given = 2,       // lowest, highest
};

// Of the vectors; arithmetic, scalar products and moments are always double.
enum class Precision : int { full = 0, single = 1 };

// What an element of a vector takes, and its distance from the next number, relative to 1.
inline std::int64_t element_bytes(Precision precision) {
    return precision == Precision::single ? sizeof(float) : sizeof(double);
}
inline double epsilon(Precision precision) {
    return precision == Precision::single ? std::numeric_limits<float>::epsilon()
                                          : std::numeric_limits<double>::epsilon();
}

enum class Format : int { automatic = 0, crs = 1, ell = 2, stencil = 3 };

struct Problem {
    int moments = 256;  // N: mu_0 .. mu_(N-1)
    StartVectors start_vectors = StartVectors::sign;
    int vectors = 16;                 // R; not used with sites
    int realisations = 1;             // S: random vectors anew, and the disorder if there is any
    std::vector<std::int64_t> sites;  // from 0; only with sites
    std::int64_t seed = 1;
    BoundsMethod bounds = BoundsMethod::gershgorin;
    double lowest = 0, highest = 0;  // of the spectrum; only for given
    double margin = 0.01;            // half_width = (highest - lowest) / 2 * (1 + margin)
    int lanczos_steps = 60;          // only for lanczos
    Format format = Format::automatic;
    int block_width = 0;  // vectors carried on together, 1..64; 0: chosen
    Precision precision = Precision::full;
    std::int64_t memory_budget = 0;  // bytes of the engine's memory; 0: what is free
};

inline constexpr double max_start_element = 1e40;         // of given vectors: squares, and those of moments, are finite
inline constexpr double max_single_start_element = 1e30;  // max_sites of them give vectors that single can hold
inline constexpr int max_moments = 1 << 20, max_vectors = 1 << 20, max_realisations = 1 << 20, max_block_width = 64;
inline constexpr int max_lanczos_steps = 1000;

// Vectors of one realisation, and of all.
std::int64_t vectors_of(const Problem& problem);
inline std::int64_t samples_of(const Problem& problem) {
    return problem.realisations * vectors_of(problem);
}

// What an element of a given start vector may be at most.
inline double largest_start_element(Precision precision) {
    return precision == Precision::single ? max_single_start_element : max_start_element;
}
// Throws an invalid_argument that names the first element beyond that.
void require_start_vector(Precision precision, std::int64_t sample, std::span<const double> vector);

// Throws an invalid_argument that names the field, the value and the range. The Hamiltonian is a prepared one.
void validate(const Problem& problem, const Hamiltonian& hamiltonian);

}  // namespace legato::kpm
