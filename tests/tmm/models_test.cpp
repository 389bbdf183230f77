// Tests the models of legato_tmm_model and the disorder of the hopping. An independent transfer matrix with complex
// numbers, two for each site with spin, gives the exponents of short runs to rounding errors. It has the hopping as
// legato/tmm.h defines it, without the gauge and the quaternions of couplings.hpp. Long runs are compared with exact
// limits.
#define BOOST_TEST_MODULE tmm_models
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <complex>

#include "chain_exponent.hpp"
#include "runs.hpp"
#include "tmm/disorder.hpp"

using namespace legato;
using namespace legato::tmm;

namespace {

using Number = std::complex<double>;
constexpr Number i_unit{0, 1};

// The matrix of a hopping at a site: only the first element counts without spin.
struct Spin {
    Number element[2][2];

    Spin operator*(double factor) const {
        return {{{factor * element[0][0], factor * element[0][1]}, {factor * element[1][0], factor * element[1][1]}}};
    }
    Spin adjoint() const {
        return {{{std::conj(element[0][0]), std::conj(element[1][0])},
                 {std::conj(element[0][1]), std::conj(element[1][1])}}};
    }
};

// Returns a + i (x s_x + y s_y + z s_z) with the Pauli matrices s.
Spin with_spin(double a, double x, double y, double z) {
    return {{{Number(a, z), Number(y, x)}, {Number(-y, x), Number(a, -z)}}};
}

Spin phase(double turns) {
    return {{{std::polar(1.0, 2 * M_PI * turns), 0}, {0, 0}}};
}

// Transfer matrix of a point by complex numbers: T_n psi_{n+1} = (E - H_n) psi_n - T_{n-1}^+ psi_{n-1}.
class Reference {
  public:
    Reference(const Problem& p, const Point& point)
        : p_(p), point_(point), sites_(static_cast<std::size_t>(p.sites())), spins_(p.components() == 4 ? 2 : 1) {}

    // Returns the sums of ln R of the columns, [N], after some cycles from psi_1 = 1, psi_0 = 0.
    std::vector<double> log_norms(std::int64_t cycles) {
        const std::size_t size = sites_ * spins_;
        std::vector<double> sums(size);
        newer_.assign(size, std::vector<Number>(size));
        older_ = newer_;
        for (std::size_t j = 0; j < size; ++j) newer_[j][j] = 1;
        std::int64_t slice = 0;
        for (std::int64_t cycle = 0; cycle < cycles; ++cycle) {
            for (std::int64_t k = 0; k < p_.n_ortho; ++k) multiply(slice++);
            for (std::size_t j = 0; j < size; ++j) sums[j] += orthonormalise(j);
        }
        for (std::size_t site = 0; site < sites_ && spins_ == 2; ++site)  // Kramers' degeneracy
            BOOST_TEST(std::fabs(sums[2 * site] - sums[2 * site + 1]) < 1e-9);
        std::vector<double> of_sites;
        for (std::size_t site = 0; site < sites_; ++site) of_sites.push_back(sums[site * spins_]);
        return of_sites;
    }

  private:
    using Columns = std::vector<std::vector<Number>>;  // [column][site, spin]

    random::UniformPair numbers(std::int64_t slice, std::size_t axis, std::size_t site, std::size_t which) const {
        return random::philox_pair(static_cast<std::uint64_t>(p_.seed), 0, static_cast<std::uint64_t>(slice),
                                   static_cast<std::uint32_t>(sites_ + 2 * (axis * sites_ + site) + which));
    }

    double modulus(std::int64_t slice, std::size_t axis, std::size_t site) const {
        const double u = numbers(slice, axis, site, 1).second - 0.5;
        double t = axis == 0 ? 1.0 : axis == 1 ? p_.hopping : p_.hopping * p_.anisotropy;
        if (p_.hopping_disorder == HoppingDisorder::uniform) t *= 1 + p_.hopping_width * u;
        if (p_.hopping_disorder == HoppingDisorder::logarithmic) t *= std::exp(p_.hopping_width * u);
        return t;
    }

