// Tests velocity operators against commutators with the position and derivatives with respect to the wave vector.
#define BOOST_TEST_MODULE kpm_velocity
#include <boost/test/unit_test.hpp>

#include "crystals.hpp"
#include "eigenstates.hpp"
#include "kpm/velocity.hpp"

using namespace legato;
using namespace legato::kpm;
using namespace legato::kpm::tests;

namespace {

using Components = std::array<double, 3>;

Hermitian dense_of(const Hamiltonian& hamiltonian) {
    if (const auto* matrix = std::get_if<CrsMatrix>(&hamiltonian)) return dense_complex(*matrix);
    return dense_complex(matrix_of(hamiltonian, 1, 0, 1));
}

// Returns the position of every site of a lattice along a direction.
std::vector<double> positions_of(const CellLattice& lattice, const Components& components) {
    std::vector<double> x;
    std::array<std::int64_t, 3> n;
    for (n[2] = 0; n[2] < lattice.extents[2]; ++n[2])
        for (n[1] = 0; n[1] < lattice.extents[1]; ++n[1])
            for (n[0] = 0; n[0] < lattice.extents[0]; ++n[0])
                for (std::size_t o = 0; o < static_cast<std::size_t>(lattice.orbitals); ++o) {
                    double at = 0;
                    for (std::size_t d = 0; d < 3; ++d)
                        at += components[d] *
                              (static_cast<double>(n[d]) + (lattice.positions.empty() ? 0 : lattice.positions[o][d]));
                    x.push_back(at);
                }
    return x;
}

Hermitian commutator(const Hermitian& h, const std::vector<double>& x) {
    Hermitian v(h.n);
    for (std::size_t row = 0; row < h.n; ++row)
        for (std::size_t column = 0; column < h.n; ++column)
            v(row, column) = i * (h(row, column) * x[column] - x[row] * h(row, column));
    return v;
}

double difference(const Hermitian& a, const Hermitian& b) {
    double largest = a.n == b.n ? 0 : INFINITY;
    for (std::size_t k = 0; k < std::min(a.values.size(), b.values.size()); ++k)
        if (!(std::abs(a.values[k] - b.values[k]) <= largest)) largest = std::abs(a.values[k] - b.values[k]);
    return largest;
}

// Returns <k|H|k> [to][from] between the plane waves exp(i k (n + position)) of the orbitals, for the wave vector with
// these numbers of periods.
Hermitian between_waves(const CellLattice& lattice, const Hermitian& h, const std::array<int, 3>& periods) {
    const auto orbitals = static_cast<std::size_t>(lattice.orbitals);
    Hermitian small(orbitals);
    std::vector<double> phase(h.n);
    for (std::size_t d = 0; d < 3; ++d) {
        Components unit{};
        unit[d] = 1;
        const std::vector<double> x = positions_of(lattice, unit);
        const double k = (2 * pi * periods[d] - lattice.twist[d]) / static_cast<double>(lattice.extents[d]);
        for (std::size_t s = 0; s < h.n; ++s) phase[s] += k * x[s];
    }
    for (std::size_t row = 0; row < h.n; ++row)
        for (std::size_t column = 0; column < h.n; ++column)
            small(row % orbitals, column % orbitals) +=
                std::exp(i * (phase[column] - phase[row])) * h(row, column) / static_cast<double>(lattice.cells());
    return small;
}

std::vector<CellLattice> small_crystals() {
    std::vector<CellLattice> all;
    int number = 0;
    for (const std::array<std::int64_t, 3> extents :
         std::vector<std::array<std::int64_t, 3>>{{5, 4, 3}, {2, 3, 4}, {1, 6, 2}, {9, 1, 1}, {3, 3, 1}})
        for (const int orbitals : {1, 2, 3}) {
            all.push_back(crystal(extents, orbitals, 1 + number % 3, number));
            ++number;
        }
    return all;
}

}  // namespace

