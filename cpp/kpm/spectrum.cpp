#include "kpm/spectrum.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/parallel.hpp"
#include "core/validate.hpp"
#include "kpm/cosine_transform.hpp"
#include "kpm/problem.hpp"

namespace legato::kpm {
namespace {

using std::numbers::pi;

void validate(const Spectrum& s) {
    require_integer("kpm.spectrum.moments", static_cast<std::int64_t>(s.moments.size()), 2, max_moments);
    for (std::size_t n = 0; n < s.moments.size(); ++n)
        if (!(std::abs(s.moments[n]) <= max_element))
            require_real(text("kpm.spectrum.moments[", n, "]"), s.moments[n], -max_element, max_element);
    require_real("kpm.spectrum.centre", s.centre, -max_element, max_element);
    require_real("kpm.spectrum.half_width", s.half_width, 1 / max_element, max_element * 100);
}

void require_energies(std::span<const double> energies) {
    require_integer("kpm.n", static_cast<std::int64_t>(energies.size()), 1, std::numeric_limits<std::int64_t>::max());
    for (std::size_t i = 0; i < energies.size(); ++i)
        if (!(std::abs(energies[i]) <= max_element))
            require_real(text("kpm.energies[", i, "]"), energies[i], -max_element, max_element);
}

// Returns the coefficients g_0 mu_0 and 2 g_n mu_n.
std::vector<double> coefficients(const Spectrum& s) {
    validate(s);
    std::vector<double> c =
        s.factors.empty() ? kernel_factors(s.kernel, static_cast<int>(s.moments.size()), s.lambda) : s.factors;
    for (std::size_t n = 0; n < c.size(); ++n) c[n] *= (n == 0 ? 1 : 2) * s.moments[n];
    return c;
}

struct Series {
    double cosine, sine;
};

// Returns the sums of c_n cos(n theta) and c_n sin(n theta) by Clenshaw's recurrence for `count` angles, whose chains
// of operations overlap. The form of C. H. Reinsch, with the differences d_k = b_k -+ b_(k+1) instead of the b_k, keeps
// its accuracy near 0 and pi.
template <std::size_t count>
std::array<Series, count> sum_series(std::span<const double> c, const std::array<double, count>& theta) {
    std::array<double, count> sign, factor, b{}, d{};
    for (std::size_t l = 0; l < count; ++l) {
        const bool near_zero = theta[l] <= pi / 2;
        const double half = near_zero ? std::sin(theta[l] / 2) : std::cos(theta[l] / 2);
        sign[l] = near_zero ? 1 : -1;
        factor[l] = -4 * sign[l] * half * half;  // 2 cos(theta) - 2 sign
    }
    for (std::size_t n = c.size(); n-- > 1;)
        for (std::size_t l = 0; l < count; ++l) {
            d[l] = c[n] + factor[l] * b[l] + sign[l] * d[l];
            b[l] = d[l] + sign[l] * b[l];
        }
    std::array<Series, count> sums;
    for (std::size_t l = 0; l < count; ++l) {
        // Now b = b_1 and b_2 = sign (b_1 - d_1).
        const double cosine = std::cos(theta[l]);
        sums[l] = {c[0] + b[l] * cosine - sign[l] * (b[l] - d[l]), b[l] * std::sin(theta[l])};
    }
    return sums;
}
Series sum_series(std::span<const double> c, double theta) {
    return sum_series<1>(c, {theta})[0];
}

// Returns arccos e, accurate to the rounding of the energy also near the ends of the interval.
double angle(const Spectrum& s, double energy) {
    const double e = std::clamp(energy - s.centre, -s.half_width, s.half_width);
    return 2 * std::atan2(std::sqrt(s.half_width - e), std::sqrt(s.half_width + e));
}

bool inside(const Spectrum& s, double energy) {
    return std::abs(energy - s.centre) < s.half_width;
}

// Returns pi half_width sqrt(1 - e^2), accurate to rounding also near the ends of the interval.
double weight(const Spectrum& s, double energy) {
    const double e = std::abs(energy - s.centre);
    return pi * std::sqrt((s.half_width - e) * (s.half_width + e));
}

// Refuses numbers of points P with a large prime factor. Kiss FFT takes P p operations for a prime factor p of P.
void require_fast(int points) {
    constexpr std::int64_t most = std::int64_t{1} << 33;
    std::int64_t rest = points, largest = 1;
    for (std::int64_t p = 2; p * p <= rest; ++p)
        for (; rest % p == 0; rest /= p) largest = p;
    largest = std::max(largest, rest);
    if (points * largest > most)
        fail(Status::invalid_argument, "kpm.n: ", points, " has the prime factor ", largest,
             ", too large for a fast transform; take ", std::bit_ceil(static_cast<unsigned>(points)));
}

double node_angle(std::size_t k, std::size_t points) {
    return pi * (static_cast<double>(k) + 0.5) / static_cast<double>(points);
}

// Returns the Fermi function of x = (E - mu) / T.
double occupation(double x) {
    return x > 0 ? std::exp(-x) / (1 + std::exp(-x)) : 1 / (1 + std::exp(x));
}

// Returns the coefficients of the integral of the series: c_0 of theta, and c_n / n of sin(n theta).
std::vector<double> integrated(std::vector<double> c) {
    for (std::size_t n = 1; n < c.size(); ++n) c[n] /= static_cast<double>(n);
    return c;
}

// Returns the number of states below the angle theta: the integral over pi .. theta, divided by pi. `series` has the
// sums of the integral's coefficients at this angle.
double states_below(std::span<const double> integral, double theta, const Series& series) {
    if (theta >= pi) return 0;
    if (theta <= 0) return integral[0];
    return integral[0] * (1 - theta / pi) - series.sine / pi;
}
double states_below(std::span<const double> integral, double theta) {
    return states_below(integral, theta, sum_series(integral, theta));
}

// Calls use(i, theta, series) for each energy with its angle and the sums of the coefficients `c` there. All threads
// take part, each with several energies at a time.
template <class Use>
void at_energies(const Spectrum& s, std::span<const double> c, std::span<const double> energies, const Use& use) {
    constexpr std::size_t together = 8;
    const auto groups = static_cast<std::int64_t>((energies.size() + together - 1) / together);
    const auto one_group = [&](std::size_t group) {
        const std::size_t first = group * together, count = std::min(together, energies.size() - first);
        std::array<double, together> theta{};
        for (std::size_t l = 0; l < count; ++l) theta[l] = angle(s, energies[first + l]);
        const std::array<Series, together> series = sum_series(c, theta);
        for (std::size_t l = 0; l < count; ++l) use(first + l, theta[l], series[l]);
    };
    Rounds rounds(groups, s.effort.threads);
    while (rounds.next()) {
        in_team(rounds.threads, [&](const Team& team) {
            const auto [first, last] = team.share(static_cast<std::size_t>(rounds.last - rounds.first));
            for (std::size_t i = first; i < last; ++i) one_group(static_cast<std::size_t>(rounds.first) + i);
        });
        if (s.effort.pause) s.effort.pause();
    }
}

// The number of electrons of one spectrum at one temperature, as a function of the chemical potential.
class Electrons {
  public:
    Electrons(const Spectrum& spectrum, double temperature)
        : spectrum_(spectrum), temperature_(temperature), c_(coefficients(spectrum)), integral_(integrated(c_)) {
        require_real("kpm.temperature", temperature, 0.0, max_element);
        prepare_nodes();
    }

