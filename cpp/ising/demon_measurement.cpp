#include "ising/demon_measurement.hpp"

#include <algorithm>

namespace legato::ising {

std::vector<CountMeaning> count_meanings(const Model& model) {
    const Lattice& lattice = model.problem.lattice;
    const auto last = static_cast<std::size_t>(lattice.dimensions) - 1;
    std::vector<CountMeaning> meanings(model.values.count, {model.sites(), -2});  // of pairs
    meanings[MeasuredValues::magnetisation] = {-model.sites(), 2};
    meanings[MeasuredValues::bonds] = {lattice.dimensions * model.sites(), -2};
    for (std::size_t level = 0; level < demon_levels; ++level) meanings[model.values.demons + level] = {0, 1};
    for (std::size_t i = model.values.planes; i < meanings.size(); ++i)
        meanings[i] = {-model.sites() / lattice.extents[last], 2};
    return meanings;
}

void put_counts(const Model& model, const std::vector<CountMeaning>& meanings, std::size_t block,
                std::span<const unsigned long long> counts, std::span<std::int64_t> measured,
                std::size_t first_system) {
    const auto replicas = static_cast<std::size_t>(model.problem.replicas);
    const std::size_t before = block % model.blocks_per_seed() * 32;
    const std::size_t first = model.first_system(block) - first_system;
    const std::size_t systems = std::min<std::size_t>(32, replicas - before);
    for (std::size_t value = 0; value < meanings.size(); ++value)
        for (std::size_t bit = 0; bit < systems; ++bit)
            measured[(first + bit) * meanings.size() + value] =
                meanings[value].base + meanings[value].factor * static_cast<std::int64_t>(counts[32 * value + bit]);
}

}  // namespace legato::ising
