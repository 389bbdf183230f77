#include "kpm/estimates.hpp"

#include <algorithm>
#include <cmath>

#include "core/validate.hpp"

namespace legato::kpm {

Spectrum spectrum_of(const Solver& solver, std::int64_t sample, Kernel kernel, double lambda) {
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
    if (!with_error || sample != mean_of_samples) return result;
    const std::size_t n = result.value.size();
    const std::int64_t count = solver.independent_samples();
    if (count < 2) return result;
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
                            double temperature, bool with_error) {
    const Spectrum spectrum = spectrum_of(solver, sample, kernel, lambda);
    const double mu = chemical_potential(spectrum, electrons, temperature);
    const double spread = estimate(solver, sample, kernel, lambda, with_error, [&](const Spectrum& s) {
                              return std::vector{electron_number(s, mu, temperature)};
                          }).error[0];
    if (spread == 0) return {{mu}, {0.0}};
    // What no chemical potential gives counts as given by the interval's ends.
    double below = std::min(mu, spectrum.centre - spectrum.half_width);
    double above = std::max(mu, spectrum.centre + spectrum.half_width);
    if (electrons - spread > 0) below = chemical_potential(spectrum, electrons - spread, temperature);
    if (electrons + spread < spectrum.moments[0]) above = chemical_potential(spectrum, electrons + spread, temperature);
    return {{mu}, {(above - below) / 2}};
}

}  // namespace legato::kpm
