// Compares conductivities with sums over eigenstates, whose delta functions and Green's functions are expanded by
// independent formulas, and with exactly known values.
#define BOOST_TEST_MODULE kpm_conductivity
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <functional>

#include "eigenstates.hpp"
#include "kpm/cosine_transform.hpp"
#include "kpm/double_series.hpp"
#include "kpm/velocity.hpp"

using namespace legato;
using namespace legato::kpm;
using namespace legato::kpm::tests;

namespace {

constexpr std::array<Kernel, 4> all_kernels{Kernel::jackson, Kernel::lorentz, Kernel::fejer, Kernel::dirichlet};

Hermitian dense_of(const Hamiltonian& hamiltonian) {
    return dense_complex(matrix_of(hamiltonian, 1, 0, 1));
}

// A random Hamiltonian and two operators that do not commute with anything.
Response random_response(std::uint64_t seed, std::size_t size = 24) {
    std::mt19937_64 random(seed);
    const Hermitian h = random_dense(random, size), a = random_dense(random, size), b = random_dense(random, size);
    return {h, a, b};
}

Response velocities(const CellLattice& lattice) {
    return {dense_of(lattice), dense_of(velocity_of(lattice, {1, 0, 0})), dense_of(velocity_of(lattice, {0, 1, 0}))};
}

// The delta functions and the retarded Green's functions of all levels, expanded in N polynomials.
struct Broadened {
    const DoubleSpectrum& s;
    const std::vector<double>& levels;
    std::vector<double> g = kernel_factors(s.kernel, static_cast<int>(s.count), s.lambda);

    double angle(double energy) const { return std::acos((energy - s.centre) / s.half_width); }

    template <class Term>
    auto of_levels(double energy, const Term& term) const {
        const double theta = angle(energy);
        std::vector<decltype(term(theta, 0.0))> sums(levels.size());
        for (std::size_t n = 0; n < s.count; ++n) {
            const auto order = static_cast<double>(n);
            const auto factor = (n == 0 ? 1 : 2) * g[n] * term(theta, order);
            for (std::size_t k = 0; k < levels.size(); ++k) sums[k] += factor * std::cos(order * angle(levels[k]));
        }
        return sums;
    }
    std::vector<double> deltas(double energy) const {
        return of_levels(energy, [&](double theta, double n) {
            return std::cos(n * theta) / (pi * s.half_width * std::sin(theta));
        });
    }
    // dG/dE = (i / a^2) sum_n h_n g_n T_n(x) exp(-i n theta) (-i n / sin^2(theta) - cos(theta) / sin^3(theta))
    std::vector<Complex> slopes(double energy) const {
        return of_levels(energy, [&](double theta, double n) {
            const double sine = std::sin(theta);
            return i / (s.half_width * s.half_width) * std::exp(-i * n * theta) *
                   (-i * n / (sine * sine) - std::cos(theta) / (sine * sine * sine));
        });
    }
};

// Integrates over [low, high] by the Gauss-Legendre rule of 4 points in many panels.
template <class Integrand>
double integrate(double low, double high, int panels, const Integrand& integrand) {
    constexpr double inner = 0.3399810435848563, outer = 0.8611363115940526, inner_weight = 0.6521451548625461,
                     outer_weight = 0.3478548451374538;
    const double half = (high - low) / panels / 2;
    double sum = 0;
    for (int p = 0; p < panels; ++p) {
        const double middle = low + (2 * p + 1) * half;
        sum += half * (inner_weight * (integrand(middle - inner * half) + integrand(middle + inner * half)) +
                       outer_weight * (integrand(middle - outer * half) + integrand(middle + outer * half)));
    }
    return sum;
}

double fermi(double x) {
    return 1 / (1 + std::exp(x));
}

std::vector<double> grid(double low, double high, int count) {
    std::vector<double> values;
    for (int k = 0; k < count; ++k) values.push_back(low + (high - low) * (k + 0.5) / count);
    return values;
}

}  // namespace

