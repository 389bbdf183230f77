// Computes the projected state and the t-t'-t''-J model of small clusters, configuration by configuration, in a slow
// and plain way without code of the library. Sites are points of the plane modulo two translations, and wave vectors
// are those that the translations allow. Amplitudes are determinants by elimination. Configurations are bit patterns
// whose electrons are sorted by their sites (all up ones before all down ones), so that every hop has a sign.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <set>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/matrix.hpp"

namespace legato::vmc::tests::exact {

struct Vector {
    int x, y;
};

struct Cluster {
    Vector t1, t2;             // translations
    int half1 = 0, half2 = 0;  // 1 if the wave function changes its sign along t1, t2
    std::vector<Vector> points;

    int sites() const { return static_cast<int>(points.size()); }
};

inline Cluster tilted(int length) {
    Cluster cluster{{length, 1}, {-1, length}, 0, 0, {}};
    for (int s = 0; s <= length * length; ++s) cluster.points.push_back({s, 0});
    return cluster;
}

inline Cluster rectangular(int lx, int ly, int antiperiodic_x, int antiperiodic_y) {
    Cluster cluster{{lx, 0}, {0, ly}, antiperiodic_x, antiperiodic_y, {}};
    for (int y = 0; y < ly; ++y)
        for (int x = 0; x < lx; ++x) cluster.points.push_back({x, y});
    return cluster;
}

// Returns the sign of a translation, or 0 if the vector is not a translation.
inline int sign_of_translation(const Cluster& c, Vector d) {
    const int area = c.t1.x * c.t2.y - c.t1.y * c.t2.x;
    const int n1 = d.x * c.t2.y - d.y * c.t2.x, n2 = c.t1.x * d.y - c.t1.y * d.x;
    if (n1 % area != 0 || n2 % area != 0) return 0;
    return (c.half1 * (n1 / area) + c.half2 * (n2 / area)) % 2 == 0 ? 1 : -1;
}

struct WaveVector {
    double x, y;
};

inline std::vector<WaveVector> wave_vectors(const Cluster& c) {
    const double area = c.t1.x * c.t2.y - c.t1.y * c.t2.x;
    std::vector<WaveVector> all;
    std::set<std::pair<long, long>> seen;
    const auto reduced = [](double k) { return std::remainder(k, 2 * std::numbers::pi); };
    const auto key = [](double k) { return std::lround((1 - std::cos(k)) * 1e8) * (std::sin(k) < -1e-9 ? -1 : 1); };
    for (int n1 = 0; n1 < c.sites(); ++n1)
        for (int n2 = 0; n2 < c.sites(); ++n2) {
            const double a = 2 * std::numbers::pi * (n1 + 0.5 * c.half1),
                         b = 2 * std::numbers::pi * (n2 + 0.5 * c.half2);
            const WaveVector k{reduced((a * c.t2.y - b * c.t1.y) / area), reduced((b * c.t1.x - a * c.t2.x) / area)};
            if (seen.insert({key(k.x), key(k.y)}).second) all.push_back(k);
        }
    if (static_cast<int>(all.size()) != c.sites()) throw std::logic_error("wave vectors");
    return all;
}

struct State {
    double t = 1, t2 = 0, t3 = 0, mu = 0;
    double gap = 0.75;     // Delta_k = gap (cos kx - cos ky)
    double divergent = 0;  // value of an infinite phi_k; 0: the limit, by a bordered matrix
};

using Table = std::vector<std::vector<double>>;

// The pair function phi(r_a - r_b) of all points, and the functions of its border.
struct Pairs {
    Table phi, borders;
};

inline Pairs pairs(const Cluster& c, const State& state) {
    const auto n = static_cast<std::size_t>(c.sites());
    Pairs result{Table(n, std::vector<double>(n)), {}};
    for (const WaveVector& k : wave_vectors(c)) {
        const double xi = -2 * state.t * (std::cos(k.x) + std::cos(k.y)) -
                          4 * state.t2 * std::cos(k.x) * std::cos(k.y) -
                          2 * state.t3 * (std::cos(2 * k.x) + std::cos(2 * k.y)) - state.mu;
        const double gap = state.gap * (std::cos(k.x) - std::cos(k.y));
        double amplitude = 0;
        if (std::abs(gap) > 1e-9)
            amplitude = gap / (xi + std::sqrt(xi * xi + gap * gap));
        else if (xi < 0 && state.divergent != 0)
            amplitude = state.divergent;
        else if (xi < 0) {  // k and -k together give one cosine and one sine
            std::vector<double> border;
            const bool itself = std::abs(std::sin(k.x)) < 1e-9 && std::abs(std::sin(k.y)) < 1e-9,  // -k is k
                positive = itself || k.x > 1e-9 || (std::abs(k.x) <= 1e-9 && k.y >= -1e-9);
            for (const Vector& p : c.points)
                border.push_back(positive ? std::cos(k.x * p.x + k.y * p.y) : std::sin(k.x * p.x + k.y * p.y));
            result.borders.push_back(border);
        }
        for (std::size_t a = 0; a < n; ++a)
            for (std::size_t b = 0; b < n; ++b) {
                const Vector r{c.points[a].x - c.points[b].x, c.points[a].y - c.points[b].y};
                result.phi[a][b] += amplitude * std::polar(1.0, k.x * r.x + k.y * r.y).real() / c.sites();
            }
    }
    return result;
}

inline double determinant(Table m) {
    double product = 1;
    for (std::size_t column = 0; column < m.size(); ++column) {
        std::size_t pivot = column;
        for (std::size_t i = column; i < m.size(); ++i)
            if (std::abs(m[i][column]) > std::abs(m[pivot][column])) pivot = i;
        if (m[pivot][column] == 0) return 0;
        if (pivot != column) {
            std::swap(m[pivot], m[column]);
            product = -product;
        }
        product *= m[column][column];
        for (std::size_t i = column + 1; i < m.size(); ++i) {
            const double factor = m[i][column] / m[column][column];
            for (std::size_t j = column; j < m.size(); ++j) m[i][j] -= factor * m[column][j];
        }
    }
    return product;
}

// Returns the determinant for electrons in the given order of their sites.
inline double amplitude(const Pairs& p, const std::vector<int>& up, const std::vector<int>& down) {
    const std::size_t n = up.size(), m = p.borders.size();
    Table matrix(n + m, std::vector<double>(n + m));
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j)
            matrix[i][j] = p.phi[static_cast<std::size_t>(up[i])][static_cast<std::size_t>(down[j])];
        for (std::size_t b = 0; b < m; ++b) {
            matrix[i][n + b] = p.borders[b][static_cast<std::size_t>(up[i])];
            matrix[n + b][i] = p.borders[b][static_cast<std::size_t>(down[i])];
        }
    }
    return determinant(matrix);
}

