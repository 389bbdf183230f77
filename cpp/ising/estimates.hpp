// Averages at one temperature and their errors, from the bins of a run. Values and errors that are unknown are NaN.
#pragma once

#include <functional>
#include <initializer_list>
#include <span>
#include <vector>

#include "ising/bins.hpp"
#include "ising/problem.hpp"
#include "ising/result.hpp"
#include "statistics/estimate.hpp"

namespace legato::ising {

// Returns whether each system keeps a single energy. A microcanonical system keeps the energy that it has after the
// thermalisation, so that its measurements do not show how this energy varies.
bool energy_is_drawn_once(const Problem& problem);

class Estimates {
  public:
    // `bins_done` is the number of bins of each system at temperature number `beta`. Model and bins must outlive this
    // object.
    Estimates(const Model& model, const Bins& bins, std::size_t beta, std::int64_t bins_done)
        : model_(model), problem_(model.problem), bins_(bins), beta_(beta), bins_done_(bins_done) {}

    // These functions are described at Solver's.
    Averages averages() const;
    CorrelationFunction correlation_function(int axis) const;
    statistics::Estimate correlation_length() const;

  private:
    statistics::Binning binned(std::size_t value) const;
    statistics::Estimate function_of(std::initializer_list<std::size_t> values,
                                     const std::function<double(std::span<const double>)>& function) const;
    statistics::Estimate fluctuation(std::size_t value, std::size_t square, double factor) const;
    statistics::Estimate autocorrelation(std::size_t value, std::size_t square, const statistics::Estimate& mean) const;
    void check_reliability(Averages& averages, const statistics::Estimate& plain_m) const;
    void require_correlations() const;

    const Model& model_;
    const Problem& problem_;
    const Bins& bins_;
    std::size_t beta_;
    std::int64_t bins_done_;
};

}  // namespace legato::ising
