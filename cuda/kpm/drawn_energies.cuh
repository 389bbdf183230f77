// On-site energies in device memory.
#pragma once

#include <cstdint>
#include <span>

#include "core/buffer.hpp"
#include "kpm/device_vectors.cuh"
#include "kpm/engine.hpp"
#include "kpm/start_vectors.hpp"

namespace legato::kpm {
inline namespace engine_parts {

// A template, so that several files can have it.
template <class Number>
__global__ void draw(OnSite kind, double energy, double disorder, double concentration, std::uint64_t seed,
                     std::uint64_t realisation, std::int64_t first, std::int64_t sites, Number* energies) {
    const std::int64_t site = static_cast<std::int64_t>(blockIdx.x) * fill_threads + threadIdx.x;
    if (site < sites)
        energies[site] = on_site_energy(kind, energy, disorder, concentration, seed, realisation,
                                        static_cast<std::uint64_t>(first + site));
}

// Does the same for a unit-cell lattice, whose orbitals have the energies of_orbitals[orbitals].
template <class Number>
__global__ void draw_cells(OnSite kind, const double* of_orbitals, std::uint32_t orbitals, double disorder,
                           double concentration, std::uint64_t seed, std::uint64_t realisation, std::int64_t first,
                           std::int64_t sites, Number* energies) {
    const std::int64_t site = static_cast<std::int64_t>(blockIdx.x) * fill_threads + threadIdx.x;
    if (site < sites)
        energies[site] = on_site_energy(kind, of_orbitals[(first + site) % orbitals], disorder, concentration, seed,
                                        realisation, static_cast<std::uint64_t>(first + site));
}

// The energies that disorder adds to the diagonal of some rows of a matrix.
class RowEnergies {
  public:
    RowEnergies(const Problem& problem, const Disorder& disorder, std::int64_t first, std::int64_t rows)
        : problem_(problem), disorder_(disorder), first_(first), rows_(rows) {
        if (disorder.is_any()) energies_ = Buffer<double>(static_cast<std::size_t>(rows));
    }

    // Sets the energies to those of the block's realisation. Those of a source are 0 if the block has none.
    void begin(const Block& block) {
        if (!disorder_.is_any() || block.realisation == realisation_) return;
        if (disorder_.on_site != OnSite::energies)
            draw<<<blocks_for(rows_, fill_threads), fill_threads>>>(
                disorder_.on_site, 0.0, disorder_.strength, 0.5, static_cast<std::uint64_t>(problem_.seed),
                static_cast<std::uint64_t>(block.realisation), first_, rows_, energies_.data());
        else if (block.energies)
            energies_.upload({block.energies + first_, static_cast<std::size_t>(rows_)});
        else
            check(cudaMemset(energies_.data(), 0, sizeof(double) * static_cast<std::size_t>(rows_)),
                  "on-site energies");
        check(cudaGetLastError(), "on-site energies");
        realisation_ = block.realisation;
    }

    const double* data() const { return energies_.data(); }  // null if there is no disorder

  private:
    const Problem& problem_;
    Disorder disorder_;
    std::int64_t first_, rows_, realisation_ = -1;
    Buffer<double> energies_;
};

}  // namespace engine_parts
}  // namespace legato::kpm
