// f(H)|v> against dense matrices, exact propagators and the stated bounds.
#define BOOST_TEST_MODULE kpm_function
#include "kpm/function.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <complex>
#include <numeric>

#include "complex_matrices.hpp"
#include "kpm/shared_hamiltonian.hpp"

using namespace legato;
using namespace legato::kpm;
using namespace legato::kpm::tests;

namespace {

using Complex = std::complex<double>;
using Vector = std::vector<Complex>;

Lattice lattice_of(std::array<std::int64_t, 3> extents, Boundary boundary = Boundary::periodic, double disorder = 0) {
    Lattice lattice;
    lattice.extents = extents;
    lattice.boundary = {boundary, Boundary::hard_wall, boundary};
    lattice.on_site = disorder > 0 ? OnSite::box : OnSite::constant;
    lattice.energy = 0.4;
    lattice.disorder = disorder;
    return lattice;
}

// A Hamiltonian, its realisation, and its eigenvectors.
struct Model {
    Hamiltonian hamiltonian;
    Problem problem;
    std::int64_t realisation = 0;
    Matrix vectors{};
    std::vector<double> energies;

    Model(Hamiltonian h, std::int64_t of_realisation = 0) : hamiltonian(std::move(h)), realisation(of_realisation) {
        problem.realisations = static_cast<int>(realisation) + 1;
        const auto* lattice = std::get_if<Lattice>(&hamiltonian);
        vectors = dense(lattice ? matrix_of(*lattice, 1, realisation) : std::get<CrsMatrix>(hamiltonian));
        energies = diagonalise(vectors);
    }

    std::size_t sites() const { return energies.size(); }
    std::unique_ptr<Function> function(Context& context) const {
        return std::make_unique<Function>(context, problem, prepared(hamiltonian), realisation);
    }
    // Returns f(H) v from the eigenvectors.
    template <class F>
    Vector exact(const F& f, const Vector& v) const {
        Vector result(v.size());
        for (std::size_t first = 0; first < v.size(); first += sites())
            for (std::size_t k = 0; k < sites(); ++k) {
                Complex overlap = 0;
                for (std::size_t i = 0; i < sites(); ++i) overlap += vectors(i, k) * v[first + i];
                overlap *= f(energies[k]);
                for (std::size_t i = 0; i < sites(); ++i) result[first + i] += vectors(i, k) * overlap;
            }
        return result;
    }
};

std::vector<Model> models() {
    std::mt19937_64 random(7);
    std::vector<Model> all;
    all.emplace_back(lattice_of({61, 1, 1}));
    all.emplace_back(lattice_of({61, 1, 1}, Boundary::hard_wall));
    all.emplace_back(lattice_of({9, 8, 1}));
    all.emplace_back(lattice_of({5, 4, 3}));
    all.emplace_back(lattice_of({5, 4, 3}, Boundary::periodic, 6), 2);
    all.emplace_back(random_matrix(random, 83, 6));
    all.emplace_back(random_matrix(random, 40, 12));
    return all;
}

Vector random_vectors(std::size_t size, unsigned seed = 3) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    Vector v(size);
    for (Complex& element : v) element = {normal(random), normal(random)};
    return v;
}

std::span<const double> parts(const Vector& v) {
    return {reinterpret_cast<const double*>(v.data()), 2 * v.size()};
}

void apply(Function& function, const Vector& in, std::span<Complex> out, const ProgressCallback& callback = {}) {
    const auto count = static_cast<std::int64_t>(in.size()) / sites_of(function.hamiltonian());
    function.apply({count, 2, parts(in), {reinterpret_cast<double*>(out.data()), 2 * out.size()}}, callback);
}

Vector applied(Function& function, const Vector& in) {
    Vector out(in.size());
    apply(function, in, out);
    return out;
}

double norm(const Vector& v) {
    double sum = 0;
    for (const Complex element : v) sum += std::norm(element);
    return std::sqrt(sum);
}

double distance(Vector a, const Vector& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
    return norm(a);
}

struct Kind {
    FunctionKind kind;
    double first, second;
    std::function<Complex(double)> f;
};

