#include "legato/kpm_conductivity.h"

#include "kpm.hpp"
#include "kpm/estimates.hpp"

using namespace legato;
using namespace legato::capi;

namespace {

using Formula = std::function<std::vector<double>(const kpm::DoubleSpectrum&, std::span<const double>)>;

// Computes a conductivity at the n points of an array.
int32_t conductivity_at(legato_kpm_correlation* handle, int32_t kernel, double lambda, int32_t n, const char* field,
                        const double* points, double* conductivity, double* error, const Formula& formula) {
    return guard(handle, [&](kpm::Correlation& correlation) {
        require_integer("kpm.n", n, 1, kpm::max_points);
        const std::span<const double> at{&require_pointer(field, points), static_cast<std::size_t>(n)};
        require_pointer("kpm.conductivity", conductivity);
        const kpm::Estimate estimate = kpm::estimate(correlation, kernel_from_c(kernel), lambda, error != nullptr,
                                                     [&](const kpm::DoubleSpectrum& s) { return formula(s, at); });
        std::copy(estimate.value.begin(), estimate.value.end(), conductivity);
        if (error) std::copy(estimate.error.begin(), estimate.error.end(), error);
        correlation.require_enclosed();
    });
}

using AtPotentials = std::vector<double> (*)(const kpm::DoubleSpectrum& spectrum, std::span<const double> potentials,
                                             double temperature);

int32_t at_potentials(legato_kpm_correlation* correlation, int32_t kernel, double lambda, double temperature, int32_t n,
                      const double* potentials, double* conductivity, double* error, AtPotentials formula) {
    return conductivity_at(
        correlation, kernel, lambda, n, "kpm.chemical_potentials", potentials, conductivity, error,
        [&](const kpm::DoubleSpectrum& s, std::span<const double> mu) { return formula(s, mu, temperature); });
}

}  // namespace

int32_t legato_kpm_conductivity_greenwood(legato_kpm_correlation* correlation, int32_t kernel, double lambda,
                                          double temperature, int32_t n, const double* chemical_potentials,
                                          double* conductivity, double* error) {
    return at_potentials(correlation, kernel, lambda, temperature, n, chemical_potentials, conductivity, error,
                         kpm::greenwood);
}

int32_t legato_kpm_conductivity_hall(legato_kpm_correlation* correlation, int32_t kernel, double lambda,
                                     double temperature, int32_t n, const double* chemical_potentials,
                                     double* conductivity, double* error) {
    return at_potentials(correlation, kernel, lambda, temperature, n, chemical_potentials, conductivity, error,
                         kpm::hall);
}

int32_t legato_kpm_conductivity_bastin(legato_kpm_correlation* correlation, int32_t kernel, double lambda,
                                       double temperature, int32_t n, const double* chemical_potentials,
                                       double* conductivity, double* error) {
    return at_potentials(correlation, kernel, lambda, temperature, n, chemical_potentials, conductivity, error,
                         kpm::bastin);
}

int32_t legato_kpm_conductivity_optical(legato_kpm_correlation* correlation, int32_t kernel, double lambda,
                                        double chemical_potential, double temperature, int32_t n,
                                        const double* frequencies, double* conductivity, double* error) {
    return conductivity_at(correlation, kernel, lambda, n, "kpm.frequencies", frequencies, conductivity, error,
                           [&](const kpm::DoubleSpectrum& s, std::span<const double> omega) {
                               return kpm::optical(s, omega, chemical_potential, temperature);
                           });
}
