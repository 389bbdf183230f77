// Tests slices that the caller changes or defines. Short runs are compared with dense complex transfer matrices.
#define BOOST_TEST_MODULE tmm_given_slices
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <complex>
#include <filesystem>
#include <functional>

#include "runs.hpp"
#include "tmm/disorder.hpp"

using namespace legato;
using namespace legato::tmm;

namespace {

using Number = std::complex<double>;
using Dense = std::vector<std::vector<Number>>;

const SliceCallback unchanged = [](auto...) {};

Problem problem_of(int dimension, int width, Model model = Model::anderson) {
    Problem p;
    p.dimension = dimension;
    p.width = width;
    p.model = model;
    p.n_ortho = 4;
    p.rule = Rule::tmsexd;
    p.epsilon = 1e-12;
    p.max_multiplications = 80;
    return p;
}

std::vector<double> exponents(const Problem& p, const Point& point, Given given = {}, int threads = 1) {
    Context context = tests::make_context(Backend::cpu, threads);
    Solver solver(context, p, {point}, {}, std::move(given));
    solver.run({});
    return solver.result(0).exponents;
}

// A random number of the test, uniform on [-1/2, 1/2].
double number(std::int64_t slice, std::size_t index) {
    return random::philox_pair(5, 7, static_cast<std::uint64_t>(slice), static_cast<std::uint32_t>(index)).first - 0.5;
}

// Returns the exponents, smallest first, of along psi_{n+1} = (E - H_n) psi_n - along psi_{n-1}, where slice(n) is H_n
// and along(n, i) the hopping from slice n to n + 1. psi_1 = 1 and psi_0 = 0.
std::vector<double> dense_exponents(std::size_t sites, double energy, std::int64_t slices, std::int64_t n_ortho,
                                    const std::function<Dense(std::int64_t)>& slice,
                                    const std::function<double(std::int64_t, std::size_t)>& along) {
    Dense x(sites, std::vector<Number>(2 * sites));  // [column][psi_{n+1}, psi_n]
    for (std::size_t j = 0; j < sites; ++j) x[j][j] = 1;
    std::vector<double> sums(sites);
    for (std::int64_t n = 0; n < slices; ++n) {
        const Dense h = slice(n);
        for (auto& column : x) {
            std::vector<Number> next(2 * sites);
            for (std::size_t i = 0; i < sites; ++i) {
                Number sum = energy * column[i] - (n == 0 ? 1.0 : along(n - 1, i)) * column[sites + i];
                for (std::size_t k = 0; k < sites; ++k) sum -= h[i][k] * column[k];
                next[i] = sum / along(n, i);
                next[sites + i] = column[i];
            }
            column = next;
        }
        if ((n + 1) % n_ortho != 0) continue;
        for (std::size_t j = 0; j < sites; ++j) {
            const auto dot = [&](std::size_t a, std::size_t b) {
                Number sum = 0;
                for (std::size_t i = 0; i < 2 * sites; ++i) sum += std::conj(x[a][i]) * x[b][i];
                return sum;
            };
            for (std::size_t k = 0; k < j; ++k) {
                const Number overlap = dot(k, j);
                for (std::size_t i = 0; i < 2 * sites; ++i) x[j][i] -= overlap * x[k][i];
            }
            const double norm = std::sqrt(dot(j, j).real());
            for (Number& value : x[j]) value /= norm;
            sums[j] += std::log(norm);
        }
    }
    for (double& sum : sums) sum /= static_cast<double>(slices);
    std::reverse(sums.begin(), sums.end());
    return sums;
}

double worst(const std::vector<double>& a, const std::vector<double>& b) {
    BOOST_REQUIRE(a.size() == b.size());
    double most = 0;
    for (std::size_t j = 0; j < a.size(); ++j) most = std::max(most, std::fabs(a[j] - b[j]));
    return most;
}

// Solves a x = b by Gaussian elimination with pivots.
std::vector<double> solve(std::vector<std::vector<double>> a, std::vector<double> b) {
    const std::size_t n = b.size();
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t pivot = k;
        for (std::size_t i = k; i < n; ++i)
            if (std::fabs(a[i][k]) > std::fabs(a[pivot][k])) pivot = i;
        std::swap(a[k], a[pivot]);
        std::swap(b[k], b[pivot]);
        for (std::size_t i = k + 1; i < n; ++i) {
            const double factor = a[i][k] / a[k][k];
            for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
            b[i] -= factor * b[k];
        }
    }
    for (std::size_t k = n; k-- > 0;) {
        for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
        b[k] /= a[k][k];
    }
    return b;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_callback_that_changes_nothing_gives_the_bits_of_the_model) {
    for (const Model model : {Model::anderson, Model::peierls, Model::u1, Model::su2, Model::ando})
        for (const auto& [dimension, width] : {std::pair{1, 1}, {2, 1}, {2, 2}, {2, 9}, {3, 2}, {3, 4}})
            for (const Boundary boundary : {Boundary::hard_wall, Boundary::periodic, Boundary::antiperiodic}) {
                if (dimension == 1 && boundary != Boundary::hard_wall) continue;
                Problem p = problem_of(dimension, width, model);
                p.boundary = boundary;
                p.hopping = 0.9;
                if (model == Model::peierls && dimension > 1) p.longitudinal_flux = 0.3;
                for (const auto& [hopping, rule] : {std::pair{HoppingDisorder::none, Rule::tmsexd},
                                                    {HoppingDisorder::logarithmic, Rule::tmsexd},
                                                    {HoppingDisorder::logarithmic, Rule::blocks}}) {
                    p.hopping_disorder = hopping;
                    p.rule = rule;
                    BOOST_TEST(exponents(p, {0.3, 2.0}) == exponents(p, {0.3, 2.0}, {{}, unchanged}),
                               "model " << static_cast<int>(model) << ", " << dimension << "D, M = " << width);
                }
            }
}

