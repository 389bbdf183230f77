// The division of a Hamiltonian into slabs, and the slabs of both backends.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "kpm/slab.hpp"

namespace legato::kpm {

// The slabs of a lattice or of a matrix, one for each part of a backend or fewer. A slab of a
// unit-cell lattice is at least as large as a halo. A slab of a matrix consists of rows,
// and what is said of sites here holds for rows.
class Slabs {
  public:
    Slabs(Backend backend, const Hamiltonian& hamiltonian, std::size_t parts);

    std::size_t count() const { return count_; }
    bool periodic() const { return periodic_; }                       // the last slab lies before the first one
    std::size_t segments() const { return first_sites_.size() - 1; }  // of the whole Hamiltonian
    SegmentRange range(std::size_t slab) const {
        return {segments() * slab / count_, segments() * (slab + 1) / count_};
    }
    std::size_t first_site(std::size_t slab) const { return first_sites_[range(slab).first]; }
    std::size_t sites(std::size_t slab) const { return first_sites_[range(slab).end] - first_site(slab); }
    std::size_t all_sites() const { return first_sites_.back(); }
    std::size_t largest() const;  // number of the slab with the most sites

  private:
    std::size_t smallest() const;  // number of sites

    std::vector<std::size_t> first_sites_;  // [segments + 1]
    std::size_t count_;
    bool periodic_;
};

// Makes a slab on a backend; the other arguments are those of slab.hpp.
std::unique_ptr<Slab> make_slab(const Context& context, Backend backend, const Problem& problem,
                                const Hamiltonian& hamiltonian, Format format, const Slabs& slabs, std::size_t slab,
                                const SlabPlace& place, int block_width);

}  // namespace legato::kpm
