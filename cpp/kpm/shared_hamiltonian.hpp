// A Hamiltonian that computations share. The values and the disorder of a matrix, and the vacancies of a unit-cell
// lattice, can change. Each computation keeps those with which it was created.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string_view>

#include "kpm/hamiltonian.hpp"

namespace legato::kpm {

class SharedHamiltonian {
  public:
    static constexpr std::string_view run_name = "kpm.hamiltonian";

    explicit SharedHamiltonian(Hamiltonian prepared);

    // Returns the present Hamiltonian. Several threads may do so at the same time.
    operator std::shared_ptr<const Hamiltonian>() const;

    // Replaces the values of the matrix by others in the order in which the elements were given. They are copied.
    // Throws an invalid_argument, and changes nothing, if the Hamiltonian is a lattice, if the number of values is
    // wrong, or if prepare() would refuse them.
    void set_values(std::span<const double> values, int threads);

    // Replaces the disorder of the matrix. Throws an invalid_argument if the Hamiltonian is a lattice.
    void set_disorder(const Disorder& disorder);

    // Replaces the given vacancies of a unit-cell lattice. Throws an invalid_argument if the Hamiltonian is another one
    // or if prepare() would refuse the vacancies.
    void set_vacancies(std::span<const std::int64_t> vacancies);

    // These functions return the number of elements as they were given, and that of their values: twice as many if
    // they are complex.
    std::int64_t elements_given() const;
    std::int64_t values_given() const;

  private:
    // One state of the Hamiltonian. It keeps the memory that its view shows.
    struct Version {
        std::shared_ptr<const CrsMatrix> pattern;  // null if the caller has the pattern
        std::shared_ptr<Pages<double>> values;     // null if the caller has the values
        Hamiltonian hamiltonian;
    };

    void require_matrix() const;
    // The next two functions need the mutex.
    void use(CrsView view, std::shared_ptr<Pages<double>> values);
    bool owns_values_alone() const;

    std::shared_ptr<const CrsMatrix> pattern_;  // its values are in the version
    CrsView pattern_view_{};                    // null if the Hamiltonian is a lattice
    mutable std::mutex mutex_;
    std::shared_ptr<const Version> version_;
};

}  // namespace legato::kpm
