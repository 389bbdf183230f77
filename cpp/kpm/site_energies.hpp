// The on-site energies that a source gives for a matrix.
#pragma once

#include <cstdint>

#include "kpm/hamiltonian.hpp"
#include "kpm/pages.hpp"

namespace legato::kpm {

class SiteEnergies {
  public:
    explicit SiteEnergies(const Hamiltonian& hamiltonian);

    bool has_source() const { return disorder_.on_site == OnSite::energies; }

    // Returns the energies of all sites in a realisation, or null if there is no source. They are valid until the next
    // call. Calls the source, in this thread, unless the last call was for the same realisation. Throws an
    // invalid_argument that names the first energy outside the range of the disorder.
    const double* of(std::int64_t realisation);

  private:
    Disorder disorder_;
    std::int64_t sites_, realisation_ = -1;
    Pages<double> energies_;
};

}  // namespace legato::kpm
