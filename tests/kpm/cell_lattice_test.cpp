// Tests unit-cell lattices: their matrices against independent ones, and the spectra of models whose energies are
// known.
#define BOOST_TEST_MODULE kpm_cell_lattice
#include <boost/test/unit_test.hpp>
#include <cstring>

#include "cells.hpp"

using namespace legato;
using namespace legato::kpm;
using namespace legato::kpm::tests;

namespace {

using Cell = std::array<std::int64_t, 3>;

std::size_t site_of(const CellLattice& lattice, const Cell& cell, int orbital) {
    const auto& l = lattice.extents;
    return static_cast<std::size_t>(orbital + lattice.orbitals * (cell[0] + l[0] * (cell[1] + l[1] * cell[2])));
}

template <class Visit>
void for_each_cell(const CellLattice& lattice, const Visit& visit) {
    Cell n;
    for (n[2] = 0; n[2] < lattice.extents[2]; ++n[2])
        for (n[1] = 0; n[1] < lattice.extents[1]; ++n[1])
            for (n[0] = 0; n[0] < lattice.extents[0]; ++n[0]) visit(n);
}

// Goes from a cell to the one at `offset` in single steps. Returns false if that is beyond a hard wall. The phase grows
// by the twist at each periodic edge.
bool walk(const CellLattice& lattice, Cell& cell, const Cell& offset, double& phase) {
    for (std::size_t d = 0; d < 3; ++d) {
        const std::int64_t step = offset[d] < 0 ? -1 : 1;
        for (std::int64_t s = 0; s != offset[d]; s += step) {
            cell[d] += step;
            if (cell[d] >= 0 && cell[d] < lattice.extents[d]) continue;
            if (lattice.boundary[d] == Boundary::hard_wall) return false;
            cell[d] -= step * lattice.extents[d];
            phase += static_cast<double>(step) * lattice.twist[d];
        }
    }
    return true;
}

// Returns the matrix from a loop over all cells and hoppings. The field has the symmetric gauge, which fits hard walls
// only: A_q = 1/2 sum over p of F_pq r_p, where F_pq is the flux through the face of a_p and a_q.
Hermitian independent_matrix(const CellLattice& lattice) {
    Hermitian h(static_cast<std::size_t>(lattice.sites()));
    double field[3][3] = {};
    for (std::size_t face = 0; face < 3; ++face) {
        field[(face + 1) % 3][(face + 2) % 3] = lattice.flux[face];
        field[(face + 2) % 3][(face + 1) % 3] = -lattice.flux[face];
    }
    for_each_cell(lattice, [&](const Cell& n) {
        for (int o = 0; o < lattice.orbitals && !lattice.energies.empty(); ++o)
            h(site_of(lattice, n, o), site_of(lattice, n, o)) += lattice.energies[static_cast<std::size_t>(o)];
        for (const Hopping& hopping : lattice.hoppings) {
            Cell end = n;
            double phase = 0;
            if (!walk(lattice, end, hopping.offset, phase)) continue;
            for (std::size_t p = 0; p < 3; ++p)
                for (std::size_t q = 0; q < 3 && !lattice.positions.empty(); ++q) {
                    const auto &tau = lattice.positions[static_cast<std::size_t>(hopping.from)],
                               &tau_to = lattice.positions[static_cast<std::size_t>(hopping.to)];
                    const auto np = static_cast<double>(n[p]), dp = static_cast<double>(hopping.offset[p]),
                               dq = static_cast<double>(hopping.offset[q]);
                    phase += pi * field[p][q] * (np + (tau[p] + tau_to[p] + dp) / 2) * (dq + tau_to[q] - tau[q]);
                }
            const Complex element = hopping.amplitude * std::exp(i * phase);
            const std::size_t row = site_of(lattice, end, hopping.to), column = site_of(lattice, n, hopping.from);
            h(row, column) += element;
            h(column, row) += std::conj(element);
        }
    });
    return h;
}

CellLattice random_lattice(std::mt19937_64& random, bool complex, bool walls_only) {
    std::uniform_real_distribution<double> real(-1, 1);
    const auto pick = [&](std::int64_t low, std::int64_t high) {
        return std::uniform_int_distribution<std::int64_t>(low, high)(random);
    };
    CellLattice lattice;
    lattice.orbitals = static_cast<int>(pick(1, 4));
    const auto orbitals = static_cast<std::size_t>(lattice.orbitals);
    for (std::size_t d = 0; d < 3; ++d) {
        lattice.extents[d] = pick(1, 4);
        lattice.boundary[d] = walls_only || pick(0, 2) == 0 ? Boundary::hard_wall : Boundary::periodic;
        if (complex) lattice.twist[d] = 4 * real(random);
        if (lattice.boundary[d] == Boundary::hard_wall) lattice.twist[d] = 0;
    }
    for (std::size_t o = 0; o < orbitals; ++o) {
        lattice.positions.push_back({real(random), real(random), real(random)});
        lattice.energies.push_back(real(random));
    }
    for (std::int64_t count = pick(0, 12); count > 0; --count) {
        Hopping hopping{static_cast<int>(pick(0, lattice.orbitals - 1)),
                        static_cast<int>(pick(0, lattice.orbitals - 1)),
                        {pick(-3, 3), pick(-3, 3), pick(-3, 3)},
                        {real(random), complex ? real(random) : 0.0}};
        if (hopping.from == hopping.to && hopping.offset == Cell{}) hopping.offset[0] = 1;
        lattice.hoppings.push_back(hopping);
    }
    return lattice;
}

double largest_difference(const Hermitian& a, const Hermitian& b) {
    double largest = a.n == b.n ? 0 : INFINITY;
    for (std::size_t k = 0; k < std::min(a.values.size(), b.values.size()); ++k)
        if (!(std::abs(a.values[k] - b.values[k]) <= largest)) largest = std::abs(a.values[k] - b.values[k]);
    return largest;
}

// Tests what every matrix of a lattice must have.
void require_well_formed(const CellLattice& lattice, const CrsMatrix& matrix) {
    BOOST_TEST(matrix.is_complex == is_complex(lattice));
    BOOST_TEST(static_cast<std::int64_t>(matrix.columns.size()) == elements_of(lattice));
    BOOST_TEST(matrix.values.size() == matrix.columns.size() * (matrix.is_complex ? 2 : 1));
    for (std::int64_t row = 0; row < matrix.rows(); ++row) {
        const auto first = static_cast<std::size_t>(matrix.row_pointers[static_cast<std::size_t>(row)]),
                   end = static_cast<std::size_t>(matrix.row_pointers[static_cast<std::size_t>(row) + 1]);
        BOOST_TEST(static_cast<std::int64_t>(end - first) <= longest_row(lattice));
        for (std::size_t k = first + 1; k < end; ++k) BOOST_TEST(matrix.columns[k] > matrix.columns[k - 1]);
    }
    const Hermitian h = dense_complex(matrix);
    bool hermitian = true;
    for (std::size_t row = 0; row < h.n; ++row)
        for (std::size_t column = 0; column < h.n; ++column)
            hermitian = hermitian && h(row, column) == std::conj(h(column, row));
    BOOST_TEST(hermitian);  // exactly
    const Interval bounds = gershgorin_bounds(lattice, 1, 1, 1);
    const std::vector<double> energies = eigenvalues(h);
    BOOST_TEST(energies.front() >= bounds.lowest - 1e-12);
    BOOST_TEST(energies.back() <= bounds.highest + 1e-12);
}

void require_spectrum(const CellLattice& lattice, const std::vector<double>& exact) {
    Hamiltonian checked = lattice;
    prepare(checked);
    require_well_formed(lattice, matrix_of(lattice, 1, 0, 1));
    BOOST_TEST(kpm::tests::largest_difference(eigenvalues(lattice), exact) < 1e-12);
}

// Returns the energies of a square lattice with half a flux quantum, whose cell has two sites along x.
std::vector<double> half_flux_bands(double x, double y, double) {
    const double e = 2 * std::sqrt(std::pow(std::cos(x / 2), 2) + std::pow(std::cos(y), 2));
    return {-e, e};
}

}  // namespace