BOOST_AUTO_TEST_CASE(transforms_and_double_series) {
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> real(-1, 1);
    for (const std::size_t points : {1, 2, 16, 60, 128}) {
        std::vector<double> c(points);
        for (double& x : c) x = real(random);
        BOOST_TEST(largest_difference(cosines_of(CosineTransform(points, points)(c)), c) < 1e-14);
    }
    for (const std::size_t count : {1, 2, 7, 32, 100}) {
        std::vector<double> c(count * count);
        for (double& x : c) x = real(random);
        const DoubleSeries series(c, count, {.threads = 2, .pause = {}});
        double largest = 0, error = 0;
        for (int p = 0; p < 60; ++p) {
            const double x = p == 0 ? 0 : p == 1 ? pi : (real(random) + 1) * pi / 2;
            const double y = p == 0 ? pi : p == 2 ? 0 : (real(random) + 1) * pi / 2;
            double sum = 0;
            for (std::size_t m = 0; m < count; ++m)
                for (std::size_t n = 0; n < count; ++n)
                    sum +=
                        c[m * count + n] * std::cos(static_cast<double>(m) * x) * std::cos(static_cast<double>(n) * y);
            largest = std::max(largest, std::abs(sum));
            error = std::max(error, std::abs(series(x, y) - sum));
        }
        BOOST_TEST(error < 2e-12 * largest);
    }
}

BOOST_AUTO_TEST_CASE(greenwood_is_a_sum_over_pairs_of_states) {
    for (const Kernel kernel : all_kernels) {
        const Response response = random_response(5);
        const DoubleSpectrum s = response.spectrum(40, 0.1, kernel);
        const Broadened broadened{s, response.states.energies};
        const std::vector<double> energies = grid(s.centre - 0.95 * s.half_width, s.centre + 0.95 * s.half_width, 9);
        const std::vector<double> sigma = greenwood(s, energies, 0);
        for (std::size_t e = 0; e < energies.size(); ++e) {
            const std::vector<double> delta = broadened.deltas(energies[e]);
            const Complex exact = pi * response.sum([&](std::size_t j, std::size_t k) { return delta[j] * delta[k]; });
            BOOST_TEST(std::abs(sigma[e] - exact.real()) < 1e-10);
            BOOST_TEST(std::abs(exact.imag()) < 1e-10);
        }
    }
    const DoubleSpectrum s = random_response(5).spectrum(40);
    const double outside[] = {s.centre - s.half_width, s.centre + s.half_width, s.centre + 5 * s.half_width};
    for (const double sigma : greenwood(s, outside, 0)) BOOST_TEST(sigma == 0.0);
}

BOOST_AUTO_TEST_CASE(greenwood_at_a_temperature) {
    const DoubleSpectrum s = random_response(6).spectrum(40);
    const double a = s.half_width;
    const std::vector<double> potentials = grid(s.centre - 0.5 * a, s.centre + 0.5 * a, 5);
    for (const double temperature : {0.02 * a, 1e-3 * a, 1e-5 * a, 1e-7 * a}) {
        const std::vector<double> sigma = greenwood(s, potentials, temperature);
        for (std::size_t k = 0; k < potentials.size(); ++k) {
            const double mu = potentials[k], reach = std::min(36.0, 0.499 * a / temperature);
            const double exact = integrate(-reach, reach, 1500, [&](double x) {
                const double energy[] = {mu + x * temperature};
                return fermi(x) * fermi(-x) * greenwood(s, energy, 0)[0];
            });
            BOOST_TEST(std::abs(sigma[k] - exact) < 2e-9);
        }
    }
    // Temperatures without an inverse are those of T = 0.
    const std::vector<double> cold = greenwood(s, potentials, 0), both = bastin(s, potentials, 0);
    for (const double temperature : {1e-100, 1e-307, 5e-324}) {
        const std::vector<double> sigma = greenwood(s, potentials, temperature),
                                  sum = bastin(s, potentials, temperature);
        for (std::size_t k = 0; k < potentials.size(); ++k) {
            BOOST_TEST(std::abs(sigma[k] - cold[k]) < 1e-12 * std::abs(cold[k]));
            BOOST_TEST(std::abs(sum[k] - both[k]) < 1e-10 * std::abs(both[k]));
        }
    }
}

// The smallest temperatures give what T = 0 gives.
BOOST_AUTO_TEST_CASE(greenwood_at_the_smallest_temperatures) {
    const DoubleSpectrum s = random_response(6).spectrum(40);
    const std::vector<double> potentials{s.centre - 0.7 * s.half_width, s.centre, s.centre + 0.4 * s.half_width};
    for (const double temperature : {1e-10, 1e-300, 1e-310, 5e-324})
        BOOST_TEST(largest_difference(greenwood(s, potentials, temperature), greenwood(s, potentials, 0)) < 1e-12);
}