// Functions that belong to a model, whose spectrum decides which square roots and exponentials are possible.
std::vector<Kind> kinds_for(const Model& model) {
    const double lowest = -20, mu = model.energies[model.sites() / 3] + 0.01;
    return {
        {FunctionKind::evolution, 1.7, 0, [](double e) { return std::polar(1.0, -1.7 * e); }},
        {FunctionKind::evolution, -31, 0, [](double e) { return std::polar(1.0, 31 * e); }},
        {FunctionKind::boltzmann, 0.7, 0, [](double e) { return std::exp(-0.7 * e); }},
        {FunctionKind::fermi, mu, 0.3, [=](double e) { return 1 / (1 + std::exp((e - mu) / 0.3)); }},
        {FunctionKind::step, mu, 0.2, [=](double e) { return std::erfc((e - mu) / 0.2) / 2; }},
        {FunctionKind::gaussian, mu, 0.5, [=](double e) { return std::exp(-(e - mu) * (e - mu) / 0.5); }},
        {FunctionKind::square_root, lowest, 0, [=](double e) { return std::sqrt(e - lowest); }},
        {FunctionKind::resolvent, mu, -0.4, [=](double e) { return 1.0 / Complex(mu - e, -0.4); }},
    };
}

}  // namespace

BOOST_AUTO_TEST_CASE(bessel_functions_are_those_of_the_standard_library) {
    for (const double z : {0.0, 1e-300, 1e-11, 1e-9, 0.3, 1.0, 2.4048255576957728, 17.0, 250.5, 5000.0}) {
        const std::size_t count = static_cast<std::size_t>(z + 15 * std::cbrt(z)) + 60;
        const std::vector<double> j = bessel_functions(z, count);
        double tail = 0;
        for (std::size_t n = count; n-- > 0;) {
            if (z <= 300) BOOST_TEST(std::abs(j[n] - std::cyl_bessel_j(static_cast<double>(n), z)) < 1e-13);
            tail += std::abs(j[n]);
            const auto order = static_cast<double>(n);
            if (order <= z || tail < 1e-200) continue;
            BOOST_TEST(bessel_tail(z, n) >= tail * (1 - 1e-12), z << " " << n);
            if (n + 40 < count) BOOST_TEST(bessel_tail(z, n) <= 200 * tail, z << " " << n);
        }
        double sum = j[0];  // cos(z sin(0)) = J_0 + 2 sum J_2k
        for (std::size_t n = 2; n < count; n += 2) sum += 2 * j[n];
        BOOST_TEST(std::abs(sum - 1) < 1e-14 + 1e-15 * z);
    }
}

BOOST_AUTO_TEST_CASE(evolution_agrees_with_dense_exponentials) {
    Context context = make_context();
    double largest = 0;
    for (const Model& model : models()) {
        const auto function = model.function(context);
        const Vector v = random_vectors(3 * model.sites());
        for (const double t : {0.0, 1e-12, 0.3, -7.0, 200.0}) {
            function->set(FunctionKind::evolution, t, 0, 1e-14);
            const Vector u = applied(*function, v);
            const auto phase = [t](double e) { return std::polar(1.0, -t * e); };
            const double error = distance(u, model.exact(phase, v)) / norm(v);
            BOOST_TEST(error < 1e-12);
            largest = std::max(largest, error);
            BOOST_TEST(std::abs(norm(u) / norm(v) - 1) <= function->bound());
            if (t == 0) BOOST_TEST((function->expansion().terms() == 1 && u == v));
            const auto energy = [&](const Vector& of) {
                const Vector h = model.exact([](double e) { return e; }, of);
                Complex sum = 0;
                for (std::size_t i = 0; i < of.size(); ++i) sum += std::conj(of[i]) * h[i];
                return sum.real();
            };
            const double size = std::max(std::abs(model.energies.front()), std::abs(model.energies.back()));
            BOOST_TEST(std::abs(energy(u) - energy(v)) <= (2 * function->bound() + 1e-14) * size * norm(v) * norm(v));
        }
    }
    BOOST_TEST_MESSAGE("largest error " << largest);
}

