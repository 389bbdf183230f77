// The engine that shares each vector among the parts of all ranks.
#pragma once

#include <memory>

#include "core/work_parts.hpp"
#include "kpm/chunk_layout.hpp"
#include "kpm/engine.hpp"

namespace legato::kpm {

// Returns an engine that consists of the slabs of this rank. All ranks make one and use it alike. Engine::begin calls
// the source of start vectors on every rank, and has no meeting. Engine::steps is collective and gives the same sums on
// every rank. Context, parts, problem and Hamiltonian must outlive
// the engine.
std::unique_ptr<Engine> make_slab_engine(const Context& context, const WorkParts& parts, Backend backend,
                                         const Problem& problem, const Hamiltonian& hamiltonian, Format format,
                                         int block_width);

// Returns an engine of the largest slab of `parts` parts without its neighbours, for timing trials.
std::unique_ptr<Engine> make_lone_slab(const Context& context, Backend backend, const Problem& problem,
                                       const Hamiltonian& hamiltonian, Format format, std::size_t parts,
                                       int block_width);

// Returns the memory that each part needs if `parts` parts share a Hamiltonian: host memory, or memory of its device.
MemoryNeeds slab_needs(Backend backend, const Problem& problem, const Hamiltonian& hamiltonian, Format format,
                       std::size_t parts);
// The same for a device with these segments of a lattice, and the part of it for the sums with those of a unit-cell
// lattice and of a matrix. Only builds with CUDA have these functions.
MemoryNeeds cuda_slab_needs(const Problem& problem, const Lattice& lattice, const SegmentRange& segments);
MemoryNeeds cuda_cells_sums(const CellLattice& lattice, const SegmentRange& segments);
MemoryNeeds cuda_rows_sums(const Hamiltonian& matrix, const SegmentRange& segments);

}  // namespace legato::kpm