// The formula of Kubo and Bastin with complex Green's functions, integrated over the energy between two
// chemical potentials.
BOOST_AUTO_TEST_CASE(bastin_is_an_integral_over_green_functions) {
    for (const Kernel kernel : all_kernels) {
        const Response response = random_response(7, 12);
        const DoubleSpectrum s = response.spectrum(24, 0.2, kernel);
        const Broadened broadened{s, response.states.energies};
        const double potentials[] = {s.centre - 0.6 * s.half_width, s.centre + 0.1 * s.half_width,
                                     s.centre + 0.7 * s.half_width};
        const std::vector<double> sigma = bastin(s, potentials, 0);
        for (std::size_t k = 0; k < 2; ++k) {
            double imaginary = 0;
            const double exact = integrate(potentials[k], potentials[k + 1], 60, [&](double energy) {
                const std::vector<double> delta = broadened.deltas(energy);
                const std::vector<Complex> slope = broadened.slopes(energy);
                const Complex value = i * response.sum([&](std::size_t j, std::size_t l) {
                    return slope[j] * delta[l] - delta[j] * std::conj(slope[l]);
                });
                imaginary = std::max(imaginary, std::abs(value.imag()));
                return value.real();
            });
            BOOST_TEST(std::abs(sigma[k + 1] - sigma[k] - exact) < 1e-9 * std::max(1.0, std::abs(exact)));
            BOOST_TEST(imaginary < 1e-9);
        }
    }
}

BOOST_AUTO_TEST_CASE(symmetries_of_the_hall_conductivity) {
    const Response response = random_response(8);
    const DoubleSpectrum s = response.spectrum(64);
    DoubleSpectrum swapped = s;
    for (std::size_t m = 0; m < s.count; ++m)
        for (std::size_t n = 0; n < s.count; ++n) swapped.moments[m * s.count + n] = s.moments[n * s.count + m];
    const std::vector<double> potentials = grid(s.centre - s.half_width, s.centre + s.half_width, 20);
    for (const double temperature : {0.0, 0.3}) {
        const std::vector<double> one = hall(s, potentials, temperature), two = hall(swapped, potentials, temperature);
        double largest = 0;
        for (std::size_t k = 0; k < one.size(); ++k) {
            BOOST_TEST(std::abs(one[k] + two[k]) < 1e-12);
            largest = std::max(largest, std::abs(one[k]));
        }
        BOOST_TEST(largest > 0.01);
        const std::vector<double> same = greenwood(s, potentials, temperature),
                                  other = greenwood(swapped, potentials, temperature),
                                  all = bastin(s, potentials, temperature);
        BOOST_TEST(largest_difference(same, other) < 1e-12);
        for (std::size_t k = 0; k < all.size(); ++k) BOOST_TEST(all[k] == same[k] + one[k]);
    }
    const double ends[] = {s.centre - s.half_width, s.centre - 7 * s.half_width, s.centre + s.half_width * 1.01,
                           s.centre + 3 * s.half_width};
    for (const double sigma : hall(s, ends, 0)) BOOST_TEST(std::abs(sigma) < 1e-12);
}

BOOST_AUTO_TEST_CASE(hall_at_a_temperature) {
    const DoubleSpectrum s = random_response(9).spectrum(40);
    const double a = s.half_width;
    const std::vector<double> potentials = grid(s.centre - 0.5 * a, s.centre + 0.5 * a, 5);
    for (const double temperature : {0.012 * a, 1e-3 * a}) {
        const std::vector<double> sigma = hall(s, potentials, temperature);
        for (std::size_t k = 0; k < potentials.size(); ++k) {
            const double exact = integrate(-36, 36, 600, [&](double x) {
                const double energy[] = {potentials[k] + x * temperature};
                return fermi(x) * fermi(-x) * hall(s, energy, 0)[0];
            });
            BOOST_TEST(std::abs(sigma[k] - exact) < 1e-9);
        }
    }
}

