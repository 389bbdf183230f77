// One Markov chain.
#pragma once

#include <utility>

#include "vmc/determinant.hpp"
#include "vmc/result.hpp"

namespace legato::vmc {

// The first configuration of a chain that is well conditioned, of at most problem.start_attempts. Throws a
// numerical_error if there is none.
Configuration start_of(const Model& model, std::uint32_t chain);

class Chain {
  public:
    // The model must outlive it. The inverse is computed.
    Chain(const Model& model, std::uint32_t number, Configuration configuration);

    const Determinant& determinant() const { return determinant_; }

    // Attempts number first .. first + count - 1: an electron, a neighbour of it or any site, a hop if that is empty,
    // an exchange if there is an electron of the other spin, else nothing; accepted with min(1, ratio^2).
    void attempt(std::int64_t first, std::int64_t count, MoveCounts& counts);
    // One whose numbers are given. True if the configuration has changed.
    bool attempt(std::uint32_t electron, std::size_t site, double threshold, bool to_neighbour, MoveCounts& counts);

    LocalValues measure() const;

    // The inverse anew. Throws a numerical_error where the matrix is singular.
    void refresh();
    // The largest relative drift of an inverse before it was computed anew, since this was last asked for.
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