struct Configuration {
    std::uint32_t up, down;
    bool operator==(const Configuration&) const = default;
};

inline std::uint64_t key(Configuration c) {
    return std::uint64_t{c.up} << 32 | c.down;
}

inline std::vector<int> sites_in(std::uint32_t mask) {
    std::vector<int> sites;
    for (int s = 0; s < 32; ++s)
        if ((mask >> s & 1) != 0) sites.push_back(s);
    return sites;
}

inline std::vector<Configuration> configurations(int sites, int electrons) {
    std::vector<std::uint32_t> halves;
    for (std::uint32_t mask = 0; mask < std::uint32_t{1} << sites; ++mask)
        if (std::popcount(mask) == electrons / 2) halves.push_back(mask);
    std::vector<Configuration> all;
    for (const std::uint32_t up : halves)
        for (const std::uint32_t down : halves)
            if ((up & down) == 0) all.push_back({up, down});
    return all;
}

struct Bond {
    int a, b, shell, sign;
};

inline std::vector<Bond> bonds(const Cluster& c) {
    constexpr Vector steps[3][2] = {{{1, 0}, {0, 1}}, {{1, 1}, {-1, 1}}, {{2, 0}, {0, 2}}};
    std::vector<Bond> all;
    for (int shell = 0; shell < 3; ++shell)
        for (const Vector& step : steps[shell])
            for (int a = 0; a < c.sites(); ++a)
                for (int b = 0; b < c.sites(); ++b) {
                    const Vector p = c.points[static_cast<std::size_t>(a)], q = c.points[static_cast<std::size_t>(b)];
                    const int sign = sign_of_translation(c, {p.x + step.x - q.x, p.y + step.y - q.y});
                    if (sign != 0) all.push_back({a, b, shell + 1, sign});
                }
    return all;
}

// Returns the sign of c+_to c_from on a sorted state of one spin, from the number of electrons between the sites.
inline int sign_of_step(std::uint32_t mask, int from, int to) {
    const int low = std::min(from, to), high = std::max(from, to);
    const std::uint32_t between = (std::uint32_t{1} << high) - (std::uint32_t{2} << low);
    return std::popcount(mask & between) % 2 == 0 ? 1 : -1;
}

struct Couplings {
    double t = 1, t2 = 0, t3 = 0, j = 0.3;
};

// A term of H |configuration>.
struct Term {
    Configuration configuration;
    double value;
};

