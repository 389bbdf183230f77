#include "vmc/trial.hpp"

#include <algorithm>
#include <cmath>

#include "vmc/chain.hpp"
#include "vmc/engine.hpp"

namespace legato::vmc {
namespace {

std::string shape_of(const Context& context, const Model& model) {
    const Problem& p = model.problem;
    const auto share_on = [&](Backend backend) { return largest_share(p, parts_of(context, backend)); };
    const auto flag = [](bool set) { return set ? 1 : 0; };
    return text(p.electrons, " electrons on ", model.geometry.sites(), " order ", model.order(), " chains ",
                share_on(Backend::cpu), ' ', share_on(Backend::cuda), " factor ", p.sweep_factor, " neighbours ",
                p.neighbour_share, " interval ", p.recompute_interval, " bin ",
                std::min<std::int64_t>(p.sweeps_per_bin, p.recompute_interval), " correlations ", flag(p.correlations),
                flag(p.pair_correlations), " gradients ", flag(p.gradients));
}

// Returns the sites of all chains. All begin with the same configuration, because finding one for each takes longer
// than the trial.
std::vector<std::int32_t> sites_of(const Model& model) {
    const std::size_t pairs = model.pairs();
    const Configuration c = start_of(model, 0);
    std::vector<std::int32_t> sites;
    for (int chain = 0; chain < model.problem.chains; ++chain)
        for (const auto* of_spin : {&c.up, &c.down})
            sites.insert(sites.end(), of_spin->begin(), of_spin->begin() + static_cast<std::ptrdiff_t>(pairs));
    return sites;
}

bool can(const Context& context, const Model& model, Backend backend) {
    const Problem& p = model.problem;
    return backend == Backend::cpu ||
           (model.order() <= largest_cuda_order &&
            fits_memory(context, "vmc", backend, memory_needs(backend, p, parts_of(context, backend)).bytes(p.chains)));
}

// Measures the cost of the largest part. The CPU is measured with as many chains as there are threads; the time is
// multiplied by the number of turns that all chains of the part need.
Cost measure(const Context& context, const Model& model, Backend backend) {
    Problem tried = model.problem;
    const int share = largest_share(tried, parts_of(context, backend));
    tried.chains = backend == Backend::cpu ? std::min(share, context.threads()) : share;
    const double turns = std::ceil(static_cast<double>(share) / tried.chains);
    const Model of_trial(tried);
    const RunClock clock;
    const std::unique_ptr<Engine> engine = make_part_engine(context, backend, of_trial, all_chains(tried));
    engine->load(sites_of(of_trial));
    Cost cost{.fixed = clock.seconds()};
    std::vector<double> sums(static_cast<std::size_t>(tried.chains) * local_values_of(tried));
    const std::vector<std::int64_t> intervals(static_cast<std::size_t>(tried.chains), tried.recompute_interval);
    Batch batch{.intervals = intervals};
    cost.each = turns * seconds_per_unit([&](std::int64_t sweeps) {
                    for (; sweeps > 0; sweeps -= batch.sweeps) {  // no batch extends beyond a bin
                        batch.sweeps = std::min(sweeps, tried.sweeps_per_bin);
                        engine->advance(batch, sums);
                        batch.first_sweep += batch.sweeps;
                    }
                });
    return cost;
}

}  // namespace

Trial trial_of(const Context& context, const Model& model) {
    const Problem& p = model.problem;
    return {"vmc", shape_of(context, model), static_cast<double>(p.thermalisation + p.bins * p.sweeps_per_bin),
            [&](Backend backend) { return can(context, model, backend); },
            [&](Backend backend) { return measure(context, model, backend); }};
}

}  // namespace legato::vmc
