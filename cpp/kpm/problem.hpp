// Input of the kernel polynomial method. It computes Chebyshev moments of a sparse Hamiltonian H of D sites,
//     mu_n = (1/D) Tr T_n(H~) ~ (1/(R S D)) sum_(s,r) <r| T_n(H~) |r>,    H~ = (H - centre) / half_width,
// with R random vectors for each of S realisations, or the local moments <i| T_n(H~) |i> of given sites. If sites are
// missing, each realisation has its own number D' of remaining sites instead of D
// (A. Weisse, G. Wellein, A. Alvermann and H. Fehske, Rev. Mod. Phys. 78, 275 (2006)).
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "kpm/hamiltonian.hpp"
#include "kpm/params.hpp"
#include "kpm/waves.hpp"

namespace legato::kpm {

// Fills the start vector of a sample. It must give the same vector at every call for that sample. For a complex
// Hamiltonian real and imaginary parts alternate.
using StartVectorSource = std::function<void(std::int64_t sample, std::span<double> vector)>;

// These functions return the size of an element of a vector in bytes, and the distance of 1 from the next number.
inline std::int64_t element_bytes(Precision precision) {
    return precision == Precision::single ? sizeof(float) : sizeof(double);
}
inline double epsilon(Precision precision) {
    return precision == Precision::single ? std::numeric_limits<float>::epsilon()
                                          : std::numeric_limits<double>::epsilon();
}

struct Problem : Params {
    std::vector<std::int64_t> sites;  // numbers of the sites, from 0; only with StartVectors::sites
    Waves waves{};                    // only with StartVectors::waves
    int sums = 0;                     // number of sums of multiples of x that an engine has for each vector
};

inline constexpr double max_start_element = 1e40;         // limit that keeps squares, and those of moments, finite
inline constexpr double max_single_start_element = 1e30;  // limit with which single precision holds max_sites elements

// These functions return the number of vectors of one realisation, and of all.
std::int64_t vectors_of(const Problem& problem);
inline std::int64_t all_vectors_of(const Problem& problem) {
    return problem.realisations * vectors_of(problem);
}

// Returns the number of vectors of a sample, over which its moments are averaged: 1, or those of a plane wave.
std::int64_t vectors_of_sample(const Problem& problem);
// Returns the number of all samples.
inline std::int64_t samples_of(const Problem& problem) {
    return all_vectors_of(problem) / vectors_of_sample(problem);
}

// Returns whether the start vectors are the same in every realisation, and not random: sites or plane waves.
inline bool has_fixed_vectors(const Problem& problem) {
    return problem.start_vectors == StartVectors::sites || problem.start_vectors == StartVectors::waves;
}

// Returns the largest allowed absolute value of an element of a given start vector.
inline double largest_start_element(Precision precision) {
    return precision == Precision::single ? max_single_start_element : max_start_element;
}
// Throws an invalid_argument that names the first element beyond this limit.
void require_start_vector(Precision precision, std::int64_t sample, std::span<const double> vector);

// Throws an invalid_argument that names the field, the value and the range. The Hamiltonian must be prepared.
void validate(const Problem& problem, const Hamiltonian& hamiltonian);

}  // namespace legato::kpm
