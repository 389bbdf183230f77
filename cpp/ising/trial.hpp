// The timing trial by which `auto` chooses a backend: some sweeps of all systems of the run.
#pragma once

#include "core/trial.hpp"
#include "ising/engine.hpp"

namespace legato::ising {

// The work of a trial, and how many times as much the largest part has to do.
struct Work {
    Model model;
    double times;
};
// Returns the work of the largest part. A slab is replaced by lattices of as many layers, an even number, but of about
// `enough_words` in all if it has more. So many keep every backend busy, and more would need time and memory.
inline constexpr std::size_t enough_words = std::size_t{1} << 24;
Work work_of_part(const Model& model, const Sharing& sharing);

// Returns the trial. Context and model must outlive it. A backend without enough memory is left out, which is logged.
Trial trial_of(const Context& context, const Model& model, const Sharings& shared, const Loaded& loaded);

}  // namespace legato::ising
