#include "kpm/estimates.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <thread>

#include "core/parallel.hpp"
#include "core/progress.hpp"
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

// Calls a callback a few times a second while spectra are evaluated. Throws cancelled if it asks to stop.
class Pauses {
  public:
    Pauses(const ProgressCallback& callback, std::int64_t spectra) : callback_(callback) {
        progress_.points_total = spectra;
    }

    void pause() {
        if (!callback_ || clock_.seconds() - progress_.seconds < seconds_between_reports) return;
        progress_.seconds = clock_.seconds();
        progress_.cycles_per_second = static_cast<double>(progress_.cycles_done) / progress_.seconds;
        if (!callback_(progress_)) fail(Status::cancelled, "kpm: stopped by the progress callback");
    }
    // Counts spectra.
    void next(std::int64_t count = 1) {
        progress_.points_done = progress_.cycles_done += count;
        pause();
    }

  private:
    ProgressCallback callback_;  // a copy: it may replace itself
    Progress progress_;
    RunClock clock_;
};

// The spectrum that all places have but for its moments, which belong to one thread.
class PlaceEstimates {
  public:
    PlaceEstimates(const Solver& solver, Spectrum spectrum, std::size_t n,
                   const std::function<std::vector<double>(const Spectrum&)>& what)
        : solver_(solver), spectrum_(std::move(spectrum)), n_(n), what_(what) {}

    void compute(std::int64_t place, double* value, double* error) {
        const std::int64_t each = solver_.samples_of_realisation(),
                           realisations = (solver_.samples_done() - place + each - 1) / each;
        spectrum_.moments.assign(spectrum_.factors.size(), 0.0);
        for (std::int64_t r = 0; r < realisations; ++r) add(solver_.sample(r * each + place));
        for (double& moment : spectrum_.moments) moment /= static_cast<double>(realisations);
        const std::vector<double> values = what_(spectrum_);
        std::copy(values.begin(), values.end(), value);
        if (!error) return;
        if (realisations < 2) {
            std::fill_n(error, n_, is_random(solver_.hamiltonian()) ? std::numeric_limits<double>::quiet_NaN() : 0.0);
            return;
        }
        // Welford's running mean and sum of squared deviations.
        std::vector<double> mean(n_);
        std::fill_n(error, n_, 0.0);
        for (std::int64_t r = 0; r < realisations; ++r) {
            const std::span<const double> sample = solver_.sample(r * each + place);
            spectrum_.moments.assign(sample.begin(), sample.end());
            const std::vector<double> one = what_(spectrum_);
            for (std::size_t i = 0; i < n_; ++i) {
                const double deviation = one[i] - mean[i];
                mean[i] += deviation / static_cast<double>(r + 1);
                error[i] += deviation * (one[i] - mean[i]);
            }
        }
        const auto count = static_cast<double>(realisations);
        for (std::size_t i = 0; i < n_; ++i) error[i] = std::sqrt(error[i] / (count * (count - 1)));
    }

  private:
    void add(std::span<const double> sample) {
        for (std::size_t i = 0; i < sample.size(); ++i) spectrum_.moments[i] += sample[i];
    }

    const Solver& solver_;
    Spectrum spectrum_;
    std::size_t n_;
    const std::function<std::vector<double>(const Spectrum&)>& what_;
};

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

}  // namespace

void estimate_places(const Solver& solver, const Places& places, Kernel kernel, double lambda, std::size_t n,
                     const std::function<std::vector<double>(const Spectrum&)>& what, std::span<double> value,
                     std::span<double> error) {
    require_places(solver, places);
    const int threads = solver.context().threads();
    const bool side_by_side = places.count >= threads;
    Spectrum spectrum = spectrum_of(solver, 0, kernel, lambda);
    Pauses pauses(solver.estimate_progress(), places.count);
    std::atomic<bool> stopped = false;
    const std::thread::id caller = std::this_thread::get_id();
    // The callback is called in the calling thread only. The other threads stop when it has asked to.
    const auto pause = [&] {
        if (std::this_thread::get_id() != caller) {
            if (stopped) fail(Status::cancelled, "kpm: stopped by the progress callback");
            return;
        }
        try {
            pauses.pause();
        } catch (...) {
            stopped = true;
            throw;
        }
    };
    spectrum.effort = {side_by_side ? 1 : threads, pause};
    Rounds rounds(places.count, side_by_side ? threads : 1);
    while (rounds.next()) {
        in_parallel(static_cast<std::size_t>(rounds.last - rounds.first), rounds.threads, [&](std::size_t i) {
            const std::int64_t row = rounds.first + static_cast<std::int64_t>(i);
            const std::size_t at = static_cast<std::size_t>(row) * n;
            PlaceEstimates(solver, spectrum, n, what)
                .compute(places.first + row, value.data() + at, error.empty() ? nullptr : error.data() + at);
        });
        pauses.next(rounds.last - rounds.first);
    }
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
    constexpr std::size_t least_energies = 1 << 13;  // minimum for each thread
    Spectrum spectrum = spectrum_of(solver, sample, kernel, lambda);
    const bool has_spread = with_error && !solver.exact() && sample == mean_of_samples;
    const std::int64_t count = solver.independent_samples();
    Pauses pauses(solver.estimate_progress(), 1 + (has_spread ? count : 0));
    spectrum.effort.pause = [&] { pauses.pause(); };
    Estimate result{what(spectrum), {}};
    result.error.assign(result.value.size(), 0.0);
    if (!with_error || solver.exact()) return result;
    const std::size_t n = result.value.size();
    if (sample != mean_of_samples || count < 2) {
        result.error.assign(n, std::numeric_limits<double>::quiet_NaN());
        return result;
    }
    const auto threads = static_cast<int>(
        std::clamp<std::size_t>(n / least_energies, 1, static_cast<std::size_t>(solver.context().threads())));
    // Welford's running mean and sum of squared deviations.
    std::vector<double> mean(n), squares(n);
    for (std::int64_t k = 0; k < count; ++k) {
        spectrum.moments = solver.independent_sample(k);
        pauses.next();
        const std::vector<double> values = what(spectrum);
        in_team(threads, [&](const Team& team) {
            const auto [first, last] = team.share(n);
            for (std::size_t i = first; i < last; ++i) {
                const double deviation = values[i] - mean[i];
                mean[i] += deviation / static_cast<double>(k + 1);
                squares[i] += deviation * (values[i] - mean[i]);
            }
        });
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