inline std::uint32_t moved(std::uint32_t mask, int from, int to) {
    return (mask & ~(std::uint32_t{1} << from)) | std::uint32_t{1} << to;
}

inline std::vector<Term> kinetic_terms(const std::vector<Bond>& all, const Couplings& h, Configuration c) {
    std::vector<Term> terms;
    const auto is_in = [](std::uint32_t mask, int site) { return (mask >> site & 1) != 0; };
    for (const Bond& bond : all)
        for (const auto& [from, to] : {std::pair{bond.a, bond.b}, std::pair{bond.b, bond.a}}) {
            const double t = bond.shell == 1 ? h.t : bond.shell == 2 ? h.t2 : h.t3;
            if (is_in(c.up | c.down, to)) continue;
            if (is_in(c.up, from))
                terms.push_back({{moved(c.up, from, to), c.down}, -t * bond.sign * sign_of_step(c.up, from, to)});
            if (is_in(c.down, from))
                terms.push_back({{c.up, moved(c.down, from, to)}, -t * bond.sign * sign_of_step(c.down, from, to)});
        }
    return terms;
}

// Returns the terms of ss S.S + nn n n, summed over all nearest-neighbour bonds.
inline std::vector<Term> bond_terms(const std::vector<Bond>& all, double ss, double nn, Configuration c) {
    std::vector<Term> terms;
    double diagonal = 0;
    for (const Bond& bond : all) {
        if (bond.shell != 1) continue;
        const auto holds = [](std::uint32_t mask, int site) { return (mask >> site & 1) != 0; };
        if (!holds(c.up | c.down, bond.a) || !holds(c.up | c.down, bond.b)) continue;
        diagonal += nn;
        if (holds(c.up, bond.a) == holds(c.up, bond.b)) {
            diagonal += ss / 4;
            continue;
        }
        diagonal -= ss / 4;
        const int up = holds(c.up, bond.a) ? bond.a : bond.b, down = bond.a + bond.b - up;
        terms.push_back({{moved(c.up, up, down), moved(c.down, down, up)},
                         -ss / 2 * sign_of_step(c.up, up, down) * sign_of_step(c.down, down, up)});
    }
    terms.push_back({c, diagonal});
    return terms;
}

// A state of all modes with its factor. Up modes stand before down modes, in the order of their sites.
struct Fock {
    std::uint64_t modes;
    double factor;
};

inline Fock create(Fock state, int site, bool up) {
    const std::uint64_t mode = std::uint64_t{1} << (up ? site : site + 32);
    if ((state.modes & mode) != 0) return {0, 0};
    const int passed = std::popcount(state.modes & (mode - 1));
    return {state.modes | mode, passed % 2 == 0 ? state.factor : -state.factor};
}

inline Fock annihilate(Fock state, int site, bool up) {
    const std::uint64_t mode = std::uint64_t{1} << (up ? site : site + 32);
    if ((state.modes & mode) == 0) return {0, 0};
    const int passed = std::popcount(state.modes & (mode - 1));
    return {state.modes & ~mode, passed % 2 == 0 ? state.factor : -state.factor};
}

// These apply B+ = sign (c+_(a up) c+_(b down) - c+_(a down) c+_(b up)) / 2 of a bond, or B, to a state. Each gives two
// terms.
inline std::array<Fock, 2> create_pair(const Bond& bond, Fock state) {
    Fock first = create(create(state, bond.b, false), bond.a, true);
    Fock second = create(create(state, bond.b, true), bond.a, false);
    first.factor *= 0.5 * bond.sign;
    second.factor *= -0.5 * bond.sign;
    return {first, second};
}

inline std::array<Fock, 2> annihilate_pair(const Bond& bond, Fock state) {
    Fock first = annihilate(annihilate(state, bond.a, true), bond.b, false);
    Fock second = annihilate(annihilate(state, bond.a, false), bond.b, true);
    first.factor *= 0.5 * bond.sign;
    second.factor *= -0.5 * bond.sign;
    return {first, second};
}

