#include "kpm/conductivity.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/parallel.hpp"
#include "core/validate.hpp"
#include "kpm/cosine_transform.hpp"
#include "kpm/double_series.hpp"
#include "kpm/problem.hpp"

namespace legato::kpm {
namespace {

using std::numbers::pi;

void validate(const DoubleSpectrum& s) {
    require_integer("kpm.correlation.moments", static_cast<std::int64_t>(s.count), 2, max_moments / 4);
    const auto size = static_cast<std::int64_t>(s.moments.size()), n = static_cast<std::int64_t>(s.count);
    require_integer("kpm.correlation.moments", size, n * n, n * n);
    for (std::size_t k = 0; k < s.moments.size(); ++k)
        for (const double part : {s.moments[k].real(), s.moments[k].imag()})
            require_real([&] { return text("kpm.correlation.moments[", k / s.count, "][", k % s.count, "]"); }, part,
                         -max_double_moment, max_double_moment);
    require_real("kpm.spectrum.centre", s.centre, -max_element, max_element);
    require_real("kpm.spectrum.half_width", s.half_width, 1 / max_element, max_element * 100);
}

void require_temperature(double temperature) {
    require_real("kpm.temperature", temperature, 0.0, max_element);
}

void require_potentials(std::span<const double> potentials) {
    require_integer("kpm.n", static_cast<std::int64_t>(potentials.size()), 1, std::numeric_limits<std::int64_t>::max());
    for (std::size_t i = 0; i < potentials.size(); ++i)
        require_real([&] { return text("kpm.chemical_potentials[", i, "]"); }, potentials[i], -max_element,
                     max_element);
}

// Returns h_n g_n: the factors of the kernel, twice those of n > 0.
std::vector<double> factors_of(const DoubleSpectrum& s) {
    std::vector<double> factors = kernel_factors(s.kernel, static_cast<int>(s.count), s.lambda);
    for (std::size_t n = 1; n < factors.size(); ++n) factors[n] *= 2;
    return factors;
}

void pause(const Effort& effort) {
    if (effort.pause) effort.pause();
}

// Adds the cosines of cos(m theta) sum_n d_n cos(n theta) to c.
void add_product(std::size_t m, std::span<const double> d, std::span<double> c) {
    for (std::size_t n = 0; n < d.size(); ++n) c[m + n] += d[n] / 2;
    for (std::size_t n = 0; n < std::min(m, d.size()); ++n) c[m - n] += d[n] / 2;
    for (std::size_t n = m; n < d.size(); ++n) c[n - m] += d[n] / 2;
}

// Returns the spectrum whose density of states is the sum of c_n cos(n theta) divided by pi half_width sin(theta).
Spectrum of_cosines(const DoubleSpectrum& s, std::vector<double> c) {
    for (std::size_t n = 1; n < c.size(); ++n) c[n] /= 2;
    Spectrum spectrum{std::move(c), s.centre, s.half_width, Kernel::dirichlet, s.lambda, s.effort};
    spectrum.factors.assign(spectrum.moments.size(), 1.0);
    return spectrum;
}

// Returns the spectrum whose density of states, divided by half_width sin(theta), is the conductivity at T = 0:
//     sigma = sum_mn h_m h_n g_m g_n Re mu_mn cos(m theta) cos(n theta) / (pi half_width^2 sin^2(theta)).
Spectrum greenwood_spectrum(const DoubleSpectrum& s) {
    const std::vector<double> factors = factors_of(s);
    std::vector<double> c(2 * s.count - 1), d(s.count);
    for (std::size_t m = 0; m < s.count; ++m) {
        for (std::size_t n = 0; n < s.count; ++n) d[n] = factors[m] * factors[n] * s.moments[m * s.count + n].real();
        add_product(m, d, c);
        pause(s.effort);
    }
    return of_cosines(s, std::move(c));
}

std::vector<double> greenwood_at(const Spectrum& series, std::span<const double> energies) {
    std::vector<double> sigma = density_of_states(series, energies);
    for (std::size_t i = 0; i < sigma.size(); ++i) {
        const double e = std::abs(energies[i] - series.centre);
        if (e < series.half_width) sigma[i] /= std::sqrt((series.half_width - e) * (series.half_width + e));
    }
    return sigma;
}

constexpr int tail = 40;  // -df/dE is negligible that many temperatures away

// Returns -T df/dE of x = (E - mu) / T.
double thermal_weight(double x) {
    const double root = 2 * std::cosh(std::min(std::abs(x), 700.0) / 2);
    return 1 / (root * root);
}

// Averages over nodes of the energy: sigma(mu) = sum_k w_k [-df/dE](E_k) sigma(E_k).
struct Nodes {
    std::vector<double> energies, values;  // w_k sigma(E_k)
};

Nodes chebyshev_nodes(const Spectrum& series, int points) {
    Nodes nodes{{}, weighted_density_at_nodes(series, points)};
    const std::size_t count = nodes.values.size();
    for (std::size_t k = 0; k < count; ++k) {
        nodes.energies.push_back(energy_of_node(series, k, count));
        const double theta = pi * (static_cast<double>(k) + 0.5) / static_cast<double>(count);
        nodes.values[k] /= static_cast<double>(count) * series.half_width * std::sin(theta);
    }
    return nodes;
}

// Averages at so low a temperature that there would be too many Chebyshev nodes. The Gauss-Legendre rule of 8 points in
// panels of the width T is accurate to rounding: -df/dE has its poles pi T away.
double cold_average(const Spectrum& series, double mu, double temperature) {
    static constexpr std::array<double, 4> points{0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                                  0.9602898564975363};
    static constexpr std::array<double, 4> weights{0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                                   0.1012285362903763};
    std::vector<double> x, w, energies;
    for (int panel = -tail; panel < tail; ++panel)
        for (std::size_t i = 0; i < 2 * points.size(); ++i) {
            x.push_back(panel + 0.5 + (i % 2 == 0 ? 0.5 : -0.5) * points[i / 2]);
            w.push_back(weights[i / 2] / 2 * thermal_weight(x.back()));
            energies.push_back(mu + temperature * x.back());
        }
    const std::vector<double> sigma = greenwood_at(series, energies);
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += w[i] * sigma[i];
    return sum;
}

std::vector<double> thermal_greenwood(const Spectrum& series, std::span<const double> potentials, double temperature) {
    constexpr double most = 1 << 21;
    // The error of P nodes is exp(-(2 P - 2 N) pi T / half_width), because of the poles of -df/dE.
    const double wanted =
        static_cast<double>(series.moments.size()) / 2 + 8 * std::max(series.half_width / temperature, 4.0) + 0.5;
    std::vector<double> sigma(potentials.size());
    if (wanted > most) {
        Spectrum serial = series;
        serial.effort = {.threads = 1, .pause = {}};
        for (std::size_t i = 0; i < sigma.size(); ++i) {
            sigma[i] = cold_average(serial, potentials[i], temperature);
            pause(series.effort);
        }
        return sigma;
    }
    const auto points = std::bit_ceil(std::max(static_cast<std::size_t>(wanted), series.moments.size()));
    const Nodes nodes = chebyshev_nodes(series, static_cast<int>(points));
    Rounds rounds(static_cast<std::int64_t>(sigma.size()), series.effort.threads);
    while (rounds.next()) {
        in_team(rounds.threads, [&](const Team& team) {
            const auto [first, last] = team.share(static_cast<std::size_t>(rounds.last - rounds.first));
            for (std::size_t i = first; i < last; ++i) {
                const std::size_t at = static_cast<std::size_t>(rounds.first) + i;
                const NodeRange near = nodes_between(series, potentials[at] - tail * temperature,
                                                     potentials[at] + tail * temperature, nodes.energies.size());
                for (std::size_t k = near.first; k < near.last; ++k)
                    sigma[at] += nodes.values[k] * thermal_weight((nodes.energies[k] - potentials[at]) / temperature);
                sigma[at] /= temperature;
            }
        });
        pause(series.effort);
    }
    return sigma;
}

// Replaces the coefficients of sum_n d_n U'_(n-1)(x), where U is Chebyshev's polynomial of the second kind, by those of
// the same function as a sum of T_k(x):    U'_(n-1) = sum_(k < n, n - k even) (n^2 - k^2) T_k / (1 + delta_k0).
void differentiate(std::span<double> d) {
    double sums[2][2] = {};  // of d_n and of n^2 d_n for even and for odd n
    for (std::size_t k = d.size(); k-- > 0;) {
        const double square = static_cast<double>(k) * static_cast<double>(k), value = d[k];
        auto& [sum, squares] = sums[k % 2];
        d[k] = (squares - square * sum) / (k == 0 ? 2 : 1);
        sum += value;
        squares += square * value;
    }
}

// The Hall conductivity is that of the energies below mu, the number of "electrons" of this spectrum, less the parts
// from the two ends of the interval.
struct HallSpectrum {
    Spectrum spectrum;
    double lower_end = 0, upper_end = 0;
};

// With Re G+ = -(1 / half_width) sum_n h_n g_n U_(n-1) T_n and W_mn = h_m h_n g_m g_n Im(mu_nm - mu_mn),
//     sigma = (1 / (pi half_width^2)) int dtheta f sum_mn W_mn cos(m theta) U'_(n-1)(cos(theta)).
// Near theta = 0 the integral of a term comes to pi W_mn (n^2 - m^2) / 8, if the parts of (m, n) and (n, m) are added.
// It comes to the same times (-1)^(m+n) near theta = pi. These parts are delta functions of the kernels' tails at the
// ends, which would vanish for infinite N, but are large and noisy sums.
HallSpectrum hall_spectrum(const DoubleSpectrum& s) {
    const std::vector<double> factors = factors_of(s);
    std::vector<double> c(2 * s.count - 1), d(s.count);
    HallSpectrum result;
    for (std::size_t m = 0; m < s.count; ++m) {
        for (std::size_t n = 0; n < s.count; ++n) {
            d[n] = factors[m] * factors[n] * (s.moments[n * s.count + m].imag() - s.moments[m * s.count + n].imag());
            const double row = static_cast<double>(m), column = static_cast<double>(n);
            const double end = d[n] * (column - row) * (column + row) / 8;
            result.upper_end += end;
            result.lower_end += (m + n) % 2 == 0 ? end : -end;
        }
        differentiate(d);
        add_product(m, d, c);
        pause(s.effort);
    }
    result.spectrum = of_cosines(s, std::move(c));
    return result;
}

double fermi(double energy, double mu, double temperature) {
    if (temperature == 0) return energy < mu ? 1 : 0;
    const double x = (energy - mu) / temperature;
    return x > 0 ? std::exp(-x) / (1 + std::exp(-x)) : 1 / (1 + std::exp(x));
}

double angle(double energy, double half_width) {
    const double e = std::clamp(energy, -half_width, half_width);
    return 2 * std::atan2(std::sqrt(half_width - e), std::sqrt(half_width + e));
}

// Returns int dE f(E) Tr[A delta(E - H) B delta(E + omega - H)] / D at two chemical potentials, the first minus the
// second. E is between the lower end E_- and E_+ - omega. With E = middle + half cos(phi) there, the integral is
//     int dphi f(E) B(theta, theta') / (pi^2 sqrt((E_+ - E) (E + omega - E_-))).
// This is smooth, and its cosines are known from its values at the nodes.
double joint_density(const DoubleSpectrum& s, const DoubleSeries& series, double omega,
                     std::array<double, 2> potentials, double temperature) {
    const double a = s.half_width, half = a - omega / 2;
    // The root is singular at omega beyond the ends.
    const double needed = 2 * static_cast<double>(s.count) + 30 / std::sqrt(2 * omega / half);
    const auto points = std::bit_ceil(std::max(4 * s.count, static_cast<std::size_t>(needed)));
    std::vector<double> values(points);
    for (std::size_t k = 0; k < points; ++k) {
        const double phi = pi * (static_cast<double>(k) + 0.5) / static_cast<double>(points);
        const double energy = half * std::cos(phi) - omega / 2, higher = energy + omega;  // from the centre
        values[k] = series(angle(energy, a), angle(higher, a)) / (pi * std::sqrt((a - energy) * (a + higher)));
    }
    std::vector<double> c = cosines_of(values);
    for (std::size_t n = 1; n < c.size(); ++n) c[n] /= 2;
    Spectrum joint{std::move(c), s.centre - omega / 2, half, Kernel::dirichlet};
    const std::vector<double> numbers = electron_numbers(joint, potentials, temperature);
    return numbers[0] - numbers[1];
}

}  // namespace

std::vector<double> greenwood(const DoubleSpectrum& spectrum, std::span<const double> chemical_potentials,
                              double temperature) {
    validate(spectrum);
    require_potentials(chemical_potentials);
    require_temperature(temperature);
    const Spectrum series = greenwood_spectrum(spectrum);
    return temperature == 0 ? greenwood_at(series, chemical_potentials)
                            : thermal_greenwood(series, chemical_potentials, temperature);
}

std::vector<double> hall(const DoubleSpectrum& spectrum, std::span<const double> chemical_potentials,
                         double temperature) {
    validate(spectrum);
    require_potentials(chemical_potentials);
    require_temperature(temperature);
    const HallSpectrum series = hall_spectrum(spectrum);
    std::vector<double> sigma = electron_numbers(series.spectrum, chemical_potentials, temperature);
    const double a = spectrum.half_width;
    for (std::size_t i = 0; i < sigma.size(); ++i) {
        const double mu = chemical_potentials[i];
        sigma[i] -= series.lower_end * fermi(spectrum.centre - a, mu, temperature) +
                    series.upper_end * fermi(spectrum.centre + a, mu, temperature);
        sigma[i] /= a * a;
    }
    return sigma;
}

std::vector<double> bastin(const DoubleSpectrum& spectrum, std::span<const double> chemical_potentials,
                           double temperature) {
    std::vector<double> sigma = greenwood(spectrum, chemical_potentials, temperature);
    const std::vector<double> antisymmetric = hall(spectrum, chemical_potentials, temperature);
    for (std::size_t i = 0; i < sigma.size(); ++i) sigma[i] += antisymmetric[i];
    return sigma;
}

std::vector<double> optical(const DoubleSpectrum& spectrum, std::span<const double> frequencies,
                            double chemical_potential, double temperature) {
    validate(spectrum);
    require_temperature(temperature);
    require_real("kpm.chemical_potential", chemical_potential, -max_element, max_element);
    require_integer("kpm.n", static_cast<std::int64_t>(frequencies.size()), 1,
                    std::numeric_limits<std::int64_t>::max());
    for (std::size_t i = 0; i < frequencies.size(); ++i)
        require_real([&] { return text("kpm.frequencies[", i, "]"); }, frequencies[i], 1 / max_element, max_element);
    constexpr double least = 1e-7;  // frequency in units of half_width below which rounding exceeds (N omega)^2
    const std::vector<double> limit = greenwood(spectrum, std::span(&chemical_potential, 1), temperature);
    const std::vector<double> factors = factors_of(spectrum);
    std::vector<double> coefficients(spectrum.moments.size());
    for (std::size_t m = 0; m < spectrum.count; ++m)
        for (std::size_t n = 0; n < spectrum.count; ++n)
            coefficients[m * spectrum.count + n] =
                factors[m] * factors[n] * spectrum.moments[m * spectrum.count + n].real();
    const DoubleSeries series(coefficients, spectrum.count, spectrum.effort);
    std::vector<double> sigma(frequencies.size());
    Rounds rounds(static_cast<std::int64_t>(sigma.size()), spectrum.effort.threads);
    while (rounds.next()) {
        in_parallel(static_cast<std::size_t>(rounds.last - rounds.first), rounds.threads, [&](std::size_t i) {
            const std::size_t at = static_cast<std::size_t>(rounds.first) + i;
            const double omega = frequencies[at];
            if (omega >= 2 * spectrum.half_width) return;
            if (omega < least * spectrum.half_width) {
                sigma[at] = limit[0];
                return;
            }
            sigma[at] =
                pi / omega *
                joint_density(spectrum, series, omega, {chemical_potential, chemical_potential - omega}, temperature);
        });
        pause(spectrum.effort);
    }
    return sigma;
}

}  // namespace legato::kpm