// Sharp energies follow for many moments, in a random system and in gaps, where the Hall conductivity is quantised.
BOOST_AUTO_TEST_CASE(hall_of_sharp_states) {
    const Response response = random_response(10, 16);
    const auto& energies = response.states.energies;
    std::vector<double> potentials;
    for (std::size_t k = 0; k + 1 < energies.size(); ++k)
        if (energies[k + 1] - energies[k] > 0.2) potentials.push_back((energies[k] + energies[k + 1]) / 2);
    BOOST_TEST(potentials.size() > 4);
    double before = INFINITY;
    for (const std::size_t count : {200, 400, 800}) {
        const DoubleSpectrum s = response.spectrum(count);
        const std::vector<double> sigma = hall(s, potentials, 0);
        double largest = 0;
        for (std::size_t k = 0; k < sigma.size(); ++k)
            largest = std::max(largest, std::abs(sigma[k] - response.hall(potentials[k])));
        BOOST_TEST(largest < 0.6 * before);
        before = largest;
    }
    BOOST_TEST(before < 0.01);
}

// Returns the Chern number of the lower of two bands, with the sign of conductivity.hpp, by the method of Fukui,
// Hatsugai and Suzuki (J. Phys. Soc. Jpn. 74, 1674 (2005)). The lower state of (d_z, d_x - i d_y; ., -d_z) is given.
double chern_number(const std::function<std::array<Complex, 2>(double, double)>& lower_state) {
    constexpr int size = 30;
    const auto state = [&](int x, int y) { return lower_state(2 * pi * x / size, 2 * pi * y / size); };
    const auto link = [](const std::array<Complex, 2>& u, const std::array<Complex, 2>& v) {
        return std::conj(u[0]) * v[0] + std::conj(u[1]) * v[1];
    };
    double sum = 0;
    for (int x = 0; x < size; ++x)
        for (int y = 0; y < size; ++y) {
            const auto a = state(x, y), b = state(x + 1, y), c = state(x + 1, y + 1), d = state(x, y + 1);
            // The Berry phase anticlockwise around a plaquette: exp(-i int (d_x A_y - d_y A_x)), A = i <u|du>.
            sum -= std::arg(link(a, b) * link(b, c) * link(c, d) * link(d, a));
        }
    return sum / (2 * pi);
}

double chern_number_of_haldane(double t2, double phi, double mass) {
    return chern_number([&](double x, double y) {
        // Orbital 1 hops to orbital 0 of the same cell and of the next ones: H_01 = -(1 + exp(-ix) + exp(-iy)).
        const Complex off = -(1.0 + std::exp(-i * x) + std::exp(-i * y));
        const double z = mass + 2 * t2 * (std::cos(x - phi) + std::cos(y - x - phi) + std::cos(-y - phi)),
                     w = -mass + 2 * t2 * (std::cos(x + phi) + std::cos(y - x + phi) + std::cos(-y + phi));
        const double half = (z - w) / 2, size = std::hypot(half, std::abs(off));
        const Complex upper = half > 0 ? off : half - size, lower = half > 0 ? -half - size : std::conj(off);
        const double norm = std::hypot(std::abs(upper), std::abs(lower));
        return std::array<Complex, 2>{upper / norm, lower / norm};
    });
}

// The conductivity is -C / (2 pi) times the area of a site. A cell of area 1 has 2 sites.
BOOST_AUTO_TEST_CASE(hall_of_haldane) {
    const double gap[] = {0.0};
    for (const auto& [phi, mass] : {std::pair{pi / 2, 0.0}, std::pair{-pi / 2, 0.0}, std::pair{pi / 2, 3.0}}) {
        const Response response = velocities(haldane(14, 14, 0.2, phi, mass));
        const double chern = chern_number_of_haldane(0.2, phi, mass);
        BOOST_TEST(std::abs(chern - (mass > 0 ? 0 : phi > 0 ? 1 : -1)) < 1e-9);
        BOOST_TEST(std::abs(2 * 2 * pi * response.hall(0) + chern) < 1e-4);
        const DoubleSpectrum s = response.spectrum(256, 0.01);
        BOOST_TEST(std::abs(2 * 2 * pi * hall(s, gap, 0)[0] + chern) < 3e-3);
        BOOST_TEST(std::abs(2 * 2 * pi * hall(s, gap, 0.02)[0] + chern) < 3e-3);
        BOOST_TEST(std::abs(bastin(s, gap, 0)[0] - hall(s, gap, 0)[0]) < 1e-4);
    }
}

