// The interface of the hot loop: the mean repulsion of densities, and eigenproblems. An engine holds the basis
// functions of one list of atoms at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/context.hpp"
#include "core/matrix.hpp"
#include "core/memory.hpp"
#include "dfr/problem.hpp"
#include "dfr/quadrature.hpp"

namespace legato::dfr {

// The density of some spinors of one species: D_rs = sum over columns a of c_ra c_sa. Each column is multiplied by the
// square root of its number of electrons.
struct Density {
    int species = 0;
    Matrix large, small;  // [functions x spinors]; no small components in the non-relativistic case
};

// The matrix V = sum over densities of factor (J - K) within one species.
struct Target {
    int species = 0;
    std::vector<double> factors;  // [densities]
};

// The mean repulsions that are computed for one atom.
struct RepulsionJob {
    std::size_t atom = 0;
    std::vector<Density> densities;
    std::vector<Target> targets;
    std::vector<Matrix> repulsion;  // output, [targets]: V [2n x 2n] (large then small), or [n x n]
};

class Engine {
  public:
    virtual ~Engine() = default;

    // Replaces the list of atoms, and keeps memory for it. `quadratures` must stay as long as the engine computes with
    // them. `threads` is the number of host threads.
    virtual void load(const Quadratures& quadratures, int threads) = 0;
    virtual void compute_repulsion(std::span<RepulsionJob> jobs) = 0;
    // `orders` are those of the problems of all parts (work_parts.hpp), or larger. An engine may choose a method by
    // them, but not by `problems`: the results must not depend on the division.
    virtual void solve(std::span<Eigenproblem* const> problems, std::span<const std::size_t> orders) = 0;
};

// These functions return the largest number of bytes that a run needs while all atoms iterate at the same time.
MemoryNeeds host_needs(const Problem& problem, std::span<const Atom> atoms);  // host memory, for either backend
// Returns the page-locked host memory that the parts of a rank need with CUDA in addition. `atoms` are those of the
// rank, `all` are those of all ranks.
MemoryNeeds page_locked_needs(const Problem& problem, std::span<const Atom> atoms, std::span<const Atom> all,
                              std::size_t parts);
// Returns the bytes of the results of all atoms, while ranks pass them to one another.
MemoryNeeds result_needs(const Problem& problem, std::span<const Atom> atoms);
MemoryNeeds memory_needs(Backend backend, const Problem& problem,
                         std::span<const Atom> atoms);  // host memory on the CPU, device memory with CUDA

// Returns the largest order of the eigenproblem of a species.
std::size_t largest_order(const Problem& problem, const Atom& atom, std::size_t species);

// Returns an engine that has no atoms yet. The context must outlive it.
std::unique_ptr<Engine> make_engine(const Context& context, Backend backend);
std::unique_ptr<Engine> make_cpu_engine();
std::unique_ptr<Engine> make_cuda_engine(const Context& context);

}  // namespace legato::dfr
