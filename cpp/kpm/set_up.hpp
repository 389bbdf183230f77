// What everything that computes with the vectors of a Hamiltonian does first: comparing the ranks, making engines, and
// finding the bounds of the spectrum.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/context.hpp"
#include "core/work_parts.hpp"
#include "kpm/bounds.hpp"
#include "kpm/engine.hpp"

namespace legato::kpm {

// Collective. Throws an invalid_argument if the ranks have different problems or Hamiltonians. Returns the fingerprint
// of the Hamiltonian if it was needed.
std::optional<std::int64_t> require_same_arguments(const Context& context, const Problem& problem,
                                                   const Hamiltonian& hamiltonian);

// Collective. Returns the least value of all ranks.
std::int64_t least_of_ranks(const Context& context, std::int64_t mine);

// The engines of a rank: one for each of its parts, or one that all parts of all ranks share.
class Engines {
  public:
    // `sharing` is the number of parts that share each vector: 1, or all. All arguments must outlive the engines.
    Engines(const Context& context, const WorkParts& parts, Backend backend, const Problem& problem,
            const Hamiltonian& hamiltonian, Format format, std::size_t sharing, int block_width);

    Engine& operator[](std::size_t i) const { return *engines_[i]; }

    // Calls work(i) for the engines of this rank at the same time.
    void side_by_side(const std::function<void(std::size_t)>& work) const;

  private:
    const WorkParts& parts_;
    bool shared_;
    std::vector<std::unique_ptr<Engine>> engines_;
};

// Collective. Returns the bounds of the spectrum without the margin. Every rank computes them, with its first engine or
// with the one that all share; those of rank 0 may differ in rounding. Vectors in the engine are overwritten.
Interval bounds_of(const Context& context, const Problem& problem, const Hamiltonian& hamiltonian, Engine& engine);

// Collective. Returns the rescaling for computations that have no engines. If the recursion of Lanczos needs one, it is
// made for the first part, and its memory is then free again.
Rescaling rescaling_without_engine(const Context& context, const WorkParts& parts, Backend backend,
                                   const Problem& problem, const Hamiltonian& hamiltonian, Format format);

// Throws an invalid_argument unless vectors are in double precision, and each part has whole ones. `what` names the
// computation.
void require_whole_vectors(const Problem& problem, const char* what);

// Collective. Gathers what the parts have computed in a round, one sample each of `each` numbers.
template <class Number>
void gather_samples(const WorkParts& parts, std::span<Number> samples, std::size_t each) {
    const std::size_t count = samples.size() / each;
    parts.gather_ranges(samples, [&](std::size_t rank) {
        const WorkParts::Range of_rank = parts.range_of_rank(parts.count(), rank);
        return WorkParts::Range{std::min(of_rank.first, count) * each, std::min(of_rank.end, count) * each};
    });
}

// Throws a numerical_error that says which bounds do not enclose the spectrum, why, and what to do.
[[noreturn]] void fail_for_bounds(const Problem& problem, const Rescaling& rescaling, const std::string& evidence);

}  // namespace legato::kpm
