#include "kpm/imaginary_operator.hpp"

#include <algorithm>

namespace legato::kpm {
namespace {

// Returns whether the elements of a lattice can all be imaginary: the hoppings are, and their phases are real.
bool may_be_imaginary(const CellLattice& lattice) {
    CellLattice real = lattice;
    for (Hopping& hopping : real.hoppings) {
        if (hopping.amplitude.real() != 0) return false;
        hopping.amplitude = hopping.amplitude.imag();
    }
    const bool has_energy =
        std::any_of(lattice.energies.begin(), lattice.energies.end(), [](double e) { return e != 0; });
    return !has_energy && lattice.site_energies.empty() && !is_random(lattice) && lattice.sites() <= max_rows &&
           !is_complex(real);
}

}  // namespace

std::optional<CrsMatrix> imaginary_part_of(const Hamiltonian& one, int threads) {
    if (!is_complex(one)) return std::nullopt;
    CrsMatrix own;
    CrsView view{};
    if (const auto* lattice = std::get_if<CellLattice>(&one)) {
        if (!may_be_imaginary(*lattice)) return std::nullopt;
        own = matrix_of(one, 0, 0, threads);
        view = view_of(own);
    } else {
        view = *matrix_in(one);
    }
    const auto elements = static_cast<std::size_t>(view.elements);
    for (std::size_t k = 0; k < elements; ++k)
        if (view.values[2 * k] != 0) return std::nullopt;
    CrsMatrix result;
    result.row_pointers.assign(view.row_pointers, view.row_pointers + view.rows + 1);
    result.columns.assign(view.columns, view.columns + elements);
    result.values.resize(elements);
    for (std::size_t k = 0; k < elements; ++k) result.values[k] = view.values[2 * k + 1];
    result.index_base = view.index_base;
    result.longest_row = longest_row(one);
    return result;
}

}  // namespace legato::kpm
