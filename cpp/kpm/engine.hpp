// The hot loop's interface: a block of vectors x and y on the sites of one Hamiltonian, and the step
//     y <- a H x + b x + c y,    after which x and y change places.
// Chebyshev's recursion is a = 2 / half_width, b = -2 centre / half_width, c = -1; Lanczos's has other coefficients.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/context.hpp"
#include "core/memory.hpp"
#include "kpm/problem.hpp"

namespace legato::kpm {

// Which vectors: of realisation `realisation`, those number first .. first + width - 1 of all realisations, random or
// from the source, or those of problem.sites number first .. first + width - 1.
struct Block {
    StartVectors kind = StartVectors::sign;
    std::int64_t realisation = 0;
    std::int64_t first = 0;
    int width = 1;
    const StartVectorSource* source = nullptr;  // only for given; called by the thread that begins the block
};

inline constexpr int most_steps = 64;  // of one call

struct Step {
    double a = 1, b = 0, c = 0;
    bool keep = true;  // false: only the products are wanted; y stays as it is and nothing changes places
};

class Engine {
  public:
    virtual ~Engine() = default;

    // x becomes the block's start vectors, y zero; the on-site energies become those of its realisation. Throws an
    // invalid_argument for the first element of the source's vectors that is too large.
    virtual void begin(const Block& block) = 0;

    // `count` times the same step, at most most_steps, once where nothing is kept; for each of them and every vector of
    // the block <x|x> and <y|x>, with x as it is stored and y as it is computed, before it is rounded to be stored,
    // and before they change places: [count][width] each.
    // Deterministic: the same bits whenever it is run, with any count, and whatever other vectors are in the block.
    virtual void steps(const Step& step, int count, std::span<double> xx, std::span<double> yx) = 0;
};

// Of an engine, for each vector of a block.
MemoryNeeds memory_needs(Backend backend, const Problem& problem, const Hamiltonian& hamiltonian, Format format);
// The part of it that is for the sums of chunks of sites.
MemoryNeeds cpu_sums(const Hamiltonian& hamiltonian, Format format);
MemoryNeeds cuda_sums(const Hamiltonian& hamiltonian, Format format);

// Of the host wherever the engine computes: the moments of each sample.
MemoryNeeds host_needs(const Problem& problem);
// What an engine may take: what is free, on the host without what the moments of all samples will take of it, or the
// budget, if that is less.
MemoryLimit memory_limit(const Context& context, Backend backend, const Problem& problem);

// Of blocks as wide as the problem asks for, or else of one vector, in the leanest format that it allows.
std::int64_t least_bytes(Backend backend, const Problem& problem, const Hamiltonian& hamiltonian);

// The format that AUTO takes, and why, where an engine may take `limit` bytes; one that was asked for is left as it is.
struct FormatChoice {
    Format format = Format::crs;
    std::string reason;
};
FormatChoice choose_format(Backend backend, const Problem& problem, const Hamiltonian& hamiltonian, std::int64_t limit);

// The width of the blocks: as asked for, or chosen to fit. Throws an out_of_memory that says how much is needed, how
// much there is, and which width would fit; or where not one vector fits, which format, or how many sites would.
int choose_block_width(const Context& context, Backend backend, const Problem& problem, const Hamiltonian& hamiltonian,
                       Format format);

// Problem, Hamiltonian and context must outlive the engine. `block_width` is the largest width of its blocks.
std::unique_ptr<Engine> make_engine(const Context& context, Backend backend, const Problem& problem,
                                    const Hamiltonian& hamiltonian, Format format, int block_width);
std::unique_ptr<Engine> make_cpu_engine(const Context& context, const Problem& problem, const Hamiltonian& hamiltonian,
                                        Format format, int block_width);
std::unique_ptr<Engine> make_cuda_engine(const Context& context, const Problem& problem, const Hamiltonian& hamiltonian,
                                         Format format, int block_width);

}  // namespace legato::kpm
