// Compares kernels, densities, Green's function and electron numbers with closed forms and direct sums.
#define BOOST_TEST_MODULE kpm_spectrum
#include <boost/test/unit_test.hpp>
#include <numbers>

#include "kpm/spectrum.hpp"
#include "runs.hpp"

using namespace legato;
using namespace legato::kpm;
using namespace legato::kpm::tests;
using std::numbers::pi;

namespace {

// Returns levels at irregular positions, well inside the interval.
std::vector<double> levels() {
    std::vector<double> energies;
    for (int i = 0; i < 200; ++i) energies.push_back(3 + 1.8 * std::sin(1.7 * i) + 0.1 * std::cos(0.3 * i));
    return energies;
}

Spectrum of_levels(int moments, Kernel kernel = Kernel::jackson) {
    const Rescaling rescaling{3.1, 2.2};
    return {exact_moments(levels(), rescaling, moments), rescaling.centre, rescaling.half_width, kernel};
}

constexpr std::array<Kernel, 4> all_kernels{Kernel::jackson, Kernel::lorentz, Kernel::fejer, Kernel::dirichlet};

// Returns the series at one energy, summed term by term in long double.
std::complex<long double> direct_sum(const Spectrum& s, double energy) {
    const std::vector<double> g = kernel_factors(s.kernel, static_cast<int>(s.moments.size()), s.lambda);
    const long double e = (static_cast<long double>(energy) - s.centre) / s.half_width, theta = std::acos(e);
    std::complex<long double> sum = static_cast<long double>(g[0]) * s.moments[0];
    for (std::size_t n = 1; n < g.size(); ++n)
        sum += 2.0L * g[n] * s.moments[n] * std::polar(1.0L, static_cast<long double>(n) * theta);
    return sum / (s.half_width * std::sqrt((1 - e) * (1 + e)));
}

// Returns the change of the series at an energy by rounding of that energy to eps, with a factor of 4 for the sum
// itself.
double rounding(const Spectrum& s, double energy) {
    const std::vector<double> g = kernel_factors(s.kernel, static_cast<int>(s.moments.size()), s.lambda);
    const double e = (energy - s.centre) / s.half_width, sine = std::sqrt((1 - e) * (1 + e));
    double sum = 0;
    for (std::size_t n = 0; n < g.size(); ++n)
        sum += 2 * std::abs(g[n] * s.moments[n]) * (static_cast<double>(n) / sine + 1 / (sine * sine));
    return 4 * 2.2e-16 * (1 + std::abs(energy) / s.half_width) * sum / (s.half_width * sine);
}

double integral(const Curve& curve, const Spectrum& s) {
    double sum = 0;
    for (std::size_t i = 0; i < curve.energies.size(); ++i) {
        const double e = curve.energies[i] - s.centre;
        sum += curve.density[i] * std::sqrt((s.half_width - e) * (s.half_width + e));
    }
    return pi * sum / static_cast<double>(curve.energies.size());
}

}  // namespace

// Compares Jackson's factors with their definition, a sum over the coefficients of the kernel.  The factors of all
// kernels begin with 1.
BOOST_AUTO_TEST_CASE(kernels) {
    const std::vector<double> g = kernel_factors(Kernel::jackson, 33);
    std::vector<double> a(33);
    double norm = 0;
    for (std::size_t i = 0; i < 33; ++i) {
        a[i] = std::sin(pi * static_cast<double>(i + 1) / 34);
        norm += a[i] * a[i];
    }
    for (std::size_t n = 0; n < 33; ++n) {
        double sum = 0;
        for (std::size_t i = 0; i + n < 33; ++i) sum += a[i] * a[i + n];
        BOOST_TEST(std::abs(g[n] - sum / norm) < 1e-14);
    }
    const std::vector<double> lorentz = kernel_factors(Kernel::lorentz, 50, 4.0);
    BOOST_TEST(std::abs(lorentz[13] - std::sinh(4.0 * (1 - 13 / 50.0)) / std::sinh(4.0)) < 1e-15);
    BOOST_TEST(std::abs(kernel_factors(Kernel::lorentz, 50, 1e5)[1]) < 1e-300);
    BOOST_TEST(kernel_factors(Kernel::fejer, 8)[2] == 0.75);
    for (const Kernel kernel : all_kernels) BOOST_TEST(kernel_factors(kernel, 9)[0] == 1.0, 1e-15);
}