    // Hopping to a site from the next in direction 0 (along the bar), 1 (x) or 2 (y).
    Spin hopping(std::int64_t slice, std::size_t axis, std::size_t site) const {
        const double t = modulus(slice, axis, site), s = p_.spin_orbit, c = std::sqrt(1 - s * s);
        switch (p_.model) {
            case Model::anderson:
                return phase(0) * t;
            case Model::peierls: {
                const double flux[] = {
                    0, p_.longitudinal_flux * static_cast<double>(slice),
                    p_.transverse_flux * static_cast<double>(site % static_cast<std::size_t>(p_.width))};
                return phase(flux[axis]) * t;
            }
            case Model::u1:
                return phase(axis == 0 ? 0 : numbers(slice, axis, site, 0).first) * t;
            case Model::su2: {
                if (axis == 0) return with_spin(1, 0, 0, 0) * t;
                const auto [u, v] = numbers(slice, axis, site, 0);
                const double w = numbers(slice, axis, site, 1).first, a = std::sqrt(1 - u), b = std::sqrt(u);
                return with_spin(a * std::cos(2 * M_PI * v), -a * std::sin(2 * M_PI * v), -b * std::cos(2 * M_PI * w),
                                 -b * std::sin(2 * M_PI * w)) *
                       t;
            }
            case Model::ando:
                return (axis == 0   ? with_spin(c, 0, s, 0)
                        : axis == 1 ? with_spin(c, -s, 0, 0)
                                    : with_spin(c, 0, 0, s)) *
                       t;
        }
        return {};
    }

    // Adds factor * hopping * psi(from) to sum(to).
    void add(std::vector<Number>& sum, std::size_t to, double factor, const Spin& hopping,
             const std::vector<Number>& psi, std::size_t from) const {
        for (std::size_t a = 0; a < spins_; ++a)
            for (std::size_t b = 0; b < spins_; ++b)
                sum[to * spins_ + a] += factor * hopping.element[a][b] * psi[from * spins_ + b];
    }

    void multiply(std::int64_t slice) {
        const auto m = static_cast<std::size_t>(p_.width);
        const double edge = p_.boundary == Boundary::hard_wall ? 0.0 : p_.boundary == Boundary::periodic ? 1.0 : -1.0;
        for (std::size_t j = 0; j < newer_.size(); ++j) {
            const std::vector<Number>&now = newer_[j], &before = older_[j];
            std::vector<Number> sum(now.size()), next(now.size());
            for (std::size_t site = 0; site < sites_; ++site) {
                const double v = potential(p_.disorder, point_.disorder, static_cast<std::uint64_t>(p_.seed), 0,
                                           static_cast<std::uint64_t>(slice), static_cast<std::uint32_t>(site));
                for (std::size_t a = 0; a < spins_; ++a)
                    sum[site * spins_ + a] += (point_.energy - v) * now[site * spins_ + a];
                const auto bond = [&](std::size_t axis, std::size_t other, bool across) {
                    const Spin h = hopping(slice, axis, site) * (across ? edge : 1);
                    add(sum, site, -1, h, now, other);
                    add(sum, other, -1, h.adjoint(), now, site);
                };
                const std::size_t x = site % m, y = site / m;
                if (p_.dimension > 1) bond(1, (x + 1) % m + m * y, x + 1 == m);
                if (p_.dimension > 2) bond(2, x + m * ((y + 1) % m), y + 1 == m);
                add(sum, site, -1, hopping(slice - 1, 0, site).adjoint(), before, site);
            }
            // T is its modulus times a unitary matrix.
            for (std::size_t site = 0; site < sites_; ++site)
                add(next, site, 1 / std::pow(modulus(slice, 0, site), 2), hopping(slice, 0, site).adjoint(), sum, site);
            older_[j] = now;
            newer_[j] = next;
        }
    }

    // Takes the columns before it out of column j, normalises it, and returns the logarithm of its norm.
    double orthonormalise(std::size_t j) {
        const auto dot = [](const std::vector<Number>& x, const std::vector<Number>& y) {
            Number sum = 0;
            for (std::size_t i = 0; i < x.size(); ++i) sum += std::conj(x[i]) * y[i];
            return sum;
        };
        for (std::size_t k = 0; k < j; ++k) {
            const Number overlap = dot(newer_[k], newer_[j]) + dot(older_[k], older_[j]);
            for (std::size_t i = 0; i < newer_[j].size(); ++i) {
                newer_[j][i] -= overlap * newer_[k][i];
                older_[j][i] -= overlap * older_[k][i];
            }
        }
        const double norm = std::sqrt(std::real(dot(newer_[j], newer_[j]) + dot(older_[j], older_[j])));
        for (std::size_t i = 0; i < newer_[j].size(); ++i) newer_[j][i] /= norm, older_[j][i] /= norm;
        return std::log(norm);
    }

