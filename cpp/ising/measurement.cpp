#include "ising/measurement.hpp"

#include <bit>

namespace legato::ising {

void add_correlations(const Model& model, const std::uint32_t* spins, std::uint32_t first, std::uint32_t count,
                      std::span<std::int64_t> values) {
    const Packing& p = model.packing;
    const Lattice& lattice = model.problem.lattice;
    for (std::uint32_t colour = 0; colour < 2; ++colour) {
        for (std::uint32_t index = first; index < first + count; ++index) {
            const Place at = place_of(p, index);
            const std::uint32_t valid = valid_bits(p, at.word), own = spins[std::size_t{colour} * p.words() + index];
            const int sites = std::popcount(valid);
            for (int axis = 0; axis < lattice.dimension; ++axis) {
                const auto a = static_cast<std::size_t>(axis);
                std::int64_t* const of_axis = values.data() + model.values.correlations[a];
                for (std::uint32_t r = 1; r <= lattice.extents[a] / 2; ++r) {
                    const std::uint32_t there = spins_at_distance(p, spins, colour, at, axis, r);
                    of_axis[r - 1] += sites - 2 * std::popcount((own ^ there) & valid);
                }
            }
        }
    }
    add_planes(model, spins, first, count, values);
}

void add_planes(const Model& model, const std::uint32_t* spins, std::uint32_t first, std::uint32_t count,
                std::span<std::int64_t> values) {
    const Packing& p = model.packing;
    for (std::uint32_t index = first; index < first + count; ++index) {
        const Place at = place_of(p, index);
        const int up = std::popcount(spins[index]) + std::popcount(spins[p.words() + index]);
        values[model.values.planes + (p.cubic ? at.z : at.y)] += 2 * (up - std::popcount(valid_bits(p, at.word)));
    }
}

}  // namespace legato::ising
