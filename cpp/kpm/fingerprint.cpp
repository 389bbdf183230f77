#include "kpm/fingerprint.hpp"

#include <complex>
#include <cstring>
#include <type_traits>

#include "kpm/vacancies.hpp"

namespace legato::kpm {
namespace {

// A hash of 64-bit words in their order. Each step is invertible, so that any single change is detected.
class Fingerprint {
  public:
    template <class T>
    void add(T value) {
        static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8);
        std::uint64_t word = 0;
        std::memcpy(&word, &value, sizeof(T));
        hash_ = (hash_ ^ word) * 0x9e3779b97f4a7c15u;
        hash_ ^= hash_ >> 29;
    }
    template <class T>
    void add_all(const std::vector<T>& values) {
        add(values.size());
        for (const T value : values) add(value);
    }
    std::int64_t value() const { return static_cast<std::int64_t>(hash_); }

  private:
    std::uint64_t hash_ = 0x6b706d;
};

void add(Fingerprint& print, double value) {
    print.add(value);
}
void add(Fingerprint& print, std::complex<double> value) {
    print.add(value.real());
    print.add(value.imag());
}

// Adds the matrix as if indices counted from 0 and no element were 0.
template <class Value>
void add_matrix(Fingerprint& print, const CrsView& matrix) {
    const auto rows = static_cast<std::size_t>(matrix.rows), elements = static_cast<std::size_t>(matrix.elements);
    const auto value = [&](std::size_t k) { return value_at<Value>(matrix.values, k); };
    print.add(rows + 1);
    std::size_t count = 0;
    print.add(count);
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t k = matrix.begin(row); k < matrix.end(row); ++k) count += value(k) != 0.0;
        print.add(count);
    }
    print.add(count);
    for (std::size_t k = 0; k < elements; ++k)
        if (value(k) != 0.0) print.add(static_cast<std::int32_t>(matrix.column(k)));
    print.add(count);
    for (std::size_t k = 0; k < elements; ++k)
        if (value(k) != 0.0) add(print, value(k));
}

void add_cells(Fingerprint& print, const CellLattice& lattice) {
    for (std::size_t d = 0; d < 3; ++d) {
        print.add(lattice.extents[d]);
        print.add(lattice.boundary[d] == Boundary::periodic);
        print.add(lattice.twist[d]);
        print.add(lattice.flux[d]);
    }
    print.add(lattice.orbitals);
    print.add(lattice.positions.size());
    for (const auto& position : lattice.positions)
        for (const double coordinate : position) print.add(coordinate);
    print.add_all(lattice.energies);
    print.add(lattice.hoppings.size());
    for (const Hopping& hopping : lattice.hoppings) {
        print.add(hopping.from);
        print.add(hopping.to);
        for (const std::int64_t offset : hopping.offset) print.add(offset);
        print.add(hopping.amplitude.real());
        print.add(hopping.amplitude.imag());
    }
    print.add(static_cast<int>(lattice.on_site));
    print.add(lattice.disorder);
    print.add(lattice.concentration);
    print.add_all(lattice.site_energies);
    if (!has_vacancies(lattice)) return;
    print.add_all(lattice.vacancies);
    for (int o = 0; o < lattice.orbitals; ++o) print.add(lattice.vacancy_concentration[static_cast<std::size_t>(o)]);
}

}  // namespace

std::int64_t fingerprint(const Hamiltonian& hamiltonian) {
    Fingerprint print;
    constexpr std::size_t a_lattice = 0, a_real_matrix = 1, a_complex_matrix = 2, cells = 3;
    print.add(std::holds_alternative<Lattice>(hamiltonian)       ? a_lattice
              : std::holds_alternative<CellLattice>(hamiltonian) ? cells
              : is_complex(hamiltonian)                          ? a_complex_matrix
                                                                 : a_real_matrix);
    if (const auto* lattice = std::get_if<Lattice>(&hamiltonian)) {
        for (std::size_t d = 0; d < 3; ++d) {
            print.add(lattice->extents[d]);
            print.add(lattice->boundary[d] == Boundary::periodic);
        }
        print.add(lattice->hopping);
        print.add(static_cast<int>(lattice->on_site));
        print.add(lattice->energy);
        print.add(lattice->disorder);
        if (lattice->on_site == OnSite::binary) print.add(lattice->concentration);
        print.add_all(lattice->energies);
        return print.value();
    }
    if (const auto* crystal = std::get_if<CellLattice>(&hamiltonian)) {
        add_cells(print, *crystal);
        return print.value();
    }
    const CrsView matrix = *matrix_in(hamiltonian);
    with_value_type(matrix.is_complex, [&]<class Value>(Value) { add_matrix<Value>(print, matrix); });
    if (const Disorder& disorder = matrix.disorder; disorder.is_any()) {
        print.add(static_cast<int>(disorder.on_site));
        print.add(disorder.strength);
        print.add(disorder.lowest);
        print.add(disorder.highest);
    }
    return print.value();
}

}  // namespace legato::kpm
