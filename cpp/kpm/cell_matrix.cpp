#include "kpm/cell_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "core/parallel.hpp"
#include "kpm/disorder.hpp"
#include "kpm/vacancies.hpp"

namespace legato::kpm {
namespace {

using Cell = std::array<std::int64_t, 3>;

Cell cell_of(const CellLattice& lattice, std::int64_t number) {
    const auto& extents = lattice.extents;
    return {number % extents[0], number / extents[0] % extents[1], number / extents[0] / extents[1]};
}

// Returns the number of the site that is an orbital `from` of the cell at `offset`, or -1 beyond a hard wall.
std::int64_t column_of(const CellLattice& lattice, int from, const Cell& offset, const Cell& cell) {
    Cell other{};
    for (std::size_t d = 0; d < 3; ++d) {
        other[d] = neighbour_cell(cell[d], offset[d], lattice.extents[d], lattice.boundary[d]);
        if (other[d] < 0) return -1;
    }
    return from + lattice.orbitals * (other[0] + lattice.extents[0] * (other[1] + lattice.extents[1] * other[2]));
}

// The positions in the matrix, relative to the cell, of the elements that bonds into an orbital and its energy have. In
// a periodic direction, offsets that differ by the extent are the same.
using Places = std::set<std::pair<int, Cell>>;

std::vector<Places> places_of(const CellLattice& lattice) {
    std::vector<Places> places(static_cast<std::size_t>(lattice.orbitals));
    const auto add = [&](int to, int from, Cell offset, int sign) {
        for (std::size_t d = 0; d < 3; ++d) {
            offset[d] *= sign;
            if (lattice.boundary[d] == Boundary::periodic)
                offset[d] = neighbour_cell(0, offset[d], lattice.extents[d], Boundary::periodic);
        }
        places[static_cast<std::size_t>(to)].emplace(from, offset);
    };
    for (int o = 0; o < lattice.orbitals; ++o) add(o, o, {}, 1);
    for (const Hopping& hopping : lattice.hoppings) {
        add(hopping.to, hopping.from, hopping.offset, -1);
        add(hopping.from, hopping.to, hopping.offset, 1);
    }
    return places;
}

// Returns the number of cells from which an offset does not lead beyond a hard wall.
std::int64_t cells_with(const CellLattice& lattice, const Cell& offset) {
    std::int64_t cells = 1;
    for (std::size_t d = 0; d < 3; ++d)
        cells *= lattice.boundary[d] == Boundary::periodic
                     ? lattice.extents[d]
                     : std::max<std::int64_t>(lattice.extents[d] - std::abs(offset[d]), 0);
    return cells;
}

// An element of a row, or a part of it.
struct Entry {
    std::int64_t column;
    std::size_t term;  // 0 for the energy, 1 + the number of the hopping
    std::complex<double> value;
};

// Sorts by columns and terms, and adds what belongs to the same column. The two parts that one hopping may have are
// added first, in any order, as they are exchanged in the transposed element. That is thus exactly the conjugate.
void sort_and_add(std::vector<Entry>& row) {
    std::sort(row.begin(), row.end(), [](const Entry& a, const Entry& b) {
        return a.column < b.column || (a.column == b.column && a.term < b.term);
    });
    const auto merge = [&](const auto& belongs) {
        std::size_t count = 1;
        for (std::size_t k = 1; k < row.size(); ++k)
            if (belongs(row[count - 1], row[k]))
                row[count - 1].value += row[k].value;
            else
                row[count++] = row[k];
        row.resize(count);
    };
    merge([](const Entry& a, const Entry& b) { return a.column == b.column && a.term == b.term; });
    merge([](const Entry& a, const Entry& b) { return a.column == b.column; });
}

template <class Work>
void in_parallel_ranges(std::size_t count, int threads, const Work& work) {
    constexpr std::size_t rows = 4096;
    in_parallel((count + rows - 1) / rows, threads,
                [&](std::size_t part) { work(part * rows, std::min(count, (part + 1) * rows)); });
}

// Makes the rows of a matrix.
class Rows {
  public:
    Rows(const CellLattice& lattice, const Stencil& stencil, std::uint64_t seed, std::int64_t realisation, int threads)
        : lattice_(lattice),
          stencil_(stencil),
          seed_(seed),
          realisation_(realisation),
          vacancies_(draw_vacancies(lattice, seed, realisation, threads)) {
        for (int o = 0; o <= lattice.orbitals; ++o)
            first_bond_.push_back(static_cast<std::size_t>(
                std::find_if(stencil.bonds.begin(), stencil.bonds.end(), [o](const Bond& b) { return b.to >= o; }) -
                stencil.bonds.begin()));
        for (const Places& places : places_of(lattice)) places_.emplace_back(places.begin(), places.end());
    }

    std::int64_t length(std::int64_t row) const {
        if (!has_site(row)) return 0;
        const Cell cell = cell_of(lattice_, row / lattice_.orbitals);
        std::int64_t count = 0;
        for (const auto& [from, offset] : places_[static_cast<std::size_t>(row % lattice_.orbitals)])
            count += has_site(column_of(lattice_, from, offset, cell)) ? 1 : 0;
        return count;
    }

