// The matrix of a unit-cell lattice, and what is known of it without making it.
#pragma once

#include <cstdint>

#include "kpm/hamiltonian.hpp"

namespace legato::kpm {

// Returns the matrix in one realisation of the disorder. Columns ascend in every row, several bonds between the same
// sites are one element, and elements that are 0 are kept. The matrix is exactly Hermitian. Rows and columns of
// vacancies are empty.
CrsMatrix matrix_of(const CellLattice& lattice, std::uint64_t seed, std::int64_t realisation, int threads);

// Returns the number of elements of the matrix without vacancies. A matrix with vacancies has fewer.
std::int64_t elements_of(const CellLattice& lattice);

// Returns the number of elements of a row far from hard walls; no row is longer.
std::int64_t longest_row(const CellLattice& lattice);

// Returns the largest number of bonds of an orbital. Without a matrix, each of them is added to the sum of a row.
std::int64_t most_bonds(const CellLattice& lattice);

Interval bounds_of(const CellLattice& lattice, std::uint64_t seed, std::int64_t realisations, int threads);

}  // namespace legato::kpm