    Problem p_;
    Point point_;
    std::size_t sites_, spins_;
    Columns newer_, older_;
};

Problem problem_of(int dimension, int width, Model model) {
    Problem p;
    p.dimension = dimension;
    p.width = width;
    if (dimension == 1) p.boundary = Boundary::hard_wall;
    p.model = model;
    return p;
}

PointResult result_of(const Problem& p, Point point, int threads = 1) {
    Context context = tests::make_context(Backend::cpu, threads);
    Solver solver(context, p, {point});
    solver.run({});
    return solver.result(0);
}

// Compares all exponents of a short run with the independent transfer matrix.
void compare(Problem p, const std::string& what) {
    constexpr std::int64_t cycles = 12;
    const Point point{0.4, 2.0};
    p.rule = Rule::tmsexd;
    p.epsilon = 1e-12;
    p.max_multiplications = cycles * p.n_ortho;
    const std::vector<double> sums = Reference(p, point).log_norms(cycles);
    const PointResult r = result_of(p, point);
    BOOST_REQUIRE(r.exponents.size() == sums.size());
    double worst = 0;
    for (std::size_t j = 0; j < sums.size(); ++j) {
        const double expected = sums[sums.size() - 1 - j] / static_cast<double>(p.max_multiplications);
        worst = std::max(worst, std::fabs(r.exponents[j] - expected));
    }
    BOOST_TEST(worst < 1e-11, what << ": off by " << worst);
}

const std::vector<std::pair<const char*, Model>> models{{"Anderson", Model::anderson},
                                                        {"Peierls", Model::peierls},
                                                        {"U(1)", Model::u1},
                                                        {"SU(2)", Model::su2},
                                                        {"Ando", Model::ando}};

Problem small(const Problem& problem) {
    Problem p = problem;
    p.n_ortho = 4;
    p.hopping = 0.8;
    p.spin_orbit = 0.37;
    if (p.dimension == 3) p.anisotropy = 1.3;
    if (p.model == Model::peierls && p.dimension > 1) p.longitudinal_flux = 0.29;
    if (p.model == Model::peierls && p.dimension == 3)
        p.transverse_flux = p.boundary == Boundary::hard_wall ? 0.17 : 1.0 / static_cast<double>(p.width);
    return p;
}

}  // namespace

BOOST_AUTO_TEST_CASE(short_runs) {
    for (const auto& [name, model] : models)
        for (const auto& [dimension, width] : {std::pair{1, 1}, {2, 1}, {2, 2}, {2, 3}, {2, 7}, {3, 1}, {3, 2}, {3, 3}})
            for (const Boundary boundary : {Boundary::hard_wall, Boundary::periodic, Boundary::antiperiodic})
                for (const auto hopping :
                     {HoppingDisorder::none, HoppingDisorder::uniform, HoppingDisorder::logarithmic}) {
                    if (dimension == 1 && boundary != Boundary::hard_wall) continue;
                    Problem p = problem_of(dimension, width, model);
                    p.boundary = boundary;
                    p.hopping_disorder = hopping;
                    compare(small(p), text(name, ", ", dimension, "D, M = ", width, ", boundary ",
                                           static_cast<int>(boundary), ", hopping ", static_cast<int>(hopping)));
                }
}

// Several threads share a point of this width, whose slices are drawn and multiplied in pieces.
BOOST_AUTO_TEST_CASE(wide_strip) {
    Problem p = small(problem_of(2, 33, Model::su2));
    p.hopping_disorder = HoppingDisorder::uniform;
    p.n_ortho = 11;
    compare(p, "SU(2), M = 33");
    p.epsilon = 1e-12;
    p.max_multiplications = 4 * p.n_ortho;
    const PointResult one = result_of(p, {0.4, 2.0}, 1), two = result_of(p, {0.4, 2.0}, 2);
    for (std::size_t j = 0; j < one.exponents.size(); ++j) BOOST_TEST(one.exponents[j] == two.exponents[j]);
}

// Without flux the exponents are those of the real model, to rounding errors.
BOOST_AUTO_TEST_CASE(no_flux) {
    Problem real = problem_of(3, 3, Model::anderson);
    real.rule = Rule::tmsexd;
    real.max_multiplications = 1000;
    real.epsilon = 1e-12;
    Problem complex = real;
    complex.model = Model::peierls;
    const PointResult a = result_of(real, {0.4, 10.0}), b = result_of(complex, {0.4, 10.0});
    for (std::size_t j = 0; j < a.exponents.size(); ++j) BOOST_TEST(std::fabs(a.exponents[j] - b.exponents[j]) < 1e-12);
}

