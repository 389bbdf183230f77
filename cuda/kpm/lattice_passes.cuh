// Passes through the vectors of a whole lattice on a device, each of which performs several steps.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/shared_memory.hpp"
#include "kpm/chain_steps.cuh"
#include "kpm/device_vectors.cuh"
#include "kpm/two_steps.cuh"

namespace legato::kpm {
inline namespace engine_parts {

enum class PassKind { chain, square, cubic, none };

// Returns the kind of the passes of a lattice. Narrow lattices, whose layout has other tiles, have none.
inline PassKind pass_kind(const LatticeLayout& at) {
    if (at.extents[2] == 1) return PassKind::chain;
    if (at.extents[1] == 1) return PassKind::square;
    return at.tile_x == CubicTile::layout_x ? PassKind::cubic : PassKind::none;
}
// Returns the largest number of steps of a pass.
inline int most_together(const LatticeLayout& at) {
    const PassKind kind = pass_kind(at);
    return kind == PassKind::chain ? most_chain_steps : kind == PassKind::none ? 1 : 2;
}
// Returns the width of the panels that passes need.
template <class Element>
std::int64_t pass_width(const LatticeLayout& at) {
    return pass_kind(at) == PassKind::chain ? 1 : SitePart<Element>::count;
}

// Returns whether a block of the device has the shared memory for a pass of this kind.
inline bool fits_shared_memory(PassKind kind, int device) {
    const auto most = static_cast<std::size_t>(cuda::attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    return kind == PassKind::square  ? PassShape<SquareTile>::bytes <= most
           : kind == PassKind::cubic ? PassShape<CubicTile>::bytes <= most
                                     : kind == PassKind::chain;
}

// Returns the number of vectors for which passes need spare memory: so many panels are processed at the same time. They
// are enough to fill a device, and to share the energies. Returns 0 if there can be no passes.
template <class Element>
std::int64_t spare_vectors(const LatticeLayout& at, int block_width, int device) {
    constexpr std::int64_t enough_sites = std::int64_t{1} << 25, least = 4;
    const std::int64_t width = pass_width<Element>(at), panels = block_width / width;
    if (!fits_shared_memory(pass_kind(at), device)) return 0;
    return width * std::min(panels, std::max(least, (enough_sites + at.sites() - 1) / at.sites()));
}

template <class Element>
class LatticePasses {
  public:
    // `spare` is the result of spare_vectors().
    LatticePasses(const DeviceLattice& lattice, std::int64_t spare, int device)
        : lattice_(lattice),
          kind_(pass_kind(lattice.layout)),
          at_once_(spare / pass_width<Element>(lattice.layout)),
          multiprocessors_(cuda::attribute(cudaDevAttrMultiProcessorCount, device)) {
        if (kind_ == PassKind::square) cuda::allow_shared_memory(lattice_two_steps<SquareTile, Element>, device);
        if (kind_ == PassKind::cubic) cuda::allow_shared_memory(lattice_two_steps<CubicTile, Element>, device);
    }

    // Returns how many of the next `count` steps, whose sums have room, a pass can perform for the first panels of a
    // block. The other panels need single steps.
    std::int64_t together(const Step& step, std::int64_t count, const Panels& first) const {
        const LatticeLayout& at = lattice_.layout;
        if (first.width != pass_width<Element>(at)) return 1;
        const std::int64_t most = std::min<std::int64_t>(count, most_together(at));
        return kind_ == PassKind::chain || (step.keep && most == 2) ? most : 1;
    }
    // Returns whether a pass performs this number of steps. A chain has no other steps.
    bool performs(std::int64_t steps) const { return steps > 1 || kind_ == PassKind::chain; }

    // Performs a pass for the first panels of a block, which move.
    void launch(const DevicePass<Element>& pass, bool is_moved) const {
        const std::int64_t count = (pass.panels + at_once_ - 1) / at_once_;
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int64_t first = (is_moved ? count - 1 - i : i) * at_once_, elements = first * pass.panel;
            DevicePass<Element> part = pass;
            part.panels = std::min(at_once_, pass.panels - first);
            part.x += elements;
            part.y += elements;
            part.x_to += elements;
            part.y_to += elements;
            part.sums += first * pass_width<Element>(lattice_.layout);
            launch_part(part);
        }
    }

  private:
    void launch_part(const DevicePass<Element>& pass) const {
        if (kind_ == PassKind::chain) {
            const std::int64_t blocks = (lattice_.layout.tiles_x + chain_chunks - 1) / chain_chunks * pass.panels;
            chain_steps<<<static_cast<unsigned>(blocks), chain_threads>>>(pass, lattice_);
        } else if (kind_ == PassKind::square) {
            launch_two<SquareTile>(pass);
        } else {
            launch_two<CubicTile>(pass);
        }
    }

    template <class Tile>
    void launch_two(const DevicePass<Element>& pass) const {
        using Shape = PassShape<Tile>;
        const LatticeLayout& at = lattice_.layout;
        const std::int64_t columns =
            ((at.extents[0] + Tile::x - 1) / Tile::x) * ((at.extents[1] + Tile::y - 1) / Tile::y) * pass.panels;
        const auto layers = static_cast<int>(at.layers);
        const int count = layers_of_block(layers, columns);
        const Layers all{0, count, count, layers};
        const unsigned side_by_side = pass.panels % 4 == 0 ? 4 : pass.panels % 2 == 0 ? 2 : 1;
        lattice_two_steps<Tile><<<static_cast<unsigned>(columns * all.groups()), Shape::threads, Shape::bytes>>>(
            pass, lattice_, all, side_by_side);
    }

    // Returns the number of layers that a block goes through, see LatticeSteps. A multiprocessor holds one block.
    int layers_of_block(int layers, std::int64_t columns) const {
        constexpr std::int64_t to_begin = 6;  // extra planes of each block
        int best = 1;
        std::int64_t least = INT64_MAX;
        for (int count = 1; count <= layers; ++count) {
            const std::int64_t blocks = columns * ((layers + count - 1) / count);
            const std::int64_t planes =
                (blocks + multiprocessors_ - 1) / multiprocessors_ *
                (std::min(count * lattice_.layout.chunk_planes, lattice_.layout.extents[2]) + to_begin);
            if (planes < least) {
                least = planes;
                best = count;
            }
        }
        return best;
    }

    DeviceLattice lattice_;
    PassKind kind_;
    std::int64_t at_once_, multiprocessors_;  // at_once: number of panels of a launch
};

}  // namespace engine_parts
}  // namespace legato::kpm
