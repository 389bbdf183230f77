#include "ising/problem.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/parallel.hpp"
#include "core/parameter.hpp"
#include "ising/cluster_measurement.hpp"

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
                 "]: with 0 every flip would be accepted");
        if (has_demons(p.algorithm) && p.betas[i] < 0)
            fail(Status::invalid_argument, field, ": ", p.betas[i], " is not in (0, ", most, "] with demons");
    }
    if (has_demons(p.algorithm) && p.field != 0)
        fail(Status::invalid_argument, "ising.params.field: ", p.field, " is not 0; demons work without a field only");
}

// Throws if there would be too many sweeps. This check precedes that of the header's ranges, which are those of a run
// with a single bin.
void validate_sweeps(const Problem& p) {
    if (p.bins < 1 || p.bins > max_bins || p.measurements_per_bin < 1) return;  // out of the header's ranges
    const std::int64_t most_in_bin = most_sweeps / p.bins;
    if (p.measurements_per_bin > most_in_bin)
        fail(Status::invalid_argument, "ising.params.measurements_per_bin: ", p.measurements_per_bin, " is not in 1..",
             most_in_bin, " with bins = ", p.bins, ": at most ", most_sweeps, " sweeps may follow the thermalisation");
    const std::int64_t measurements = measurements_of(p), most = most_sweeps / measurements;
    if (p.sweeps_per_measurement > most)
        fail(Status::invalid_argument, "ising.params.sweeps_per_measurement: ", p.sweeps_per_measurement,
             " is not in 1..", most, " with ", measurements, " measurements: at most ", most_sweeps,
             " sweeps may follow the thermalisation");
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
                 order[i - 1], "] too; seeds must differ, because equal seeds give the same lattices; use replicas");
}

void validate_sampling(const Problem& p) {
    require_integer("ising.n_seeds", static_cast<std::int64_t>(p.seeds.size()), 1, most_systems);
    const auto betas = static_cast<std::int64_t>(p.betas.size()), seeds = static_cast<std::int64_t>(p.seeds.size());
    if (betas > most_systems / seeds)
        fail(Status::invalid_argument, "ising.n_seeds: ", seeds, " is not in 1..", most_systems / betas,
             " with n_betas = ", betas, ": there are at most ", most_systems, " systems");
    require_different(p.seeds);
    if (p.replicas > most_systems / (betas * seeds))
        fail(Status::invalid_argument, "ising.params.replicas: ", p.replicas, " is not in 1..",
             most_systems / (betas * seeds), " with n_betas = ", betas, " and n_seeds = ", seeds,
             ": there are at most ", most_systems, " systems");
    validate_draws(p);
    if (p.acceptance && p.algorithm != Algorithm::metropolis)
        fail(Status::invalid_argument, "ising.params.acceptance: 1 is not in 0..0 with ",
             has_demons(p.algorithm) ? "demons, which decide without probabilities"
                                     : "clusters, which are turned over without attempts");
}

// Writes the first words of a colour from number `first` on. Bits beyond the ends of rows stay 0.
void write_colour(const Model& model, Stream stream, std::uint32_t colour, std::size_t first,
                  std::span<std::uint32_t> words) {
    const bool rows = !has_demons(model.problem.algorithm), random = model.problem.start == Start::random;
    const std::uint32_t width = model.packing.width, last_mask = model.packing.last_mask();
    auto index = static_cast<std::uint32_t>(first);
    for (std::uint32_t& word : words) {
        word = random ? random_words(stream, index, 0, colour, start_draw)[0] : ~0u;
        if (rows && index % width == width - 1) word &= last_mask;
        ++index;
    }
}

// Writes words of the first state from number `first` on. Demons begin without energy.
void write_first(const Model& model, std::size_t first, std::span<std::uint32_t> words) {
    const std::size_t of_colour =
        has_demons(model.problem.algorithm) ? model.parts.sites() / 2 : std::size_t{model.packing.words()};
    while (!words.empty()) {
        const std::size_t block = first / model.block_words(), in_block = first % model.block_words(),
                          colour = in_block / of_colour, in_colour = in_block % of_colour,
                          count = std::min(words.size(), of_colour - in_colour);
        if (colour < 2)
            write_colour(model, model.stream(block), static_cast<std::uint32_t>(colour), in_colour, words.first(count));
        else
            std::fill_n(words.begin(), count, 0);
        words = words.subspan(count);
        first += count;
    }
}

}  // namespace

