#include "legato/kpm_hamiltonian.h"

#include <algorithm>

#include "core/parallel.hpp"
#include "kpm.hpp"
#include "kpm/velocity.hpp"

using namespace legato;
using namespace legato::capi;

template <>
inline constexpr std::size_t capi::first_size<legato_kpm_lattice> = LEGATO_SIZE_UP_TO(legato_kpm_lattice, disorder);
template <>
inline constexpr std::size_t capi::first_size<legato_kpm_cell_lattice> = LEGATO_SIZE_UP_TO(legato_kpm_cell_lattice,
                                                                                           concentration);

namespace {

legato_kpm_lattice to_c(const kpm::Lattice& l) {
    legato_kpm_lattice c{};
    c.struct_size = sizeof(c);
    for (std::size_t d = 0; d < 3; ++d) {
        c.extents[d] = l.extents[d];
        c.boundary[d] = static_cast<int32_t>(l.boundary[d]);
    }
    c.on_site = static_cast<int32_t>(l.on_site);
    c.hopping = l.hopping;
    c.energy = l.energy;
    c.disorder = l.disorder;
    c.concentration = l.concentration;
    return c;
}

legato_kpm_cell_lattice to_c(const kpm::CellLattice& l) {
    legato_kpm_cell_lattice c{};
    c.struct_size = sizeof(c);
    for (std::size_t d = 0; d < 3; ++d) {
        c.extents[d] = l.extents[d];
        c.boundary[d] = static_cast<int32_t>(l.boundary[d]);
        c.twist[d] = l.twist[d];
        c.flux[d] = l.flux[d];
    }
    c.orbitals = l.orbitals;
    c.on_site = static_cast<int32_t>(l.on_site);
    c.disorder = l.disorder;
    c.concentration = l.concentration;
    std::copy(l.vacancy_concentration.begin(), l.vacancy_concentration.end(), c.vacancy_concentration);
    return c;
}

// Returns the lattice without its on-site energies.
kpm::Lattice from_c(const legato_kpm_lattice& c) {
    kpm::Lattice l;
    for (std::size_t d = 0; d < 3; ++d) {
        l.extents[d] = c.extents[d];
        require_integer(text("kpm.lattice.boundary[", d, "]"), c.boundary[d], LEGATO_KPM_BOUNDARY_HARD_WALL,
                        LEGATO_KPM_BOUNDARY_PERIODIC);
        l.boundary[d] = static_cast<kpm::Boundary>(c.boundary[d]);
    }
    require_integer("kpm.lattice.on_site", c.on_site, LEGATO_KPM_ON_SITE_CONSTANT, LEGATO_KPM_ON_SITE_BINARY);
    l.on_site = static_cast<kpm::OnSite>(c.on_site);
    l.hopping = c.hopping;
    l.energy = c.energy;
    l.disorder = c.disorder;
    l.concentration = c.concentration;
    return l;
}

// Returns the number of sites. The extents are checked before as many energies are read from the caller.
int64_t sites_of(const kpm::Lattice& lattice) {
    kpm::Hamiltonian clean = lattice;
    std::get<kpm::Lattice>(clean).on_site = kpm::OnSite::constant;
    std::get<kpm::Lattice>(clean).energy = 0;
    prepare(clean);
    return lattice.sites();
}

void require_memory_for(const char* field, int64_t value, int64_t bytes) {
    require_memory(text(field, ": ", value, " need"), bytes, free_memory());
}

// Returns the energies that the caller gives for the sites of a lattice, as many as are wanted.
std::vector<double> energies_of_sites(const char* lattice, int32_t on_site, const char* name, int64_t wanted, int64_t n,
                                      const double* energies) {
    const std::string number = text("kpm.n_", name), field = text("kpm.", name);
    require_integer(number, n, wanted, wanted);
    if (wanted == 0) {
        if (energies)
            fail(Status::invalid_argument, field, ": ", lattice, ".on_site is ", on_site,
                 ", which needs no energies of sites; pass a null pointer");
        return {};
    }
    require_pointer(field.c_str(), energies);
    require_memory_for(number.c_str(), wanted, 8 * wanted);
    return {energies, energies + wanted};
}

kpm::Lattice lattice_from_c(const legato_kpm_lattice* lattice, int64_t n_energies, const double* energies) {
    legato_kpm_lattice c = to_c(kpm::Lattice{});
    read_struct("kpm.lattice", lattice, c);
    kpm::Lattice l = from_c(c);
    const int64_t wanted = l.on_site == kpm::OnSite::energies ? sites_of(l) : 0;
    l.energies = energies_of_sites("kpm.lattice", c.on_site, "energies", wanted, n_energies, energies);
    return l;
}

// Returns the lattice without the caller's arrays.
kpm::CellLattice from_c(const legato_kpm_cell_lattice& c) {
    kpm::CellLattice l;
    for (std::size_t d = 0; d < 3; ++d) {
        l.extents[d] = c.extents[d];
        l.boundary[d] = static_cast<kpm::Boundary>(c.boundary[d]);
        l.twist[d] = c.twist[d];
        l.flux[d] = c.flux[d];
    }
    l.orbitals = c.orbitals;
    l.on_site = static_cast<kpm::OnSite>(c.on_site);
    l.disorder = c.disorder;
    l.concentration = c.concentration;
    std::copy_n(c.vacancy_concentration, kpm::max_orbitals, l.vacancy_concentration.begin());
    return l;
}

// The caller's arrays that describe a unit cell.
struct CellArrays {
    const double* positions;
    const double* energies;
    int64_t n_hoppings;
    const int32_t *from, *to, *offsets;
    const double* amplitudes;
};

// Reads the unit cell. The number of orbitals is checked before.
void read_cell(const CellArrays& arrays, kpm::CellLattice& lattice) {
    const auto orbitals = static_cast<std::size_t>(lattice.orbitals);
    for (std::size_t o = 0; arrays.positions && o < orbitals; ++o)
        lattice.positions.push_back(
            {arrays.positions[3 * o], arrays.positions[3 * o + 1], arrays.positions[3 * o + 2]});
    if (arrays.energies) lattice.energies.assign(arrays.energies, arrays.energies + orbitals);
    require_integer("kpm.n_hoppings", arrays.n_hoppings, 0, kpm::max_hoppings);
    if (arrays.n_hoppings == 0) return;
    require_pointer("kpm.from", arrays.from);
    require_pointer("kpm.to", arrays.to);
    require_pointer("kpm.offsets", arrays.offsets);
    require_pointer("kpm.amplitudes", arrays.amplitudes);
    for (std::size_t h = 0; h < static_cast<std::size_t>(arrays.n_hoppings); ++h) {
        const int32_t* const offset = arrays.offsets + 3 * h;
        lattice.hoppings.push_back({arrays.from[h],
                                    arrays.to[h],
                                    {offset[0], offset[1], offset[2]},
                                    {arrays.amplitudes[2 * h], arrays.amplitudes[2 * h + 1]}});
    }
}

kpm::CellLattice cells_from_c(const legato_kpm_cell_lattice* lattice, const CellArrays& arrays, int64_t n_site_energies,
                              const double* site_energies) {
    legato_kpm_cell_lattice c = to_c(kpm::CellLattice{});
    read_struct("kpm.cell_lattice", lattice, c);
    kpm::CellLattice l = from_c(c);
    validate_extents(l);
    read_cell(arrays, l);
    const int64_t wanted = l.on_site == kpm::OnSite::energies ? l.sites() : 0;
    l.site_energies =
        energies_of_sites("kpm.cell_lattice", c.on_site, "site_energies", wanted, n_site_energies, site_energies);
    return l;
}

enum class Elements { real, complex };

// Returns a view of the caller's arrays. Their contents are checked when the matrix is prepared.
kpm::CrsView view_from_c(Elements elements, int64_t rows, int64_t n_elements, int32_t index_base,
                         const int64_t* row_pointers, const int32_t* columns, const double* values) {
    constexpr int64_t most_elements = 1LL << 48;
    require_integer("kpm.matrix.rows", rows, 1, kpm::max_rows);
    require_integer("kpm.matrix.n_elements", n_elements, 0, most_elements);
    require_integer("kpm.matrix.index_base", index_base, 0, 1);
    require_pointer("kpm.matrix.row_pointers", row_pointers);
    if (n_elements > 0) {
        require_pointer("kpm.matrix.columns", columns);
        require_pointer("kpm.matrix.values", values);
    }
    return {rows, n_elements, row_pointers, columns, values, index_base, 0, elements == Elements::complex};
}

std::unique_ptr<SharedHamiltonian> shared(kpm::Hamiltonian hamiltonian, int threads) {
    prepare(hamiltonian, threads);
    return std::make_unique<SharedHamiltonian>(std::move(hamiltonian));
}

int32_t create_matrix(Elements elements, legato_context* context, int64_t rows, int64_t n_elements, int32_t index_base,
                      const int64_t* row_pointers, const int32_t* columns, const double* values,
                      legato_kpm_hamiltonian** hamiltonian) {
    return create(context, "kpm.hamiltonian", hamiltonian, [&](Context& c) {
        const kpm::CrsView view = view_from_c(elements, rows, n_elements, index_base, row_pointers, columns, values);
        return shared(kpm::copy_of(view, c.threads()), c.threads());
    });
}

int32_t create_narrow_matrix(Elements elements, legato_context* context, int64_t rows, int64_t n_elements,
                             int32_t index_base, const int32_t* row_pointers, const int32_t* columns,
                             const double* values, legato_kpm_hamiltonian** hamiltonian) {
    return create(context, "kpm.hamiltonian", hamiltonian, [&](Context& c) {
        require_integer("kpm.matrix.rows", rows, 1, kpm::max_rows);
        require_pointer("kpm.matrix.row_pointers", row_pointers);
        require_memory_for("kpm.matrix.rows", rows, 8 * (rows + 1));
        kpm::Pages<int64_t> wide(static_cast<std::size_t>(rows) + 1);
        in_team(c.threads(), [&](const Team& team) {
            const auto [first, last] = team.share(wide.size());
            std::copy(row_pointers + first, row_pointers + last, wide.data() + first);
        });
        const kpm::CrsView view = view_from_c(elements, rows, n_elements, index_base, wide.data(), columns, values);
        return shared(kpm::copy_of(view, c.threads()), c.threads());
    });
}

int32_t borrow_matrix(Elements elements, legato_context* context, int64_t rows, int64_t n_elements, int32_t index_base,
                      const int64_t* row_pointers, const int32_t* columns, const double* values,
                      legato_kpm_hamiltonian** hamiltonian) {
    return create(context, "kpm.hamiltonian", hamiltonian, [&](Context& c) {
        return shared(view_from_c(elements, rows, n_elements, index_base, row_pointers, columns, values), c.threads());
    });
}

kpm::Disorder disorder_from_c(int32_t on_site, double disorder) {
    require_integer("kpm.on_site", on_site, LEGATO_KPM_ON_SITE_CONSTANT, LEGATO_KPM_ON_SITE_NORMAL);
    require_real("kpm.disorder", disorder, 0.0, kpm::max_element);
    return {.on_site = static_cast<kpm::OnSite>(on_site), .strength = disorder};
}

kpm::Disorder disorder_from_c(double lowest, double highest, legato_kpm_energy_callback callback, void* user) {
    require_real("kpm.lowest", lowest, -kpm::max_element, kpm::max_element);
    require_real("kpm.highest", highest, lowest, kpm::max_element);
    if (!callback) fail(Status::invalid_argument, "kpm.callback: a null pointer is not allowed");
    const auto source = [callback, user](int64_t realisation, std::span<double> energies) {
        const auto fill = [&] {
            const Callback turn;
            return callback(user, realisation, static_cast<int64_t>(energies.size()), energies.data());
        };
        if (fill() != 0)
            fail(Status::cancelled, "kpm: stopped by the callback for the on-site energies of realisation ",
                 realisation);
    };
    return {.on_site = kpm::OnSite::energies,
            .lowest = lowest,
            .highest = highest,
            .source = std::make_shared<const kpm::EnergySource>(source)};
}

}  // namespace

