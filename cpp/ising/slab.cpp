#include "ising/slab.hpp"

#include <algorithm>

namespace legato::ising {
namespace {

// The fewest words of a colour in a slab. On the CPU a half-sweep of so many words took one thread 0.07 ms, and to
// start a second thread and to pass the edges took about 3 us within a machine. More threads and several machines were
// not measured. An H100 updated so many words in 0.1 ms, and the launches and copies of a half-sweep took the host 27
// us for each device.
std::size_t fewest_words(Backend backend) {
    return std::size_t{1} << (backend == Backend::cuda ? 23 : 14);
}

}  // namespace

WorkParts::Range layers_of_slab(const Packing& lattice, std::size_t slab, std::size_t slabs) {
    const std::size_t layers = layers_of(lattice);
    return {layers * slab / slabs, layers * (slab + 1) / slabs};
}

// Slabs advance one lattice after another. They are worth it if a lattice gets more slabs than there are lattices,
// which would otherwise be divided among the parts. Correlations would need the layers of all slabs.
std::size_t slabs_of(const Context& context, Backend backend, const Model& model, std::size_t parts) {
    if (model.problem.algorithm != Algorithm::metropolis || model.problem.correlations) return 1;
    const std::size_t asked_for = context.options().fewest_words_of_slab, words = model.packing.words(),
                      slabs = std::min({parts, std::size_t{layers_of(model.packing)},
                                        words / (asked_for > 0 ? asked_for : fewest_words(backend))});
    return slabs > model.blocks() ? slabs : 1;
}

SlabLayout::SlabLayout(const Packing& lattice, std::size_t slab, std::size_t slabs)
    : packing(lattice), halo(words_of_layer(lattice)) {
    const WorkParts::Range layers = layers_of_slab(lattice, slab, slabs);
    const auto stored = static_cast<std::uint32_t>(layers.size() + 2);
    (lattice.cubic ? packing.rows_z : packing.rows_y) = stored;
    first = (static_cast<std::uint32_t>(layers.first) - 1) * halo;
    shifted = layers.first % 2 == 0;
    const bool flips = lattice.cubic ? lattice.flip_z : lattice.flip_y;
    turned_below = flips && slab == 0;
    turned_above = flips && slab + 1 == slabs;
}

}  // namespace legato::ising
