#include "ising/demon_measurement.hpp"

#include <bit>

namespace legato::ising {

std::vector<CountMeaning> count_meanings(const Model& model) {
    const Lattice& lattice = model.problem.lattice;
    const auto last = static_cast<std::size_t>(lattice.dimension) - 1;
    std::vector<CountMeaning> meanings(model.values.count, {model.sites(), -2});  // pairs, unless changed below
    meanings[MeasuredValues::magnetisation] = {-model.sites(), 2};
    meanings[MeasuredValues::bonds] = {lattice.dimension * model.sites(), -2};
    for (std::size_t level = 0; level < demon_levels; ++level) meanings[model.values.demons + level] = {0, 1};
    for (std::size_t i = model.values.planes; i < meanings.size(); ++i)
        meanings[i] = {-model.sites() / lattice.extents[last], 2};
    return meanings;
}

namespace {

unsigned long long sum_of(std::span<const unsigned long long> counts, std::uint32_t bits) {
    unsigned long long sum = 0;
    for (; bits != 0; bits &= bits - 1) sum += counts[static_cast<std::size_t>(std::countr_zero(bits))];
    return sum;
}

// Returns the count of a plane. It consists of a plane of each of several parts.
unsigned long long count_of_plane(const Model& model, std::span<const unsigned long long> counts, std::uint32_t system,
                                  std::size_t plane) {
    const Parts& parts = model.parts;
    const int axis = model.problem.lattice.dimension - 1;
    const std::size_t planes = parts.packing.cubic ? parts.packing.rows_z : parts.packing.rows_y;
    const auto part = static_cast<std::uint32_t>(plane / planes);
    const std::uint32_t layer = parts.before(axis, part + 1) & ~parts.before(axis, part);
    return sum_of(counts.subspan(32 * (model.values.planes + plane % planes), 32),
                  layer & parts.bits_of_system(system));
}

}  // namespace

void put_counts(const Model& model, const std::vector<CountMeaning>& meanings, std::size_t block,
                std::span<const unsigned long long> counts, std::span<std::int64_t> measured,
                std::size_t first_system) {
    const Systems systems = model.systems_of_block(block);
    for (std::size_t system = systems.first; system < systems.end; ++system) {
        const auto inside = static_cast<std::uint32_t>(system - systems.first);
        const std::span<std::int64_t> of_system =
            measured.subspan((system - first_system) * meanings.size(), meanings.size());
        for (std::size_t value = 0; value < meanings.size(); ++value) {
            const unsigned long long count =
                value < model.values.planes ? sum_of(counts.subspan(32 * value, 32), model.parts.bits_of_system(inside))
                                            : count_of_plane(model, counts, inside, value - model.values.planes);
            of_system[value] = meanings[value].base + meanings[value].factor * static_cast<std::int64_t>(count);
        }
    }
}

}  // namespace legato::ising
