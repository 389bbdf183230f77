// Plane waves of lattices as start vectors,
//     |k> = C^(-1/2) sum_(n,o) a_o exp(2 pi i k.n) |n, o>,
// with C cells n and amplitudes a_o of the orbitals o. Their moments <k|T_n|k> give the spectral function A(k, E).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kpm/cell_lattice.hpp"
#include "kpm/hamiltonian.hpp"

namespace legato::kpm {

struct Phase {
    double real, imaginary;
};

// One vector. A real Hamiltonian needs no complex vectors: <k|T_n|k> is the sum of the moments of the real and of the
// imaginary part, because T_n is symmetric.
struct Wave {
    std::array<std::int64_t, 3> extents{1, 1, 1};
    int orbitals = 1;
    bool is_imaginary_part = false;
    std::array<double, 3> k{};
    std::array<Phase, max_orbitals> amplitudes{};  // with the factor C^(-1/2)
};

struct Waves {
    std::array<std::int64_t, 3> extents{1, 1, 1};  // in cells
    int orbitals = 1;
    int parts = 1;                   // vectors of a wave: 2 (its real and imaginary part) if the Hamiltonian is real
    std::vector<double> k;           // [count][3] in units of the reciprocal lattice vectors
    std::vector<double> amplitudes;  // [count][orbitals][2], or empty: the mean over all orbitals

    std::size_t count() const { return k.size() / 3; }
    // Returns the number of vectors for each k.
    std::size_t vectors_each() const {
        return static_cast<std::size_t>(parts) * (amplitudes.empty() ? static_cast<std::size_t>(orbitals) : 1);
    }
    // Returns vector number `vector`. Those of a wave vector lie one after the other, and so do those of an orbital.
    Wave wave(std::size_t vector) const;
};

inline constexpr double max_wave_number = 1000, max_amplitude = 1e6;

// Returns waves on a lattice. Throws an invalid_argument for a matrix, whose sites have no places.
Waves waves_on(const Hamiltonian& hamiltonian, std::vector<double> k, std::vector<double> amplitudes);

// Throws an invalid_argument that names the field, the value and the range.
void validate(const Waves& waves, const Hamiltonian& hamiltonian);

}  // namespace legato::kpm