BOOST_AUTO_TEST_CASE(density_and_greens_function_against_direct_sums) {
    for (const Kernel kernel : all_kernels) {
        const Spectrum s = of_levels(1000, kernel);
        std::vector<double> energies;
        for (int i = -50; i <= 50; ++i) energies.push_back(s.centre + s.half_width * std::sin(0.0313 * i));
        energies.push_back(s.centre + s.half_width * (1 - 1e-9));
        energies.push_back(s.centre - s.half_width * (1 - 1e-9));
        const std::vector<double> density = density_of_states(s, energies);
        const auto green = greens_function(s, energies);
        for (std::size_t i = 0; i < energies.size(); ++i) {
            const std::complex<long double> sum = direct_sum(s, energies[i]);
            const double scale = rounding(s, energies[i]);
            BOOST_TEST(std::abs(density[i] - static_cast<double>(sum.real() / std::numbers::pi_v<long double>)) <
                       scale);
            BOOST_TEST(std::abs(green[i].imag() + static_cast<double>(sum.real())) < scale);
            BOOST_TEST(std::abs(green[i].real() + static_cast<double>(sum.imag())) < scale);
        }
    }
}

// Outside the interval G(E) is a sum over poles. Inside, away from all levels, G(E) of the Lorentz kernel is close to
// that sum.
BOOST_AUTO_TEST_CASE(greens_function_of_poles) {
    const Spectrum s = of_levels(400, Kernel::dirichlet);
    for (const double energy : {5.4, 6.0, 9.0, 0.8, -4.0}) {
        double poles = 0;
        for (const double level : levels()) poles += 1 / (energy - level) / 200;
        const auto green = greens_function(s, std::vector{energy})[0];
        BOOST_TEST(std::abs(green.real() - poles) < 1e-12 * std::abs(poles));
        BOOST_TEST(green.imag() == 0.0);
    }
    Spectrum one{{}, 0, 2, Kernel::lorentz, 4};
    one.moments = exact_moments({0.5}, {0, 2}, 4000);
    BOOST_TEST(std::abs(greens_function(one, std::vector{1.0})[0].real() - 2.0) < 1e-3);
    BOOST_TEST(std::abs(greens_function(one, std::vector{-0.5})[0].real() + 1.0) < 1e-3);
}

BOOST_AUTO_TEST_CASE(nodes_and_sum_rules) {
    for (const Kernel kernel : all_kernels) {
        const Spectrum s = of_levels(256, kernel);
        for (const int points : {256, 257, 360, 1024, 4099}) {
            const Curve curve = density_at_nodes(s, points);
            const std::vector<double> density = density_of_states(s, curve.energies);
            for (std::size_t i = 0; i < density.size(); ++i)
                BOOST_TEST(std::abs(curve.density[i] - density[i]) < rounding(s, curve.energies[i]));
            BOOST_TEST(std::is_sorted(curve.energies.begin(), curve.energies.end()));
            BOOST_TEST(std::abs(integral(curve, s) - s.moments[0]) < 1e-12);
        }
        const std::vector<double> states =
            integrated_density(s, std::vector{s.centre - s.half_width, -100.0, s.centre + s.half_width, 1e9});
        BOOST_TEST(states[0] == 0.0);
        BOOST_TEST(states[1] == 0.0);
        BOOST_TEST(std::abs(states[2] - 1) < 1e-14);
        BOOST_TEST(std::abs(states[3] - 1) < 1e-14);
    }
}

