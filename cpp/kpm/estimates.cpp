#include "kpm/estimates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/validate.hpp"

namespace legato::kpm {
namespace {

// Returns the interval of the chemical potentials that give the numbers of electrons within +- dn. `mu` gives the
// number `electrons` itself.
Interval potentials_within(const Spectrum& spectrum, double electrons, double dn, double mu, double temperature) {
    Interval range{std::min(mu, spectrum.centre - spectrum.half_width),
                   std::max(mu, spectrum.centre + spectrum.half_width)};
    if (electrons - dn > 0) range.lowest = chemical_potential(spectrum, electrons - dn, temperature);
    if (electrons + dn < spectrum.moments[0]) range.highest = chemical_potential(spectrum, electrons + dn, temperature);
    return range;
}

}  // namespace

Spectrum spectrum_of(const Solver& solver, std::int64_t sample, Kernel kernel, double lambda) {
    if (solver.samples_done() == 0) solver.require_enclosed();
    if (solver.samples_done() == 0)
        fail(Status::invalid_argument, "kpm.sample: ", sample, " is not there: no sample is finished yet");
    require_integer("kpm.sample", sample, mean_of_samples, solver.samples_done() - 1);
    Spectrum spectrum{{}, solver.rescaling().centre, solver.rescaling().half_width, kernel, lambda};
    if (sample == mean_of_samples)
        spectrum.moments = solver.moments().mean;
    else
        spectrum.moments.assign(solver.sample(sample).begin(), solver.sample(sample).end());
    return spectrum;
}

Estimate estimate(const Solver& solver, std::int64_t sample, Kernel kernel, double lambda, bool with_error,
                  const std::function<std::vector<double>(const Spectrum&)>& what) {
    Spectrum spectrum = spectrum_of(solver, sample, kernel, lambda);
    Estimate result{what(spectrum), {}};
    result.error.assign(result.value.size(), 0.0);
    if (!with_error || solver.exact()) return result;
    const std::size_t n = result.value.size();
    const std::int64_t count = solver.independent_samples();
    if (sample != mean_of_samples || count < 2) {
        result.error.assign(n, std::numeric_limits<double>::quiet_NaN());
        return result;
    }
    // Welford's running mean and sum of squared deviations.
    std::vector<double> mean(n), squares(n);
    for (std::int64_t k = 0; k < count; ++k) {
        spectrum.moments = solver.independent_sample(k);
        const std::vector<double> values = what(spectrum);
        for (std::size_t i = 0; i < n; ++i) {
            const double deviation = values[i] - mean[i];
            mean[i] += deviation / static_cast<double>(k + 1);
            squares[i] += deviation * (values[i] - mean[i]);
        }
    }
    for (std::size_t i = 0; i < n; ++i)
        result.error[i] = std::sqrt(squares[i] / (static_cast<double>(count) * static_cast<double>(count - 1)));
    return result;
}

Estimate chemical_potential(const Solver& solver, std::int64_t sample, Kernel kernel, double lambda, double electrons,
                            double temperature) {
    const Spectrum spectrum = spectrum_of(solver, sample, kernel, lambda);
    const double mu = chemical_potential(spectrum, electrons, temperature);
    const double dn = estimate(solver, sample, kernel, lambda, true, [&](const Spectrum& s) {
                          return std::vector{electron_number(s, mu, temperature)};
                      }).error[0];
    if (!(dn > 0)) return {{mu}, {dn}};
    const Interval near = potentials_within(spectrum, electrons, dn, mu, temperature);
    Interval chosen = near;
    double error = near.highest / 2 - near.lowest / 2;
    const double noticed = 1.5 * error;
    const double centre = near.lowest / 2 + near.highest / 2;
    for (int k = 2; k <= 4; ++k) {
        // Two electron numbers often show that the quotient is not larger. This takes far fewer evaluations than the
        // interval.
        const double low = std::max(centre - k * noticed, -max_chemical_potential),
                     high = std::min(centre + k * noticed, max_chemical_potential);
        if (electron_number(spectrum, low, temperature) <= electrons - k * dn &&
            electron_number(spectrum, high, temperature) >= electrons + k * dn)
            continue;
        const Interval wide = potentials_within(spectrum, electrons, k * dn, mu, temperature);
        const double quotient = (wide.highest / 2 - wide.lowest / 2) / k;
        if (quotient <= std::max(noticed, error)) continue;
        chosen = wide;
        error = quotient;
    }
    const double middle = chosen.lowest / 2 + chosen.highest / 2, half = chosen.highest / 2 - chosen.lowest / 2;
    return {{std::abs(mu - middle) > half / 2 ? middle : mu}, {error}};
}

}  // namespace legato::kpm