int32_t legato_kpm_lattice_init_sized(legato_kpm_lattice* lattice, size_t struct_size) {
    return guard_call(nullptr, [&] { init_struct("kpm.lattice", to_c(kpm::Lattice{}), lattice, struct_size); });
}

int32_t legato_kpm_cell_lattice_init_sized(legato_kpm_cell_lattice* lattice, size_t struct_size) {
    return guard_call(nullptr,
                      [&] { init_struct("kpm.cell_lattice", to_c(kpm::CellLattice{}), lattice, struct_size); });
}

int32_t legato_kpm_lattice_create(legato_context* context, const legato_kpm_lattice* lattice, int64_t n_energies,
                                  const double* energies, legato_kpm_hamiltonian** hamiltonian) {
    return create(context, "kpm.hamiltonian", hamiltonian,
                  [&](Context& c) { return shared(lattice_from_c(lattice, n_energies, energies), c.threads()); });
}

int32_t legato_kpm_cell_lattice_create(legato_context* context, const legato_kpm_cell_lattice* lattice,
                                       const double* positions, const double* energies, int64_t n_hoppings,
                                       const int32_t* from, const int32_t* to, const int32_t* offsets,
                                       const double* amplitudes, int64_t n_site_energies, const double* site_energies,
                                       legato_kpm_hamiltonian** hamiltonian) {
    return create(context, "kpm.hamiltonian", hamiltonian, [&](Context& c) {
        const CellArrays arrays{positions, energies, n_hoppings, from, to, offsets, amplitudes};
        return shared(cells_from_c(lattice, arrays, n_site_energies, site_energies), c.threads());
    });
}