// Compares with the integral of the density over the angle by the midpoint rule, which has other nodes.
BOOST_AUTO_TEST_CASE(integrated) {
    const Spectrum s = of_levels(64);
    const double energy = 3.7;
    const double from = std::acos((energy - s.centre) / s.half_width);
    const int panels = 20000;
    double sum = 0;
    for (int p = 0; p < panels; ++p) {
        const double theta = from + (pi - from) * (p + 0.5) / panels;
        const double e = s.centre + s.half_width * std::cos(theta);
        sum += density_of_states(s, std::vector{e})[0] * s.half_width * std::sin(theta) * (pi - from) / panels;
    }
    BOOST_TEST(std::abs(integrated_density(s, std::vector{energy})[0] - sum) < 1e-7);
}

// Tests the arcsine density, whose moments are (1, 0, 0, ..). The number of electrons is known at T = 0, and by
// symmetry.
BOOST_AUTO_TEST_CASE(electrons) {
    Spectrum s{std::vector<double>(32, 0.0), 1.0, 2.0, Kernel::jackson};
    s.moments[0] = 1;
    BOOST_TEST(std::abs(electron_number(s, 1.7, 0) - (1 - std::acos(0.35) / pi)) < 1e-15);
    for (const double temperature : {0.0, 1e-9, 1e-6, 1e-3, 0.1, 2.0, 1e3})
        BOOST_TEST(std::abs(electron_number(s, 1.0, temperature) - 0.5) < 1e-13);
    BOOST_TEST(std::abs(electron_number(s, 1e4, 0.1) - 1) < 1e-13);
    BOOST_TEST(electron_number(s, -1e4, 0.1) < 1e-300);
}

// The two methods to integrate at a finite temperature agree where both work, and both approach the value at T = 0.
BOOST_AUTO_TEST_CASE(temperatures) {
    const Spectrum s = of_levels(200);
    for (const double mu : {0.95, 1.2, 2.9, 4.4, 5.25}) {
        const auto by_nodes = [&](double temperature) {
            const int points = temperature < 1e-5 ? 1 << 22 : 1 << 20;
            const Curve curve = density_at_nodes(s, points);
            double sum = 0;
            for (std::size_t i = 0; i < curve.energies.size(); ++i) {
                const double e = curve.energies[i] - s.centre, x = (curve.energies[i] - mu) / temperature;
                sum += curve.density[i] * std::sqrt((s.half_width - e) * (s.half_width + e)) / (1 + std::exp(x));
            }
            return pi * sum / points;
        };
        // The library integrates panel by panel at 5e-6, and over nodes at 2e-5.
        for (const double temperature : {5e-6, 2e-5, 1e-3, 0.3})
            BOOST_TEST(std::abs(electron_number(s, mu, temperature) - by_nodes(temperature)) < 1e-11);
        BOOST_TEST(std::abs(electron_number(s, mu, 1e-10) - electron_number(s, mu, 0)) < 1e-13);
    }
}

BOOST_AUTO_TEST_CASE(chemical_potentials) {
    for (const Kernel kernel : {Kernel::jackson, Kernel::dirichlet}) {
        const Spectrum s = of_levels(100, kernel);
        for (const double temperature : {0.0, 1e-7, 0.05, 3.0})
            for (const double electrons : {1e-3, 0.25, 0.5, 0.999}) {
                const double mu = chemical_potential(s, electrons, temperature);
                BOOST_TEST(std::abs(electron_number(s, mu, temperature) - electrons) < 1e-12);
            }
    }
}

