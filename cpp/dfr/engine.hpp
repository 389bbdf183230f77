// The hot loop's interface: the mean repulsion that densities exert, and eigenproblems. An engine holds the basis
// functions of a number of atoms.
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

// The density of some spinors of one symmetry species: D_rs = sum over columns a of c_ra c_sa, each column times the
// root of its number of electrons.
struct Density {
    int species = 0;
    Matrix large, small;  // [functions x spinors]; no small components in the non-relativistic case
};

// V = sum over densities of factor (J - K) within one species.
struct Target {
    int species = 0;
    std::vector<double> factors;  // [densities]
};

// What is asked of one atom.
struct RepulsionJob {
    std::size_t atom = 0;
    std::vector<Density> densities;
    std::vector<Target> targets;
    std::vector<Matrix> repulsion;  // out, [targets]: V [2n x 2n] (large then small), or [n x n]
};

class Engine {
  public:
    virtual ~Engine() = default;

    virtual void repel(std::span<RepulsionJob> jobs) = 0;
    virtual void solve(std::span<Eigenproblem* const> problems) = 0;
};

// Bytes of memory that a run takes at most, while all atoms are iterated side by side.
MemoryNeeds host_needs(const Problem& problem, std::span<const Atom> atoms);  // of the host, wherever it runs
MemoryNeeds memory_needs(Backend backend, const Problem& problem,
                         std::span<const Atom> atoms);  // of the host where it runs there, or the device

// Context and quadratures must outlive the engine. `threads` of the host.
std::unique_ptr<Engine> make_engine(const Context& context, Backend backend, const Quadratures& quadratures,
                                    int threads);
std::unique_ptr<Engine> make_cpu_engine(const Quadratures& quadratures, int threads);
std::unique_ptr<Engine> make_cuda_engine(const Context& context, const Quadratures& quadratures, int threads);

}  // namespace legato::dfr
