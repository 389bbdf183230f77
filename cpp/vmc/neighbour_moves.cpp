#include "vmc/neighbour_moves.hpp"

#include <algorithm>
#include <cstdlib>

namespace legato::vmc {

void add_neighbour_moves(const Geometry& geometry, Determinant& determinant, NeighbourMoves& moves) {
    const Configuration& c = determinant.configuration();
    const auto probability = [](double ratio) { return std::min(1.0, ratio * ratio); };
    for (std::size_t site = 0; site < geometry.sites(); ++site) {
        const std::int32_t electron = c.electron_at[site];
        if (electron == 0) continue;
        const bool up = electron > 0;
        const std::size_t number = static_cast<std::size_t>(std::abs(electron)) - 1;
        for (const SignedSite& neighbour : geometry.neighbours(1, site)) {
            const auto to = static_cast<std::size_t>(neighbour.site);
            const std::int32_t there = c.electron_at[to];
            if (there == 0) {
                ++moves.hops;
                moves.hops_accepted +=
                    probability(up ? determinant.up_ratio(number, to) : determinant.down_ratio(number, to));
            } else if (up && there < 0) {
                ++moves.exchanges;
                moves.exchanges_accepted +=
                    probability(determinant.exchange_ratio(number, static_cast<std::size_t>(-there) - 1));
            }
        }
    }
}

}  // namespace legato::vmc
