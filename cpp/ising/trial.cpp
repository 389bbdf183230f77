#include "ising/trial.hpp"

#include <algorithm>

#include "ising/engine.hpp"

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

// Returns the parts of a shared run on both backends. Their trials take the work of the largest part.
std::string sharing_text(const Context& context, const Model& model) {
    const Sharing on_cpu = sharing_of(context, Backend::cpu, model),
                  on_devices = sharing_of(context, Backend::cuda, model);
    return (on_cpu.parts * on_devices.parts == 1 ? "" : text(" shared by ", on_cpu.parts, " or ", on_devices.parts)) +
           (on_cpu.slabs * on_devices.slabs == 1 ? "" : text(" in ", on_cpu.slabs, " or ", on_devices.slabs, " slabs"));
}

// Returns the work of the largest part. A slab is replaced by lattices of as many layers, an even number.
Model work_of_part(const Model& model, Sharing sharing) {
    if (sharing.slabs == 1) return largest_part(model, sharing.parts);
    Problem problem = model.problem;
    std::int64_t& layers = problem.lattice.extents[static_cast<std::size_t>(problem.lattice.dimension) - 1];
    const auto pairs = 2 * static_cast<std::int64_t>(sharing.slabs);
    layers = 2 * ((layers + pairs - 1) / pairs);
    return Model(problem);
}

bool can(const Context& context, const Model& model, Backend backend) {
    return backend == Backend::cpu ||
           fits_memory(context, "ising", backend,
                       memory_needs(backend, model, sharing_of(context, backend, model)).bytes(1));
}

// Measures the cost. It includes the run's measurements if a batch has any.
Cost measure(const Context& context, const Model& all, Backend backend) {
    const Model model = work_of_part(all, sharing_of(context, backend, all));
    const Problem& p = model.problem;
    const RunClock clock;
    const std::unique_ptr<Engine> engine = make_engine_of_part(context, backend, model);
    engine->load(first_words(model, context.threads()));
    Cost cost{.fixed = clock.seconds()};
    std::vector<std::int64_t> measured;
    const std::int64_t every = p.sweeps_per_measurement, at_once = measurements_at_once(all);
    Batch batch{.first_sweep = p.thermalisation, .draw_demons = p.algorithm != Algorithm::demon_microcanonical};
    cost.each = seconds_per_unit([&](std::int64_t sweeps) {
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

Trial trial_of(const Context& context, const Model& model) {
    return {"ising", shape_of(model) + sharing_text(context, model), static_cast<double>(sweeps_of(model.problem)),
            [&](Backend backend) { return can(context, model, backend); },
            [&](Backend backend) { return measure(context, model, backend); }};
}

}  // namespace legato::ising