// The caller's numbers are those of the built-in model.
BOOST_AUTO_TEST_CASE(energies_of_the_caller_give_the_bits_of_the_model) {
    Problem p = problem_of(3, 3);
    const double disorder = 7.0;
    const SliceCallback energies = [&](std::int64_t, std::int64_t, std::int64_t slice, const SliceNumbers& of) {
        const auto [on_site, hopping, along, links, components] = of;
        BOOST_TEST(links == 18U);
        for (std::size_t i = 0; i < on_site.size(); ++i)
            on_site[i] = potential(p.disorder, disorder, static_cast<std::uint64_t>(p.seed), 0,
                                   static_cast<std::uint64_t>(slice), static_cast<std::uint32_t>(i));
        std::fill(hopping.begin(), hopping.end(), 1.0);
        std::fill(along.begin(), along.end(), 1.0);
    };
    BOOST_TEST(exponents(p, {0.3, disorder}) == exponents(p, {0.3, 0.0}, {{}, energies}));
}

// A slice of six sites with hopping between all of them, complex and different in each slice, and along the bar.
BOOST_AUTO_TEST_CASE(sites_with_many_neighbours) {
    constexpr std::size_t sites = 6;
    std::vector<Link> links;
    for (std::int32_t i = 0; i < 6; ++i)
        for (std::int32_t k = 0; k < i; ++k) links.push_back(i % 2 ? Link{i, k} : Link{k, i});
    const auto element = [](std::int64_t slice, std::size_t l) {
        return Number(1 + number(slice, 10 + 2 * l), number(slice, 11 + 2 * l));
    };
    const auto along = [](std::int64_t slice, std::size_t i) { return 1 + number(slice, 100 + i); };
    const SliceCallback callback = [&](std::int64_t, std::int64_t, std::int64_t slice, const SliceNumbers& of) {
        const auto [on_site, hopping, to_next, count, components] = of;
        BOOST_TEST((count == links.size() && hopping.size() == 2 * count && on_site.size() == sites));
        for (std::size_t i = 0; i < sites; ++i) {
            on_site[i] = 3 * number(slice, i);
            to_next[i] = along(slice, i);
        }
        for (std::size_t l = 0; l < count; ++l) {
            hopping[2 * l] = element(slice, l).real();
            hopping[2 * l + 1] = element(slice, l).imag();
        }
    };
    const auto dense = [&](std::int64_t slice) {
        Dense h(sites, std::vector<Number>(sites));
        for (std::size_t i = 0; i < sites; ++i) h[i][i] = 3 * number(slice, i);
        for (std::size_t l = 0; l < links.size(); ++l) {
            const auto a = static_cast<std::size_t>(links[l].first), b = static_cast<std::size_t>(links[l].second);
            h[a][b] += element(slice, l);
            h[b][a] += std::conj(element(slice, l));
        }
        return h;
    };
    const Problem p = problem_of(2, sites, Model::peierls);
    const std::vector<double> found = exponents(p, {0.2, 0.0}, {links, callback});
    BOOST_TEST(worst(found, dense_exponents(sites, 0.2, p.max_multiplications, p.n_ortho, dense, along)) < 1e-11);
    BOOST_TEST(found == exponents(p, {0.2, 0.0}, {links, callback}, 2));
}

