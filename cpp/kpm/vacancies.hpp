// Vacancies: sites of a unit-cell lattice that are missing. Vectors keep an element for every site; those of vacancies
// are 0. A set of vacancies has one bit for each site, 32 of them in a word.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/host_device.hpp"
#include "kpm/hamiltonian.hpp"
#include "kpm/start_vectors.hpp"

namespace legato::kpm {

inline constexpr int sites_of_word = 32;
inline std::int64_t words_for(std::int64_t sites) {
    return (sites + sites_of_word - 1) / sites_of_word;
}

// Returns whether a site is in the set. Null is the empty set.
LEGATO_HOST_DEVICE inline bool is_vacancy(const std::uint32_t* words, std::int64_t site) {
    return words && (words[site / sites_of_word] >> (site % sites_of_word) & 1) != 0;
}

// The random vacancies of a lattice: site s is one with the probability concentration[s % orbitals].
struct RandomVacancies {
    std::array<double, max_orbitals> concentration{};
    int orbitals = 1;

    LEGATO_HOST_DEVICE bool at(std::uint64_t seed, std::uint64_t realisation, std::uint64_t site) const {
        const double here = concentration[site % static_cast<std::uint64_t>(orbitals)];
        return here > 0 && random_pair(seed, vacancy_stream, realisation, site).first < here;
    }
};
inline RandomVacancies random_vacancies(const CellLattice& lattice) {
    return {lattice.vacancy_concentration, lattice.orbitals};
}

bool has_random_vacancies(const CellLattice& lattice);
bool has_vacancies(const CellLattice& lattice);
bool has_vacancies(const Hamiltonian& hamiltonian);

// These functions return the set of the vacancies of a lattice in one realisation. They return an empty array if there
// are none in any realisation, and for other Hamiltonians.
Pages<std::uint32_t> draw_vacancies(const CellLattice& lattice, std::uint64_t seed, std::int64_t realisation,
                                    int threads);
Pages<std::uint32_t> draw_vacancies(const Hamiltonian& hamiltonian, std::uint64_t seed, std::int64_t realisation,
                                    int threads);

// Returns the set of the given vacancies alone.
Pages<std::uint32_t> given_vacancies(const CellLattice& lattice);

// Returns the bytes of such a set.
inline std::int64_t bytes_of_vacancies(const Hamiltonian& hamiltonian) {
    return has_vacancies(hamiltonian) ? 4 * words_for(sites_of(hamiltonian)) : 0;
}

// Checks the concentrations and the given vacancies, which become ascending. Throws an invalid_argument that names the
// field, the value and the range.
void prepare_vacancies(CellLattice& lattice);

// Throws an invalid_argument if a realisation has no site that is not a vacancy, or if a site of `chosen` is one of the
// given vacancies.
void require_sites(const CellLattice& lattice, std::uint64_t seed, std::int64_t realisations);
void require_no_vacancy(const CellLattice& lattice, const char* field, const std::vector<std::int64_t>& chosen);

// Counts the sites that are not vacancies.
class RemainingSites {
  public:
    RemainingSites(const Hamiltonian& hamiltonian, std::uint64_t seed, int threads)
        : hamiltonian_(hamiltonian), seed_(seed), threads_(threads), sites_(sites_of(hamiltonian)) {}

    // The number of the last realisation is kept.
    std::int64_t in(std::int64_t realisation);

  private:
    const Hamiltonian& hamiltonian_;
    std::uint64_t seed_;
    int threads_;
    std::int64_t sites_, realisation_ = -1, count_ = 0;
};

}  // namespace legato::kpm
