#include "kpm/velocity.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <complex>
#include <limits>

#include "core/memory.hpp"
#include "core/parallel.hpp"
#include "core/validate.hpp"

namespace legato::kpm {
namespace {

CellLattice cells_of(const Lattice& lattice) {
    CellLattice cells;
    cells.extents = lattice.extents;
    cells.boundary = lattice.boundary;
    for (std::size_t d = 0; d < 3; ++d) {
        if (lattice.extents[d] == 1) continue;
        Hopping& hopping = cells.hoppings.emplace_back();
        hopping.offset[d] = 1;
        hopping.amplitude = -lattice.hopping;
    }
    return cells;
}

double length_along(const CellLattice& lattice, const Hopping& hopping, const std::array<double, 3>& components) {
    double length = 0;
    for (std::size_t d = 0; d < 3; ++d) {
        auto step = static_cast<double>(hopping.offset[d]);
        if (!lattice.positions.empty())
            step += lattice.positions[static_cast<std::size_t>(hopping.to)][d] -
                    lattice.positions[static_cast<std::size_t>(hopping.from)][d];
        length += components[d] * step;
    }
    return length;
}

// The gauge of a flux depends on the directions along which hoppings lead. The velocity needs the gauge of the
// Hamiltonian. If it lacks a direction, it therefore keeps a hopping with the amplitude 0.
void keep_directions(const CellLattice& lattice, CellLattice& velocity) {
    if (lattice.flux == std::array<double, 3>{}) return;
    for (std::size_t d = 0; d < 3; ++d) {
        const auto moves = [&](const Hopping& hopping) { return hopping.offset[d] != 0; };
        if (std::any_of(velocity.hoppings.begin(), velocity.hoppings.end(), moves)) continue;
        const auto hopping = std::find_if(lattice.hoppings.begin(), lattice.hoppings.end(), moves);
        if (hopping == lattice.hoppings.end()) continue;
        velocity.hoppings.push_back(*hopping);
        velocity.hoppings.back().amplitude = 0;
    }
}

// Differences of positions along a direction.
struct Difference {
    std::span<const double> positions;
    double period;

