// Matrices of a self-consistent field: their blocks, orthonormal functions, and the states of Fock matrices.
#pragma once

#include <cstddef>

#include "core/matrix.hpp"

namespace legato::dfr {

// Returns columns X with X^T S X = 1. Eigenvectors of S with eigenvalues below the threshold are left out.
Matrix canonical_functions(Matrix overlap, double threshold);

void put(Matrix& target, std::size_t row, std::size_t column, const Matrix& part);
void put_transposed(Matrix& target, std::size_t row, std::size_t column, const Matrix& part);
Matrix part_of(const Matrix& a, std::size_t row, std::size_t rows, std::size_t column, std::size_t columns);

// Returns X^T A X, the matrix over the orthonormal functions, which do not mix components.
Matrix in_orthonormal_functions(const Matrix& a, const Matrix& large, const Matrix& small);

// Returns the states of positive energy of F = [A B; B^T -K], where K > 0 is of the order of 2 c^2 and B of the order
// of c. The small components (K + e)^(-1) B^T a are eliminated, which gives (A + B (K + e)^(-1) B^T) a = e a. To first
// order in e/K this is the symmetric problem (A + B K^(-1) B^T) a = e (1 + B K^(-2) B^T) a, which does not contain the
// rest energy. The neglected terms are of the order of (e/2c^2)^2. For steep virtual states they are corrected by the
// diagonalisation of F between the vectors of this problem.
Matrix without_rest_energy(const Matrix& fock, std::size_t large);

// Returns all spinors over the functions of the Fock matrix: those of negative energy, the occupied ones as given, and
// the virtual ones. Those that are not given are eigenvectors of the Fock matrix in the space that is left to them.
// `level` lies below their energies, and above the negative ones.
Matrix completed(const Matrix& occupied, const Matrix& fock, double level);

}  // namespace legato::dfr
