#include "kpm/hamiltonian.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>
#include <utility>

#include "core/parallel.hpp"
#include "core/validate.hpp"
#include "kpm/cell_matrix.hpp"
#include "kpm/crs_check.hpp"
#include "kpm/disorder.hpp"
#include "kpm/start_vectors.hpp"

namespace legato::kpm {
namespace {

void validate(const Lattice& lattice) {
    std::int64_t sites = 1;
    for (std::size_t d = 0; d < 3; ++d) {
        require_integer(text("kpm.lattice.extents[", d, "]"), lattice.extents[d], 1, max_sites);
        if (__builtin_mul_overflow(sites, lattice.extents[d], &sites) || sites > max_sites)
            fail(Status::invalid_argument, "kpm.lattice.extents: ", lattice.extents[0], " x ", lattice.extents[1],
                 " x ", lattice.extents[2], " sites are not in 1..", max_sites);
        require_integer(text("kpm.lattice.boundary[", d, "]"), static_cast<int>(lattice.boundary[d]), 0, 1);
    }
    require_real("kpm.lattice.hopping", lattice.hopping, -max_energy, max_energy);
    require_integer("kpm.lattice.on_site", static_cast<int>(lattice.on_site), 0, 4);
    if (lattice.on_site == OnSite::energies) {
        if (static_cast<std::int64_t>(lattice.energies.size()) != sites)
            fail(Status::invalid_argument, "kpm.lattice.energies: ", lattice.energies.size(), " values are not ", sites,
                 ", one for each site");
        for (std::size_t i = 0; i < lattice.energies.size(); ++i)
            if (!(std::abs(lattice.energies[i]) <= max_energy))
                require_real(text("kpm.lattice.energies[", i, "]"), lattice.energies[i], -max_energy, max_energy);
        return;
    }
    require_real("kpm.lattice.energy", lattice.energy, -max_energy, max_energy);
    if (lattice.on_site != OnSite::constant) require_real("kpm.lattice.disorder", lattice.disorder, 0.0, max_energy);
    if (lattice.on_site == OnSite::binary) require_real("kpm.lattice.concentration", lattice.concentration, 0.0, 1.0);
}

// Returns the largest sum of |H_ij| over the bonds of a site.
double bond_sum(const Lattice& lattice) {
    int bonds = 0;
    for (std::size_t d = 0; d < 3; ++d)
        if (lattice.extents[d] > 1)
            bonds += lattice.boundary[d] == Boundary::hard_wall && lattice.extents[d] == 2 ? 1 : 2;
    return bonds * std::abs(lattice.hopping);
}

Interval energy_range(const Lattice& lattice, std::uint64_t seed, std::int64_t realisations, int threads) {
    if (lattice.on_site == OnSite::energies) {
        const auto [lowest, highest] = std::minmax_element(lattice.energies.begin(), lattice.energies.end());
        return {*lowest, *highest};
    }
    const Interval range =
        disorder_range(lattice.on_site, lattice.disorder, lattice.sites(), seed, realisations, threads);
    return {lattice.energy + range.lowest, lattice.energy + range.highest};
}

// Returns the range of the energies that are added to the diagonal of a matrix.
Interval energy_range(const Disorder& disorder, std::int64_t sites, std::uint64_t seed, std::int64_t realisations,
                      int threads) {
    if (!disorder.is_any()) return {};
    if (disorder.on_site == OnSite::energies) return {disorder.lowest, disorder.highest};
    return disorder_range(disorder.on_site, disorder.strength, sites, seed, realisations, threads);
}

// Returns the bounds of Gershgorin's circles of some rows.
template <class Value>
Interval bounds_of_rows(const CrsView& matrix, std::size_t first, std::size_t last) {
    Interval interval{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (auto row = static_cast<std::int64_t>(first); row < static_cast<std::int64_t>(last); ++row) {
        double diagonal = 0, radius = 0;
        const auto i = static_cast<std::size_t>(row);
        for (std::size_t k = matrix.begin(i); k < matrix.end(i); ++k) {
            if (matrix.column(k) == row)
                diagonal = std::real(value_at<Value>(matrix.values, k));
            else
                radius += std::abs(value_at<Value>(matrix.values, k));
        }
        interval.lowest = std::min(interval.lowest, diagonal - radius);
        interval.highest = std::max(interval.highest, diagonal + radius);
    }
    return interval;
}

template <class Value>
Interval bounds(const CrsView& matrix, int threads) {
    constexpr std::int64_t least_elements = 1 << 15;  // minimum for each thread
    Interval all{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    std::mutex mutex;
    const auto team_size = std::clamp<std::int64_t>((matrix.rows + matrix.elements) / least_elements, 1, threads);
    in_team(static_cast<int>(team_size), [&](const Team& team) {
        const auto [first, last] = team.share(static_cast<std::size_t>(matrix.rows));
        const Interval mine = bounds_of_rows<Value>(matrix, first, last);
        const std::lock_guard lock(mutex);
        all = {std::min(all.lowest, mine.lowest), std::max(all.highest, mine.highest)};
    });
    return all;
}

// The elements of one row of a lattice's matrix, by ascending column. Several bonds between the same two sites are one
// element.
struct LatticeRow {
    std::array<std::pair<std::int32_t, double>, 7> elements;
    std::size_t count = 0;

    void add(std::int64_t column, double value) {
        const auto narrow = static_cast<std::int32_t>(column);
        std::size_t at = count;
        while (at > 0 && elements[at - 1].first > narrow) --at;
        if (at > 0 && elements[at - 1].first == narrow) {
            elements[at - 1].second += value;
            return;
        }
        std::copy_backward(elements.begin() + at, elements.begin() + count, elements.begin() + count + 1);
        elements[at] = {narrow, value};
        ++count;
    }
};

// Returns the number of elements of a row.
std::int64_t elements_of_row(const Lattice& lattice, std::int64_t site) {
    std::int64_t elements = 1;
    for (std::size_t d = 0; d < 3; ++d) {
        const std::int64_t extent = lattice.extents[d], at = site % extent;
        site /= extent;
        if (extent == 1) continue;
        const bool has_two = extent > 2 && (lattice.boundary[d] == Boundary::periodic || (at > 0 && at + 1 < extent));
        elements += has_two ? 2 : 1;
    }
    return elements;
}

LatticeRow row_of(const Lattice& lattice, std::int64_t site, double energy) {
    LatticeRow row;
    row.add(site, energy);
    std::int64_t stride = 1, rest = site;
    for (std::size_t d = 0; d < 3; ++d) {
        const std::int64_t extent = lattice.extents[d], at = rest % extent;
        for (const int direction : {-1, 1}) {
            if (extent == 1) continue;
            const std::int64_t next = at + direction;
            if ((next < 0 || next == extent) && lattice.boundary[d] == Boundary::hard_wall) continue;
            row.add(site + ((next + extent) % extent - at) * stride, -lattice.hopping);
        }
        rest /= extent;
        stride *= extent;
    }
    return row;
}

}  // namespace

std::int64_t sites_of(const Hamiltonian& hamiltonian) {
    if (const auto* lattice = std::get_if<Lattice>(&hamiltonian)) return lattice->sites();
    if (const auto* lattice = std::get_if<CellLattice>(&hamiltonian)) return lattice->sites();
    return matrix_in(hamiltonian)->rows;
}

bool is_complex(const Hamiltonian& hamiltonian) {
    if (const auto* lattice = std::get_if<CellLattice>(&hamiltonian)) return is_complex(*lattice);
    const auto matrix = matrix_in(hamiltonian);
    return matrix && matrix->is_complex;
}

bool is_random(const Hamiltonian& hamiltonian) {
    if (const auto* lattice = std::get_if<CellLattice>(&hamiltonian)) return is_random(*lattice);
    const auto* lattice = std::get_if<Lattice>(&hamiltonian);
    return lattice ? is_random(*lattice) : disorder_of(hamiltonian).is_any();
}

bool is_random(const Lattice& lattice) {
    return is_random(lattice.on_site, lattice.disorder);
}

bool has_site_energies(const Hamiltonian& hamiltonian) {
    if (const auto* lattice = std::get_if<Lattice>(&hamiltonian))
        return lattice->on_site == OnSite::energies || is_random(*lattice);
    const auto* cells = std::get_if<CellLattice>(&hamiltonian);
    return cells && (cells->on_site == OnSite::energies || has_random_energies(*cells));
}

Disorder disorder_of(const Hamiltonian& hamiltonian) {
    const auto* view = std::get_if<CrsView>(&hamiltonian);
    return view ? view->disorder : Disorder{};
}

void prepare(Hamiltonian& hamiltonian, int threads) {
    if (const auto* lattice = std::get_if<Lattice>(&hamiltonian))
        validate(*lattice);
    else if (auto* cells = std::get_if<CellLattice>(&hamiltonian))
        prepare(*cells);
    else
        prepare_matrix(hamiltonian, threads);
}

Interval gershgorin_bounds(const Hamiltonian& hamiltonian, std::uint64_t seed, std::int64_t realisations, int threads) {
    if (const auto* cells = std::get_if<CellLattice>(&hamiltonian))
        return bounds_of(*cells, seed, realisations, threads);
    const auto* lattice = std::get_if<Lattice>(&hamiltonian);
    if (!lattice) {
        const CrsView matrix = *matrix_in(hamiltonian);
        const Interval circles =
            with_value_type(matrix.is_complex, [&]<class Value>(Value) { return bounds<Value>(matrix, threads); });
        const Interval energies = energy_range(matrix.disorder, matrix.rows, seed, realisations, threads);
        return {circles.lowest + energies.lowest, circles.highest + energies.highest};
    }
    const Interval energies = energy_range(*lattice, seed, realisations, threads);
    const double radius = bond_sum(*lattice);
    return {energies.lowest - radius, energies.highest + radius};
}

void draw_energies(const Lattice& lattice, std::uint64_t seed, std::int64_t realisation, std::int64_t first,
                   std::span<double> energies) {
    for (std::size_t i = 0; i < energies.size(); ++i) {
        const auto site = static_cast<std::uint64_t>(first) + i;
        energies[i] = lattice.on_site == OnSite::energies
                          ? lattice.energies[site]
                          : on_site_energy(lattice.on_site, lattice.energy, lattice.disorder, lattice.concentration,
                                           seed, static_cast<std::uint64_t>(realisation), site);
    }
}

void draw_energies(const Disorder& disorder, std::uint64_t seed, std::int64_t realisation, std::int64_t first,
                   const double* given, std::span<double> energies) {
    if (disorder.on_site == OnSite::energies) {
        if (given)
            std::copy_n(given + first, energies.size(), energies.begin());
        else
            std::fill(energies.begin(), energies.end(), 0.0);
        return;
    }
    for (std::size_t i = 0; i < energies.size(); ++i)
        energies[i] = on_site_energy(disorder.on_site, 0.0, disorder.strength, 0.5, seed,
                                     static_cast<std::uint64_t>(realisation), static_cast<std::uint64_t>(first) + i);
}

CrsMatrix matrix_of(const Hamiltonian& lattice, std::uint64_t seed, std::int64_t realisation, int threads) {
    if (const auto* cells = std::get_if<CellLattice>(&lattice)) return matrix_of(*cells, seed, realisation, threads);
    return matrix_of(std::get<Lattice>(lattice), seed, realisation, threads);
}

CrsMatrix matrix_of(const Lattice& lattice, std::uint64_t seed, std::int64_t realisation, int threads) {
    CrsMatrix matrix;
    const auto sites = static_cast<std::size_t>(lattice.sites());
    const auto elements = static_cast<std::size_t>(elements_of(lattice));
    matrix.row_pointers.resize(sites + 1);
    matrix.columns.resize(elements);
    matrix.values.resize(elements);
    std::vector<std::int64_t> counts(static_cast<std::size_t>(threads) + 1);
    in_team(threads, [&](const Team& team) {
        const auto [first, last] = team.share(sites);
        for (std::size_t site = first; site < last; ++site)
            counts[team.rank + 1] += elements_of_row(lattice, static_cast<std::int64_t>(site));
        team.wait();
        std::int64_t at = std::accumulate(counts.data(), counts.data() + team.rank + 1, std::int64_t{0});
        for (std::size_t site = first; site < last; ++site) {
            double energy = 0;
            draw_energies(lattice, seed, realisation, static_cast<std::int64_t>(site), {&energy, 1});
            const LatticeRow row = row_of(lattice, static_cast<std::int64_t>(site), energy);
            matrix.row_pointers[site] = at;
            for (std::size_t k = 0; k < row.count; ++k, ++at) {
                matrix.columns[static_cast<std::size_t>(at)] = row.elements[k].first;
                matrix.values[static_cast<std::size_t>(at)] = row.elements[k].second;
            }
        }
    });
    matrix.row_pointers[sites] = static_cast<std::int64_t>(elements);
    return matrix;
}

std::int64_t elements_of(const Hamiltonian& hamiltonian) {
    if (const auto* cells = std::get_if<CellLattice>(&hamiltonian)) return elements_of(*cells);
    const auto* lattice = std::get_if<Lattice>(&hamiltonian);
    return lattice ? elements_of(*lattice) : matrix_in(hamiltonian)->elements;
}

// Counts several bonds between the same two sites as one element.
std::int64_t elements_of(const Lattice& lattice) {
    const std::int64_t sites = lattice.sites();
    std::int64_t elements = sites;
    for (std::size_t d = 0; d < 3; ++d) {
        const std::int64_t extent = lattice.extents[d];
        elements +=
            extent > 2 && lattice.boundary[d] == Boundary::periodic ? 2 * sites : 2 * (sites / extent) * (extent - 1);
    }
    return elements;
}

std::int64_t longest_row(const Hamiltonian& hamiltonian) {
    if (const auto* lattice = std::get_if<Lattice>(&hamiltonian)) {
        std::int64_t length = 1;
        for (std::size_t d = 0; d < 3; ++d) length += std::min<std::int64_t>(lattice->extents[d] - 1, 2);
        return length;
    }
    if (const auto* cells = std::get_if<CellLattice>(&hamiltonian)) return longest_row(*cells);
    const CrsView matrix = *matrix_in(hamiltonian);
    std::int64_t length = matrix.longest_row;
    if (length > 0) return length;
    for (std::int64_t row = 0; row < matrix.rows; ++row)
        length = std::max(length, matrix.row_pointers[row + 1] - matrix.row_pointers[row]);
    return length;
}

namespace {

// Pads a limited number of rows at a time, so that the cache lines of these rows are still in cache when their next
// elements are read.
template <class Value>
void pad_with(const CrsView& matrix, std::int64_t length, int threads, EllMatrix& ell) {
    constexpr std::size_t at_a_time = 256;
    const auto rows = static_cast<std::size_t>(matrix.rows), elements = static_cast<std::size_t>(length);
    ell.columns.resize(elements * rows);
    ell.values.resize(elements * rows * matrix.lanes());
    const auto pad_rows = [&](std::size_t first, std::size_t last) {
        for (std::size_t k = 0; k < elements; ++k)
            for (std::size_t row = first; row < last; ++row) {
                const std::size_t wanted = matrix.begin(row) + k;
                const bool there = wanted < matrix.end(row);
                const std::size_t from = there ? wanted : 0;  // always read, which avoids branches
                const auto column = static_cast<std::int32_t>(matrix.column(from));
                const auto value = value_at<Value>(matrix.values, from);
                ell.columns[k * rows + row] = there ? column : static_cast<std::int32_t>(row);
                set_value(ell.values.data(), k * rows + row, there ? value : Value{});
            }
    };
    in_team(threads, [&](const Team& team) {
        const auto [begin, end] = team.share(rows);
        for (std::size_t first = begin; first < end; first += at_a_time)
            pad_rows(first, std::min(first + at_a_time, end));
    });
}

}  // namespace

void pad(const CrsView& matrix, std::int64_t length, int threads, EllMatrix& ell) {
    with_value_type(matrix.is_complex, [&]<class Value>(Value) { pad_with<Value>(matrix, length, threads, ell); });
}

}  // namespace legato::kpm