    double operator()(std::size_t from, std::size_t to) const {
        const double difference = positions[to] - positions[from];
        return period == 0 ? difference : std::remainder(difference, period);
    }
    bool is_ambiguous(double difference) const {
        constexpr double rounding = 1e-9;
        return period != 0 && std::abs(difference) >= (0.5 - rounding) * period;
    }
};

// Calls use(row, k, x_j - x_i) for the elements of the rows that are not 0 and join different positions.
template <class Use>
void for_each_element(const CrsView& matrix, const Difference& difference, std::size_t first, std::size_t last,
                      const Use& use) {
    for (std::size_t row = first; row < last; ++row)
        for (std::size_t k = matrix.begin(row); k < matrix.end(row); ++k) {
            const double x = difference(row, static_cast<std::size_t>(matrix.column(k)));
            if (x != 0) use(row, k, x);
        }
}

// Counts the elements of each row. Throws if one of them is ambiguous.
void count_elements(const CrsView& matrix, const Difference& difference, int threads, CrsMatrix& velocity) {
    const auto rows = static_cast<std::size_t>(matrix.rows);
    constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    std::atomic<std::size_t> ambiguous = none;
    velocity.row_pointers.resize(rows + 1);
    velocity.row_pointers[0] = 0;
    in_team(threads, [&](const Team& team) {
        const auto [first, last] = team.share(rows);
        std::fill(velocity.row_pointers.begin() + static_cast<std::ptrdiff_t>(first) + 1,
                  velocity.row_pointers.begin() + static_cast<std::ptrdiff_t>(last) + 1, 0);
        for_each_element(matrix, difference, first, last, [&](std::size_t row, std::size_t, double x) {
            ++velocity.row_pointers[row + 1];
            if (!difference.is_ambiguous(x)) return;
            std::size_t lowest = ambiguous;
            while (row < lowest && !ambiguous.compare_exchange_weak(lowest, row)) {
            }
        });
    });
    if (const std::size_t row = ambiguous; row != none)
        for_each_element(matrix, difference, row, row + 1, [&](std::size_t, std::size_t k, double x) {
            if (difference.is_ambiguous(x))
                fail(Status::invalid_argument, "kpm.velocity.period: ", difference.period, " is twice the distance ",
                     std::abs(x), " of the rows ", row + static_cast<std::size_t>(matrix.index_base), " and ",
                     matrix.columns[k], ", so that the direction of their element is not known; give the velocity as ",
                     "a complex matrix of its own");
        });
    for (std::size_t row = 0; row < rows; ++row) velocity.row_pointers[row + 1] += velocity.row_pointers[row];
}

}  // namespace

CellLattice velocity_of(const Hamiltonian& hamiltonian, const std::array<double, 3>& components) {
    for (std::size_t d = 0; d < 3; ++d)
        require_real(text("kpm.velocity.components[", d, "]"), components[d], -max_component, max_component);
    if (!is_lattice(hamiltonian))
        fail(Status::invalid_argument,
             "kpm.velocity: the Hamiltonian is a matrix, whose sites have no positions; give positions to "
             "legato_kpm_matrix_velocity_create, or the velocity as a complex matrix of its own");
    const auto* const simple = std::get_if<Lattice>(&hamiltonian);
    const CellLattice converted = simple ? cells_of(*simple) : CellLattice{};
    const CellLattice& lattice = simple ? converted : std::get<CellLattice>(hamiltonian);
    CellLattice velocity;
    velocity.extents = lattice.extents;
    velocity.boundary = lattice.boundary;
    velocity.orbitals = lattice.orbitals;
    velocity.positions = lattice.positions;
    velocity.twist = lattice.twist;
    velocity.flux = lattice.flux;
    for (std::size_t h = 0; h < lattice.hoppings.size(); ++h) {
        Hopping hopping = lattice.hoppings[h];
        const double length = length_along(lattice, hopping, components);
        hopping.amplitude = {hopping.amplitude.imag() * length, -hopping.amplitude.real() * length};
        if (hopping.amplitude == 0.0) continue;
        for (const double part : {hopping.amplitude.real(), hopping.amplitude.imag()})
            require_real([&] { return text("kpm.velocity: amplitude times length of hopping ", h); }, part, -max_energy,
                         max_energy);
        velocity.hoppings.push_back(hopping);
    }
    keep_directions(lattice, velocity);
    return velocity;
}

CrsMatrix matrix_velocity_of(const Hamiltonian& hamiltonian, std::span<const double> positions, double period,
                             int threads) {
    const std::optional<CrsView> view = matrix_in(hamiltonian);
    if (!view)
        fail(Status::invalid_argument,
             "kpm.velocity: the Hamiltonian is a lattice, which has positions; use legato_kpm_velocity_create");
    const auto count = static_cast<std::int64_t>(positions.size());
    require_integer("kpm.velocity.n_positions", count, view->rows, view->rows);
    for (std::size_t i = 0; i < positions.size(); ++i)
        require_real([&] { return text("kpm.velocity.positions[", i, "]"); }, positions[i], -max_element, max_element);
    require_real("kpm.velocity.period", period, 0.0, max_element);
    constexpr std::int64_t each = sizeof(std::complex<double>) + sizeof(std::int32_t), pointer = sizeof(std::int64_t);
    require_memory(text("kpm.velocity: up to ", view->elements, " elements need"),
                   each * view->elements + pointer * (view->rows + 1), free_memory());
    const Difference difference{positions, period};
    CrsMatrix velocity;
    velocity.is_complex = true;
    count_elements(*view, difference, threads, velocity);
    const auto elements = static_cast<std::size_t>(velocity.row_pointers.back());
    velocity.columns.resize(elements);
    velocity.values.resize(2 * elements);
    with_value_type(view->is_complex, [&](auto type) {
        using Value = decltype(type);
        in_team(threads, [&](const Team& team) {
            const auto [first, last] = team.share(positions.size());
            auto at = static_cast<std::size_t>(velocity.row_pointers[first]);
            for_each_element(*view, difference, first, last, [&](std::size_t, std::size_t k, double x) {
                const std::complex<double> element = value_at<Value>(view->values, k);
                velocity.columns[at] = static_cast<std::int32_t>(view->column(k));
                velocity.values[2 * at] = -element.imag() * x;
                velocity.values[2 * at++ + 1] = element.real() * x;
            });
        });
    });
    return velocity;
}

}  // namespace legato::kpm