int32_t legato_kpm_matrix_create(legato_context* context, int64_t rows, int64_t n_elements, int32_t index_base,
                                 const int64_t* row_pointers, const int32_t* columns, const double* values,
                                 legato_kpm_hamiltonian** hamiltonian) {
    return create_matrix(Elements::real, context, rows, n_elements, index_base, row_pointers, columns, values,
                         hamiltonian);
}

int32_t legato_kpm_matrix_create_narrow(legato_context* context, int64_t rows, int64_t n_elements, int32_t index_base,
                                        const int32_t* row_pointers, const int32_t* columns, const double* values,
                                        legato_kpm_hamiltonian** hamiltonian) {
    return create_narrow_matrix(Elements::real, context, rows, n_elements, index_base, row_pointers, columns, values,
                                hamiltonian);
}

int32_t legato_kpm_matrix_borrow(legato_context* context, int64_t rows, int64_t n_elements, int32_t index_base,
                                 const int64_t* row_pointers, const int32_t* columns, const double* values,
                                 legato_kpm_hamiltonian** hamiltonian) {
    return borrow_matrix(Elements::real, context, rows, n_elements, index_base, row_pointers, columns, values,
                         hamiltonian);
}

int32_t legato_kpm_complex_matrix_create(legato_context* context, int64_t rows, int64_t n_elements, int32_t index_base,
                                         const int64_t* row_pointers, const int32_t* columns, const double* values,
                                         legato_kpm_hamiltonian** hamiltonian) {
    return create_matrix(Elements::complex, context, rows, n_elements, index_base, row_pointers, columns, values,
                         hamiltonian);
}

