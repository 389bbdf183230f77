// The pair function's parameters of least energy, by stochastic reconfiguration (S. Sorella, Phys. Rev. B 64, 024512
// (2001)): every step is a run of Monte Carlo, after which the parameters move by
//     - time (S + shift diag S)^-1 Ns G / 2,    G the gradient of the energy per site, S the metric,
// a step in imaginary time within the states that the parameters reach.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "core/context.hpp"
#include "core/progress.hpp"
#include "vmc/result.hpp"

namespace legato::vmc {

struct Optimisation {
    Problem problem;  // of a step; its pair parameters are the start
    std::array<bool, variational_parameters> free{true, true, false, false};
    int steps = 40;             // at most
    double time = 0.2;          // in units of 1 / t
    double largest_move = 0.2;  // of a parameter in one step; all of them are shortened alike
    double shift = 1e-3;        // relative, of the metric's diagonal
    double significance = 2;    // gradients within as many errors from 0 count as none
    int quiet_steps = 3;        // ends after as many steps without a gradient
};

struct OptimisationStep {
    std::array<double, variational_parameters> parameters{};
    statistics::Estimate energy;                                          // per site
    std::array<statistics::Estimate, variational_parameters> gradient{};  // 0 of those that are not free
};

void validate(const Optimisation& optimisation);

class Optimiser {
  public:
    Optimiser(Context& context, const Optimisation& optimisation);

    const Optimisation& optimisation() const { return optimisation_; }
    const std::vector<OptimisationStep>& steps() const { return steps_; }
    bool converged() const;  // by gradients, not by the number of steps
    bool finished() const;

    // One step; true when it was the last.
    bool advance();
    // To the end, or until the callback asks to stop (then throws cancelled; a step that is under way is begun again by
    // the next call). Its points are steps, its cycles sweeps of all chains.
    void run(const ProgressCallback& callback);

    // Means of the quiet steps where it has converged, else the last step's.
    std::array<double, variational_parameters> parameters() const;

    // The problem and the steps so far. A resumed one takes the same steps.
    void save(const std::filesystem::path& path) const;
    static std::unique_ptr<Optimiser> resume(Context& context, const std::filesystem::path& path);

  private:
    bool is_quiet(const OptimisationStep& step) const;
    bool carry_on(const ProgressCallback& callback);
    void move(const Gradient& gradient);

    Context& context_;
    Optimisation optimisation_;
    std::array<double, variational_parameters> next_{};  // parameters of the step to come
    std::vector<OptimisationStep> steps_;
    bool carrying_on_ = false;
};

// The pair parameters by number.
double& parameter_of(PairParameters& pair, std::size_t parameter);

}  // namespace legato::vmc