void validate(const Problem& p) {
    validate(p.lattice);
    validate_sweeps(p);
    require_parameters("ising.params", p);
    if (has_demons(p.algorithm) && sites_of(p.lattice) > most_demon_sites)
        fail(Status::invalid_argument, "ising.params.extents: ", sites_of(p.lattice), " sites are more than ",
             most_demon_sites, ", the most that demons allow");
    if (const std::int64_t words = packing_of(p.lattice).words();
        has_clusters(p.algorithm) && words > most_cluster_words)
        fail(Status::invalid_argument, "ising.params.extents: L2 L3 ceil(L1 / 64) = ", words, " is not in 1..",
             most_cluster_words, " with clusters");
    validate_temperatures(p);
    validate_sampling(p);
}

std::string why_only_on_cpu(const Problem& p) {
    if (p.algorithm == Algorithm::wolff)
        return text("algorithm: ", static_cast<int>(p.algorithm), " is on the CPU only: Wolff's clusters");
    if (has_all_clusters(p.algorithm) && p.correlations)
        return "correlations: 1 is on the CPU only with clusters of Swendsen and Wang; a GPU needs 0";
    return {};
}

MeasuredValues::MeasuredValues(const Problem& problem) {
    if (has_demons(problem.algorithm)) count += 3;
    if (has_all_clusters(problem.algorithm)) count += ClusterSums::count;
    planes = count;
    if (!problem.correlations) return;
    const Lattice& lattice = problem.lattice;
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(lattice.dimension); ++axis) {
        correlations[axis] = count;
        count += static_cast<std::size_t>(lattice.extents[axis] / 2);
    }
    planes = count;
    count += static_cast<std::size_t>(lattice.extents[static_cast<std::size_t>(lattice.dimension) - 1]);
}

Model::Model(const Problem& p)
    : Model(p, has_demons(p.algorithm) ? division_of(p.lattice, p.replicas) : Division{1, 1, 1}) {}
Model::Model(const Problem& p, const Division& d)
    : problem(p),
      division(d),
      packing(packing_of(p.lattice)),
      parts(parts_of(p.lattice, d)),
      values(p),
      end_block(p.betas.size() * blocks_per_beta()) {}

Model Model::of_blocks(std::size_t first, std::size_t end) const {
    Model some(*this);
    some.first_block = first_block + first;
    some.end_block = first_block + end;
    some.systems_ = first_system(end) - first_system(first);
    return some;
}

std::size_t Model::systems_per_block() const {
    return has_demons(problem.algorithm) ? parts.systems() : 1;
}

std::size_t Model::blocks_per_seed() const {
    return (static_cast<std::size_t>(problem.replicas) + systems_per_block() - 1) / systems_per_block();
}

Systems Model::systems_of_run(std::size_t block) const {
    const auto replicas = static_cast<std::size_t>(problem.replicas);
    const std::size_t first = block / blocks_per_seed() * replicas,
                      before = block % blocks_per_seed() * systems_per_block();
    return {first + before, first + std::min(before + systems_per_block(), replicas)};
}

Systems Model::systems_of_block(std::size_t block) const {
    const std::size_t before = systems_of_run(first_block).first;
    const Systems systems = systems_of_run(first_block + block);
    return {systems.first - before, systems.end - before};
}

std::size_t Model::block_words() const {
    return has_demons(problem.algorithm) ? 4 * std::size_t{parts.sites()} : 2 * std::size_t{packing.words()};
}

std::size_t Model::first_system(std::size_t block) const {
    return systems_of_block(block).first;
}

Stream Model::stream(std::size_t block) const {
    const std::size_t of_run = first_block + block, seed = of_run / blocks_per_seed();
    return {static_cast<std::uint64_t>(problem.seeds[seed % problem.seeds.size()]),
            static_cast<std::uint32_t>(seed / problem.seeds.size() * blocks_per_seed() + of_run % blocks_per_seed())};
}

std::vector<std::uint32_t> first_words(const Model& model, int threads) {
    std::vector<std::uint32_t> state(model.words());
    first_words(model, 0, state, threads);
    return state;
}

void first_words(const Model& model, std::size_t first, std::span<std::uint32_t> words, int threads) {
    constexpr std::size_t at_once = 1 << 14;
    in_parallel((words.size() + at_once - 1) / at_once, threads, [&](std::size_t part) {
        const std::size_t begin = part * at_once;
        write_first(model, first + begin, words.subspan(begin, std::min(at_once, words.size() - begin)));
    });
}

}  // namespace legato::ising