int32_t legato_kpm_complex_matrix_create_narrow(legato_context* context, int64_t rows, int64_t n_elements,
                                                int32_t index_base, const int32_t* row_pointers, const int32_t* columns,
                                                const double* values, legato_kpm_hamiltonian** hamiltonian) {
    return create_narrow_matrix(Elements::complex, context, rows, n_elements, index_base, row_pointers, columns, values,
                                hamiltonian);
}

int32_t legato_kpm_complex_matrix_borrow(legato_context* context, int64_t rows, int64_t n_elements, int32_t index_base,
                                         const int64_t* row_pointers, const int32_t* columns, const double* values,
                                         legato_kpm_hamiltonian** hamiltonian) {
    return borrow_matrix(Elements::complex, context, rows, n_elements, index_base, row_pointers, columns, values,
                         hamiltonian);
}

int32_t legato_kpm_hamiltonian_is_complex(legato_kpm_hamiltonian* hamiltonian, int32_t* is_complex) {
    return guard(hamiltonian, [&](const SharedHamiltonian& shared) {
        require_pointer("kpm.is_complex", is_complex);
        const std::shared_ptr<const kpm::Hamiltonian> present = shared;
        *is_complex = kpm::is_complex(*present) ? 1 : 0;
    });
}

int32_t legato_kpm_cell_lattice_set_vacancies(legato_kpm_hamiltonian* hamiltonian, int64_t n_vacancies,
                                              const int64_t* vacancies) {
    return guard_collective(hamiltonian, "set_vacancies", [&](Context&, SharedHamiltonian& cells) {
        require_integer("kpm.n_vacancies", n_vacancies, 0, kpm::max_rows);
        if (n_vacancies > 0) require_pointer("kpm.vacancies", vacancies);
        require_memory_for("kpm.n_vacancies", n_vacancies, 8 * n_vacancies);
        cells.set_vacancies({vacancies, static_cast<std::size_t>(n_vacancies)});
    });
}