    double operator()(double mu) const {
        if (temperature_ == 0) return states_below(integral_, angle(spectrum_, mu));
        if (nodes_.empty()) return states_below(integral_, angle(spectrum_, mu)) + thermal(mu, 1) - thermal(mu, -1);
        // Nodes whose occupation is not 1 to rounding and not 0. Below exp(-746), exp underflows to 0; tiny occupations
        // matter if there are nearly no electrons.
        const NodeRange partial = nodes_between(spectrum_, mu - tail * temperature_, mu + 746 * temperature_, count());
        double sum = below_[partial.last];
        for (std::size_t k = partial.first; k < partial.last; ++k)
            sum += nodes_[k] * occupation((energy(node_angle(k, count())) - mu) / temperature_);
        return sum / static_cast<double>(count());
    }

    double mu_0() const { return c_[0]; }

  private:
    // Prepares the nodes of the Gauss-Chebyshev rule. With P nodes its error is exp(-(2 P - N) pi T / half_width),
    // because the Fermi function has its poles pi T away from the real axis.
    void prepare_nodes() {
        constexpr double most = 1 << 21;
        if (temperature_ == 0) return;
        const double wanted =
            static_cast<double>(c_.size()) / 2 + 8 * std::max(spectrum_.half_width / temperature_, 4.0);
        if (wanted > most) return;
        nodes_ = CosineTransform(std::bit_ceil(static_cast<std::size_t>(wanted)), c_.size())(c_);
        below_.resize(count() + 1);
        for (std::size_t k = count(); k-- > 0;) below_[k] = below_[k + 1] + nodes_[k];
    }
    std::size_t count() const { return nodes_.size(); }

