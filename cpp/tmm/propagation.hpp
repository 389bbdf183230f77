// A propagation for programs that keep their own loop and call step by step. Multiplications with the caller's
// potentials are queued. They are made together with the next orthonormalisation.
#pragma once

#include <memory>
#include <vector>

#include "tmm/building_blocks.hpp"
#include "tmm/engine.hpp"

namespace legato::tmm {

class Propagation {
  public:
    static constexpr double most_expected = 1e15;  // largest allowed number of expected cycles

    // Chooses the backend that the context names, or the faster one for `cycles` cycles of 10 multiplications of one
    // point. Only dimension, width, boundary and hopping of `problem` are used. The context must outlive the object.
    Propagation(Context& context, const Problem& problem, Layout layout, double cycles);

    std::size_t sites() const { return static_cast<std::size_t>(problem_.sites()); }

    // Loads the current slice and the one before, each [N][N], and empties the queue.
    void load(const double* current, const double* previous);

    // Queues the multiplication to the next slice; diagonal[N] is E - V.
    void multiply(const double* diagonal);

    // Makes the queued multiplications and orthonormalises; log_norms[N] becomes ln R_ii. Returns false if a norm was
    // zero or not finite: log_norms is then NaN, in later calls too, until the next load. largest_loss may be null. It
    // becomes 1 unless precision is lost. Otherwise orthonormalise() of building_blocks.hpp gives the result and the
    // ratio, which is above most_growth (precision.hpp).
    bool orthonormalise(double* log_norms, double* largest_loss = nullptr);

    // Writes the current slice and the one before, with all queued multiplications made. Returns false and writes
    // nothing after a failed orthonormalise().
    bool store(double* current, double* previous) const;

  private:
    Engine& engine() const;
    bool orthonormalise_on_cpu(double* log_norms, double* largest_loss);
    void load_engine(Layout layout, const double* current, const double* previous);

    const Context& context_;
    Problem problem_;
    Layout layout_;
    Backend backend_;
    bool valid_ = true;
    std::unique_ptr<Engine> engine_;  // made by the first load
    std::vector<double> queue_;       // [multiplications][N]
};

}  // namespace legato::tmm
