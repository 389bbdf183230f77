// The interface of the hot loop if the parts share each vector: the vectors of a block on one slab, which is a part of
// a lattice, or some rows of a matrix. An Engine is made of the slabs of this rank (slab_engine.hpp), or of one that
// has all sites.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "core/edges.hpp"
#include "core/parcels.hpp"
#include "kpm/chunk_layout.hpp"
#include "kpm/engine.hpp"

namespace legato::kpm {

struct MatrixPart;

class Slab {
  public:
    virtual ~Slab() = default;

    // As Engine::begin, for the sites of the slab. If the caller gives start vectors but the block has no source,
    // set_vector() follows for each of them.
    virtual void begin(const Block& block) = 0;

    // Sets x to start vector number `vector` of the block. `elements` are those of the slab's sites.
    virtual void set_vector(std::size_t vector, std::span<const double> elements) = 0;

    // Returns the number of groups of vectors whose edges are passed one after the other. It is the same on all slabs.
    virtual std::size_t panels() const = 0;

    // Returns the edges of x in a panel of a lattice. The next step reads `below` and `above`, which are zero at first.
    // Does neither throw nor allocate.
    virtual Edges edges(std::size_t panel) = 0;

    // Returns the elements of x in a panel of a matrix that other slabs need, and the memory for those of other slabs,
    // [slabs]. The elements are copied in this call, on a device before they are passed. Does neither throw nor
    // allocate.
    virtual std::span<const Parcel> parcels(std::size_t /*panel*/) { return {}; }

    // Performs a step. `sums` gets <x|x> and <y|x> of each segment, [segments of the slab][2][width of the block], but
    // on a device only by finish(), which follows after most_steps steps at most. If step.keep is true, step() neither
    // throws nor allocates.
    virtual void step(const Step& step, std::span<double> sums) = 0;
    virtual void finish() {}

    // As Engine::add_to_sum and Engine::read_sum, for the sites of the slab. add_to_sum() may follow a step before
    // finish().
    virtual void add_to_sum(std::size_t sum, double factor) = 0;
    virtual void read_sum(std::size_t sum, std::size_t vector, std::span<double> elements) = 0;

    // Waits for all work of the slab's device.
    virtual void wait() noexcept {}
};

// Returns the first site of each segment and the number of sites. Only builds with CUDA have cuda_segments().
std::vector<std::size_t> cpu_segments(const Hamiltonian& hamiltonian);
std::vector<std::size_t> cuda_segments(const Hamiltonian& hamiltonian);

// Adds the sums of segments, [segments][2][width], in their order to <x|x> and <y|x>, [width] each.
void add_segments(std::span<const double> sums, std::span<double> xx, std::span<double> yx);

// Makes the slab of these segments. Problem, lattice and context must outlive it. `block_width` is the largest width of
// its blocks.
std::unique_ptr<Slab> make_cpu_slab(const Context& context, const Problem& problem, const Lattice& lattice,
                                    const SegmentRange& segments, int block_width);
// The same for a unit-cell lattice.
std::unique_ptr<Slab> make_cpu_cells(const Context& context, const Problem& problem, const Hamiltonian& lattice,
                                     const SegmentRange& segments, int block_width);
// The same for rows of a matrix with this number of chunks.
std::unique_ptr<Slab> make_cpu_rows(const Context& context, const Problem& problem, MatrixPart part, Format format,
                                    const SegmentRange& segments, std::size_t chunks, int block_width);
// These functions are only in builds with CUDA.
std::unique_ptr<Slab> make_cuda_slab(const Context& context, const Problem& problem, const Lattice& lattice,
                                     const SegmentRange& segments, const SlabPlace& place, int block_width);
std::unique_ptr<Slab> make_cuda_cells(const Context& context, const Problem& problem, const Hamiltonian& lattice,
                                      const SegmentRange& segments, const SlabPlace& place, int block_width);
std::unique_ptr<Slab> make_cuda_rows(const Context& context, const Problem& problem, const Hamiltonian& matrix,
                                     const MatrixPart& part, Format format, const SegmentRange& segments,
                                     const SlabPlace& place, int block_width);

// Returns an engine of one slab with this number of segments. Halos keep their zeros.
std::unique_ptr<Engine> engine_of(std::unique_ptr<Slab> slab, std::size_t segments, int block_width);

}  // namespace legato::kpm