// Without periodic directions, the position is an operator on the lattice. Fluxes and disorder do not matter.
BOOST_AUTO_TEST_CASE(commutators_on_open_lattices) {
    const Components components{0.7, -1.3, 0.4};
    for (CellLattice lattice : small_crystals()) {
        lattice.boundary = {Boundary::hard_wall, Boundary::hard_wall, Boundary::hard_wall};
        lattice.flux = {0.21, 0.43, -0.17};
        const CellLattice velocity = velocity_of(lattice, components);
        const Hermitian h = dense_of(lattice), exact = commutator(h, positions_of(lattice, components));
        BOOST_TEST(difference(dense_of(velocity), exact) < 1e-13);
        // The matrix of the same lattice, which may be real, gives the same.
        Hamiltonian matrix = matrix_of(lattice, 1, 0, 1);
        prepare(matrix);
        Hamiltonian from_matrix = matrix_velocity_of(matrix, positions_of(lattice, components), 0, 2);
        prepare(from_matrix);
        BOOST_TEST(difference(dense_of(from_matrix), exact) < 1e-13);
    }
    Lattice lattice;
    lattice.extents = {4, 2, 3};
    lattice.boundary = {Boundary::hard_wall, Boundary::hard_wall, Boundary::hard_wall};
    lattice.hopping = 1.7;
    lattice.on_site = OnSite::box;
    lattice.disorder = 2;
    CellLattice sites;
    sites.extents = lattice.extents;
    BOOST_TEST(difference(dense_of(velocity_of(lattice, components)),
                          commutator(dense_of(lattice), positions_of(sites, components))) < 1e-14);
}

// The velocity between Bloch states is the derivative of H(k) with respect to k, which a twist changes: k L = 2 pi m -
// twist.
BOOST_AUTO_TEST_CASE(derivatives_of_bloch_hamiltonians) {
    const double step = 2e-3;
    for (CellLattice lattice : small_crystals()) {
        lattice.boundary = {Boundary::periodic, Boundary::periodic, Boundary::periodic};
        lattice.flux = {};
        lattice.twist = {0.3, -0.8, 1.1};
        lattice.on_site = OnSite::constant;
        lattice.site_energies.clear();
        for (std::size_t d = 0; d < 3; ++d) {
            Components unit{};
            unit[d] = 1;
            const std::array<int, 3> periods{1, 2, 1};
            const auto at = [&](double twist) {
                CellLattice twisted = lattice;
                twisted.twist[d] += twist;
                return between_waves(twisted, dense_of(twisted), periods);
            };
            const Hermitian velocity = between_waves(lattice, dense_of(velocity_of(lattice, unit)), periods);
            const Hermitian up = at(step), down = at(-step), far_up = at(2 * step), far_down = at(-2 * step);
            for (std::size_t k = 0; k < velocity.values.size(); ++k) {
                const Complex slope =
                    (8.0 * (up.values[k] - down.values[k]) - far_up.values[k] + far_down.values[k]) / (12 * step);
                BOOST_TEST(std::abs(velocity.values[k] + static_cast<double>(lattice.extents[d]) * slope) < 1e-8);
            }
        }
    }
}

// The expectation value of the velocity in an eigenstate follows from the change of its energy with the twist, also in
// a magnetic field and with disorder. The gauge of the field must be that of the Hamiltonian.
BOOST_AUTO_TEST_CASE(energies_change_with_the_twist) {
    const double step = 1e-4;
    CellLattice lattice = square(6, 5);
    lattice.flux[2] = 1.0 / 6;
    lattice.on_site = OnSite::box;
    lattice.disorder = 3;
    lattice.twist = {0.4, 0.7, 0};
    CellLattice hexagons = haldane(4, 5, 0.2, 0.8, 0.3);
    hexagons.flux[2] = 0.2;
    hexagons.on_site = OnSite::box;
    hexagons.disorder = 2;
    for (const CellLattice& crystal : {lattice, hexagons})
        for (std::size_t d = 0; d < 2; ++d) {
            Components unit{};
            unit[d] = 1;
            const Eigenstates states(dense_of(crystal));
            const Hermitian v = states.elements(dense_of(velocity_of(crystal, unit)));
            const auto energies = [&](double twist) {
                CellLattice twisted = crystal;
                twisted.twist[d] += twist;
                return eigenvalues(twisted);
            };
            const std::vector<double> up = energies(step), down = energies(-step);
            for (std::size_t k = 0; k < v.n; ++k) {
                const double slope = (up[k] - down[k]) / (2 * step);
                BOOST_TEST(std::abs(v(k, k).real() + static_cast<double>(crystal.extents[d]) * slope) < 1e-5);
            }
        }
}