    double energy(double theta) const { return spectrum_.centre + spectrum_.half_width * std::cos(theta); }

    // Returns what the tail of the Fermi function on one side of mu adds (above) or takes away (below). The integral is
    // over the angle, in which everything is smooth also at the ends of the interval. Each panel uses the
    // Gauss-Legendre rule of 8 points.
    double thermal(double mu, int side) const {
        static constexpr std::array<double, 4> points{0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                                      0.9602898564975363};
        static constexpr std::array<double, 4> weights{0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                                       0.1012285362903763};
        const double near = angle(spectrum_, mu), far = angle(spectrum_, mu + side * tail * temperature_);
        const double order = static_cast<double>(c_.size());
        const double panels = std::ceil(2 * tail + std::abs(near - far) * order);
        double sum = 0;
        for (double p = 0; p < panels; ++p) {
            const double half = (far - near) / panels / 2, middle = near + (2 * p + 1) * half;
            for (std::size_t i = 0; i < 2 * points.size(); ++i) {
                const double theta = middle + (i % 2 == 0 ? half : -half) * points[i / 2];
                sum += std::abs(half) * weights[i / 2] * sum_series(c_, theta).cosine *
                       occupation(std::abs(energy(theta) - mu) / temperature_);
            }
        }
        return sum / pi;
    }

    static constexpr double tail = 40;  // length of the tail in units of the temperature

    const Spectrum& spectrum_;
    double temperature_;
    std::vector<double> c_, integral_;
    std::vector<double> nodes_;  // values of the series at the nodes; empty if there would be too many
    std::vector<double> below_;  // [k] sum of the values of nodes k and those below it
};

}  // namespace

std::vector<double> kernel_factors(Kernel kernel, int moments, double lambda) {
    require_integer("kpm.kernel", static_cast<int>(kernel), 0, 3);
    require_integer("kpm.spectrum.moments", moments, 1, max_moments);
    if (kernel == Kernel::lorentz) require_real("kpm.lambda", lambda, 1e-6, 1e6);
    const double count = moments, q = pi / (count + 1);
    std::vector<double> g(static_cast<std::size_t>(moments));
    for (std::size_t i = 0; i < g.size(); ++i) {
        const auto n = static_cast<double>(i);
        switch (kernel) {
            case Kernel::jackson:
                g[i] = ((count - n + 1) * std::cos(q * n) + std::sin(q * n) / std::tan(q)) / (count + 1);
                break;
            case Kernel::lorentz:  // sinh(lambda (1 - n / N)) / sinh(lambda)
                g[i] =
                    std::exp(-lambda * n / count) * std::expm1(-2 * lambda * (1 - n / count)) / std::expm1(-2 * lambda);
                break;
            case Kernel::fejer:
                g[i] = 1 - n / count;
                break;
            case Kernel::dirichlet:
                g[i] = 1;
                break;
        }
    }
    return g;
}

std::vector<double> density_of_states(const Spectrum& spectrum, std::span<const double> energies) {
    const std::vector<double> c = coefficients(spectrum);
    require_energies(energies);
    std::vector<double> density(energies.size());
    at_energies(spectrum, c, energies, [&](std::size_t i, double, const Series& series) {
        if (inside(spectrum, energies[i])) density[i] = series.cosine / weight(spectrum, energies[i]);
    });
    return density;
}

std::vector<double> weighted_density_at_nodes(const Spectrum& spectrum, int points) {
    const std::vector<double> c = coefficients(spectrum);
    require_integer("kpm.n", points, static_cast<std::int64_t>(c.size()), max_points);
    require_fast(points);
    return CosineTransform(static_cast<std::size_t>(points), c.size())(c);
}

double energy_of_node(const Spectrum& spectrum, std::size_t k, std::size_t points) {
    return spectrum.centre + spectrum.half_width * std::cos(node_angle(k, points));
}

NodeRange nodes_between(const Spectrum& spectrum, double low, double high, std::size_t points) {
    const auto number = [&](double energy) {
        const double at = angle(spectrum, energy) / pi * static_cast<double>(points) - 0.5;
        return static_cast<std::size_t>(std::clamp(std::ceil(at), 0.0, static_cast<double>(points)));
    };
    return {number(high), number(low)};
}

Curve density_at_nodes(const Spectrum& spectrum, int points) {
    const std::vector<double> weighted = weighted_density_at_nodes(spectrum, points);
    const std::size_t count = weighted.size();
    Curve curve{std::vector<double>(count), std::vector<double>(count)};
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t k = count - 1 - i;
        curve.energies[i] = energy_of_node(spectrum, k, count);
        curve.density[i] = weighted[k] / (pi * spectrum.half_width * std::sin(node_angle(k, count)));
    }
    return curve;
}