BOOST_AUTO_TEST_CASE(matrices_are_those_of_a_loop_over_all_hoppings) {
    std::mt19937_64 random(1);
    for (int trial = 0; trial < 200; ++trial) {
        const CellLattice lattice = random_lattice(random, trial % 2 == 0, false);
        Hamiltonian checked = lattice;
        prepare(checked);
        const CrsMatrix matrix = matrix_of(lattice, 1, 0, 1);
        require_well_formed(lattice, matrix);
        BOOST_TEST(largest_difference(dense_complex(matrix), independent_matrix(lattice)) < 1e-14);
    }
}

// The spectrum does not depend on the gauge.
BOOST_AUTO_TEST_CASE(fields_have_the_spectrum_of_the_symmetric_gauge) {
    std::mt19937_64 random(2);
    std::uniform_real_distribution<double> real(-2, 2);
    for (int trial = 0; trial < 60; ++trial) {
        CellLattice lattice = random_lattice(random, true, true);
        lattice.flux = {real(random), real(random), real(random)};
        if (trial % 4 < 3) lattice.flux[static_cast<std::size_t>(trial % 4)] = 0;
        require_spectrum(lattice, eigenvalues(independent_matrix(lattice)));
    }
}

BOOST_AUTO_TEST_CASE(plaquettes_enclose_the_flux) {
    CellLattice cubic;
    cubic.extents = {5, 5, 5};
    cubic.boundary.fill(Boundary::hard_wall);
    cubic.flux = {0.13, 0.29, -0.41};
    for (std::size_t d = 0; d < 3; ++d) {
        Cell step{};
        step[d] = 1;
        cubic.hoppings.push_back({0, 0, step, 1.0});
    }
    const Hermitian h = dense_complex(matrix_of(cubic, 1, 0, 1));
    for (std::size_t face = 0; face < 3; ++face) {
        Cell at{2, 1, 3};
        Complex product = 1;
        std::size_t before = site_of(cubic, at, 0);
        for (const auto& [axis, step] : {std::pair{1, 1}, {2, 1}, {1, -1}, {2, -1}}) {
            at[(face + static_cast<std::size_t>(axis)) % 3] += step;
            const std::size_t next = site_of(cubic, at, 0);
            product *= h(next, before);
            before = next;
        }
        BOOST_TEST(std::abs(product - std::exp(2 * pi * i * cubic.flux[face])) < 1e-14);
    }
}

