// The interface of the hot loop: a block of vectors x and y on the sites of one Hamiltonian, and the step
//     y <- a H x + b x + c y,    after which x and y change places.
// Chebyshev's recursion has a = 2 / half_width, b = -2 centre / half_width, c = -1; Lanczos's has other coefficients.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/context.hpp"
#include "core/memory.hpp"
#include "kpm/problem.hpp"

namespace legato::kpm {

class VectorsAhead;

// The vectors of a block, all of realisation `realisation`. Random and given vectors have the numbers first .. first +
// width - 1 among those of all realisations; the vectors of sites and plane waves have
// these numbers in problem.sites and problem.waves.
struct Block {
    StartVectors kind = StartVectors::sign;
    std::int64_t realisation = 0;
    std::int64_t first = 0;
    int width = 1;
    const StartVectorSource* source = nullptr;  // only for given; called by the thread that begins the block
    const double* energies = nullptr;           // on-site energies of all sites from the source of a matrix's disorder
    // Where an engine of a device takes the source's vectors. If `makes_ahead` is true, its steps() lets it make more
    // of them while the device computes.
    VectorsAhead* ahead = nullptr;
    bool makes_ahead = false;
};

inline constexpr int most_steps = 64;  // limit of one call

struct Step {
    double a = 1, b = 0, c = 0;
    bool keep = true;  // false: only the products are computed; y is unchanged, and x and y keep their places
};

class Engine {
  public:
    virtual ~Engine() = default;

    // Sets x to the start vectors of the block, y to zero, and the on-site energies to those of its realisation. Throws
    // an invalid_argument for the first element of the source's vectors that is too large.
    virtual void begin(const Block& block) = 0;

    // Performs the same step `count` times, at most most_steps times, or once if step.keep is false. For each step and
    // every vector of the block it gives <x|x> and <y|x>, [count][width] each, with x and y before they change places.
    // x is as it is stored. y is taken before it is rounded for storing on the CPU, and after it on a GPU. The results
    // are bitwise identical in every run, with any count, and with any other vectors in the block.
    virtual void steps(const Step& step, int count, std::span<double> xx, std::span<double> yx) = 0;

    // Adds `factor` times x to sum number `sum` of every vector. An engine has Problem::sums sums, which begin() sets
    // to zero.
    virtual void add_to_sum(std::size_t sum, double factor) = 0;

    // Copies a sum of vector number `vector` of the block, with the elements of all sites. Collective if the parts
    // share each vector.
    virtual void read_sum(std::size_t sum, std::size_t vector, std::span<double> elements) = 0;
};

// Returns the limit of the number of steps of one call on this many sites and vectors. Between calls moments are
// checked and progress is reported. A device may perform two steps in one pass through the vectors.
inline std::int64_t steps_at_once(std::int64_t sites, std::int64_t width) {
    constexpr std::int64_t enough_work = std::int64_t{1} << 28;  // updates of elements
    return std::clamp<std::int64_t>(enough_work / (sites * width), 2, most_steps);
}

// Returns the memory that an engine needs in all and for each vector of a block. If several parts share each vector, it
// is that of the part with the largest slab.
MemoryNeeds memory_needs(Backend backend, const Problem& problem, const Hamiltonian& hamiltonian, Format format,
                         std::size_t parts = 1);
// These functions return the part of it for the sums of chunks of sites.
MemoryNeeds cpu_sums(const Hamiltonian& hamiltonian, Format format);
MemoryNeeds cuda_sums(const Hamiltonian& hamiltonian, Format format);

// Returns the host memory that is needed with either backend: the moments of each sample, which are not kept if vectors
// are summed up.
MemoryNeeds host_needs(const Problem& problem);
// Returns the memory that the engine of each part of this rank may use: the free memory, or the budget if that is less.
// On the host the memory for the moments of all samples is subtracted from the free memory, and the parts share the
// rest. Of several devices the one with the least free memory counts.
MemoryLimit memory_limit(const Context& context, Backend backend, const Problem& problem);
// The same with this budget, 0 if there is none, and this number of bytes for the moments of all samples.
MemoryLimit memory_limit(const Context& context, Backend backend, std::int64_t budget, std::int64_t samples);

// Returns the bytes for blocks of the requested width, or of one vector if none is requested, in the leanest format
// that the problem allows, and in slabs for `parts` parts if it allows them.
std::int64_t least_bytes(Backend backend, const Problem& problem, const Hamiltonian& hamiltonian,
                         std::size_t parts = 1);

struct FormatChoice {
    Format format = Format::crs;
    std::string reason;
};
// Returns the format that `automatic` stands for, and the reason, if an engine may use `limit` bytes. A requested
// format is kept.
FormatChoice choose_format(Backend backend, const Problem& problem, const Hamiltonian& hamiltonian, std::int64_t limit);

// Returns how many parts share each vector: 1, or all `parts` if the lattice is divided. An engine may use `limit`
// bytes.
std::size_t choose_sharing(Backend backend, const Problem& problem, const Hamiltonian& hamiltonian, Format format,
                           std::size_t parts, std::int64_t limit);

// Returns the width of the blocks, as requested or chosen to fit, if `parts` parts share each vector. Throws an
// out_of_memory that says how much is needed, how much there is, and which width would fit. If not even one vector
// fits, it says which format, how many sites, or how many parts would fit.
int choose_block_width(const Context& context, Backend backend, const Problem& problem, const Hamiltonian& hamiltonian,
                       Format format, std::size_t parts = 1);

// Problem, Hamiltonian and context must outlive the engine. `block_width` is the largest width of its blocks.
std::unique_ptr<Engine> make_engine(const Context& context, Backend backend, const Problem& problem,
                                    const Hamiltonian& hamiltonian, Format format, int block_width);
// The engines of the backends count lanes (lanes.hpp) in `block_width` and in the results of steps().
std::unique_ptr<Engine> make_cpu_engine(const Context& context, const Problem& problem, const Hamiltonian& hamiltonian,
                                        Format format, int block_width);
// `spare_bytes` is the memory that the CUDA engine may take beyond its needs, by which it is faster.
std::unique_ptr<Engine> make_cuda_engine(const Context& context, const Problem& problem, const Hamiltonian& hamiltonian,
                                         Format format, int block_width, std::int64_t spare_bytes);

}  // namespace legato::kpm