// With 1/3 flux quanta in each cell, the conductivity is 1 / (2 pi) in the lowest gap and -1 / (2 pi) in the highest
// one (Thouless et al., Phys. Rev. Lett. 49, 405 (1982)). The sign is that of the classical Hall effect, n / B.
BOOST_AUTO_TEST_CASE(hall_of_hofstadter) {
    for (const double sign : {1.0, -1.0}) {
        CellLattice lattice = square(24, 24);
        lattice.flux[2] = sign / 3;
        const Response response = velocities(lattice);
        const double gaps[] = {-1.4, 1.4};
        const std::vector<double> sigma = hall(response.spectrum(256, 0.01), gaps, 0);
        for (std::size_t k = 0; k < 2; ++k) {
            const double chern = k == 0 ? sign : -sign;
            BOOST_TEST(std::abs(2 * pi * response.hall(gaps[k]) - chern) < 2e-3);
            BOOST_TEST(std::abs(2 * pi * sigma[k] - chern) < 5e-3);
        }
    }
}

BOOST_AUTO_TEST_CASE(optical_is_an_integral_over_energies) {
    for (const Kernel kernel : all_kernels) {
        const Response response = random_response(11, 12);
        const DoubleSpectrum s = response.spectrum(32, 0.1, kernel);
        const Broadened broadened{s, response.states.energies};
        const double a = s.half_width;
        const auto joint = [&](double energy, double omega) {
            const std::vector<double> lower = broadened.deltas(energy), upper = broadened.deltas(energy + omega);
            return response.sum([&](std::size_t j, std::size_t k) { return lower[j] * upper[k]; }).real();
        };
        const std::vector<double> frequencies{1e-3 * a, 0.05 * a, 0.4 * a, 0.8 * a, 1.5 * a, 2 * a, 3 * a};
        const double mu = s.centre + 0.1 * a;
        const std::vector<double> cold = optical(s, frequencies, mu, 0), warm = optical(s, frequencies, mu, 0.1 * a);
        for (std::size_t k = 0; k < frequencies.size(); ++k) {
            const double omega = frequencies[k];
            if (omega >= 2 * a) {
                BOOST_TEST((cold[k] == 0 && warm[k] == 0));
                continue;
            }
            // E = middle + half cos(phi) takes the roots at both ends away.
            const double half = a - omega / 2, middle = s.centre - omega / 2;
            const auto at = [&](double energy) { return std::acos(std::clamp((energy - middle) / half, -1.0, 1.0)); };
            const auto over_angle = [&](double from, double to, const auto& occupation) {
                return pi / omega * integrate(from, to, 150, [&](double phi) {
                           const double energy = middle + half * std::cos(phi);
                           return half * std::sin(phi) * occupation(energy) * joint(energy, omega);
                       });
            };
            const double exact_cold = over_angle(at(mu), at(mu - omega), [](double) { return 1.0; });
            BOOST_TEST(std::abs(cold[k] - exact_cold) < 1e-8 * std::max(1.0, std::abs(exact_cold)));
            const double exact_warm = over_angle(0, pi, [&](double energy) {
                return fermi((energy - mu) / (0.1 * a)) - fermi((energy + omega - mu) / (0.1 * a));
            });
            BOOST_TEST(std::abs(warm[k] - exact_warm) < 1e-8 * std::max(1.0, std::abs(exact_warm)));
        }
    }
}

BOOST_AUTO_TEST_CASE(optical_at_low_frequencies) {
    const DoubleSpectrum s = random_response(14).spectrum(64);
    const double a = s.half_width;
    const std::vector<double> mu{s.centre + 0.2 * a};
    for (const double temperature : {0.0, 1e-8 * a, 0.1 * a}) {
        const double limit = greenwood(s, mu, temperature)[0];
        const std::vector<double> frequencies{1e-100, 0.9e-7 * a, 1.1e-7 * a, 1e-6 * a};
        for (const double sigma : optical(s, frequencies, mu[0], temperature))
            BOOST_TEST(std::abs(sigma / limit - 1) < 1e-6);
    }
}