// A hexagon is as large as the cell. A shift of all positions by s changes the vector potential by a constant, which is
// a twist on a torus: by 2 pi flux s_0 L_1 along axis 1, and by -2 pi flux s_1 L_0 along axis 0.
BOOST_AUTO_TEST_CASE(hexagons_enclose_the_flux_of_a_cell) {
    CellLattice lattice = graphene(6, 6);
    lattice.flux[2] = 1.0 / 6;
    const std::vector<double> energies = eigenvalues(lattice);
    for (const double shift : {0.0, 0.4, -7.7}) {
        for (auto& position : lattice.positions) position = {position[0] + shift, position[1] - 3 * shift, shift};
        lattice.twist[1] -= 2 * pi * lattice.flux[2] * shift * 6;
        lattice.twist[0] += 2 * pi * lattice.flux[2] * -3 * shift * 6;
        const Hermitian h = dense_complex(matrix_of(lattice, 1, 0, 1));
        // anticlockwise around the hexagon at the corner of the cells (2, 2), (3, 2), (2, 3) and (3, 3)
        const std::vector<std::pair<Cell, int>> hexagon{{{3, 2, 0}, 0}, {{3, 2, 0}, 1}, {{3, 3, 0}, 0},
                                                        {{2, 3, 0}, 1}, {{2, 3, 0}, 0}, {{2, 2, 0}, 1}};
        Complex product = 1;
        for (std::size_t k = 0; k < hexagon.size(); ++k) {
            const auto& [cell, orbital] = hexagon[k];
            const auto& [next, next_orbital] = hexagon[(k + 1) % hexagon.size()];
            product *= h(site_of(lattice, next, next_orbital), site_of(lattice, cell, orbital));
        }
        BOOST_TEST(std::abs(product - std::exp(2 * pi * i * lattice.flux[2])) < 1e-14);
        require_spectrum(lattice, energies);
    }
}