int32_t legato_kpm_matrix_set_values(legato_kpm_hamiltonian* hamiltonian, int64_t n_elements, const double* values) {
    return guard_collective(hamiltonian, "set_values", [&](Context& c, SharedHamiltonian& matrix) {
        const int64_t wanted = matrix.elements_given();
        require_integer("kpm.matrix.n_elements", n_elements, wanted, wanted);
        if (wanted > 0) require_pointer("kpm.matrix.values", values);
        matrix.set_values({values, static_cast<std::size_t>(matrix.values_given())}, c.threads());
    });
}

int32_t legato_kpm_matrix_set_disorder(legato_kpm_hamiltonian* hamiltonian, int32_t on_site, double disorder) {
    return guard_collective(hamiltonian, "set_disorder", [&](Context&, SharedHamiltonian& matrix) {
        matrix.set_disorder(disorder_from_c(on_site, disorder));
    });
}

int32_t legato_kpm_matrix_set_energies(legato_kpm_hamiltonian* hamiltonian, double lowest, double highest,
                                       legato_kpm_energy_callback callback, void* user) {
    return guard_collective(hamiltonian, "set_energies", [&](Context&, SharedHamiltonian& matrix) {
        matrix.set_disorder(disorder_from_c(lowest, highest, callback, user));
    });
}

int32_t legato_kpm_velocity_create(legato_context* context, const legato_kpm_hamiltonian* hamiltonian,
                                   const double* components, legato_kpm_hamiltonian** velocity) {
    return create(context, "kpm.velocity", velocity, [&](Context& c) {
        const Argument of("kpm.hamiltonian", hamiltonian);
        require_pointer("kpm.velocity.components", components);
        const std::shared_ptr<const kpm::Hamiltonian> present = *of;
        return shared(kpm::velocity_of(*present, {components[0], components[1], components[2]}), c.threads());
    });
}

int32_t legato_kpm_matrix_velocity_create(legato_context* context, const legato_kpm_hamiltonian* hamiltonian,
                                          int64_t n_positions, const double* positions, double period,
                                          legato_kpm_hamiltonian** velocity) {
    return create(context, "kpm.velocity", velocity, [&](Context& c) {
        const Argument of("kpm.hamiltonian", hamiltonian);
        require_integer("kpm.velocity.n_positions", n_positions, 1, kpm::max_rows);
        require_pointer("kpm.velocity.positions", positions);
        const std::shared_ptr<const kpm::Hamiltonian> present = *of;
        return shared(
            kpm::matrix_velocity_of(*present, {positions, static_cast<std::size_t>(n_positions)}, period, c.threads()),
            c.threads());
    });
}

int32_t legato_kpm_hamiltonian_destroy(legato_kpm_hamiltonian* hamiltonian) {
    return destroy(hamiltonian);
}
