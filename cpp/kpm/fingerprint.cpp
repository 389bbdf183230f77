#include "kpm/fingerprint.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

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

// Adds the matrix as if indices counted from 0 and no element were 0.
void add_matrix(Fingerprint& print, const CrsView& matrix) {
    const auto rows = static_cast<std::size_t>(matrix.rows), elements = static_cast<std::size_t>(matrix.elements);
    print.add(rows + 1);
    std::size_t count = 0;
    print.add(count);
    for (std::size_t row = 0; row < rows; ++row) {
        const auto zeros = std::count(matrix.values + matrix.begin(row), matrix.values + matrix.end(row), 0.0);
        count += matrix.end(row) - matrix.begin(row) - static_cast<std::size_t>(zeros);
        print.add(count);
    }
    print.add(count);
    for (std::size_t k = 0; k < elements; ++k)
        if (matrix.values[k] != 0) print.add(static_cast<std::int32_t>(matrix.column(k)));
    print.add(count);
    for (std::size_t k = 0; k < elements; ++k)
        if (matrix.values[k] != 0) print.add(matrix.values[k]);
}

}  // namespace

std::int64_t fingerprint(const Hamiltonian& hamiltonian) {
    Fingerprint print;
    print.add(std::size_t{std::holds_alternative<Lattice>(hamiltonian) ? 0U : 1U});
    if (const auto* lattice = std::get_if<Lattice>(&hamiltonian)) {
        for (std::size_t d = 0; d < 3; ++d) {
            print.add(lattice->extents[d]);
            print.add(lattice->boundary[d] == Boundary::periodic);
        }
        print.add(lattice->hopping);
        print.add(static_cast<int>(lattice->on_site));
        print.add(lattice->energy);
        print.add(lattice->disorder);
        print.add_all(lattice->energies);
        return print.value();
    }
    add_matrix(print, *matrix_in(hamiltonian));
    if (const Disorder disorder = disorder_of(hamiltonian); disorder.is_any()) {
        print.add(static_cast<int>(disorder.on_site));
        print.add(disorder.strength);
        print.add(disorder.lowest);
        print.add(disorder.highest);
    }
    return print.value();
}

}  // namespace legato::kpm