// All hoppings of one orbital: E(k) = sum of 2 Re(t exp(-i k d)).
BOOST_AUTO_TEST_CASE(twists_shift_wave_vectors) {
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> real(-1, 1);
    std::uniform_int_distribution<std::int64_t> step(-7, 7);
    for (const Cell& extents : {Cell{11, 1, 1}, Cell{4, 5, 1}, Cell{3, 2, 4}, Cell{1, 2, 5}}) {
        CellLattice lattice;
        lattice.extents = extents;
        lattice.twist = {3 * real(random), 3 * real(random), 3 * real(random)};
        for (int h = 0; h < 6; ++h)
            lattice.hoppings.push_back({0, 0, {step(random), step(random), 1}, {real(random), real(random)}});
        require_spectrum(lattice, bands(lattice, [&](double x, double y, double z) {
                             double energy = 0;
                             for (const Hopping& h : lattice.hoppings) {
                                 const double kd = x * static_cast<double>(h.offset[0]) +
                                                   y * static_cast<double>(h.offset[1]) +
                                                   z * static_cast<double>(h.offset[2]);
                                 energy += 2 * (h.amplitude * std::exp(-i * kd)).real();
                             }
                             return std::vector{energy};
                         }));
    }
}

BOOST_AUTO_TEST_CASE(half_a_flux_quantum) {
    CellLattice lattice = square(8, 6), folded = square(4, 6);
    lattice.flux[2] = 0.5;
    require_spectrum(lattice, bands(folded, half_flux_bands));
}

BOOST_AUTO_TEST_CASE(antiperiodic_boundaries_and_half_a_flux_quantum_are_real) {
    CellLattice lattice = square(6, 4);
    lattice.twist = {pi, -pi, 0};
    lattice.flux[2] = 0.5;
    BOOST_TEST(!is_complex(lattice));
    CellLattice folded = lattice;
    folded.extents[0] = 3;  // cells of two sites
    require_spectrum(lattice, bands(folded, half_flux_bands));
    lattice.twist = {pi / 2, 0, 0};
    BOOST_TEST(is_complex(lattice));
    lattice.twist = {};
    lattice.flux[2] = 0.25;
    BOOST_TEST(is_complex(lattice));
}

// Harper's equation: the cell of q sites has the Hamiltonian -2 cos(k_y + 2 pi m p / q) of site m, and -1 between
// neighbours, with a phase k_x at the edge.
BOOST_AUTO_TEST_CASE(hofstadter_by_harpers_equation) {
    for (const auto& [p, q, l, m] : {std::array{1, 3, 9, 5}, {2, 5, 10, 4}, {-3, 8, 8, 3}, {1, 6, 12, 7}}) {
        CellLattice lattice = square(l, m);
        lattice.flux[2] = static_cast<double>(p) / q;
        CellLattice folded = lattice;
        folded.extents[0] = l / q;
        const auto levels = [p = p, q = q](double x, double y, double) {
            const auto size = static_cast<std::size_t>(q);
            Hermitian h(size);
            for (std::size_t s = 0; s < size; ++s) {
                h(s, s) += -2 * std::cos(y + 2 * pi * static_cast<double>(s) * p / q);
                const Complex hop = s + 1 == size ? -std::exp(-i * x) : Complex{-1};
                h((s + 1) % size, s) += hop;
                h(s, (s + 1) % size) += std::conj(hop);
            }
            return eigenvalues(h);
        };
        require_spectrum(lattice, bands(folded, levels));
        std::swap(lattice.extents[0], lattice.extents[1]);  // now only the other extent fits the flux
        require_spectrum(lattice, bands(folded, levels));
    }
}