// Computes -i [c_0 + sum c_n exp(-i n arccos e)] / sqrt(half_width^2 - (E - centre)^2) inside the interval, and its
// analytic continuation outside.
std::vector<std::complex<double>> greens_function(const Spectrum& spectrum, std::span<const double> energies) {
    const std::vector<double> c = coefficients(spectrum);
    require_energies(energies);
    std::vector<std::complex<double>> green(energies.size());
    for (std::size_t i = 0; i < energies.size(); ++i)
        if (std::abs(energies[i] - spectrum.centre) == spectrum.half_width)
            fail(Status::invalid_argument, "kpm.energies[", i, "]: ", energies[i],
                 " is an end of the interval, where the Green's function is not defined");
    at_energies(spectrum, c, energies, [&](std::size_t i, double, const Series& series) {
        const double energy = energies[i] - spectrum.centre;
        if (inside(spectrum, energies[i])) {
            green[i] = std::complex(-series.sine, -series.cosine) * pi / weight(spectrum, energies[i]);
            return;
        }
        const double e = std::abs(energy) / spectrum.half_width, root = e < 1e150 ? std::sqrt((e - 1) * (e + 1)) : e;
        const double sign = energy > 0 ? 1 : -1, ratio = sign / (e + root);
        double sum = 0;
        for (std::size_t n = c.size(); n-- > 0;) sum = sum * ratio + c[n];
        green[i] = sign * sum / (spectrum.half_width * root);
    });
    return green;
}

std::vector<double> integrated_density(const Spectrum& spectrum, std::span<const double> energies) {
    const std::vector<double> integral = integrated(coefficients(spectrum));
    require_energies(energies);
    std::vector<double> states(energies.size());
    at_energies(spectrum, integral, energies, [&](std::size_t i, double theta, const Series& series) {
        states[i] = states_below(integral, theta, series);
    });
    return states;
}

double electron_number(const Spectrum& spectrum, double chemical_potential, double temperature) {
    const Electrons electrons(spectrum, temperature);
    require_real("kpm.chemical_potential", chemical_potential, -max_chemical_potential, max_chemical_potential);
    return electrons(chemical_potential);
}

std::vector<double> electron_numbers(const Spectrum& spectrum, std::span<const double> chemical_potentials,
                                     double temperature) {
    if (temperature == 0) return integrated_density(spectrum, chemical_potentials);
    const Electrons electrons(spectrum, temperature);
    std::vector<double> numbers(chemical_potentials.size());
    Rounds rounds(static_cast<std::int64_t>(numbers.size()), spectrum.effort.threads);
    while (rounds.next()) {
        in_team(rounds.threads, [&](const Team& team) {
            const auto [first, last] = team.share(static_cast<std::size_t>(rounds.last - rounds.first));
            for (std::size_t i = first; i < last; ++i) {
                const std::size_t at = static_cast<std::size_t>(rounds.first) + i;
                numbers[at] = electrons(chemical_potentials[at]);
            }
        });
        if (spectrum.effort.pause) spectrum.effort.pause();
    }
    return numbers;
}

// Uses bisection, because the number of electrons need not grow everywhere: moments are noisy, and some kernels let the
// density become negative.
double chemical_potential(const Spectrum& spectrum, double electrons, double temperature) {
    const Electrons number(spectrum, temperature);
    if (!(electrons > 0 && electrons < number.mu_0()))
        fail(Status::invalid_argument, "kpm.electrons: ", electrons, " is not in (0, ", number.mu_0(), ")");
    double below = spectrum.centre - spectrum.half_width, above = spectrum.centre + spectrum.half_width;
    // The chemical potential may lie outside an interval that is almost empty or full, where only the tails of the
    // Fermi function are left.
    for (double reach = 1; number(below) > electrons && reach < 1024; reach *= 2) below -= reach * temperature;
    for (double reach = 1; number(above) < electrons && reach < 1024; reach *= 2) above += reach * temperature;
    for (;;) {
        const double middle = below / 2 + above / 2;
        if (middle <= below || middle >= above) return middle;
        (number(middle) < electrons ? below : above) = middle;
    }
}

}  // namespace legato::kpm