    void fill(std::int64_t row, std::vector<Entry>& entries) const {
        entries.clear();
        if (!has_site(row)) return;
        const Cell cell = cell_of(lattice_, row / lattice_.orbitals);
        const auto orbital = static_cast<std::size_t>(row % lattice_.orbitals);
        double energy = 0;
        draw_energies(lattice_, seed_, realisation_, row, {&energy, 1});
        entries.assign(1, {row, 0, energy});
        for (std::size_t b = first_bond_[orbital]; b < first_bond_[orbital + 1]; ++b) {
            const Bond& bond = stencil_.bonds[b];
            const std::int64_t column = column_of(lattice_, bond.from, bond.offset, cell);
            if (has_site(column)) entries.push_back({column, bond.hopping + 1, stencil_.element(bond, cell)});
        }
        sort_and_add(entries);
    }

  private:
    // Returns false for a vacancy and for -1, beyond a hard wall.
    bool has_site(std::int64_t site) const {
        return site >= 0 && (vacancies_.empty() || !is_vacancy(vacancies_.data(), site));
    }

    const CellLattice& lattice_;
    const Stencil& stencil_;
    std::uint64_t seed_;
    std::int64_t realisation_;
    Pages<std::uint32_t> vacancies_;
    std::vector<std::size_t> first_bond_;  // [orbitals + 1] into an orbital
    std::vector<std::vector<std::pair<int, Cell>>> places_;
};

}  // namespace

CrsMatrix matrix_of(const CellLattice& lattice, std::uint64_t seed, std::int64_t realisation, int threads) {
    const Stencil stencil = stencil_of(lattice);
    const Rows rows(lattice, stencil, seed, realisation, threads);
    const std::int64_t sites = lattice.sites();
    const auto count = static_cast<std::size_t>(sites);
    CrsMatrix matrix;
    matrix.is_complex = stencil.is_complex;
    matrix.row_pointers = Pages<std::int64_t>(count + 1);
    in_parallel_ranges(count, threads, [&](std::size_t first, std::size_t last) {
        for (std::size_t row = first; row < last; ++row)
            matrix.row_pointers[row + 1] = rows.length(static_cast<std::int64_t>(row));
    });
    matrix.row_pointers[0] = 0;
    for (std::size_t row = 0; row < count; ++row) matrix.row_pointers[row + 1] += matrix.row_pointers[row];
    const auto elements = static_cast<std::size_t>(matrix.row_pointers[count]), lanes = matrix.is_complex ? 2UL : 1UL;
    matrix.columns = Pages<std::int32_t>(elements);
    matrix.values = Pages<double>(lanes * elements);
    in_parallel_ranges(count, threads, [&](std::size_t first, std::size_t last) {
        std::vector<Entry> entries;
        for (std::size_t row = first; row < last; ++row) {
            rows.fill(static_cast<std::int64_t>(row), entries);
            auto k = static_cast<std::size_t>(matrix.row_pointers[row]);
            for (const Entry& entry : entries) {
                matrix.columns[k] = static_cast<std::int32_t>(entry.column);
                matrix.values[lanes * k] = entry.value.real();
                if (matrix.is_complex) matrix.values[2 * k + 1] = entry.value.imag();
                ++k;
            }
        }
    });
    return matrix;
}

std::int64_t elements_of(const CellLattice& lattice) {
    std::int64_t elements = 0;
    for (const Places& places : places_of(lattice))
        for (const auto& [from, offset] : places) elements += cells_with(lattice, offset);
    return elements;
}

std::int64_t longest_row(const CellLattice& lattice) {
    std::int64_t longest = 0;
    for (const Places& places : places_of(lattice))
        longest = std::max<std::int64_t>(longest, std::count_if(places.begin(), places.end(), [&](const auto& place) {
                                             return cells_with(lattice, place.second) > 0;
                                         }));
    return longest;
}

std::int64_t most_bonds(const CellLattice& lattice) {
    std::vector<std::int64_t> bonds(static_cast<std::size_t>(lattice.orbitals));
    for (const Hopping& hopping : lattice.hoppings) {
        ++bonds[static_cast<std::size_t>(hopping.to)];
        ++bonds[static_cast<std::size_t>(hopping.from)];
    }
    return *std::max_element(bonds.begin(), bonds.end());
}

Interval bounds_of(const CellLattice& lattice, std::uint64_t seed, std::int64_t realisations, int threads) {
    const auto orbitals = static_cast<std::size_t>(lattice.orbitals);
    std::vector<double> radius(orbitals);
    for (const Hopping& hopping : lattice.hoppings) {
        if (cells_with(lattice, hopping.offset) == 0) continue;
        const double size = std::abs(hopping.amplitude);
        radius[static_cast<std::size_t>(hopping.to)] += size;
        radius[static_cast<std::size_t>(hopping.from)] += size;
    }
    const Interval disorder =
        disorder_range(lattice.on_site, lattice.disorder, lattice.sites(), seed, realisations, threads);
    constexpr Interval empty{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    std::vector<Interval> range(orbitals, lattice.site_energies.empty() ? disorder : empty);
    auto vacancy = lattice.vacancies.begin();
    for (std::size_t site = 0; site < lattice.site_energies.size(); ++site) {
        if (vacancy != lattice.vacancies.end() && *vacancy == static_cast<std::int64_t>(site)) {
            ++vacancy;
            continue;
        }
        Interval& of = range[site % orbitals];
        const double energy = lattice.site_energies[site];
        of = {std::min(of.lowest, energy), std::max(of.highest, energy)};
    }
    Interval bounds = empty;
    for (std::size_t o = 0; o < orbitals; ++o) {
        const double energy = lattice.energies.empty() ? 0.0 : lattice.energies[o];
        bounds.lowest = std::min(bounds.lowest, energy + range[o].lowest - radius[o]);
        bounds.highest = std::max(bounds.highest, energy + range[o].highest + radius[o]);
    }
    return bounds;
}

}  // namespace legato::kpm