// A ribbon is periodic in one direction only and takes any field.
BOOST_AUTO_TEST_CASE(ribbons_in_any_field) {
    for (const std::size_t open : {0U, 1U}) {
        CellLattice lattice = square(5, 7);
        lattice.boundary[open] = Boundary::hard_wall;
        lattice.flux[2] = 0.1234;
        const auto width = static_cast<std::size_t>(lattice.extents[open]);
        CellLattice folded = lattice;
        folded.extents[open] = 1;
        require_spectrum(lattice, bands(folded, [&](double x, double y, double) {
                             Hermitian h(width);
                             for (std::size_t s = 0; s < width; ++s) {
                                 const double k = open == 0 ? y : x;
                                 h(s, s) = -2 * std::cos(k + 2 * pi * 0.1234 * static_cast<double>(s));
                                 if (s > 0) h(s, s - 1) = h(s - 1, s) = -1;
                             }
                             return eigenvalues(h);
                         }));
    }
}

BOOST_AUTO_TEST_CASE(graphene_without_a_field) {
    CellLattice lattice = graphene(6, 5);
    BOOST_TEST(!is_complex(lattice));
    require_spectrum(lattice, bands(lattice, graphene_bands));
    lattice.twist = {0.7, -2.1, 0};
    require_spectrum(lattice, bands(lattice, graphene_bands));
}

// E = 2 t2 cos(phi) sum cos(k b) +- sqrt(|f|^2 + (M -+ 2 t2 sin(phi) sum sin(k b))^2) with the three vectors b.
BOOST_AUTO_TEST_CASE(haldanes_model) {
    for (const auto& [t2, phi, mass] : {std::array{0.1, pi / 2, 0.0}, {0.2, 0.8, 0.3}, {0.15, -2.0, 0.7}}) {
        CellLattice lattice = haldane(6, 9, t2, phi, mass);
        lattice.twist = {0, mass, 0};
        require_spectrum(lattice, bands(lattice, [t2 = t2, phi = phi, mass = mass](double x, double y, double) {
                             const double even = std::cos(x) + std::cos(y - x) + std::cos(y),
                                          odd = std::sin(x) + std::sin(y - x) - std::sin(y),
                                          gap = mass + 2 * t2 * std::sin(phi) * odd,
                                          size = std::hypot(graphene_bands(x, y, 0)[1], gap),
                                          centre = 2 * t2 * std::cos(phi) * even;
                             return std::vector{centre - size, centre + size};
                         }));
    }
    const std::vector<double> energies = eigenvalues(haldane(6, 6, 0.1, pi / 2, 0));
    BOOST_TEST(std::abs(energies[36] - energies[35] - 6 * std::sqrt(3.0) * 0.1) < 1e-12);
}

// E = -2 t (cos k_x + cos k_y) +- 2 lambda sqrt(sin^2 k_x + sin^2 k_y), for orbitals that are spins.
BOOST_AUTO_TEST_CASE(rashbas_model) {
    const double lambda = 0.35;
    CellLattice lattice;
    lattice.extents = {6, 5, 1};
    lattice.orbitals = 2;
    for (const int spin : {0, 1}) {
        lattice.hoppings.push_back({spin, spin, {1, 0, 0}, -1.0});
        lattice.hoppings.push_back({spin, spin, {0, 1, 0}, -1.0});
    }
    // i lambda sigma_y along x, -i lambda sigma_x along y
    lattice.hoppings.push_back({0, 1, {1, 0, 0}, -lambda});
    lattice.hoppings.push_back({1, 0, {1, 0, 0}, lambda});
    lattice.hoppings.push_back({0, 1, {0, 1, 0}, -lambda * i});
    lattice.hoppings.push_back({1, 0, {0, 1, 0}, -lambda * i});
    require_spectrum(lattice, bands(lattice, [&](double x, double y, double) {
                         const double band = -2 * (std::cos(x) + std::cos(y)),
                                      split = 2 * lambda * std::hypot(std::sin(x), std::sin(y));
                         return std::vector{band - split, band + split};
                     }));
}