// The integral over all frequencies is (pi / 2) times the mean of i [v, X] per site. For an insulator it does not
// depend on the width of the delta functions as long as that is smaller than the gap.
BOOST_AUTO_TEST_CASE(sum_rule_of_the_optical_conductivity) {
    CellLattice chain;  // dimers
    chain.extents = {40, 1, 1};
    chain.boundary[0] = Boundary::hard_wall;
    chain.orbitals = 2;
    chain.positions = {{0, 0, 0}, {0.5, 0, 0}};
    chain.hoppings = {{0, 1, {0, 0, 0}, -1.3}, {1, 0, {1, 0, 0}, -0.5}};
    const Hermitian h = dense_of(chain), v = dense_of(velocity_of(chain, {1, 0, 0}));
    const Response response(h, v, v);
    double weight = 0;  // of the occupied states: sum of -H_ij (x_i - x_j)^2
    for (std::size_t k = 0; k < 40; ++k)
        for (std::size_t row = 0; row < 80; ++row)
            for (std::size_t column = 0; column < 80; ++column) {
                const double step = (static_cast<double>(row) - static_cast<double>(column)) / 2;
                weight -= (std::conj(response.states.vectors(k, row)) * h(row, column) * step * step *
                           response.states.vectors(k, column))
                              .real() /
                          80;
            }
    const DoubleSpectrum s = response.spectrum(256, 0.02);
    std::vector<double> frequencies = grid(0.4, 2 * s.half_width, 4000);
    double sum = 0;
    for (const double sigma : optical(s, frequencies, 0, 0)) sum += sigma * (2 * s.half_width - 0.4) / 4000;
    BOOST_TEST(std::abs(sum / (pi / 2 * weight) - 1) < 1e-3);
}

BOOST_AUTO_TEST_CASE(threads_make_the_same_bits) {
    DoubleSpectrum s = random_response(12).spectrum(48);
    const std::vector<double> x = grid(s.centre - s.half_width, s.centre + s.half_width, 3000), w = grid(0, 3, 60);
    std::vector<std::vector<double>> results;
    int pauses = 0;
    for (const int threads : {1, 2, 5}) {
        s.effort = {.threads = threads, .pause = [&] { ++pauses; }};
        std::vector<double> all = bastin(s, x, 0);
        for (const std::vector<double>& more : {bastin(s, x, 0.1), optical(s, w, 0.2, 0.1)})
            all.insert(all.end(), more.begin(), more.end());
        results.push_back(all);
    }
    BOOST_TEST(pauses > 3);
    for (const std::vector<double>& other : results)
        BOOST_TEST(std::memcmp(other.data(), results[0].data(), other.size() * sizeof(double)) == 0);
    s.effort.pause = [] { fail(Status::cancelled, "enough"); };
    for (const auto& action : std::vector<std::function<void()>>{[&] { bastin(s, x, 0.1); }, [&] { hall(s, x, 0); },
                                                                 [&] { optical(s, w, 0, 0); }})
        BOOST_TEST(static_cast<int>(failure_of(action).first) == static_cast<int>(Status::cancelled));
}

BOOST_AUTO_TEST_CASE(refusals) {
    const DoubleSpectrum s = random_response(13, 6).spectrum(8);
    const std::vector<double> good{0.1}, bad{0.1, NAN}, zero{1.0, 0.0};
    const auto refused = [&](const auto& action, const char* field) {
        const auto [status, text] = failure_of(action);
        BOOST_TEST(static_cast<int>(status) == static_cast<int>(Status::invalid_argument));
        BOOST_TEST(text.find(field) != std::string::npos, text);
    };
    for (const auto& function : {greenwood, hall, bastin}) {
        refused([&] { function(s, bad, 0); }, "kpm.chemical_potentials[1]");
        refused([&] { function(s, {}, 0); }, "kpm.n");
        refused([&] { function(s, good, -1); }, "kpm.temperature");
        refused([&] { function(s, good, NAN); }, "kpm.temperature");
        DoubleSpectrum wrong = s;
        wrong.moments[11] = {0, INFINITY};
        refused([&] { function(wrong, good, 0); }, "kpm.correlation.moments[1][3]");
        wrong.moments.pop_back();
        refused([&] { function(wrong, good, 0); }, "kpm.correlation.moments");
    }
    refused([&] { optical(s, zero, 0, 0); }, "kpm.frequencies[1]");
    refused([&] { optical(s, good, INFINITY, 0); }, "kpm.chemical_potential");
    refused([&] { optical(s, good, 0, -1); }, "kpm.temperature");
}
