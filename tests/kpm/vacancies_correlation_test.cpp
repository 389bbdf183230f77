// Tests double expansions of unit-cell lattices with vacancies against dense matrices from which the sites are removed.
#define BOOST_TEST_MODULE kpm_vacancies_correlation
#include <boost/test/unit_test.hpp>

#include "complex_matrices.hpp"
#include "double_moments.hpp"

// This header defines a constant i.
#include "crystals.hpp"
#include "kpm/vacancies.hpp"
#include "kpm/velocity.hpp"

using namespace legato;
using namespace legato::kpm;
using namespace legato::kpm::tests;

namespace {

// Returns the rows and columns of these sites.
Dense reduced(const CrsMatrix& matrix, const std::vector<std::size_t>& sites) {
    const Hermitian all = dense_complex(matrix);
    Dense some(sites.size(), std::vector<Element>(sites.size()));
    for (std::size_t row = 0; row < sites.size(); ++row)
        for (std::size_t column = 0; column < sites.size(); ++column)
            some[row][column] = all(sites[row], sites[column]);
    return some;
}

// Compares the samples with those of the matrices without the sites that are missing in their realisation.
void compare(const CellLattice& lattice, const CrsMatrix& a, const Hamiltonian& operator_a, const CrsMatrix& b,
             const Hamiltonian& operator_b) {
    constexpr int moments = 9, vectors = 2;
    Context context = make_context(2);
    Problem problem;
    problem.moments = moments;
    problem.vectors = vectors;
    problem.realisations = 3;
    Correlation correlation(context, problem, {prepared(lattice), prepared(operator_a), prepared(operator_b)});
    correlation.run({});
    CellLattice whole = lattice;
    whole.vacancies.clear();
    whole.vacancy_concentration.fill(0);
    double worst = 0;
    for (std::int64_t s = 0; s < problem.realisations * vectors; ++s) {
        const Pages<std::uint32_t> vacancies = draw_vacancies(lattice, 1, s / vectors, 1);
        std::vector<std::size_t> sites;
        std::vector<Element> r;
        for (std::int64_t site = 0; site < lattice.sites(); ++site) {
            if (is_vacancy(vacancies.data(), site)) continue;
            sites.push_back(static_cast<std::size_t>(site));
            r.push_back(
                start_element(StartVectors::sign, 1, static_cast<std::uint64_t>(s), static_cast<std::uint64_t>(site)));
        }
        BOOST_TEST(std::ssize(sites) < lattice.sites());
        const auto expected =
            dense_double_moments(reduced(matrix_of(whole, 1, s / vectors, 1), sites), reduced(a, sites),
                                 reduced(b, sites), r, correlation.rescaling(), moments);
        worst = std::fmax(worst, largest_difference(correlation.sample(s), expected));
    }
    BOOST_TEST(worst < 1e-11);
}

}  // namespace

BOOST_AUTO_TEST_CASE(velocities_and_matrices_act_between_the_remaining_sites) {
    std::mt19937_64 random(3);
    CellLattice real = graphene(6, 5), complex = haldane(5, 4, 0.2, 0.7, 0.3);
    real.on_site = complex.on_site = OnSite::box;
    real.disorder = complex.disorder = 1;
    for (CellLattice& lattice : std::array{std::ref(real), std::ref(complex)}) {
        lattice.vacancies = {3, 4, 17};
        for (const double concentration : {0.0, 0.3}) {
            lattice.vacancy_concentration = {concentration, concentration / 3};
            const CellLattice v_x = velocity_of(*prepared(lattice), {1, 0.5, 0}),
                              v_y = velocity_of(*prepared(lattice), {0, 0.9, 0});
            CellLattice whole_x = v_x, whole_y = v_y;
            for (CellLattice& one : std::array{std::ref(whole_x), std::ref(whole_y)}) {
                one.vacancies.clear();
                one.vacancy_concentration.fill(0);
            }
            const CrsMatrix x = matrix_of(whole_x, 1, 0, 1), y = matrix_of(whole_y, 1, 0, 1),
                            given = random_hermitian(random, static_cast<std::int32_t>(lattice.sites()), 3);
            compare(lattice, x, v_x, x, v_x);
            compare(lattice, x, v_x, y, v_y);
            compare(lattice, given, given, y, v_y);
        }
    }
}
