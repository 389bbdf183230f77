#include "vmc/chain.hpp"

#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "core/larger.hpp"
#include "vmc/local_energy.hpp"
#include "vmc/streams.hpp"

namespace legato::vmc {
namespace {

// Largest ratio, and reciprocal of the smallest one. Beyond it the inverse has lost digits and is recomputed at once.
constexpr double extreme_ratio = 1e4;

}  // namespace

Configuration start_of(const Model& model, std::uint32_t chain) {
    const Problem& problem = model.problem;
    const double least = problem.least_reciprocal_condition;
    const double bound = largest_residual(model.order());
    double best = 0, residual_of_best = 0;
    for (int attempt = 0; attempt < problem.start_attempts; ++attempt) {
        Determinant determinant(model.pair, random_configuration(model, chain, static_cast<std::uint32_t>(attempt)));
        if (!determinant.invert()) continue;
        const double condition = determinant.reciprocal_condition();
        const double residual = condition > least ? determinant.residual() : 0;
        if (condition > least && residual < bound) return determinant.configuration();
        if (condition <= best) continue;
        best = condition;
        residual_of_best = residual;
    }
    fail(Status::numerical_error, "vmc.params.start_attempts: none of ", problem.start_attempts,
         " configurations of chain ", chain, " is well conditioned; the best has a reciprocal condition number of ",
         best,
         best > least ? text(", but its M M^-1 differs from 1 by ", residual_of_best, ", more than ", bound)
                      : text(", and vmc.params.least_reciprocal_condition is ", least));
}

Chain::Chain(const Model& model, std::uint32_t number, Configuration configuration)
    : model_(&model), number_(number), determinant_(model.pair, std::move(configuration)) {
    refresh();
    largest_drift_ = 0;  // there was no inverse before
}

void Chain::refresh() {
    double drift = 0;
    if (!determinant_.invert(&drift))
        fail(Status::numerical_error, "vmc: the matrix of chain ", number_, " has become singular");
    largest_drift_ = larger(largest_drift_, drift);
}

void Chain::attempt(std::int64_t first, std::int64_t count, MoveCounts& counts) {
    const Problem& p = model_->problem;
    const auto seed = static_cast<std::uint64_t>(p.seed);
    const auto electrons = static_cast<std::uint32_t>(p.electrons);
    const auto sites = static_cast<std::uint32_t>(model_->geometry.sites());
    const auto pairs = static_cast<std::uint32_t>(model_->pairs());
    const Configuration& c = determinant_.configuration();
    for (std::int64_t number = first; number < first + count; ++number) {
        const Attempt a = draw_attempt(seed, p.run, number_, number, electrons, sites, p.neighbour_share);
        std::size_t target = a.target;
        if (a.to_neighbour) {
            const auto at = a.electron < pairs ? c.up[a.electron] : c.down[a.electron - pairs];
            target =
                static_cast<std::size_t>(model_->geometry.neighbours(1, static_cast<std::size_t>(at))[a.target].site);
        }
        attempt(a.electron, target, a.threshold, a.to_neighbour, counts);
    }
}

bool Chain::attempt(std::uint32_t electron, std::size_t site, double threshold, bool to_neighbour, MoveCounts& counts) {
    const std::size_t kind = to_neighbour ? 1 : 0;
    const bool up = electron < model_->pairs();
    const std::size_t number = up ? electron : electron - model_->pairs();
    const std::int32_t there = determinant_.configuration().electron_at[site];
    ++counts.attempts[kind];
    if (there == 0) {
        const bool done = hop(up, number, site, threshold);
        ++counts.hops[kind];
        counts.hops_accepted[kind] += done;
        return done;
    }
    if (up == (there > 0)) {
        ++counts.nulls[kind];
        return false;
    }
    const std::size_t other = static_cast<std::size_t>(std::abs(there)) - 1;
    const bool done = up ? exchange(number, other, threshold) : exchange(other, number, threshold);
    ++counts.exchanges[kind];
    counts.exchanges_accepted[kind] += done;
    return done;
}

bool Chain::hop(bool up, std::size_t electron, std::size_t site, double threshold) {
    const double ratio = up ? determinant_.up_ratio(electron, site) : determinant_.down_ratio(electron, site);
    if (!(ratio * ratio > threshold)) return false;
    if (up)
        determinant_.move_up(electron, site, ratio);
    else
        determinant_.move_down(electron, site, ratio);
    return accepted(ratio);
}

bool Chain::exchange(std::size_t k, std::size_t l, double threshold) {
    const double ratio = determinant_.exchange_ratio(k, l);
    if (!(ratio * ratio > threshold)) return false;
    determinant_.exchange(k, l);
    return accepted(ratio);
}

bool Chain::accepted(double ratio) {
    if (std::abs(ratio) > extreme_ratio || std::abs(ratio) < 1 / extreme_ratio) refresh();
    return true;
}

LocalValues Chain::measure() const {
    return local_values(*model_, determinant_);
}

}  // namespace legato::vmc
