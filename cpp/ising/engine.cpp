#include "ising/engine.hpp"

#include <algorithm>
#include <cmath>

#include "core/device.hpp"
#include "ising/bins.hpp"
#include "ising/cluster_tiles.hpp"
#include "ising/clusters.hpp"
#include "ising/demon_step.hpp"
#include "ising/slab.hpp"

namespace legato::ising {
namespace {

constexpr double number = sizeof(double), word = sizeof(std::uint32_t);

// Converts a sum to bytes. Sums are doubles, because the largest problems would overflow integers. They are exact for
// every size that fits into any memory.
std::int64_t bytes(double sum) {
    return static_cast<std::int64_t>(std::min(std::ceil(sum), 9e18));
}

double state_bytes(const Model& model) {
    return static_cast<double>(model.blocks()) * static_cast<double>(model.block_words()) * word;
}

double measured_bytes(const Model& model, std::int64_t at_once) {
    return static_cast<double>(at_once) * static_cast<double>(model.systems() * model.values.count) * number;
}

// Returns the bytes of the sums over one bin.
double bin_bytes(const Model& model) {
    return static_cast<double>(model.systems() * BinnedValues(model).count) * number;
}

// Returns the bytes of the sums over bins and of the time series.
double kept_bytes(const Model& model) {
    const double series = model.problem.time_series ? 2 * static_cast<double>(measurements_of(model.problem)) : 0;
    return static_cast<double>(model.problem.bins + 1) * bin_bytes(model) +
           static_cast<double>(model.systems()) * series * number;
}

// Returns the bytes of the binomial tables of all temperatures. A table ends within 11 standard deviations, each at
// most sqrt(N) / 2, of the most probable number.
double table_bytes(const Model& model) {
    if (!has_demons(model.problem.algorithm)) return 0;
    const auto sites = static_cast<double>(model.sites());
    return static_cast<double>(model.problem.betas.size()) * demon_levels * std::min(sites, 11 * std::sqrt(sites)) *
           number;
}

// Returns the bytes that clusters need on a device (cuda/ising/cluster_kernels.cuh).
double device_cluster_bytes(const Model& model) {
    const auto systems = static_cast<double>(model.systems()), chances = 2.0 * sizeof(BondChance);
    constexpr std::size_t of_any_device = 64 * 1024;  // shared memory of a block
    if (is_in_block(model.packing) && bytes_in_block(model.packing) <= of_any_device) return systems * chances;
    const double words = model.packing.words(), sites = static_cast<double>(numbers_of_sites(model.packing)),
                 of_tiles = 32.0 * sites_of_piece * tiles_of(model.packing).count(model.packing);
    return systems *
           (2 * sites * word + words * (2 * model.problem.lattice.dimension * word + 2 * sizeof(std::uint64_t)) +
            of_tiles * sizeof(std::uint16_t) + chances);
}

// Returns the bytes of the acceptances of Metropolis' algorithm.
double acceptance_bytes(const Model& model, std::size_t temperatures) {
    return has_demons(model.problem.algorithm) ? 0 : static_cast<double>(temperatures * sizeof(Acceptance<7>));
}

// Returns the bytes of the counts in cuda/ising/cuda_demons.cu: those to draw by, and those of measurements, surplus
// bits included.
double device_demon_bytes(const Model& model, std::int64_t at_once) {
    const std::size_t blocks = model.blocks(), of_measurement = 32 * blocks * model.values.count,
                      measurements = std::min(static_cast<std::size_t>(at_once),
                                              std::max<std::size_t>(most_values / of_measurement, 1));
    return static_cast<double>(32 * blocks * demon_levels + measurements * of_measurement) * number;
}

// Returns the bytes of the largest slab, halos included.
double slab_bytes(const Model& model, std::size_t slabs) {
    const std::size_t most_layers = (layers_of(model.packing) + slabs - 1) / slabs;
    return static_cast<double>(model.blocks()) * 2 * static_cast<double>(most_layers + 2) *
           words_of_layer(model.packing) * word;
}

// Returns the bytes that measurements take on their way among ranks: those of this rank, twice, and those of each rank.
// Slabs gather a limited number of sums.
double gathered_bytes(const Model& model, Sharing sharing) {
    if (sharing.ranks == 1) return 0;
    const auto ranks = static_cast<double>(sharing.ranks);
    const double all = measured_bytes(model, measurements_at_once(model));
    if (sharing.slabs > 1) return std::min(ranks * all, std::max<double>(most_sums_gathered, ranks) * number);
    const double most = measured_bytes(largest_part(model, sharing.ranks), measurements_at_once(model));
    return all + (2 + ranks) * most;
}

// Returns the bytes of the state on the host. spins() and save() copy it from the engine, and save() puts it into a
// file in memory. A piece is in memory up to four times: also on its way among ranks.
double words_bytes(const Model& model, Sharing sharing) {
    const double pieces = 4 * static_cast<double>(sharing.piece) * word;
    if (!sharing.keeps_words()) return pieces;
    return sharing.piece > 0 ? state_bytes(model) + pieces : 2 * state_bytes(model);
}

// Returns the bytes on the host. save() puts the kept sums into a file in memory.
double host_bytes(const Model& model, Sharing sharing) {
    return words_bytes(model, sharing) + 2 * kept_bytes(model) + measured_bytes(model, measurements_at_once(model)) +
           gathered_bytes(model, sharing);
}

// Returns Sharing::piece. Files of up to a gigabyte are not divided.
std::size_t piece_of(const Context& context, const Model& model) {
    const std::size_t asked_for = context.options().most_words_of_file,
                      most = asked_for > 0 ? asked_for : std::size_t{1} << 28;
    return model.words() > most ? std::max<std::size_t>(most / 16, 1) : 0;
}

}  // namespace

std::int64_t measurements_at_once(const Model& model) {
    return measurements_at_once(model, model.systems());
}

std::int64_t measurements_at_once(const Model& model, std::size_t systems) {
    const std::size_t in_memory = most_values / (systems * model.values.count);
    return std::min(std::max<std::int64_t>(static_cast<std::int64_t>(in_memory), 1),
                    model.problem.measurements_per_bin);
}

Sharing sharing_of(const Context& context, Backend backend, const Model& model) {
    const std::size_t parts = parts_of_all(context, backend);
    return {static_cast<std::size_t>(context.ranks()), parts, slabs_of(context, backend, model, parts),
            piece_of(context, model), context.threads()};
}

Sharings sharings_of(const Context& context, const Model& model) {
    return {sharing_of(context, Backend::cpu, model), sharing_of(context, Backend::cuda, model)};
}

Model largest_part(const Model& model, std::size_t parts) {
    return model.of_blocks(0, (model.blocks() + parts - 1) / parts);
}

MemoryNeeds host_needs(const Model& model, Sharing sharing) {
    return {bytes(host_bytes(model, sharing))};
}

MemoryNeeds memory_needs(Backend backend, const Model& model, Sharing sharing) {
    if (sharing.slabs > 1 && backend != Backend::cuda)
        return {bytes(host_bytes(model, sharing) + slab_bytes(model, sharing.slabs) +
                      acceptance_bytes(model, model.problem.betas.size()))};
    if (sharing.slabs > 1)
        return {bytes(slab_bytes(model, sharing.slabs) + static_cast<double>(model.blocks() * sizeof(Stream)) +
                      acceptance_bytes(model, model.systems()) + measured_bytes(model, measurements_at_once(model)))};
    const Model part = largest_part(model, sharing.parts);
    const double engine = state_bytes(part) + table_bytes(part);
    if (backend != Backend::cuda)
        return {bytes(host_bytes(model, sharing) + engine + acceptance_bytes(part, part.problem.betas.size()) +
                      bytes_of_clusters(part, sharing.threads))};
    const std::int64_t at_once = measurements_at_once(model);
    const double streams = static_cast<double>(part.blocks() * sizeof(Stream));
    if (has_clusters(part.problem.algorithm))
        return {bytes(engine + streams + device_cluster_bytes(part) + measured_bytes(part, at_once))};
    return {bytes(engine + streams + acceptance_bytes(part, part.systems()) +
                  (has_demons(part.problem.algorithm) ? device_demon_bytes(part, at_once)
                                                      : measured_bytes(part, at_once) + bin_bytes(part)))};
}

std::unique_ptr<Engine> make_engine_of_part(const Context& context, Backend backend, const Model& model) {
    if constexpr (with_cuda)
        if (backend == Backend::cuda) return make_cuda_engine(context, model);
    return make_cpu_engine(context, model);
}

}  // namespace legato::ising
