// The set of the vacancies of a unit-cell lattice in device memory.
#pragma once

#include <cstdint>
#include <span>

#include "core/buffer.hpp"
#include "kpm/device_vectors.cuh"
#include "kpm/engine.hpp"
#include "kpm/vacancies.hpp"

namespace legato::kpm {
inline namespace engine_parts {

static_assert(fill_threads % sites_of_word == 0);

// Draws a word of the set with each warp. `given` are the words of the given vacancies, or null.
__global__ void draw_words(RandomVacancies random, std::uint64_t seed, std::uint64_t realisation, std::int64_t sites,
                           const std::uint32_t* given, std::uint32_t* words) {
    const std::int64_t site = static_cast<std::int64_t>(blockIdx.x) * fill_threads + threadIdx.x;
    const bool missing = site < sites && random.at(seed, realisation, static_cast<std::uint64_t>(site));
    const std::uint32_t word = __ballot_sync(~0u, missing);
    if (site >= sites || threadIdx.x % sites_of_word != 0) return;
    words[site / sites_of_word] = word | (given ? given[site / sites_of_word] : 0);
}

class DeviceVacancies {
  public:
    // Has no memory if the Hamiltonian has no vacancies.
    DeviceVacancies(const Problem& problem, const Hamiltonian& hamiltonian)
        : problem_(problem), sites_(sites_of(hamiltonian)) {
        if (!has_vacancies(hamiltonian)) return;
        const auto& lattice = std::get<CellLattice>(hamiltonian);
        is_random_ = has_random_vacancies(lattice);
        random_ = random_vacancies(lattice);
        words_ = Buffer<std::uint32_t>(static_cast<std::size_t>(words_for(sites_)));
        if (lattice.vacancies.empty()) return;
        const Pages<std::uint32_t> given = given_vacancies(lattice);
        Buffer<std::uint32_t>& to = is_random_ ? given_ : words_;
        if (is_random_) given_ = Buffer<std::uint32_t>(given.size());
        to.upload(std::span<const std::uint32_t>(given));
    }

    // Draws the vacancies of a realisation.
    void begin(std::int64_t realisation) {
        if (!is_random_ || realisation == realisation_) return;
        draw_words<<<blocks_for(sites_, fill_threads), fill_threads>>>(
            random_, static_cast<std::uint64_t>(problem_.seed), static_cast<std::uint64_t>(realisation), sites_,
            given_.data(), words_.data());
        check(cudaGetLastError(), "vacancies");
        realisation_ = realisation;
    }

    const std::uint32_t* words() const { return words_.data(); }  // null if there are no vacancies

  private:
    const Problem& problem_;
    std::int64_t sites_, realisation_ = -1;
    bool is_random_ = false;
    RandomVacancies random_;
    Buffer<std::uint32_t> given_, words_;
};

}  // namespace engine_parts
}  // namespace legato::kpm