BOOST_AUTO_TEST_CASE(hostile_input) {
    const auto message = [](auto&& action) {
        const auto [status, text] = failure_of(action);
        BOOST_TEST((status == Status::invalid_argument));
        return text;
    };
    const Spectrum good = of_levels(10);
    const auto changed = [&](auto&& change) {
        Spectrum s = good;
        change(s);
        return message([&] { density_of_states(s, std::vector{3.0}); });
    };
    BOOST_TEST(changed([](Spectrum& s) { s.moments = {1}; }) == "kpm.spectrum.moments: 1 is not in 2..1048576");
    BOOST_TEST(changed([](Spectrum& s) { s.moments[3] = NAN; }) ==
               "kpm.spectrum.moments[3]: nan is not in [-1e+100, 1e+100]");
    BOOST_TEST(changed([](Spectrum& s) { s.half_width = 0; }).starts_with("kpm.spectrum.half_width: 0 is not in"));
    BOOST_TEST(changed([](Spectrum& s) { s.centre = INFINITY; }).starts_with("kpm.spectrum.centre: inf is not in"));
    BOOST_TEST(changed([](Spectrum& s) { s.kernel = static_cast<Kernel>(4); }) == "kpm.kernel: 4 is not in 0..3");
    BOOST_TEST(changed([](Spectrum& s) {
                   s.kernel = Kernel::lorentz;
                   s.lambda = 0;
               }) == "kpm.lambda: 0 is not in [1e-06, 1000000]");
    BOOST_TEST(message([&] { density_of_states(good, {}); }).starts_with("kpm.n: 0 is not in 1.."));
    BOOST_TEST(message([&] {
                   greens_function(good, std::vector<double>{3.0, NAN});
               }).starts_with("kpm.energies[1]: nan"));
    BOOST_TEST(message([&] {
                   density_of_states(good, std::vector{3.0, 1e200});
               }) == "kpm.energies[1]: 1e+200 is not in [-1e+100, 1e+100]");
    BOOST_TEST(density_of_states(good, std::vector{1e100, -1e100}) == std::vector(2, 0.0));
    BOOST_TEST(
        message([&] { greens_function(good, std::vector{-1.1e100}); }).starts_with("kpm.energies[0]: -1.1e+100"));
    BOOST_TEST(message([] {
                   greens_function({{1.0, 0.0}, 0.5, 1.5}, std::vector{-1.0});
               }) == "kpm.energies[0]: -1 is an end of the interval, where the Green's function is not defined");
    BOOST_TEST(message([&] { density_at_nodes(good, 9); }) == "kpm.n: 9 is not in 10..67108864");
    BOOST_TEST(message([&] { density_at_nodes(good, 67108859); }) ==
               "kpm.n: 67108859 has the prime factor 67108859, too large for a fast transform; take 67108864");
    BOOST_TEST(message([&] { electron_number(good, 3.0, -1.0); }) == "kpm.temperature: -1 is not in [0, 1e+100]");
    BOOST_TEST(message([&] { electron_number(good, NAN, 0.0); }).starts_with("kpm.chemical_potential: nan"));
    BOOST_TEST(message([&] { chemical_potential(good, 1.0, 0.1); }).starts_with("kpm.electrons: 1 is not in (0, 1"));
    BOOST_TEST(message([&] { chemical_potential(good, 0.0, 0.1); }).starts_with("kpm.electrons: 0 is not in (0, 1"));
}

// The density is 0 exactly at the ends of the interval, where its weight diverges. It is finite at the next
// floating-point numbers inside.
BOOST_AUTO_TEST_CASE(density_at_the_edges) {
    for (const Kernel kernel : {Kernel::jackson, Kernel::lorentz, Kernel::fejer, Kernel::dirichlet}) {
        const Spectrum s{{1, 0.25, 0.5, 0.125}, 0.5, 2, kernel};
        for (const double end : {-1.5, 2.5}) {
            const std::vector<double> at{end, std::nextafter(end, 0.5), std::nextafter(end, 9 * end)};
            const std::vector<double> density = density_of_states(s, at);
            BOOST_TEST(density[0] == 0.0);
            BOOST_TEST(std::isfinite(density[1]));
            BOOST_TEST(density[1] > 1e6);
            BOOST_TEST(density[2] == 0.0);
        }
    }
}
