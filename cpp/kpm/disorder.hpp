// The random on-site energies that all lattices have in common.
#pragma once

#include <cstdint>

#include "kpm/lattice.hpp"

namespace legato::kpm {

// Returns the range of what the disorder adds to the energy of a site, in all realisations. Box and two-valued disorder
// count with their extreme values, normal disorder with those that are drawn. With OnSite::energies it is {0, 0}.
Interval disorder_range(OnSite on_site, double disorder, std::int64_t sites, std::uint64_t seed,
                        std::int64_t realisations, int threads);

// Returns whether the energies are different in every realisation.
inline bool is_random(OnSite on_site, double disorder) {
    return (on_site == OnSite::box || on_site == OnSite::normal || on_site == OnSite::binary) && disorder > 0;
}

}  // namespace legato::kpm