// The diagonal of a caller's matrix has other energies in every realisation, drawn or from a source.
BOOST_AUTO_TEST_CASE(matrices_with_random_energies) {
    std::mt19937_64 random(9);
    Hamiltonian clean = random_matrix(random, 60, 6);
    prepare(clean);
    const auto source = [](std::int64_t realisation, std::span<double> energies) {
        for (std::size_t i = 0; i < energies.size(); ++i)
            energies[i] = 2 * std::cos(static_cast<double>(i) + static_cast<double>(realisation));
    };
    const std::vector<Disorder> kinds{{.on_site = OnSite::box, .strength = 5},
                                      {.on_site = OnSite::normal, .strength = 2},
                                      {.on_site = OnSite::energies,
                                       .lowest = -2,
                                       .highest = 2,
                                       .source = std::make_shared<const EnergySource>(source)}};
    for (const Disorder& disorder : kinds)
        for (const std::int64_t realisation : {0, 2}) {
            std::vector<double> given(60), energies(60);
            source(realisation, given);
            draw_energies(disorder, 1, realisation, 0, given.data(), energies);
            CrsMatrix with = std::get<CrsMatrix>(clean);
            for (std::size_t row = 0; row < 60; ++row)
                for (auto k = static_cast<std::size_t>(with.row_pointers[row]);
                     k < static_cast<std::size_t>(with.row_pointers[row + 1]); ++k)
                    if (with.columns[k] == static_cast<std::int32_t>(row)) with.values[k] += energies[row];
            const Model model(with, realisation);
            SharedHamiltonian matrix(clean);
            matrix.set_disorder(disorder);
            for (const Bounds bounds : {Bounds::gershgorin, Bounds::lanczos}) {
                Problem problem = model.problem;
                problem.realisations = 3;
                problem.bounds = bounds;
                Context context = make_context(2);
                Function function(context, problem, matrix, realisation);
                function.set(FunctionKind::evolution, 3, 0, 1e-13);
                const Vector v = random_vectors(2 * model.sites());
                const Vector exact = model.exact([](double e) { return std::polar(1.0, -3 * e); }, v);
                BOOST_TEST(distance(applied(function, v), exact) < 1e-12 * norm(v));
            }
        }
}