// The square lattice as links of the caller.
BOOST_AUTO_TEST_CASE(a_lattice_of_the_caller) {
    for (const Model model : {Model::anderson, Model::su2}) {
        std::vector<Link> links;
        for (std::int32_t i = 0; i < 5; ++i) links.push_back({i, (i + 1) % 5});
        const Problem p = problem_of(2, 5, model);
        BOOST_TEST(worst(exponents(p, {0.3, 2.0}), exponents(p, {0.3, 2.0}, {links, unchanged})) < 1e-12);
    }
}

// The Lieb lattice: a square lattice with another site on every link. A slice of corner sites and one of the sites
// between these slices alternate. The caller takes the sites on the links within a slice out; the test does this with
// the dense equations of all sites.
BOOST_AUTO_TEST_CASE(lieb_lattice) {
    constexpr std::size_t width = 6;
    constexpr double energy = 0.5, disorder = 1.0;
    const auto corner = [](std::int64_t slice, std::size_t i) { return disorder * number(slice, i); };
    const auto between = [](std::int64_t slice, std::size_t i) { return disorder * number(slice, width + i); };
    const SliceCallback callback = [&](std::int64_t, std::int64_t, std::int64_t slice, const SliceNumbers& of) {
        const auto on_site = of.on_site;
        const auto hopping = of.hopping;
        const auto links = of.links;
        for (std::size_t i = 0; i < width; ++i) on_site[i] = corner(slice, i);
        for (std::size_t l = 0; l < links; ++l) {
            hopping[l] = slice % 2 == 0 ? 1 / (energy - between(slice, l)) : 0.0;
            on_site[l] += hopping[l];
            on_site[(l + 1) % width] += hopping[l];
        }
    };
    // psi_{n+1} + psi_{n-1} for the corners psi_n = e_k: with the sites between them there are 2 M equations.
    const auto dense = [&](std::int64_t slice) {
        Dense h(width, std::vector<Number>(width));
        for (std::size_t k = 0; k < width; ++k) {
            std::vector<std::vector<double>> a(2 * width, std::vector<double>(2 * width));
            std::vector<double> b(2 * width);
            for (std::size_t i = 0; i < width; ++i) {
                a[i][i] = 1;
                b[i] = i == k ? energy - corner(slice, i) : 0.0;
                if (slice % 2 == 0) {
                    a[i][width + i] = a[i][width + (i + width - 1) % width] = 1;
                    b[width + i] = (i == k ? 1.0 : 0.0) + ((i + 1) % width == k ? 1.0 : 0.0);
                }
                a[width + i][width + i] = energy - between(slice, i);
            }
            const std::vector<double> x = solve(a, b);
            for (std::size_t i = 0; i < width; ++i) h[i][k] = (i == k ? energy : 0.0) - x[i];
        }
        return h;
    };
    Problem p = problem_of(2, width);
    p.max_multiplications = 4000;
    p.n_ortho = 2;
    const std::vector<double> expected =
        dense_exponents(width, energy, p.max_multiplications, p.n_ortho, dense, [](auto...) { return 1.0; });
    const std::vector<double> found = exponents(p, {energy, 0.0}, {{}, callback});
    BOOST_TEST_MESSAGE("smallest exponents " << found[0] << " and " << expected[0]);
    BOOST_TEST(worst(found, expected) < 1e-9);
}

