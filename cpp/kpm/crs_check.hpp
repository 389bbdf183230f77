// The check of a matrix in compressed rows, and the sorting of its rows.
#pragma once

#include <complex>
#include <span>

#include "kpm/hamiltonian.hpp"

namespace legato::kpm {

// Performs prepare() for a Hamiltonian that is a matrix.
void prepare_matrix(Hamiltonian& hamiltonian, int threads);

// Throws what prepare_matrix() throws if the matrix, whose columns ascend in every row, has values that are out of
// range or not Hermitian.
void require_values(const CrsView& matrix, int threads);

// These functions return the sum of elements with the same row and column as prepare_matrix() forms it. The order of
// `values` may change.
double sum_of_repeated(std::span<double> values);
std::complex<double> sum_of_repeated(std::span<std::complex<double>> values);

}  // namespace legato::kpm