// Returns <C| B+_a(i) B_b(i + r) |Psi> / <C|Psi>, averaged over i, as [a][b][r]. All pairs of bonds are added one after
// the other.
inline std::vector<double> pair_correlations(const Cluster& c, const Pairs& p, Configuration configuration) {
    const auto n = static_cast<std::size_t>(c.sites());
    std::vector<Bond> nearest;  // bonds along x, then along y, by their first site
    for (const Bond& bond : bonds(c))
        if (bond.shell == 1) nearest.push_back(bond);
    const double psi = amplitude(p, sites_in(configuration.up), sites_in(configuration.down));
    const Fock bra{std::uint64_t{configuration.down} << 32 | configuration.up, 1};
    std::vector<double> sums(4 * n);
    for (std::size_t from = 0; from < 2 * n; ++from)
        for (std::size_t to = 0; to < 2 * n; ++to) {
            const Vector i = c.points[from % n], j = c.points[to % n];
            std::size_t r = 0;
            while (sign_of_translation(c, {j.x - i.x - c.points[r].x, j.y - i.y - c.points[r].y}) == 0) ++r;
            for (const Fock& without : annihilate_pair(nearest[from], bra))
                for (const Fock& ket : create_pair(nearest[to], without)) {
                    const auto up = static_cast<std::uint32_t>(ket.modes),
                               down = static_cast<std::uint32_t>(ket.modes >> 32);
                    if (ket.factor == 0 || (up & down) != 0) continue;
                    sums[(from / n * 2 + to / n) * n + r] +=
                        ket.factor * amplitude(p, sites_in(up), sites_in(down)) / psi / c.sites();
                }
        }
    return sums;
}

struct Averages {
    double energy = 0, kinetic = 0, exchange = 0;  // values per site
    double spin_spin = 0, density_density = 0;     // values per nearest-neighbour bond
};

class Ensemble {
  public:
    Ensemble(const Cluster& cluster, int electrons)
        : cluster_(cluster), bonds_(bonds(cluster)), all_(configurations(cluster.sites(), electrons)) {
        for (std::size_t i = 0; i < all_.size(); ++i) number_[key(all_[i])] = i;
    }

    const std::vector<Configuration>& configurations_in_order() const { return all_; }
    std::size_t number(Configuration c) const { return number_.at(key(c)); }

    // Returns the amplitudes of all configurations. Those that are rounding errors, compared with the largest, are set
    // to 0.
    std::vector<double> amplitudes(const State& state) const {
        const Pairs p = pairs(cluster_, state);
        std::vector<double> psi;
        double largest = 0;
        for (const Configuration& c : all_) {
            psi.push_back(amplitude(p, sites_in(c.up), sites_in(c.down)));
            largest = std::max(largest, std::abs(psi.back()));
        }
        for (double& value : psi)
            if (std::abs(value) < 1e-13 * largest) value = 0;
        return psi;
    }

    Averages averages(const std::vector<double>& psi, const Couplings& h) const {
        double norm = 0, kinetic = 0, ss = 0, nn = 0;
        for (std::size_t i = 0; i < all_.size(); ++i) {
            norm += psi[i] * psi[i];
            kinetic += psi[i] * sum(kinetic_terms(bonds_, h, all_[i]), psi);
            ss += psi[i] * sum(bond_terms(bonds_, 1, 0, all_[i]), psi);
            nn += psi[i] * sum(bond_terms(bonds_, 0, 1, all_[i]), psi);
        }
        const double sites = cluster_.sites();
        Averages a;
        a.kinetic = kinetic / norm / sites;
        a.spin_spin = ss / norm / (2 * sites);
        a.density_density = nn / norm / (2 * sites);
        a.exchange = 2 * h.j * (a.spin_spin - a.density_density / 4);
        a.energy = a.kinetic + a.exchange;
        return a;
    }

    // Returns the ground-state energy per site, by Lanczos' recursion from a vector without symmetry.
    double ground_state_energy(const Couplings& h, int steps = 120) const {
        const std::size_t n = all_.size();
        std::vector<double> x(n), y(n), alpha, beta;
        for (std::size_t i = 0; i < n; ++i) x[i] = std::sin(1.0 + static_cast<double>(i * i % 1009));
        scale(x, 1 / std::sqrt(dot(x, x)));
        for (int step = 0; step < steps; ++step) {
            std::vector<double> z = product(x, h);
            alpha.push_back(dot(z, x));
            for (std::size_t i = 0; i < n; ++i) z[i] -= alpha.back() * x[i] + (step > 0 ? beta.back() * y[i] : 0.0);
            beta.push_back(std::sqrt(dot(z, z)));
            if (beta.back() < 1e-10) break;
            scale(z, 1 / beta.back());
            y = std::exchange(x, z);
        }
        Matrix t(alpha.size(), alpha.size());
        for (std::size_t i = 0; i < alpha.size(); ++i) {
            t(i, i) = alpha[i];
            if (i + 1 < alpha.size()) t(i, i + 1) = t(i + 1, i) = beta[i];
        }
        return diagonalise(t).front() / cluster_.sites();
    }

