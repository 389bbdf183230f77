// Eigenstates of small Hamiltonians, and the exact moments of double expansions.
#pragma once

#include <random>
#include <stdexcept>

#include "cells.hpp"
#include "kpm/conductivity.hpp"

extern "C" void zheev_(const char* job, const char* triangle, const int* n, std::complex<double>* a, const int* lda,
                       double* values, std::complex<double>* work, const int* work_size, double* reals, int* info,
                       std::size_t, std::size_t);

namespace legato::kpm::tests {

// Returns a full random matrix with energies in about [-2, 2].
inline Hermitian random_dense(std::mt19937_64& random, std::size_t size) {
    std::normal_distribution<double> normal(0, std::sqrt(0.5 / static_cast<double>(size)));
    Hermitian h(size);
    for (std::size_t row = 0; row < size; ++row) {
        h(row, row) = normal(random) * std::sqrt(2.0);
        for (std::size_t column = 0; column < row; ++column) {
            h(row, column) = {normal(random), normal(random)};
            h(column, row) = std::conj(h(row, column));
        }
    }
    return h;
}

struct Eigenstates {
    std::vector<double> energies;
    Hermitian vectors;  // row k is eigenvector k

    explicit Eigenstates(const Hermitian& h) : energies(h.n), vectors(h.n) {
        const int n = static_cast<int>(h.n), work_size = 64 * n;
        // LAPACK has columns where this matrix has rows, so that it is given the transposed one.
        for (std::size_t row = 0; row < h.n; ++row)
            for (std::size_t column = 0; column < h.n; ++column) vectors(column, row) = h(row, column);
        std::vector<Complex> work(static_cast<std::size_t>(work_size));
        std::vector<double> reals(3 * h.n);
        int info = 0;
        zheev_("V", "U", &n, vectors.values.data(), &n, energies.data(), work.data(), &work_size, reals.data(), &info,
               1, 1);
        if (info != 0) throw std::runtime_error("zheev failed");
    }

    // Returns <j|A|k> at (j, k).
    Hermitian elements(const Hermitian& a) const {
        Hermitian half(a.n), all(a.n);
        for (std::size_t k = 0; k < a.n; ++k)
            for (std::size_t row = 0; row < a.n; ++row) {
                Complex sum = 0;
                for (std::size_t column = 0; column < a.n; ++column) sum += a(row, column) * vectors(k, column);
                half(k, row) = sum;
            }
        for (std::size_t j = 0; j < a.n; ++j)
            for (std::size_t k = 0; k < a.n; ++k) {
                Complex sum = 0;
                for (std::size_t row = 0; row < a.n; ++row) sum += std::conj(vectors(j, row)) * half(k, row);
                all(j, k) = sum;
            }
        return all;
    }
};

// Two operators between the eigenstates of a Hamiltonian.
struct Response {
    Eigenstates states;
    Hermitian a, b;

    Response(const Hermitian& h, const Hermitian& first, const Hermitian& second)
        : states(h), a(states.elements(first)), b(states.elements(second)) {}

    std::size_t size() const { return a.n; }

    // Returns (1/D) sum_jk A_kj B_jk F_jk, where j has the energy between A and B.
    template <class Weight>
    Complex sum(const Weight& weight) const {
        Complex sum = 0;
        for (std::size_t j = 0; j < size(); ++j)
            for (std::size_t k = 0; k < size(); ++k) sum += a(k, j) * b(j, k) * weight(j, k);
        return sum / static_cast<double>(size());
    }

    // These functions return the exact moments.
    DoubleSpectrum spectrum(std::size_t count, double margin = 0.1, Kernel kernel = Kernel::jackson) const {
        const double lowest = states.energies.front(), highest = states.energies.back();
        return spectrum(count, {(lowest + highest) / 2, (highest - lowest) / 2 * (1 + margin)}, kernel);
    }
    DoubleSpectrum spectrum(std::size_t count, const Rescaling& rescaling, Kernel kernel) const {
        DoubleSpectrum s;
        s.count = count;
        s.centre = rescaling.centre;
        s.half_width = rescaling.half_width;
        s.kernel = kernel;
        std::vector<double> t(size() * count);  // [state][n]
        for (std::size_t j = 0; j < size(); ++j)
            for (std::size_t n = 0; n < count; ++n)
                t[j * count + n] =
                    std::cos(static_cast<double>(n) * std::acos((states.energies[j] - s.centre) / s.half_width));
        s.moments.resize(count * count);
        std::vector<Complex> half(size() * count);  // [j][n] sum_k A_kj B_jk T_n(k)
        for (std::size_t j = 0; j < size(); ++j)
            for (std::size_t k = 0; k < size(); ++k) {
                const Complex weight = a(k, j) * b(j, k) / static_cast<double>(size());
                for (std::size_t n = 0; n < count; ++n) half[j * count + n] += weight * t[k * count + n];
            }
        for (std::size_t j = 0; j < size(); ++j)
            for (std::size_t m = 0; m < count; ++m)
                for (std::size_t n = 0; n < count; ++n)
                    s.moments[m * count + n] += t[j * count + m] * half[j * count + n];
        return s;
    }

    // Returns the Hall conductivity with sharp energies, by Kubo's formula.
    double hall(double mu) const {
        return (i * sum([&](std::size_t j, std::size_t k) {
                    const double x = states.energies[j], y = states.energies[k];
                    return (x < mu) == (y < mu) ? 0.0 : ((x < mu) - (y < mu)) / ((x - y) * (x - y));
                }))
            .real();
    }
};

}  // namespace legato::kpm::tests
