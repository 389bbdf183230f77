#include "vmc/pair_function.hpp"

#include <algorithm>
#include <cmath>

#include "core/validate.hpp"

namespace legato::vmc {
namespace {

// Bound for rounding errors. Differences of cosines of a cluster's wave vectors are zero, or far above it.
constexpr double rounding = 1e-12;

double gap_of(const PairParameters& p, double cos_x, double cos_y) {
    const double difference = cos_x - cos_y;
    if (std::abs(difference) < rounding) return 0.0;
    return (p.gap == Gap::a ? p.delta / 2 : p.delta) * difference;
}

double band_of(const PairParameters& p, double cos_x, double cos_y) {
    const double twice = 2 * cos_x * cos_x + 2 * cos_y * cos_y - 2;  // cos 2kx + cos 2ky
    return -2 * p.variational_t * (cos_x + cos_y) - 4 * p.variational_t_prime * cos_x * cos_y -
           2 * p.variational_t_double_prime * twice - p.mu;
}

// Returns true if xi_k is 0 within rounding errors.
bool is_zero_band(const PairParameters& p, double band) {
    return std::abs(band) <= rounding * (std::abs(p.variational_t) + std::abs(p.variational_t_prime) +
                                         std::abs(p.variational_t_double_prime) + std::abs(p.mu));
}

// Returns Delta / (xi + E) without loss of digits for xi < 0.
double amplitude(double gap, double band) {
    const double energy = std::hypot(band, gap);
    return band >= 0 ? gap / (band + energy) : (energy - band) / gap;
}

std::vector<double> mode(const Geometry& geometry, std::size_t k, double (*function)(double)) {
    std::vector<double> values(geometry.sites());
    for (std::size_t site = 0; site < values.size(); ++site) values[site] = function(geometry.phase(k, site));
    return values;
}
double cosine(double x) {
    return std::cos(x);
}
double sine(double x) {
    return std::sin(x);
}

// Returns the modes of the divergent wave vectors. One wave vector of each pair k, -k stands for both.
std::vector<std::vector<double>> modes_of(const Geometry& geometry, const std::vector<std::size_t>& divergent) {
    std::vector<std::vector<double>> modes;
    std::vector<std::size_t> taken;
    const auto opposite = [&](std::size_t a, std::size_t b) {
        const auto k = geometry.wave_vector(a), q = geometry.wave_vector(b);
        return std::abs(std::sin((k[0] + q[0]) / 2)) < rounding && std::abs(std::sin((k[1] + q[1]) / 2)) < rounding;
    };
    for (const std::size_t k : divergent) {
        bool is_new = true;
        for (const std::size_t other : taken) is_new = is_new && !opposite(k, other);
        if (!is_new) continue;
        taken.push_back(k);
        modes.push_back(mode(geometry, k, cosine));
        if (!opposite(k, k)) modes.push_back(mode(geometry, k, sine));
    }
    return modes;
}

// Returns d phi_k / d parameter from d phi / d Delta = xi phi / (E Delta) and d phi / d xi = - phi / E.
double amplitude_derivative(const PairParameters& p, double cos_x, double cos_y, Parameter by) {
    const double gap = gap_of(p, cos_x, cos_y), band = band_of(p, cos_x, cos_y), energy = std::hypot(band, gap);
    if (gap == 0) return 0;
    const double phi = amplitude(gap, band);
    switch (by) {
        case Parameter::delta:
            return band * phi / (energy * p.delta);
        case Parameter::mu:
            return phi / energy;
        case Parameter::t_prime:
            return 4 * cos_x * cos_y * phi / energy;
        case Parameter::t_double_prime:
            return 2 * (2 * cos_x * cos_x + 2 * cos_y * cos_y - 2) * phi / energy;
    }
    return 0;
}

// Returns a power of two near the largest element. Modes of a different size would make the matrix badly conditioned.
double size_of(const std::vector<double>& phi) {
    double largest = 0;
    for (const double value : phi) largest = std::max(largest, std::abs(value));
    return largest > 0 ? std::ldexp(1.0, std::ilogb(largest)) : 1.0;
}

PairFunction table_of(const Geometry& geometry, const std::vector<double>& phi,
                      const std::vector<std::vector<double>>& modes) {
    PairFunction pair;
    pair.sites = geometry.sites();
    pair.modes = modes.size();
    const std::size_t order = pair.order();
    pair.values.assign(order * order, 0.0);
    for (std::size_t a = 0; a < pair.sites; ++a)
        for (std::size_t b = 0; b < pair.sites; ++b) {
            const SignedSite r = geometry.difference(a, b);
            pair.values[a * order + b] = r.sign * phi[static_cast<std::size_t>(r.site)];
        }
    const double size = size_of(phi);
    for (std::size_t m = 0; m < pair.modes; ++m)
        for (std::size_t a = 0; a < pair.sites; ++a)
            pair.values[a * order + pair.sites + m] = pair.values[(pair.sites + m) * order + a] = size * modes[m][a];
    pair.transposed.resize(order * order);
    for (std::size_t a = 0; a < order; ++a)
        for (std::size_t b = 0; b < order; ++b) pair.transposed[b * order + a] = pair.values[a * order + b];
    return pair;
}

}  // namespace

PairAmplitudes pair_amplitudes(const Geometry& geometry, const PairParameters& parameters) {
    PairAmplitudes amplitudes{std::vector<double>(geometry.sites()), {}};
    for (std::size_t k = 0; k < geometry.sites(); ++k) {
        const auto [kx, ky] = geometry.wave_vector(k);
        const double cos_x = std::cos(kx), cos_y = std::cos(ky);
        const double gap = gap_of(parameters, cos_x, cos_y), band = band_of(parameters, cos_x, cos_y);
        if (gap != 0)
            amplitudes.finite[k] = amplitude(gap, band);
        else if (is_zero_band(parameters, band))
            fail(Status::invalid_argument, "vmc.params.mu: ", parameters.mu, " makes xi_k and Delta_k zero at k = (",
                 kx, ", ", ky, "), where the pair amplitude is not defined");
        else if (band < 0)
            amplitudes.divergent.push_back(k);
    }
    return amplitudes;
}

std::size_t count_modes(const Geometry& geometry, const PairAmplitudes& amplitudes) {
    return modes_of(geometry, amplitudes.divergent).size();
}

std::vector<double> pair_function_of(const Geometry& geometry, const PairAmplitudes& amplitudes) {
    const std::size_t sites = geometry.sites();
    std::vector<double> phi(sites);
    for (std::size_t r = 0; r < sites; ++r) {
        for (std::size_t k = 0; k < sites; ++k)
            if (amplitudes.finite[k] != 0) phi[r] += amplitudes.finite[k] * std::cos(geometry.phase(k, r));
        phi[r] /= static_cast<double>(sites);
    }
    return phi;
}

PairFunction pair_function(const Geometry& geometry, const PairParameters& parameters, const PairTable& table) {
    if (table.values.empty()) {
        const PairAmplitudes amplitudes = pair_amplitudes(geometry, parameters);
        return table_of(geometry, pair_function_of(geometry, amplitudes), modes_of(geometry, amplitudes.divergent));
    }
    std::vector<std::vector<double>> modes;
    if (table.divergent_zero) modes.emplace_back(geometry.sites(), 1.0);
    return table_of(geometry, table.values, modes);
}

std::vector<double> pair_derivative(const Geometry& geometry, const PairParameters& parameters, Parameter by) {
    PairAmplitudes amplitudes = pair_amplitudes(geometry, parameters);
    for (std::size_t k = 0; k < geometry.sites(); ++k) {
        const auto [kx, ky] = geometry.wave_vector(k);
        amplitudes.finite[k] = amplitude_derivative(parameters, std::cos(kx), std::cos(ky), by);
    }
    const std::vector<std::vector<double>> constant(count_modes(geometry, amplitudes),
                                                    std::vector<double>(geometry.sites()));
    return table_of(geometry, pair_function_of(geometry, amplitudes), constant).transposed;
}

void validate(const PairTable& table, std::int64_t sites) {
    const std::vector<double>& phi = table.values;
    if (phi.empty()) return;
    require_integer("vmc.n_pair_function", static_cast<std::int64_t>(phi.size()), sites, sites);
    for (std::size_t r = 0; r < phi.size(); ++r)
        require_real(text("vmc.pair_function[", r, "]"), phi[r], -1e100, 1e100);
}

}  // namespace legato::vmc
