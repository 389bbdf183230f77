// Chebyshev's recursion for a block of vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "kpm/bounds.hpp"
#include "kpm/enclosure.hpp"
#include "kpm/engine.hpp"

namespace legato::kpm {

// A vector that shows states outside the bounds, and the property of its moments that shows it. `sample` is its number
// among the vectors of all realisations. Plane waves have several vectors in a sample.
struct Evidence {
    std::int64_t sample = std::numeric_limits<std::int64_t>::max();  // this value: there is none
    std::string text;
};

// Returns the step of the recursion that gives r_order, at least r_1, from the two vectors before it.
Step step_to(std::size_t order, const Rescaling& rescaling);

// Collective. Returns the evidence of the rank with the first such sample.
Evidence first_of_ranks(const Context& context, Evidence own);

// Computes r_(n+1) = 2 H~ r_n - r_(n-1). Every step gives two moments of each vector:
//     mu_2n = 2 <r_n|r_n> - mu_0,    mu_(2n+1) = 2 <r_(n+1)|r_n> - mu_1.
class Recursion {
  public:
    // Returns the number of steps that give this number of moments.
    static std::size_t steps_of(std::size_t moments) { return (moments + 1) / 2; }

    // The moments, [width][N], are those of the vectors `first`, .. of all realisations, and are not divided by the
    // number of sites. `step_rounding` is Rounding::step.
    Recursion(Engine& engine, const Block& block, std::int64_t first, const Rescaling& rescaling, double step_rounding,
              std::span<double> moments);

    // `energies` are Block::energies.
    void begin(const double* energies = nullptr) {
        block_.energies = energies;
        engine_->begin(block_);
    }
    std::int64_t realisation() const { return block_.realisation; }

    // Performs the next `count` steps, at most most_steps. The first and the last step are performed alone. Does
    // nothing if the first vector has failed: the others no longer matter then.
    void perform(std::size_t count);

    // Returns true if a moment of the first vector is larger than its moment 0.
    bool has_failed() const { return beyond_[0].n > 0; }

    std::int64_t first() const { return first_; }
    std::span<double> moments() const { return moments_; }

    // Returns the first vector of which a moment is larger than moment 0, with the first such moment. A sample has
    // `of_sample` vectors.
    Evidence evidence(std::int64_t of_sample) const;

  private:
    // The first moment of a vector that is too large. Moment 0 cannot be: there is none then.
    struct Beyond {
        std::size_t n = 0;
        double ratio = 0;  // to moment 0
    };
    void set_moments(std::size_t vector, std::size_t n, double xx, double yx);

    Engine* engine_;
    Block block_;
    std::int64_t first_;
    const Rescaling* rescaling_;
    double step_rounding_;
    std::span<double> moments_;
    std::size_t done_ = 0;
    std::vector<double> xx_, yx_;  // [steps][width]
    std::vector<Beyond> beyond_;   // [width]
};

}  // namespace legato::kpm
