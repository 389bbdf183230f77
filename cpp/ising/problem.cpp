#include "ising/problem.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/parallel.hpp"
#include "core/parameter.hpp"

namespace legato::ising {
namespace {

constexpr std::int64_t most_sweeps = std::int64_t{1} << 40, most_systems = 1 << 20;

void validate_temperatures(const Problem& p) {
    constexpr double most = 1e3;
    require_integer("ising.n_betas", static_cast<std::int64_t>(p.betas.size()), 1, most_systems);
    for (std::size_t i = 0; i < p.betas.size(); ++i) {
        const std::string field = text("ising.betas[", i, "]");
        require_real(field, p.betas[i], -most, most);
        if (p.betas[i] == 0)
            fail(Status::invalid_argument, field, ": 0 is not in [", -most, ", 0) or (0, ", most,
                 "]: every flip would be accepted, and no average settle");
        if (has_demons(p.algorithm) && p.betas[i] < 0)
            fail(Status::invalid_argument, field, ": ", p.betas[i], " is not in (0, ", most, "] with demons");
    }
    if (has_demons(p.algorithm) && p.field != 0)
        fail(Status::invalid_argument, "ising.params.field: ", p.field, " is not 0, and demons have no levels for it");
}

// Throws if demons would never be drawn. Demons begin empty, and a run that never draws them does not depend on beta.
// This is intended only for a microcanonical run without thermalisation.
void validate_draws(const Problem& p) {
    if (!has_demons(p.algorithm)) return;
    const bool microcanonical = p.algorithm == Algorithm::demon_microcanonical;
    if (microcanonical && p.thermalisation > 0 && p.refresh_interval > p.thermalisation)
        fail(Status::invalid_argument, "ising.params.refresh_interval: ", p.refresh_interval, " is not in 1..",
             p.thermalisation, " with microcanonical demons and thermalisation = ", p.thermalisation,
             ": they would never be drawn");
    if (!microcanonical && p.refresh_interval > sweeps_of(p))
        fail(Status::invalid_argument, "ising.params.refresh_interval: ", p.refresh_interval, " is not in 1..",
             sweeps_of(p), " with ", sweeps_of(p), " sweeps in all: the demons would never be drawn");
}

// Equal seeds would give equal lattices, which would count as independent ones.
void require_different(const std::vector<std::int64_t>& seeds) {
    std::vector<std::size_t> order(seeds.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return seeds[a] < seeds[b]; });
    for (std::size_t i = 1; i < order.size(); ++i)
        if (seeds[order[i]] == seeds[order[i - 1]])
            fail(Status::invalid_argument, "ising.seeds[", order[i], "]: ", seeds[order[i]], " is ising.seeds[",
                 order[i - 1], "] too; allowed are different seeds: equal ones give the same lattices, take replicas");
}

void validate_sampling(const Problem& p) {
    require_integer("ising.n_seeds", static_cast<std::int64_t>(p.seeds.size()), 1, most_systems);
    const auto betas = static_cast<std::int64_t>(p.betas.size()), seeds = static_cast<std::int64_t>(p.seeds.size());
    if (betas > most_systems / seeds)
        fail(Status::invalid_argument, "ising.n_seeds: ", seeds, " is not in 1..", most_systems / betas,
             " with n_betas = ", betas, ": systems are ", most_systems, " at most");
    require_different(p.seeds);
    if (p.replicas > most_systems / (betas * seeds))
        fail(Status::invalid_argument, "ising.params.replicas: ", p.replicas, " is not in 1..",
             most_systems / (betas * seeds), " with n_betas = ", betas, " and n_seeds = ", seeds, ": systems are ",
             most_systems, " at most");
    require_integer("ising.params.measurements_per_bin", p.measurements_per_bin, 1, most_sweeps / p.bins);
    require_integer("ising.params.sweeps_per_measurement", p.sweeps_per_measurement, 1,
                    most_sweeps / measurements_of(p));
    validate_draws(p);
    if (p.acceptance && has_demons(p.algorithm))
        fail(Status::invalid_argument,
             "ising.params.acceptance: 1 is not in 0..0 with demons, which decide without probabilities");
}

}  // namespace