// The callback gets the numbers of its point and replica. A run goes on with the same bits after it has been stopped by
// the callback or resumed; a long call of advance() takes its slices in pieces.
BOOST_AUTO_TEST_CASE(runs_that_are_stopped_and_resumed) {
    const auto path = std::filesystem::temp_directory_path() / "legato_given_slices_test.h5";
    Problem p = problem_of(2, 3, Model::u1);
    p.rule = Rule::blocks;
    p.replicas = 2;
    p.epsilon = 0.05;
    p.max_multiplications = 1'000'000;
    const std::vector<Point> points{{0.1, 3.0}, {0.2, 0.0}};
    std::int64_t stop_at = -1;
    const SliceCallback callback = [&](std::int64_t point, std::int64_t replica, std::int64_t slice,
                                       const SliceNumbers& of) {
        const auto on_site = of.on_site;
        const auto along = of.along;
        BOOST_REQUIRE((point >= 0 && point < 2 && replica >= 0 && replica < 2 && slice >= 0));
        if (slice == stop_at) fail(Status::cancelled, "stopped");
        if (point == 1) on_site[0] = 5 * number(slice, static_cast<std::size_t>(replica));
        along[1] = 1.5;
    };
    const auto results = [&](Solver& solver) {
        std::vector<double> all;
        for (std::size_t i = 0; i < points.size(); ++i) {
            const PointResult r = solver.result(i);
            BOOST_TEST((r.status == PointStatus::converged));
            all.insert(all.end(), r.exponents.begin(), r.exponents.end());
            all.insert(all.end(), r.errors.begin(), r.errors.end());
        }
        return all;
    };
    Context context = tests::make_context(Backend::cpu, 2);
    Solver whole(context, p, points, {}, {{}, callback}), stopped(context, p, points, {}, {{}, callback});
    whole.run({});
    stop_at = 777;
    BOOST_CHECK_THROW(stopped.run({}), Error);
    stop_at = -1;
    stopped.advance(13);
    stopped.save(path);
    const auto resumed = Solver::resume(context, path, callback);
    stopped.run({});
    while (!resumed->advance(1'000'000)) {
    }
    BOOST_TEST(results(whole) == results(stopped));
    BOOST_TEST(results(whole) == results(*resumed));
    BOOST_CHECK_THROW(Solver::resume(context, path), Error);
    Solver plain(context, p, points);
    plain.advance(3);
    plain.save(path);
    BOOST_CHECK_THROW(Solver::resume(context, path, callback), Error);
    std::filesystem::remove(path);
}

// The callback is not called for slices beyond those that a run can need.
BOOST_AUTO_TEST_CASE(slices_that_no_cycle_needs) {
    Problem p = problem_of(2, 2);
    std::int64_t calls = 0, last = 0;
    const Given given{{}, [&](std::int64_t, std::int64_t, std::int64_t slice, const SliceNumbers&) {
                          ++calls;
                          last = std::max(last, slice);
                      }};
    Context context = tests::make_context(Backend::cpu);
    Solver solver(context, p, {{0.1, 3.0}}, {}, given);
    BOOST_TEST(solver.advance(1'000'000'000));
    BOOST_TEST(calls == p.max_multiplications);
    BOOST_TEST(last == p.max_multiplications - 1);
}

BOOST_AUTO_TEST_CASE(refusals) {
    Context context = tests::make_context(Backend::cpu);
    const auto refused = [&](const Problem& p, Given given, const std::string& message) {
        try {
            Solver solver(context, p, {{0.0, 1.0}}, {}, std::move(given));
            solver.advance(1);
        } catch (const Error& error) {
            BOOST_TEST(std::string(error.what()).find(message) != std::string::npos, error.what());
            return;
        }
        BOOST_TEST(false, "accepted: " << message);
    };
    Problem p = problem_of(2, 3);
    for (const double bad : {static_cast<double>(NAN), static_cast<double>(INFINITY)}) {
        refused(p,
                {{},
                 [&](std::int64_t, std::int64_t, std::int64_t, const SliceNumbers& of) {
                     const auto on_site = of.on_site;
                     on_site[1] = bad;
                 }},
                "tmm.callback: on_site[1] of slice 0 is ");
        refused(p,
                {{},
                 [&](std::int64_t, std::int64_t, std::int64_t, const SliceNumbers& of) {
                     const auto hopping = of.hopping;
                     hopping[2] = bad;
                 }},
                "tmm.callback: hopping[2] of slice 0 is ");
    }
    refused(p,
            {{},
             [](std::int64_t, std::int64_t, std::int64_t slice, const SliceNumbers& of) {
                 const auto along = of.along;
                 along[0] = slice == 2 ? 0 : 1;
             }},
            "tmm.callback: along[0] of slice 2 is 0, not a finite number different from 0");
    p.random_stream = RandomStream::lfsr113;
    refused(p, {{}, unchanged}, "tmm.params.random_stream: 0 is not ");
    refused(problem_of(3, 3), {{{0, 1}}, unchanged}, "tmm.params.dimension: 3 is not 2");
    refused(problem_of(2, 3, Model::ando), {{{0, 1}}, unchanged}, "tmm.params.model: ");
    refused(problem_of(2, 3), {std::vector<Link>(65, Link{0, 1}), unchanged}, "tmm.n_links: site 0 has more than 64");
}
