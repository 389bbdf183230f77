// Slabs of lattices with Metropolis' algorithm. A layer is a row of a square lattice, or a plane z of a cubic one. A
// slab has the same consecutive layers of each lattice of a run. It also has halos, which are copies of the layers next
// to its own. The layers of a lattice are divided evenly into slabs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/context.hpp"
#include "core/edges.hpp"
#include "ising/problem.hpp"
#include "ising/result.hpp"

namespace legato::ising {

LEGATO_HOST_DEVICE inline std::uint32_t layers_of(const Packing& lattice) {
    return lattice.cubic ? lattice.rows_z : lattice.rows_y;
}
LEGATO_HOST_DEVICE inline std::uint32_t words_of_layer(const Packing& lattice) {
    return lattice.words() / layers_of(lattice);
}
// Returns the layers of a slab, without halos.
WorkParts::Range layers_of_slab(const Packing& lattice, std::size_t slab, std::size_t slabs);

// Returns the number of slabs into which the lattices of a run are divided; 1: they are not divided. All ranks get the
// same number.
std::size_t slabs_of(const Context& context, Backend backend, const Model& model, std::size_t parts);

// Largest number of sums over slabs that are gathered at once, of all ranks; at least one of each rank.
inline constexpr std::size_t most_sums_gathered = std::size_t{1} << 21;

// How the words of one colour are stored: the halo below, the layers of the slab, the halo above.
struct SlabLayout {
    SlabLayout(const Packing& lattice, std::size_t slab, std::size_t slabs);
    explicit SlabLayout(const Packing& lattice) : packing(lattice) {}  // a whole lattice, without halos

    Packing packing;          // packing of all layers, halos included
    std::uint32_t halo = 0;   // words of a halo
    std::uint32_t first = 0;  // number of the first word in the lattice, modulo 2^32: it is negative in the first slab
    bool shifted = false;     // true if the number of the first layer in the lattice is odd
    bool turned_below = false, turned_above = false;  // the halo is across an antiperiodic boundary

    std::uint32_t begin() const { return halo; }  // the words of the slab itself are begin() .. end() - 1
    std::uint32_t end() const { return packing.words() - halo; }
    // Returns the number of a stored word in the lattice.
    std::uint32_t number(std::uint32_t stored) const { return first + stored; }
    // Calls take(from, to, count, turned) for the words that a slab stores of `count` words of one colour, of which the
    // first has the number `from_number` in the lattice: words from, from + 1, ... of these are the stored words to, to
    // + 1, ... A halo beyond an antiperiodic boundary has `turned` words. keep() does the same without the halos.
    template <class Take>
    void take(const Packing& lattice, std::size_t from_number, std::size_t count, const Take& take) const;
    template <class Take>
    void keep(std::size_t from_number, std::size_t count, const Take& take) const {
        take_run({number(begin()), begin(), end() - begin(), false}, from_number, count, take);
    }
    // Returns the colour that sites of `colour` would have if the first layer had number 0.
    std::uint32_t local_colour(std::uint32_t colour) const { return colour ^ static_cast<std::uint32_t>(shifted); }

  private:
    // Stored words `to`, `to` + 1, ... that are those of the lattice from number `from` on.
    struct Run {
        std::uint32_t from, to, count;
        bool turned;
    };
    template <class Take>
    static void take_run(const Run& run, std::size_t from_number, std::size_t count, const Take& take) {
        const std::size_t first = std::max<std::size_t>(run.from, from_number),
                          last = std::min(std::size_t{run.from} + run.count, from_number + count);
        if (first < last) take(first - from_number, run.to + (first - run.from), last - first, run.turned);
    }
};

template <class Take>
void SlabLayout::take(const Packing& lattice, std::size_t from_number, std::size_t count, const Take& take) const {
    const std::uint32_t all = lattice.words(), from = number(begin()), behind = number(end());
    take_run({(from > 0 ? from : all) - halo, 0, halo, turned_below}, from_number, count, take);
    take_run({from, begin(), behind - from, false}, from_number, count, take);
    take_run({behind < all ? behind : 0, end(), halo, turned_above}, from_number, count, take);
}

// A slab of all blocks of a model. Its halos are those of the state between two half-sweeps, if take_halos() follows
// every update of a block and colour.
class Slab {
  public:
    virtual ~Slab() = default;

    // Copies what the slab has of the words of a block and colour, from number `first` on: layers and halos. store()
    // copies its layers into them.
    virtual void load(std::size_t block, std::uint32_t colour, std::size_t first,
                      std::span<const std::uint32_t> words) = 0;
    virtual void store(std::size_t block, std::uint32_t colour, std::size_t first,
                       std::span<std::uint32_t> words) const = 0;

    // Precedes the updates of a batch with this number of measurements of one block each.
    virtual void begin(std::size_t /*measurements*/) {}

    // The functions below do not throw, except for finish().
    // Makes a half-sweep of the sites of one colour.
    virtual void update(std::size_t block, std::int64_t sweep, std::uint32_t colour) = 0;
    // Returns the edges of one colour. take_halos() is called when the edges of all slabs have been passed.
    virtual Edges edges(std::size_t block, std::uint32_t colour) = 0;
    virtual void take_halos(std::size_t block, std::uint32_t colour) = 0;
    // Adds what the slab contributes to a measurement without correlations, but on a device only by finish(), which
    // follows the updates of a batch.
    virtual void measure(std::size_t block, std::span<std::int64_t> values) = 0;
    virtual void finish() {}
    // Waits for all work of the slab's device.
    virtual void wait() noexcept {}
    // Returns the counts since the last call.
    virtual AcceptanceCounts take_counts() = 0;
};

std::unique_ptr<Slab> make_cpu_slab(const Context& context, const Model& model, const SlabLayout& layout);
std::unique_ptr<Slab> make_cuda_slab(const Context& context, const Model& model, const SlabLayout& layout,
                                     const SlabPlace& place);  // only in builds with CUDA

}  // namespace legato::ising