// The phases of a chain can be removed, so that its exponent is that of the real chain (chain_exponent.hpp).
BOOST_AUTO_TEST_CASE(chains) {
    for (const auto& [name, model] : models) {
        Problem p = problem_of(1, 1, model);
        p.epsilon = 0.002;
        const PointResult r = result_of(p, {0.5, 3.0});
        const double exact = tests::chain_exponent(0.5, 3.0);
        BOOST_TEST(std::fabs(r.exponents[0] - exact) < 4 * r.errors[0] * r.exponents[0], name);
    }
}

// With random hopping alone, the growth of the wave function at E = 0 is a random walk without drift: psi_{n+1} =
// -(t_{n-1} / t_n) psi_{n-1}. The exponent is 0. The tolerance is 5 standard deviations of a walk with the variance of
// ln t in each step.
BOOST_AUTO_TEST_CASE(random_hopping_at_the_band_centre) {
    Problem p = problem_of(1, 1, Model::anderson);
    p.hopping_disorder = HoppingDisorder::logarithmic;
    p.max_multiplications = 1'000'000;
    p.epsilon = 1e-12;
    const PointResult r = result_of(p, {0.0, 0.0});
    BOOST_TEST(std::fabs(r.exponents[0]) < 5 * std::sqrt(1.0 / 12 / 1e6));
}

// Weak random hopping scatters a wave of energy E = 2 cos k like random site energies of four times the variance of its
// logarithm: the exponent is variance / (2 sin^2 k), as it is variance / (8 sin^2 k) with site energies.
BOOST_AUTO_TEST_CASE(weak_random_hopping) {
    constexpr double second = 0.3 * 0.3 / 12, fourth = 0.3 * 0.3 * 0.3 * 0.3 / 80;  // moments of hopping_width u
    for (const auto& [hopping, variance] :
         {std::pair{HoppingDisorder::uniform, second + fourth * 11 / 12 - second * second / 4},
          {HoppingDisorder::logarithmic, second}}) {
        Problem p = problem_of(1, 1, Model::anderson);
        p.hopping_disorder = hopping;
        p.hopping_width = 0.3;
        p.n_ortho = 20;
        p.epsilon = 0.003;
        const PointResult r = result_of(p, {1.0, 0.0});
        const double theory = variance / (2 * 0.75);
        BOOST_TEST_MESSAGE("exponent " << r.exponents[0] << ", theory " << theory);
        BOOST_TEST(std::fabs(r.exponents[0] / theory - 1) < 0.012);
    }
}

BOOST_AUTO_TEST_CASE(refusals) {
    const auto refused = [](const Problem& p, const char* field) {
        try {
            validate(p);
        } catch (const Error& error) {
            BOOST_TEST(std::string(error.what()).find(text("tmm.params.", field, ": ")) != std::string::npos,
                       error.what());
            return;
        }
        BOOST_TEST(false, "accepted: " << field);
    };
    for (const RandomStream stream : {RandomStream::lfsr113, RandomStream::lfsr113_per_site}) {
        Problem p = problem_of(2, 4, Model::u1);
        p.random_stream = stream;
        refused(p, "model");
        p.model = Model::anderson;
        p.hopping_disorder = HoppingDisorder::uniform;
        refused(p, "hopping_disorder");
        p.hopping_disorder = HoppingDisorder::none;
        validate(p);
    }
    Problem p = problem_of(3, 4, Model::peierls);
    p.transverse_flux = 0.3;
    refused(p, "transverse_flux");
    p.boundary = Boundary::hard_wall;
    validate(p);
    p.model = Model::u1;
    refused(p, "transverse_flux");
    p.transverse_flux = 0;
    p.longitudinal_flux = 0.1;
    refused(p, "longitudinal_flux");
    p = problem_of(2, 4, Model::anderson);
    p.anisotropy = 2;
    refused(p, "anisotropy");
    p.dimension = 3;
    validate(p);
    p.anisotropy = 0;
    refused(p, "anisotropy");
    for (const auto& [dimension, width, model] : {std::tuple{2, 1024, Model::su2},
                                                  {2, 2048, Model::u1},
                                                  {2, 4096, Model::anderson},
                                                  {3, 32, Model::ando},
                                                  {3, 45, Model::peierls},
                                                  {3, 64, Model::anderson}}) {
        validate(problem_of(dimension, width, model));
        refused(problem_of(dimension, width + 1, model), "width");
    }
    for (const double value : {-0.1, 1.1, static_cast<double>(NAN)}) {
        p = problem_of(2, 4, Model::ando);
        p.spin_orbit = value;
        refused(p, "spin_orbit");
    }
}
