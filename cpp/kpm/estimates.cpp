#include "kpm/estimates.hpp"

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"
#include "core/validate.hpp"
#include "kpm/row_estimates.hpp"
#include "statistics/spread.hpp"

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

void require_places(const Solver& solver, const Places& places) {
    const StartVectors kind = solver.problem().start_vectors;
    if (!has_fixed_vectors(solver.problem()) && kind != StartVectors::caller)
        fail(Status::invalid_argument, "kpm.params.start_vectors: ", static_cast<int>(kind),
             " (random) has no sites or wave vectors; use legato_kpm_create_local or legato_kpm_create_waves");
    const std::int64_t all = solver.samples_of_realisation();
    require_integer("kpm.first", places.first, 0, all - 1);
    require_integer("kpm.count", places.count, 1, all - places.first);
    if (solver.samples_done() >= places.first + places.count) return;
    solver.require_enclosed();
    fail(Status::invalid_argument, "kpm.sample: ", places.first + places.count - 1, " is not finished yet; only ",
         solver.samples_done(), " are");
}

// Returns the standard errors of means of n values, NaN if there are less than two samples. values_of(k) returns the
// values of independent sample k.
template <class Values>
std::vector<double> errors_of(std::int64_t samples, std::size_t n, int most_threads, Pauses& pauses,
                              const Values& values_of) {
    constexpr std::size_t least_values = 1 << 13;  // minimum for each thread
    const auto threads =
        static_cast<int>(std::clamp<std::size_t>(n / least_values, 1, static_cast<std::size_t>(most_threads)));
    const std::size_t count = samples < 2 ? 0 : static_cast<std::size_t>(samples);
    statistics::Spread spread(n);
    for (std::size_t k = 0; k < count; ++k) {
        const std::vector<double> values = values_of(static_cast<std::int64_t>(k));
        pauses.next();
        in_team(threads, [&](const Team& team) {
            const auto [first, last] = team.share(n);
            spread.add(k, values, first, last);
        });
    }
    std::vector<double> error(n);
    spread.errors(count, error);
    return error;
}

}  // namespace

void estimate_places(const Solver& solver, const Places& places, Kernel kernel, double lambda, std::size_t n,
                     const std::function<std::vector<double>(const Spectrum&)>& what, std::span<double> value,
                     std::span<double> error) {
    require_places(solver, places);
    const Spectrum spectrum = spectrum_of(solver, 0, kernel, lambda);
    const std::int64_t each = solver.samples_of_realisation();
    const auto finished = [&](std::int64_t row) {
        return (solver.samples_done() - places.first - row + each - 1) / each;
    };
    const auto moments = [&](std::int64_t row, std::int64_t realisation) {
        return solver.sample(realisation * each + places.first + row);
    };
    const auto of_moments = [&](std::span<const double> mu, const Effort& effort) {
        Spectrum one = spectrum;
        one.moments.assign(mu.begin(), mu.end());
        one.effort = effort;
        return what(one);
    };
    estimate_rows(solver.context(), solver.estimate_progress(),
                  {places.count, finished, moments, is_random(solver.hamiltonian())}, n, of_moments, value, error);
}

Spectrum spectrum_of(const Solver& solver, std::int64_t sample, Kernel kernel, double lambda) {
    if (solver.samples_done() == 0) solver.require_enclosed();
    if (solver.samples_done() == 0)
        fail(Status::invalid_argument, "kpm.sample: ", sample, " is not there: no sample is finished yet");
    require_integer("kpm.sample", sample, mean_of_samples, solver.samples_done() - 1);
    Spectrum spectrum{{}, solver.rescaling().centre, solver.rescaling().half_width, kernel, lambda};
    spectrum.effort.threads = solver.context().threads();
    spectrum.factors = kernel_factors(kernel, solver.problem().moments, lambda);
    if (sample == mean_of_samples)
        spectrum.moments = solver.moments().mean;
    else
        spectrum.moments.assign(solver.sample(sample).begin(), solver.sample(sample).end());
    return spectrum;
}

Estimate estimate(const Solver& solver, std::int64_t sample, Kernel kernel, double lambda, bool with_error,
                  const std::function<std::vector<double>(const Spectrum&)>& what) {
    Spectrum spectrum = spectrum_of(solver, sample, kernel, lambda);
    const bool has_spread = with_error && !solver.exact();
    const std::int64_t count = has_spread && sample == mean_of_samples ? solver.independent_samples() : 0;
    Pauses pauses(solver.estimate_progress(), 1 + count);
    spectrum.effort.pause = [&] { pauses.pause(); };
    Estimate result{what(spectrum), {}};
    const std::size_t n = result.value.size();
    if (!has_spread) {
        result.error.assign(n, 0.0);
        return result;
    }
    result.error = errors_of(count, n, solver.context().threads(), pauses, [&](std::int64_t k) {
        spectrum.moments = solver.independent_sample(k);
        return what(spectrum);
    });
    return result;
}

Estimate estimate(const Correlation& correlation, Kernel kernel, double lambda, bool with_error,
                  const std::function<std::vector<double>(const DoubleSpectrum&)>& what) {
    if (correlation.samples_done() == 0) {
        correlation.require_enclosed();
        fail(Status::invalid_argument, "kpm.correlation: no sample is finished yet");
    }
    const std::int64_t count = with_error ? correlation.independent_samples() : 0;
    Pauses pauses(correlation.estimate_progress(), 1 + count);
    DoubleSpectrum spectrum{static_cast<std::size_t>(correlation.moments_per_side()),
                            correlation.mean(),
                            correlation.rescaling().centre,
                            correlation.rescaling().half_width,
                            kernel,
                            lambda,
                            {correlation.context().threads(), [&] { pauses.pause(); }}};
    Estimate result{what(spectrum), {}};
    if (with_error)
        result.error =
            errors_of(count, result.value.size(), correlation.context().threads(), pauses, [&](std::int64_t k) {
                spectrum.moments = correlation.independent_sample(k);
                return what(spectrum);
            });
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
