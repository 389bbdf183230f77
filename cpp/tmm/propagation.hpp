// A propagation whose loop stays with the caller, for programs that call step by step: multiplications are queued with
// the caller's own potentials, and carried out together with the orthonormalisation that follows them.
#pragma once

#include <memory>
#include <vector>

#include "tmm/building_blocks.hpp"
#include "tmm/engine.hpp"

namespace legato::tmm {

class Propagation {
  public:
    static constexpr double most_expected = 1e15;  // cycles

    // The context must outlive it. Of `problem` only dimension, width, boundary and hopping count. Takes the backend
    // that is faster for so many cycles of 10 multiplications of one point, or the one that the context names.
    Propagation(Context& context, const Problem& problem, Layout layout, double cycles);

    std::size_t sites() const { return static_cast<std::size_t>(problem_.sites()); }

    // This slice and the one before, each [N][N]. Nothing is queued then.
    void load(const double* current, const double* previous);

    // The next slice: diagonal[N] is E - V.
    void multiply(const double* diagonal);

    // What is queued, then an orthonormalisation; log_norms[N]: ln R_ii. False if a norm was zero or not finite: the
    // log_norms are NaN then, and so will be those that follow until the next load. largest_loss, if not null: above
    // most_growth (precision.hpp) where precision is gone, the ratio that orthonormalise() of building_blocks.hpp
    // gives, and with its result; else 1.
    bool orthonormalise(double* log_norms, double* largest_loss = nullptr);

    // The two slices as they stand, what is queued included. False, and nothing written, after a failed
    // orthonormalise().
    bool store(double* current, double* previous) const;

  private:
    Engine& engine() const;
    bool orthonormalise_on_cpu(double* log_norms, double* largest_loss);
    void load_engine(Layout layout, const double* current, const double* previous);

    const Context& context_;
    Problem problem_;
    Layout layout_;
    Backend backend_;
    bool sound_ = true;
    std::unique_ptr<Engine> engine_;  // from the first load on
    std::vector<double> queue_;       // [multiplications][N]
};

}  // namespace legato::tmm