// Above rounding the bound is at most twenty times the true error.
BOOST_AUTO_TEST_CASE(bounds_are_above_the_errors_and_near_them) {
    Context context = make_context();
    double least = INFINITY, most = 0;
    for (const Model& model : models()) {
        const auto function = model.function(context);
        const Vector v = random_vectors(model.sites());
        for (const Kind& k : kinds_for(model)) {
            const Vector exact = model.exact(k.f, v);
            for (const double tolerance : {0.3, 1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
                function->set(k.kind, k.first, k.second, tolerance);
                const double largest = function->expansion().largest, error = distance(applied(*function, v), exact),
                             bound = function->bound() * norm(v);
                const auto where = [&](const char* what) {
                    return text(what, " kind ", static_cast<int>(k.kind), " tolerance ", tolerance, " bound ", bound,
                                " error ", error, " terms ", function->expansion().terms());
                };
                BOOST_TEST(error <= bound, where("above:"));
                BOOST_TEST(function->expansion().truncation <= tolerance * largest);
                least = std::min(least, bound / error);
                if (tolerance < 1e-8) continue;
                most = std::max(most, bound / error);
                BOOST_TEST(bound <= 20 * error, where("near:"));
            }
        }
    }
    BOOST_TEST_MESSAGE("bound / error: at least " << least << ", above rounding at most " << most);
}

// Rounding is largest for states at the ends of an interval without margin.
BOOST_AUTO_TEST_CASE(bounds_hold_at_the_ends_of_the_interval) {
    Context context = make_context();
    double least = INFINITY;
    for (Model& model : models()) {
        model.problem.bounds = Bounds::interval;
        model.problem.lowest = model.energies.front();
        model.problem.highest = model.energies.back();
        model.problem.margin = 0;
        for (const Precision precision : {Precision::double_, Precision::single}) {
            model.problem.precision = precision;
            const auto function = model.function(context);
            std::vector<Kind> kinds = kinds_for(model);
            kinds.push_back({FunctionKind::evolution, 200, 0, [](double e) { return std::polar(1.0, -200 * e); }});
            for (const Kind& k : kinds)
                for (const double tolerance : {1e-2, 1e-6, 1e-13}) {
                    function->set(k.kind, k.first, k.second, tolerance);
                    for (const std::size_t state : {std::size_t{0}, model.sites() - 1}) {
                        Vector v(model.sites());
                        for (std::size_t i = 0; i < v.size(); ++i) v[i] = model.vectors(i, state);
                        const double error = distance(applied(*function, v), model.exact(k.f, v));
                        BOOST_TEST(error <= function->bound(), static_cast<int>(k.kind)
                                                                   << " " << tolerance << " " << function->bound());
                        least = std::min(least, function->bound() / error);
                    }
                }
        }
    }
    BOOST_TEST_MESSAGE("bound / error: at least " << least);
}

// exp(-i H t) of an infinite chain with hopping 1 is i^|x - y| J_|x-y|(2 t).
BOOST_AUTO_TEST_CASE(wave_packets_spread_on_a_chain_as_bessel_functions) {
    Context context = make_context(3);
    constexpr std::size_t sites = 20001, middle = 10000;
    constexpr double t = 2000;
    Lattice chain;
    chain.extents = {sites, 1, 1};
    Function function(context, {}, prepared(chain), 0);
    function.set(FunctionKind::evolution, t, 0, 1e-13);
    Vector v(sites);
    v[middle] = 1;
    const Vector u = applied(function, v);
    const std::vector<double> j = bessel_functions(2 * t, 6000);
    const std::array<Complex, 4> turns{Complex(1, 0), Complex(0, 1), Complex(-1, 0), Complex(0, -1)};
    double error = 0;
    for (std::size_t n = 0; n < j.size(); ++n)
        for (const std::size_t site : {middle + n, middle - n}) error += std::norm(u[site] - turns[n % 4] * j[n]);
    BOOST_TEST(std::sqrt(error) < 1e-12);
    BOOST_TEST(std::sqrt(error) < function.bound());
}

BOOST_AUTO_TEST_CASE(evolutions_are_composed_and_reversed) {
    Context context = make_context();
    for (const Model& model : models()) {
        const auto function = model.function(context);
        const Vector v = random_vectors(2 * model.sites());
        const auto evolve = [&](double t, const Vector& from) {
            function->set(FunctionKind::evolution, t, 0, 1e-13);
            return applied(*function, from);
        };
        const Vector u = evolve(11.25, v);
        BOOST_TEST(distance(evolve(-11.25, u), v) <= 2 * function->bound() * norm(v));
        BOOST_TEST(distance(evolve(7.25, evolve(4, v)), u) <= 3 * function->bound() * norm(v));
    }
}

BOOST_AUTO_TEST_CASE(projectors_are_idempotent_and_count_the_states) {
    Context context = make_context();
    const Model model(lattice_of({61, 1, 1}, Boundary::hard_wall));
    const auto function = model.function(context);
    const std::size_t below = 20, sites = model.sites();
    const double mu = (model.energies[below - 1] + model.energies[below]) / 2,
                 half_gap = (model.energies[below] - model.energies[below - 1]) / 2;
    function->set(FunctionKind::step, mu, half_gap / 6, 1e-12);
    std::vector<double> unit(sites * sites), p(sites * sites), twice(sites * sites);
    for (std::size_t i = 0; i < sites; ++i) unit[i * sites + i] = 1;
    const auto count = static_cast<std::int64_t>(sites);
    function->apply({count, 1, unit, p}, {});
    function->apply({count, 1, p, twice}, {});
    double trace = 0, change = 0;
    for (std::size_t i = 0; i < sites; ++i) trace += p[i * sites + i];
    for (std::size_t i = 0; i < p.size(); ++i) change = std::max(change, std::abs(p[i] - twice[i]));
    BOOST_TEST(std::abs(trace - below) < 1e-11);
    BOOST_TEST(change <= 3 * function->bound());
    BOOST_TEST(function->bound() < 1e-11);
}

BOOST_AUTO_TEST_CASE(square_roots_squared_are_the_hamiltonian) {
    Context context = make_context();
    for (const Model& model : models()) {
        const auto function = model.function(context);
        const Vector v = random_vectors(model.sites());
        const double lowest = function->rescaling().centre - function->rescaling().half_width - 0.05;
        function->set(FunctionKind::square_root, lowest, 0, 1e-12);
        const Vector twice = applied(*function, applied(*function, v));
        const double largest = function->expansion().largest;
        BOOST_TEST(distance(twice, model.exact([&](double e) { return e - lowest; }, v)) <=
                   2.1 * largest * function->bound() * norm(v));
    }
}

BOOST_AUTO_TEST_CASE(functions_of_the_caller) {
    Context context = make_context();
    const Model model = models()[4];
    const auto function = model.function(context);
    const Vector v = random_vectors(2 * model.sites());
    const auto f = [](double e) { return Complex(std::cos(3 * e), e * e); };
    const EnergyFunction each = [&](std::span<const double> energies, std::span<Complex> values) {
        std::transform(energies.begin(), energies.end(), values.begin(), f);
    };
    function->set(each, 1e-11);
    BOOST_TEST(distance(applied(*function, v), model.exact(f, v)) <= function->bound() * norm(v));
    BOOST_TEST(function->bound() < 1e-10 * function->expansion().largest);

    const auto refusal = [&](const EnergyFunction& g, double tolerance) {
        return failure_of([&] { function->set(g, tolerance); }).second;
    };
    const EnergyFunction step = [](std::span<const double> energies, std::span<Complex> values) {
        std::transform(energies.begin(), energies.end(), values.begin(),
                       [](double e) { return e < 0.123 ? 1.0 : 0.0; });
    };
    BOOST_TEST(refusal(step, 1e-6).find("needs more than the 1048576 terms") != std::string::npos);
    const EnergyFunction nothing = [](auto, auto) {};
    BOOST_TEST(refusal(nothing, 1e-6).find("is nan") != std::string::npos);
    const Vector again = applied(*function, v);  // the earlier function is still set
    BOOST_TEST(distance(again, model.exact(f, v)) <= function->bound() * norm(v));
}

BOOST_AUTO_TEST_CASE(results_have_the_same_bits_for_all_widths_and_threads) {
    std::mt19937_64 random(7);
    for (const Hamiltonian& hamiltonian :
         {Hamiltonian(lattice_of({5, 4, 3}, Boundary::periodic, 6)), Hamiltonian(lattice_of({700, 9, 2})),
          Hamiltonian(lattice_of({5001, 1, 1}, Boundary::hard_wall, 2)), Hamiltonian(random_matrix(random, 3000, 5))}) {
        const Vector v = random_vectors(7 * static_cast<std::size_t>(sites_of(hamiltonian)));
        Problem problem;
        problem.realisations = 2;
        Vector first;
        for (const int threads : {1, 3})
            for (const int width : {0, 1, 3, 64}) {
                Context context = make_context(threads);
                problem.block_width = width;
                Function function(context, problem, prepared(hamiltonian), 1);
                function.set(FunctionKind::evolution, 3.5, 0, 1e-10);
                const Vector u = applied(function, v);
                if (first.empty()) first = u;
                BOOST_TEST((u == first), threads << " threads, width " << width);
            }
    }
}

// Real vectors, imaginary ones and those in place give the same.
BOOST_AUTO_TEST_CASE(layouts_of_vectors) {
    Context context = make_context();
    const Model model = models()[2];
    const auto function = model.function(context);
    const std::size_t sites = model.sites();
    Vector v = random_vectors(3 * sites);
    for (std::size_t i = 0; i < sites; ++i) {
        v[i] = v[i].real();
        v[sites + i] = Complex(0, v[sites + i].imag());
    }
    std::fill_n(v.begin() + static_cast<std::ptrdiff_t>(2 * sites), sites, 0);
    function->set(FunctionKind::fermi, 0.2, 0.5, 1e-10);
    const Vector u = applied(*function, v);
    std::vector<double> real(2 * sites), result(2 * sites);
    for (std::size_t i = 0; i < sites; ++i) {
        real[i] = v[i].real();
        real[sites + i] = v[sites + i].imag();
    }
    function->apply({2, 1, real, result}, {});
    for (std::size_t i = 0; i < sites; ++i) {
        BOOST_TEST((u[i] == Complex(result[i], 0)));
        BOOST_TEST((u[sites + i] == Complex(0, result[sites + i])));
        BOOST_TEST((u[2 * sites + i] == Complex()));
    }
    function->apply({2, 1, real, real}, {});
    BOOST_TEST(real == result);
}

// Powers of two change nothing but the size.
BOOST_AUTO_TEST_CASE(vectors_of_any_size) {
    Context context = make_context();
    const Model model = models()[2];
    const auto function = model.function(context);
    function->set(FunctionKind::evolution, 2, 0, 1e-12);
    const Vector v = random_vectors(model.sites());
    const Vector u = applied(*function, v);
    for (const int exponent : {-960, 1000}) {
        Vector large = v, expected = u;
        for (Complex& element : large) element *= std::ldexp(1.0, exponent);
        for (Complex& element : expected) element *= std::ldexp(1.0, exponent);
        BOOST_TEST((applied(*function, large) == expected));
    }
}

BOOST_AUTO_TEST_CASE(single_precision_stays_within_its_bound) {
    Context context = make_context();
    for (Model& model : models()) {
        model.problem.precision = Precision::single;
        const auto function = model.function(context);
        const Vector v = random_vectors(model.sites());
        for (const Kind& k : kinds_for(model)) {
            function->set(k.kind, k.first, k.second, 1e-9);
            const double error = distance(applied(*function, v), model.exact(k.f, v));
            BOOST_TEST(error <= function->bound() * norm(v));
            BOOST_TEST(error > 1e-9 * norm(v));
        }
    }
}

BOOST_AUTO_TEST_CASE(functions_of_complex_hamiltonians) {
    Context context = make_context();
    std::mt19937_64 random(29);
    for (const CrsMatrix& matrix : {random_hermitian(random, 71, 5), ring_with_flux(40, 0.3)}) {
        const Model real(doubled(matrix));
        const auto sites = static_cast<std::size_t>(matrix.rows());
        Function function(context, {}, prepared(matrix), 0);
        const Vector v = random_vectors(sites);
        Vector parts_of_v(2 * sites);
        for (std::size_t i = 0; i < sites; ++i) {
            parts_of_v[i] = v[i].real();
            parts_of_v[sites + i] = v[i].imag();
        }
        for (const Kind& k : kinds_for(real))
            for (const double tolerance : {1e-3, 1e-13}) {
                function.set(k.kind, k.first, k.second, tolerance);
                const Vector u = applied(function, v);
                const Vector re = real.exact([&](double e) { return k.f(e).real(); }, parts_of_v),
                             im = real.exact([&](double e) { return k.f(e).imag(); }, parts_of_v);
                Vector exact(sites);
                for (std::size_t i = 0; i < sites; ++i)
                    exact[i] = re[i] + Complex(0, 1) * (re[sites + i] + im[i]) - im[sites + i];
                const double error = distance(u, exact);
                BOOST_TEST(error <= function.bound() * norm(v), static_cast<int>(k.kind) << " " << tolerance);
                if (tolerance == 1e-13 && k.kind == FunctionKind::evolution) BOOST_TEST(error < 1e-12 * norm(v));
            }
        std::vector<double> of_sites(sites);
        BOOST_TEST(failure_of([&] {
                       function.apply({1, 1, of_sites, of_sites}, {});
                   }).second.find("kpm.function: the Hamiltonian is complex") == 0);
    }
}

BOOST_AUTO_TEST_CASE(complex_vectors_have_the_same_bits_for_all_widths_and_threads) {
    std::mt19937_64 random(31);
    const auto hamiltonian = prepared(random_hermitian(random, 2600, 5));
    const Vector v = random_vectors(7 * 2600);
    for (const Precision precision : {Precision::double_, Precision::single}) {
        Vector first;
        for (const int threads : {1, 3})
            for (const int width : {0, 1, 3, 64}) {
                Context context = make_context(threads);
                Problem problem;
                problem.block_width = width;
                problem.precision = precision;
                Function function(context, problem, hamiltonian, 0);
                function.set(FunctionKind::resolvent, 0.1, 0.7, 1e-8);
                const Vector u = applied(function, v);
                if (first.empty()) first = u;
                BOOST_TEST((u == first), threads << " threads, width " << width);
            }
    }
}

// The sums of the engines would overflow, or be 0, if they had the size of f.
BOOST_AUTO_TEST_CASE(the_size_of_a_function_does_not_matter) {
    Context context = make_context();
    for (const Precision precision : {Precision::double_, Precision::single}) {
        Model model = std::move(models()[3]);
        model.problem.precision = precision;
        const auto function = model.function(context);
        const Vector v = random_vectors(model.sites());
        const auto result = [&](int exponent) {
            function->set(
                [&](std::span<const double> energies, std::span<Complex> values) {
                    for (std::size_t i = 0; i < energies.size(); ++i)
                        values[i] = std::polar(std::ldexp(1.0, exponent), -3 * energies[i]);
                },
                1e-9);
            return applied(*function, v);
        };
        const Vector expected = result(0);
        for (const int exponent : {-900, -300, 300}) {
            Vector scaled = expected;
            for (Complex& element : scaled) element *= std::ldexp(1.0, exponent);
            BOOST_TEST((result(exponent) == scaled), exponent);
            BOOST_TEST(function->bound() < 1e-3 * std::ldexp(1.0, exponent));
        }
    }
}

BOOST_AUTO_TEST_CASE(states_outside_the_bounds_are_found) {
    Context context = make_context();
    const Model of = models()[4];
    Model model = of;
    model.problem.bounds = Bounds::interval;
    model.problem.lowest = of.energies.front();
    model.problem.highest = of.energies.back() - 0.3;
    const auto function = model.function(context);
    function->set(FunctionKind::evolution, 20, 0, 1e-10);
    const Vector v = random_vectors(3 * model.sites());
    Vector out(v.size(), Complex(5, 6));
    const auto [status, message] = failure_of([&] { apply(*function, v, out); });
    BOOST_TEST((status == Status::numerical_error));
    BOOST_TEST(message.find("do not enclose the spectrum: ") != std::string::npos);
    BOOST_TEST((out == Vector(v.size(), Complex(5, 6))));
}

BOOST_AUTO_TEST_CASE(a_stopped_call_keeps_finished_vectors) {
    Context context = make_context();
    Model model = models()[3];
    model.problem.block_width = 4;
    const auto function = model.function(context);
    function->set(FunctionKind::evolution, 2, 0, 1e-12);
    const Vector v = random_vectors(6 * model.sites());
    const Vector u = applied(*function, v);
    Vector out = v;
    const auto stops = [&](const Progress& progress) { return progress.points_done < 2; };
    const auto [status, message] = failure_of([&] { apply(*function, v, out, stops); });
    BOOST_TEST((status == Status::cancelled));
    BOOST_TEST(function->vectors_done() == 2);
    BOOST_TEST(function->vectors() == 6);
    const auto end = static_cast<std::ptrdiff_t>(2 * model.sites());
    BOOST_TEST(std::equal(out.begin(), out.begin() + end, u.begin()));
    BOOST_TEST(std::equal(out.begin() + end, out.end(), v.begin() + end));
    BOOST_TEST((applied(*function, v) == u));
}

BOOST_AUTO_TEST_CASE(refused_arguments) {
    Context context = make_context();
    const Model model = models()[3];
    const auto function = model.function(context);
    const auto refused = [&](FunctionKind kind, double first, double second, double tolerance, const char* message) {
        const auto [status, text] = failure_of([&] { function->set(kind, first, second, tolerance); });
        BOOST_TEST((status == Status::invalid_argument));
        BOOST_TEST(text.find(message) != std::string::npos, text);
    };
    const double nan = std::numeric_limits<double>::quiet_NaN();
    BOOST_TEST(failure_of([&] { function->bound(); }).second.find("no function is set") != std::string::npos);
    refused(FunctionKind::evolution, nan, 0, 1e-6, "kpm.function.first: nan");
    refused(FunctionKind::evolution, 1e9, 0, 1e-6, "needs more than the 1048576 terms");
    refused(FunctionKind::evolution, 1, 0.5, 1e-6, "kpm.function.second: 0.5 must be 0");
    refused(FunctionKind::evolution, 1, 0, 0, "kpm.function.tolerance: 0 is not in ");
    refused(FunctionKind::evolution, 1, 0, nan, "kpm.function.tolerance: nan");
    refused(FunctionKind::fermi, 0, 0, 1e-6, "kpm.function.second: 0 is a step");
    refused(FunctionKind::fermi, 0, -1, 1e-6, "kpm.function.second: -1 is not in ");
    refused(FunctionKind::step, 0, 1e-7, 1e-6, "kpm.function.second: 1e-07 needs more than");
    refused(FunctionKind::resolvent, 0, 0, 1e-6, "kpm.function.second: 0 is 0");
    refused(FunctionKind::boltzmann, 1000, 0, 1e-6, "within the energy interval");
    refused(FunctionKind::square_root, 0, 0, 1e-6, "the lower end of the energy interval");
    refused(static_cast<FunctionKind>(7), 0, 0, 1e-6, "kpm.function.kind: 7 is not in 0..6");
    BOOST_TEST(failure_of([&] {
                   Function(context, {}, prepared(model.hamiltonian), 1);
               }).second.find("kpm.realisation: 1 is not in 0..0") != std::string::npos);
    function->set(FunctionKind::evolution, 1, 0, 1e-6);
    Vector v = random_vectors(model.sites());
    v[7] = Complex(1, nan);
    Vector out = v;
    BOOST_TEST(failure_of([&] { apply(*function, v, out); }).second == "kpm.function.in[15]: nan is not finite");
    v[7] = Complex(INFINITY, 0);
    BOOST_TEST(failure_of([&] { apply(*function, v, out); }).second == "kpm.function.in[14]: inf is not finite");
}
