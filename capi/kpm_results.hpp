// Arguments and results of the extern "C" functions that compute moments, and quantities that follow from them.
#pragma once

#include <complex>
#include <span>
#include <vector>

#include "kpm.hpp"
#include "kpm/spectrum.hpp"

namespace legato::capi {

template <>
struct StandsFor<legato_kpm> : Handle<kpm::Solver> {};

inline std::span<const double> energies_from_c(int32_t n, const double* energies) {
    require_integer("kpm.n", n, 1, kpm::max_points);
    return {&require_pointer("kpm.energies", energies), static_cast<std::size_t>(n)};
}

// Returns real and imaginary parts side by side.
inline std::vector<double> parts_of(const std::vector<std::complex<double>>& values) {
    std::vector<double> parts;
    parts.reserve(2 * values.size());
    for (const std::complex<double> value : values) {
        parts.push_back(value.real());
        parts.push_back(value.imag());
    }
    return parts;
}

}  // namespace legato::capi