// With two sites along a periodic direction, the two bonds between them have opposite lengths. Along a direction of one
// site there are no bonds.
BOOST_AUTO_TEST_CASE(short_extents) {
    Lattice lattice;
    lattice.extents = {2, 1, 1};
    BOOST_TEST(difference(dense_of(velocity_of(lattice, {1, 1, 1})), Hermitian(2)) == 0.0);
    lattice.extents = {5, 1, 1};
    BOOST_TEST(velocity_of(lattice, {1, 1, 1}).hoppings.size() == 1);
    BOOST_TEST(velocity_of(lattice, {0, 1, 1}).hoppings.size() == 0);
    const Eigenstates ring(dense_of(velocity_of(lattice, {1, 0, 0})));
    for (std::size_t k = 0; k < 5; ++k) {
        double nearest = INFINITY;
        for (int m = 0; m < 5; ++m)
            nearest = std::min(nearest, std::abs(ring.energies[k] - 2 * std::sin(2 * pi * m / 5)));
        BOOST_TEST(nearest < 1e-13);
    }
}

// A ring of a matrix is the ring of a lattice.
BOOST_AUTO_TEST_CASE(periodic_matrices) {
    CellLattice lattice = haldane(7, 5, 0.2, 0.8, 0.3);
    lattice.twist = {0.4, 0, 0};
    Hamiltonian matrix = matrix_of(lattice, 1, 0, 1);
    prepare(matrix);
    const Hamiltonian velocity = matrix_velocity_of(matrix, positions_of(lattice, {0, 1, 0}), 5, 2);
    BOOST_TEST(difference(dense_of(velocity), dense_of(velocity_of(lattice, {0, 1, 0}))) < 1e-13);
    const auto& crs = std::get<CrsMatrix>(velocity);
    BOOST_TEST(crs.is_complex);
    for (std::size_t k = 0; k < crs.columns.size(); ++k)
        BOOST_TEST((crs.values[2 * k] != 0 || crs.values[2 * k + 1] != 0));
}

BOOST_AUTO_TEST_CASE(refusals) {
    const auto message = [](const auto& action) {
        const auto [status, text] = failure_of(action);
        BOOST_TEST(static_cast<int>(status) == static_cast<int>(Status::invalid_argument));
        return text;
    };
    Hamiltonian matrix = matrix_of(square(4, 4), 1, 0, 1);
    prepare(matrix);
    const Hamiltonian lattice = square(4, 4);
    const std::vector<double> x = positions_of(square(4, 4), {1, 0, 0});
    BOOST_TEST(message([&] {
                   velocity_of(matrix, {1, 0, 0});
               }).find("legato_kpm_matrix_velocity_create") != std::string::npos);
    BOOST_TEST(message([&] { velocity_of(lattice, {1, NAN, 0}); }).find("components[1]") != std::string::npos);
    CellLattice steep = square(4, 4);
    steep.hoppings[1].amplitude = 5e5;
    BOOST_TEST(message([&] { velocity_of(steep, {0, 3, 0}); }).find("hopping 1") != std::string::npos);
    BOOST_TEST(message([&] { matrix_velocity_of(lattice, x, 0, 1); }).find("legato_kpm_velocity_create") !=
               std::string::npos);
    BOOST_TEST(message([&] { matrix_velocity_of(matrix, std::span(x).first(15), 0, 1); }).find("n_positions: 15") !=
               std::string::npos);
    BOOST_TEST(message([&] { matrix_velocity_of(matrix, x, -1, 1); }).find("period") != std::string::npos);
    BOOST_TEST(message([&] { matrix_velocity_of(matrix, x, 2, 2); }).find("rows 0 and 1") != std::string::npos);
}
