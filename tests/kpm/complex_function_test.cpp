// f(H)|v> for complex unit-cell lattices in all formats against dense matrices. function_test has complex matrices.
#define BOOST_TEST_MODULE kpm_complex_function
#include <boost/test/unit_test.hpp>

#include "complex_matrices.hpp"
#include "kpm/cell_matrix.hpp"
#include "kpm/function.hpp"

using namespace legato;
using namespace legato::kpm;
using namespace legato::kpm::tests;

namespace {

using Complex = std::complex<double>;
using Vector = std::vector<Complex>;

// A Hamiltonian A + i B, and the eigenvectors of the real matrix (A, -B; B, A), which acts on (Re v, Im v).
struct Model {
    Hamiltonian hamiltonian;
    std::vector<double> energies;
    Matrix vectors{};

    explicit Model(Hamiltonian h) : hamiltonian(std::move(h)) {
        vectors = dense(doubled(matrix_of(std::get<CellLattice>(hamiltonian), 1, 0, 1)));
        energies = diagonalise(vectors);
    }

    std::size_t sites() const { return energies.size() / 2; }

    // Returns f(H) v of a single vector.
    template <class F>
    Vector exact(const F& f, const Complex* v) const {
        const std::size_t n = sites();
        Vector result(n);
        for (std::size_t k = 0; k < 2 * n; ++k) {
            double overlap = 0;
            for (std::size_t i = 0; i < n; ++i)
                overlap += vectors(i, k) * v[i].real() + vectors(n + i, k) * v[i].imag();
            const Complex factor = overlap * f(energies[k]);
            for (std::size_t i = 0; i < n; ++i) result[i] += factor * Complex(vectors(i, k), vectors(n + i, k));
        }
        return result;
    }
};

std::vector<Model> models() {
    std::vector<Model> all;
    CellLattice haldane;
    haldane.extents = {5, 4, 1};
    haldane.orbitals = 2;
    haldane.energies = {0.3, -0.3};
    haldane.twist = {0.7, -0.4, 0};
    haldane.hoppings = {{1, 0, {0, 0, 0}, -1.0}, {1, 0, {1, 0, 0}, -1.0}, {1, 0, {0, 1, 0}, -1.0}};
    for (const auto& [x, y] : {std::pair{1, 0}, std::pair{-1, 1}, std::pair{0, -1}}) {
        haldane.hoppings.push_back({0, 0, {x, y, 0}, {0.1, 0.17}});
        haldane.hoppings.push_back({1, 1, {x, y, 0}, {0.1, -0.17}});
    }
    all.emplace_back(haldane);
    CellLattice hofstadter;
    hofstadter.extents = {8, 6, 1};
    hofstadter.hoppings = {{0, 0, {1, 0, 0}, -1.0}, {0, 0, {0, 1, 0}, -1.0}};
    hofstadter.flux[2] = 3.0 / 8;
    all.emplace_back(hofstadter);
    return all;
}

Vector random_vectors(std::size_t size) {
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal;
    Vector v(size);
    for (Complex& element : v) element = {normal(random), normal(random)};
    return v;
}

std::span<const double> numbers(const Vector& v) {
    return {reinterpret_cast<const double*>(v.data()), 2 * v.size()};
}

double norm(const Complex* v, std::size_t n) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += std::norm(v[i]);
    return std::sqrt(sum);
}

constexpr std::int64_t count = 3;
constexpr double reference_rounding = 1e-14;  // of the sums over eigenvectors

Vector applied(Function& function, const Vector& v) {
    Vector out(v.size());
    function.apply({count, 2, numbers(v), {reinterpret_cast<double*>(out.data()), 2 * out.size()}}, {});
    return out;
}

// Returns the largest error of a vector relative to its norm.
template <class F>
double error_of(const Model& model, const F& f, const Vector& v, const Vector& result) {
    double worst = 0;
    for (std::size_t first = 0; first < v.size(); first += model.sites()) {
        Vector difference = model.exact(f, v.data() + first);
        for (std::size_t i = 0; i < model.sites(); ++i) difference[i] -= result[first + i];
        worst = std::max(worst, norm(difference.data(), model.sites()) / norm(v.data() + first, model.sites()));
    }
    return worst;
}

}  // namespace

BOOST_AUTO_TEST_CASE(evolution_against_dense_exponentials) {
    for (const Model& model : models())
        for (const Format format : {Format::auto_, Format::crs, Format::ell})
            for (const double time : {0.0, 0.3, -5.0, 60.0}) {
                Context context = make_context();
                Problem problem;
                problem.format = format;
                Function function(context, problem, prepared(model.hamiltonian), 0);
                function.set(FunctionKind::evolution, time, 0, 1e-13);
                const Vector v = random_vectors(count * model.sites()), result = applied(function, v);
                const double error = error_of(
                    model, [&](double e) { return std::exp(Complex(0, -e * time)); }, v, result);
                BOOST_TEST(error <= function.bound() + reference_rounding);
                BOOST_TEST(error < 1e-12);
                for (std::size_t first = 0; first < v.size(); first += model.sites())
                    BOOST_TEST(
                        std::abs(norm(result.data() + first, model.sites()) / norm(v.data() + first, model.sites()) -
                                 1) <= function.bound() + reference_rounding);
            }
}

BOOST_AUTO_TEST_CASE(other_functions_within_their_bounds) {
    for (const Model& model : models())
        for (const double tolerance : {1e-2, 1e-6, 1e-12}) {
            Context context = make_context(2);
            Function function(context, Problem{}, prepared(model.hamiltonian), 0);
            const Vector v = random_vectors(count * model.sites());
            function.set(FunctionKind::fermi, 0.2, 0.3, tolerance);
            BOOST_TEST(error_of(
                           model, [](double e) { return Complex(1 / (1 + std::exp((e - 0.2) / 0.3))); }, v,
                           applied(function, v)) <= function.bound() + reference_rounding);
            function.set(FunctionKind::resolvent, 0.1, 0.4, tolerance);
            BOOST_TEST(error_of(
                           model, [](double e) { return 1.0 / Complex(0.1 - e, 0.4); }, v, applied(function, v)) <=
                       function.bound());
        }
}
