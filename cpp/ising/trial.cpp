#include "ising/trial.hpp"

#include <algorithm>

#include "core/memory.hpp"
#include "ising/slab.hpp"

namespace legato::ising {
namespace {

std::string shape_of(const Model& model) {
    const Problem& p = model.problem;
    const auto& e = p.lattice.extents;
    const auto flag = [](bool set) { return set ? 1 : 0; };
    return text(e[0], 'x', e[1], 'x', e[2], " boundary ", flag(model.packing.flip_x), flag(model.packing.flip_y),
                flag(model.packing.flip_z), " algorithm ", static_cast<int>(p.algorithm), " betas ", p.betas.size(),
                " from ", p.betas.front(), " seeds ", p.seeds.size(), " replicas ", p.replicas, " parts ",
                model.division[0], 'x', model.division[1], 'x', model.division[2], " field ", flag(p.field != 0),
                " measured ", p.sweeps_per_measurement, " drawn ", p.refresh_interval, " correlations ",
                flag(p.correlations), " acceptance ", flag(p.acceptance));
}

// The parts of a shared run on both backends. Their trials take the work of the largest part.
std::string sharing_text(const Sharings& shared) {
    return (shared.cpu.parts * shared.cuda.parts == 1
                ? ""
                : text(" shared by ", shared.cpu.parts, " or ", shared.cuda.parts)) +
           (shared.cpu.slabs * shared.cuda.slabs == 1
                ? ""
                : text(" in ", shared.cpu.slabs, " or ", shared.cuda.slabs, " slabs"));
}

// The choice falls back on the CPU. If its memory does not suffice, the solver refuses the run.
bool can(const Context& context, const Model& model, Backend backend, Sharing sharing, const Loaded& loaded) {
    const auto fits = [&](Backend memory_of, const MemoryNeeds& needs) {
        return fits_memory(context, "ising", backend, needs.bytes(1),
                           free_memory(context, memory_of, loaded.bytes(sharing)));
    };
    return fits(Backend::cpu, host_needs(model, sharing)) && fits(backend, memory_needs(backend, model, sharing));
}

// Measures the cost. It includes the run's measurements if a batch has any.
Cost measure(const Context& context, const Model& all, Backend backend, Sharing sharing) {
    const Work work = work_of_part(all, sharing);
    const Model& model = work.model;
    const Problem& p = model.problem;
    const RunClock clock;
    const std::unique_ptr<Engine> engine = make_engine_of_part(context, backend, model);
    engine->load(first_words(model, context.threads()));
    Cost cost{.fixed = work.times * clock.seconds()};
    std::vector<std::int64_t> measured;
    const std::int64_t every = p.sweeps_per_measurement, at_once = measurements_at_once(all);
    Batch batch{.first_sweep = p.thermalisation, .draw_demons = p.algorithm != Algorithm::demon_microcanonical};
    cost.each = work.times * seconds_per_unit([&](std::int64_t sweeps) {
                    for (std::int64_t left = sweeps; left > 0; left -= batch.sweeps) {
                        const std::int64_t measurements = std::min(left / every, at_once);
                        batch.sweeps = measurements > 0 ? measurements * every : left;
                        batch.measure_every = measurements > 0 ? every : 0;
                        measured.resize(static_cast<std::size_t>(measurements) * model.systems() * model.values.count);
                        engine->advance(batch, measured);
                        batch.first_sweep += batch.sweeps;
                    }
                });
    return cost;
}

}  // namespace

Work work_of_part(const Model& model, const Sharing& sharing) {
    if (sharing.slabs == 1) return {largest_part(model, sharing.parts), 1};
    Problem problem = model.problem;
    std::int64_t& layers = problem.lattice.extents[static_cast<std::size_t>(problem.lattice.dimension) - 1];
    const auto slabs = static_cast<std::int64_t>(sharing.slabs);
    const std::size_t of_layers = 2 * model.blocks() * words_of_layer(model.packing);
    const std::int64_t of_slab = (layers + slabs - 1) / slabs,
                       enough = std::max(static_cast<std::int64_t>(enough_words / of_layers), std::int64_t{2});
    layers = 2 * ((std::min(of_slab, enough) + 1) / 2);
    return {Model(problem), std::max(static_cast<double>(of_slab) / static_cast<double>(layers), 1.0)};
}

Trial trial_of(const Context& context, const Model& model, const Sharings& shared, const Loaded& loaded) {
    const std::string only_on_cpu = why_only_on_cpu(model.problem);
    return {
        "ising",
        shape_of(model) + sharing_text(shared),
        static_cast<double>(sweeps_of(model.problem)),
        [&context, &model, shared, loaded, has_device = only_on_cpu.empty()](Backend backend) {
            return (backend != Backend::cuda || has_device) && can(context, model, backend, shared.on(backend), loaded);
        },
        [&context, &model, shared](Backend backend) { return measure(context, model, backend, shared.on(backend)); },
        only_on_cpu};
}

}  // namespace legato::ising
