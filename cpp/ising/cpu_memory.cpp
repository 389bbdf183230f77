// How many lattices the CPU engine has under way, and the memory that their clusters need.
#include <algorithm>

#include "ising/cpu_clusters.hpp"
#include "ising/cpu_wolff.hpp"
#include "ising/engine.hpp"

namespace legato::ising {

bool threads_share_lattices(const Model& model, std::size_t blocks, int threads) {
    return model.problem.algorithm != Algorithm::wolff && blocks < 4 * static_cast<std::size_t>(threads) &&
           model.packing.words() >= Piece::capacity * static_cast<std::uint32_t>(threads);
}

std::size_t lattices_under_way(const Model& model, int threads) {
    if (threads_share_lattices(model, model.blocks(), threads)) return 1;
    return std::min(model.blocks(), static_cast<std::size_t>(threads));
}

double bytes_of_clusters(const Model& model, int threads) {
    const auto lattices = static_cast<double>(lattices_under_way(model, threads));
    const bool square = model.problem.lattice.dimension == 2;
    switch (model.problem.algorithm) {
        case Algorithm::swendsen_wang:
            return lattices * (square ? CpuClusters<2>::bytes(model) : CpuClusters<3>::bytes(model));
        case Algorithm::wolff:
            return lattices * (square ? CpuWolff<2>::bytes(model) : CpuWolff<3>::bytes(model));
        default:
            return 0;
    }
}

}  // namespace legato::ising
