#include "kpm/site_energies.hpp"

#include "core/validate.hpp"

namespace legato::kpm {

SiteEnergies::SiteEnergies(const Hamiltonian& hamiltonian)
    : disorder_(disorder_of(hamiltonian)), sites_(sites_of(hamiltonian)) {}

const double* SiteEnergies::of(std::int64_t realisation) {
    if (!has_source()) return nullptr;
    if (realisation == realisation_) return energies_.data();
    realisation_ = -1;
    energies_.resize(static_cast<std::size_t>(sites_));
    (*disorder_.source)(realisation, energies_);
    for (std::size_t i = 0; i < energies_.size(); ++i)
        require_real([&] { return text("kpm.energies[", i, "] of realisation ", realisation); }, energies_[i],
                     disorder_.lowest, disorder_.highest);
    realisation_ = realisation;
    return energies_.data();
}

}  // namespace legato::kpm
