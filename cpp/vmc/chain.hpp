// One Markov chain.
#pragma once

#include <utility>

#include "vmc/determinant.hpp"
#include "vmc/result.hpp"

namespace legato::vmc {

// Returns the first well-conditioned configuration out of at most problem.start_attempts. Throws a numerical_error if
// there is none.
Configuration start_of(const Model& model, std::uint32_t chain);

class Chain {
  public:
    // Computes the inverse. The model must outlive the chain.
    Chain(const Model& model, std::uint32_t number, Configuration configuration);

    const Determinant& determinant() const { return determinant_; }

    // Makes attempts number first .. first + count - 1. Each draws an electron and a target: one of its neighbours, or
    // any site. It is a hop if the target is empty, and an exchange if an electron of the other spin is there;
    // otherwise nothing happens. The probability of acceptance is min(1, ratio^2).
    void attempt(std::int64_t first, std::int64_t count, MoveCounts& counts);
    // Makes one attempt with given random numbers. Returns true if the configuration has changed.
    bool attempt(std::uint32_t electron, std::size_t site, double threshold, bool to_neighbour, MoveCounts& counts);

    LocalValues measure() const;

    // Recomputes the inverse. Throws a numerical_error if the matrix is singular.
    void refresh();
    // Returns the largest relative drift of an inverse before it was recomputed, since the last call.
    double take_largest_drift() { return std::exchange(largest_drift_, 0.0); }

  private:
    bool hop(bool up, std::size_t electron, std::size_t site, double threshold);
    bool exchange(std::size_t k, std::size_t l, double threshold);
    bool accepted(double ratio);

    const Model* model_;
    std::uint32_t number_;
    Determinant determinant_;
    double largest_drift_ = 0;
};

}  // namespace legato::vmc