  private:
    double sum(const std::vector<Term>& terms, const std::vector<double>& psi) const {
        double total = 0;
        for (const Term& term : terms) total += term.value * psi[number(term.configuration)];
        return total;
    }
    std::vector<double> product(const std::vector<double>& x, const Couplings& h) const {
        std::vector<double> z(x.size());
        for (std::size_t i = 0; i < x.size(); ++i)
            z[i] = sum(kinetic_terms(bonds_, h, all_[i]), x) + sum(bond_terms(bonds_, h.j, -h.j / 4, all_[i]), x);
        return z;
    }
    static double dot(const std::vector<double>& a, const std::vector<double>& b) {
        double total = 0;
        for (std::size_t i = 0; i < a.size(); ++i) total += a[i] * b[i];
        return total;
    }
    static void scale(std::vector<double>& a, double factor) {
        for (double& value : a) value *= factor;
    }

    Cluster cluster_;
    std::vector<Bond> bonds_;
    std::vector<Configuration> all_;
    std::unordered_map<std::uint64_t, std::size_t> number_;
};

// Returns the position of a bit pattern among those with equally many bits, in ascending order.
class Ranking {
  public:
    explicit Ranking(int sites) {
        for (std::size_t n = 0; n < choose_.size(); ++n) {
            choose_[n][0] = 1;
            for (std::size_t k = 1; k < choose_.size(); ++k)
                choose_[n][k] = n == 0 ? 0 : choose_[n - 1][k - 1] + choose_[n - 1][k];
        }
        if (sites > 32) throw std::logic_error("sites");
    }
    std::size_t count(int sites, int bits) const {
        return choose_[static_cast<std::size_t>(sites)][static_cast<std::size_t>(bits)];
    }
    std::size_t operator()(std::uint32_t mask) const {
        std::size_t rank = 0;
        for (std::size_t bit = 1; mask != 0; ++bit, mask &= mask - 1)
            rank += choose_[static_cast<std::size_t>(std::countr_zero(mask))][bit];
        return rank;
    }

  private:
    std::array<std::array<std::size_t, 33>, 33> choose_{};
};

// Returns <S.S> of nearest neighbours if no site is empty. The sites of the up electrons then determine a
// configuration.
inline double half_filled_spin_spin(const Cluster& cluster, const State& state) {
    const int sites = cluster.sites();
    const std::uint32_t all_sites = (std::uint32_t{1} << sites) - 1;
    const Ranking rank(sites);
    const Pairs p = pairs(cluster, state);
    std::vector<double> psi(rank.count(sites, sites / 2));
    std::vector<std::uint32_t> masks(psi.size());
    for (std::uint32_t mask = 0; mask <= all_sites; ++mask)
        if (std::popcount(mask) == sites / 2) masks[rank(mask)] = mask;
    for (std::size_t i = 0; i < psi.size(); ++i)
        psi[i] = amplitude(p, sites_in(masks[i]), sites_in(all_sites & ~masks[i]));
    const std::vector<Bond> all = bonds(cluster);
    double norm = 0, sum = 0;
    for (std::size_t i = 0; i < psi.size(); ++i) {
        norm += psi[i] * psi[i];
        for (const Term& term : bond_terms(all, 1, 0, {masks[i], all_sites & ~masks[i]}))
            sum += psi[i] * term.value * psi[rank(term.configuration.up)];
    }
    return sum / norm / (2 * sites);
}

// Parameter sets of ten sites: Delta and mu, in gap convention A unless stated otherwise.
struct Reference {
    const char* name;
    int electrons;
    bool convention_b;
    double delta, mu;
    double energy, kinetic, exchange, spin_spin;
};
inline constexpr Reference references[] = {
    {"10 electrons, A, 1.5, 0", 10, false, 1.5, 0, -0.351689472877, 0, -0.351689472877, -0.336149121461},
    {"10 electrons, A, 1.0, -0.4", 10, false, 1.0, -0.4, -0.342009306532, 0, -0.342009306532, -0.320015510887},
    {"8 electrons, A, 1.5, 0", 8, false, 1.5, 0, -0.632746826903, -0.436233654424, -0.196513172479, -0.170986233028},
    {"8 electrons, A, 1.0, -0.4", 8, false, 1.0, -0.4, -0.643252134921, -0.457293631707, -0.185958503214,
     -0.153755561156},
    {"8 electrons, B, 1.5, 0", 8, true, 1.5, 0, -0.587947218304, -0.371472456650, -0.216474761654, -0.203256771370},
};

inline State state_of(const Reference& reference) {
    State state;
    state.mu = reference.mu;
    state.gap = reference.convention_b ? reference.delta : reference.delta / 2;
    return state;
}

}  // namespace legato::vmc::tests::exact