void validate(const Problem& p) {
    validate(p.lattice);
    require_parameters("ising.params", p);
    if (has_demons(p.algorithm) && sites_of(p.lattice) > most_demon_sites)
        fail(Status::invalid_argument, "ising.params.extents: ", sites_of(p.lattice), " sites are more than ",
             most_demon_sites, ", the most that have demons");
    validate_temperatures(p);
    validate_sampling(p);
}

MeasuredValues::MeasuredValues(const Problem& problem) {
    if (has_demons(problem.algorithm)) count += 3;
    planes = count;
    if (!problem.correlations) return;
    const Lattice& lattice = problem.lattice;
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(lattice.dimensions); ++axis) {
        correlations[axis] = count;
        count += static_cast<std::size_t>(lattice.extents[axis] / 2);
    }
    planes = count;
    count += static_cast<std::size_t>(lattice.extents[static_cast<std::size_t>(lattice.dimensions) - 1]);
}

Model::Model(const Problem& p)
    : Model(p, has_demons(p.algorithm) ? division_of(p.lattice, p.replicas) : Division{1, 1, 1}) {}
Model::Model(const Problem& p, const Division& d)
    : problem(p), division(d), packing(packing_of(p.lattice)), parts(parts_of(p.lattice, d)), values(p) {}

std::size_t Model::systems_per_block() const {
    return has_demons(problem.algorithm) ? parts.systems() : 1;
}

std::size_t Model::blocks_per_seed() const {
    return (static_cast<std::size_t>(problem.replicas) + systems_per_block() - 1) / systems_per_block();
}

Systems Model::systems_of_block(std::size_t block) const {
    const auto replicas = static_cast<std::size_t>(problem.replicas);
    const std::size_t first = block / blocks_per_seed() * replicas,
                      before = block % blocks_per_seed() * systems_per_block();
    return {first + before, first + std::min(before + systems_per_block(), replicas)};
}

std::size_t Model::block_words() const {
    return has_demons(problem.algorithm) ? 4 * std::size_t{parts.sites()} : 2 * std::size_t{packing.words()};
}

std::size_t Model::first_system(std::size_t block) const {
    return systems_of_block(block).first;
}

Stream Model::stream(std::size_t block) const {
    const std::size_t seed = block / blocks_per_seed();
    return {static_cast<std::uint64_t>(problem.seeds[seed % problem.seeds.size()]),
            static_cast<std::uint32_t>(seed / problem.seeds.size() * blocks_per_seed() + block % blocks_per_seed())};
}

// Bits beyond the ends of rows stay 0. Demons begin without energy.
std::vector<std::uint32_t> first_words(const Model& model, int threads) {
    std::vector<std::uint32_t> state(model.blocks() * model.block_words());
    const bool rows = !has_demons(model.problem.algorithm), random = model.problem.start == Start::random;
    const std::uint32_t width = model.packing.width, last_mask = model.packing.last_mask();
    const std::size_t words = rows ? model.packing.words() : model.parts.sites() / 2;
    in_parallel(model.blocks(), threads, [&](std::size_t block) {
        std::uint32_t* const spins = state.data() + block * model.block_words();
        const Stream stream = model.stream(block);
        for (std::uint32_t colour = 0; colour < 2; ++colour) {
            for (std::size_t i = 0; i < words; ++i) {
                const auto index = static_cast<std::uint32_t>(i);
                std::uint32_t word = ~0u;
                if (random) word = random_words(stream, index, 0, colour, start_draw)[0];
                if (rows && index % width == width - 1) word &= last_mask;
                spins[colour * words + i] = word;
            }
        }
    });
    return state;
}

}  // namespace legato::ising