// H(k) = sin k_x sigma_x + sin k_y sigma_y + (cos k_z - cos k_0 + 2 - cos k_x - cos k_y) sigma_z.
BOOST_AUTO_TEST_CASE(weyl_semimetal) {
    const double k0 = pi / 2;
    CellLattice lattice;
    lattice.extents = {4, 4, 8};
    lattice.orbitals = 2;
    lattice.energies = {2 - std::cos(k0), -2 + std::cos(k0)};
    for (const int orbital : {0, 1}) {
        const double sign = orbital == 0 ? 1 : -1;
        lattice.hoppings.push_back({orbital, orbital, {1, 0, 0}, -sign / 2});
        lattice.hoppings.push_back({orbital, orbital, {0, 1, 0}, -sign / 2});
        lattice.hoppings.push_back({orbital, orbital, {0, 0, 1}, sign / 2});
        // exp(-i k) i/2 + its conjugate is sin k
        lattice.hoppings.push_back({1 - orbital, orbital, {1, 0, 0}, i / 2.0});
        lattice.hoppings.push_back({1 - orbital, orbital, {0, 1, 0}, i / 2.0 * (orbital == 0 ? -i : i)});
    }
    const std::vector<double> exact = bands(lattice, [&](double x, double y, double z) {
        const double mass = std::cos(z) - std::cos(k0) + 2 - std::cos(x) - std::cos(y),
                     e = std::sqrt(std::pow(std::sin(x), 2) + std::pow(std::sin(y), 2) + mass * mass);
        return std::vector{-e, e};
    });
    require_spectrum(lattice, exact);
    BOOST_TEST(std::abs(exact[exact.size() / 2]) < 1e-15);  // the Weyl points
}

// In three dimensions each direction has a flux. The gauge of a face is that of the extent which fits.
BOOST_AUTO_TEST_CASE(translations_leave_spectra_in_three_fields_alone) {
    CellLattice lattice;
    lattice.extents = {4, 6, 3};
    lattice.flux = {1.0 / 3, 0.25, 0.5};
    for (std::size_t d = 0; d < 3; ++d) {
        Cell step{};
        step[d] = 1;
        lattice.hoppings.push_back({0, 0, step, -1.0});
    }
    lattice.hoppings.push_back({0, 0, {1, 1, 0}, 0.3});
    const std::vector<double> energies = eigenvalues(lattice);
    // The sum of squares is exact, and the third power counts the triangles of the diagonal hoppings with half of the
    // flux of a face each: cos(pi flux).
    double second = 0, third = 0;
    for (const double e : energies) {
        second += e * e / static_cast<double>(energies.size());
        third += e * e * e / static_cast<double>(energies.size());
    }
    BOOST_TEST(std::abs(second - (6 + 2 * 0.09)) < 1e-12);
    BOOST_TEST(std::abs(third - 12 * 0.3 * std::cos(2 * pi * 0.5 / 2)) < 1e-12);
    for (auto& flux : lattice.flux) flux += 1;  // with hops between corners of cells, a whole quantum is none ...
    lattice.flux[2] += 1;                       // ... but two for triangles
    require_spectrum(lattice, energies);
}

BOOST_AUTO_TEST_CASE(threads_make_the_same_matrix) {
    CellLattice lattice = haldane(60, 90, 0.1, 1.0, 0.2);
    lattice.flux[2] = 1.0 / 30;
    lattice.on_site = OnSite::box;
    lattice.disorder = 1;
    const CrsMatrix one = matrix_of(lattice, 3, 1, 1);
    for (const int threads : {2, 3, 8}) {
        const CrsMatrix other = matrix_of(lattice, 3, 1, threads);
        BOOST_TEST((one.row_pointers == other.row_pointers && one.columns == other.columns));
        BOOST_TEST(std::memcmp(one.values.data(), other.values.data(), 8 * one.values.size()) == 0);
        BOOST_TEST(one.values.size() == other.values.size());
    }
}
