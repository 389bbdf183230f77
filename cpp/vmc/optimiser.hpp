// The pair function's parameters of least energy. Every step is a run of Monte Carlo, in one of three stages:
//   - descent by stochastic reconfiguration (S. Sorella, Phys. Rev. B 64, 024512 (2001)): the parameters move by
//         - time (S + shift diag S)^-1 Ns G / 2,    G the gradient of the energy per site, S the metric,
//     a step in imaginary time within the states that the parameters reach, until the gradient is not significant;
//   - a survey, of longer runs, from which the second derivatives follow: along the eigenvectors of the metric by
//     differences of gradients on either side;
//   - refinement by Newton's steps, to the mean of the places where all of its runs so far have seen the minimum; if
//     that is not close to the survey's centre, whose curvature it goes by, there is another survey first.
// Near nodes of Psi the gradient's estimator is as large as 1 / Psi^2, so that the errors of short runs say little: the
// gradient may look small where the valley is flat. The survey tells how flat it is, and with it how far off the
// parameters may be. After one that does not tell the descent goes on, with longer runs.
// Parameters on which the state does not depend, and such combinations of them, stay as they are in all stages: their
// share of the optimum's errors and curvature is 0.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "core/context.hpp"
#include "core/matrix.hpp"
#include "core/progress.hpp"
#include "vmc/result.hpp"

namespace legato {
class StateReader;
class StateWriter;
}  // namespace legato

namespace legato::vmc {

struct Optimisation {
    Problem problem;  // of a step of the descent; its pair parameters are the start
    std::array<bool, variational_parameters> free{true, true, false, false};
    int steps = 40;               // at most
    double time = 0.2;            // in units of 1 / t
    double largest_move = 0.2;    // of a parameter in one step; all of them are shortened alike
    double shift = 1e-3;          // relative, of the metric's diagonal
    double significance = 2;      // gradients within as many errors from 0 count as none
    int quiet_steps = 3;          // ends after as many steps of the refinement without a gradient
    int refinement = 4;           // sweeps of later stages' runs in units of the descent's
    bool seeds_of_steps = false;  // step i has the seed problem.seed + i: only of optimisations that version 0.1 began
};

inline constexpr int highest_optimisation_level = 2;  // of the length of its runs: refinement^level

enum class OptimisationStage : int { descent = 0, survey = 1, refinement = 2 };

struct OptimisationStep {
    std::array<double, variational_parameters> parameters{};
    statistics::Estimate energy;                                                      // per site
    std::array<statistics::Estimate, variational_parameters> gradient = no_gradient;  // 0 of those that are not free
    OptimisationStage stage = OptimisationStage::descent;
    ParameterMatrix covariance{};  // of the gradient's errors
};

// Where the optimisation has converged, from its quiet steps; else the last step's parameters, and all else NaN. Of
// parameters that are not free all but the parameter itself is 0.
struct Optimum {
    std::array<statistics::Estimate, variational_parameters> parameters{};
    ParameterMatrix covariance{};       // of their errors
    ParameterMatrix curvature{};        // second derivatives of the energy per site
    double gain = statistics::unknown;  // of energy per site that the quiet steps' mean gradient leaves
};

void validate(const Optimisation& optimisation);

class Optimiser {
  public:
    Optimiser(Context& context, const Optimisation& optimisation);

    const Optimisation& optimisation() const { return optimisation_; }
    const std::vector<OptimisationStep>& steps() const { return steps_; }
    // The last steps are of the refinement and quiet: all gradients and their combinations (by chi^2) within
    // `significance` errors from 0, and what they leave of energy less than the error of the energy.
    bool converged() const;
    bool finished() const;

    // One step; true when it was the last.
    bool advance();
    // To the end, or until the callback asks to stop (then throws cancelled; a step that is under way is begun again by
    // the next call). Its points are steps, its cycles sweeps of all chains.
    void run(const ProgressCallback& callback);

    Optimum optimum() const;
    std::array<double, variational_parameters> parameters() const;  // the optimum's

    // The problem and the steps so far. A resumed one takes the same steps.
    void save(const std::filesystem::path& path) const;
    static std::unique_ptr<Optimiser> resume(Context& context, const std::filesystem::path& path);

  private:
    using Parameters = std::array<double, variational_parameters>;
    // Of the free parameters: the steps on either side of `centre` along column a are centre +- column a, and
    // `curvature` is that of the energy in units of the columns.
    struct Survey {
        std::vector<double> centre;
        Matrix columns, curvature;
        std::vector<Matrix> covariances;  // of the errors of the second derivatives times each column
        bool resolved = false;            // all curvatures are positive, beyond their errors
    };
    // The mean gradient of some steps, and the covariance of its error. That has its share of the survey's: what the
    // errors of the second derivatives make of the way from these steps to the minimum.
    struct Slope {
        std::vector<double> gradient;
        Matrix covariance;
    };
    std::optional<Survey> latest_survey() const;                   // if all of it is there
    Slope slope_of(const Survey& survey, std::size_t last) const;  // of as many steps
    std::size_t refinements() const;                               // steps since then
    bool is_quiet(const OptimisationStep& step, const Survey* survey) const;
    Problem problem_of_next() const;
    bool carry_on(const ProgressCallback& callback);
    void take(const OptimisationStep& step, const Gradient& gradient);
    void plan(const Gradient& gradient);
    void descend(const Gradient& gradient);
    void begin_survey(const Gradient& gradient);  // about the next parameters
    void end_survey();
    void refine(const Gradient& gradient);
    void move_by(Parameters moves);
    void put_history(StateWriter& writer) const;
    void get_history(const StateReader& reader);
    void check_stages(const StateReader& reader) const;

    Context& context_;
    Optimisation optimisation_;
    Parameters next_{};  // of the step to come, and its stage
    OptimisationStage stage_ = OptimisationStage::descent;
    std::vector<Parameters> planned_;  // of the survey under way, after the next
    int level_ = 0;                    // of the runs
    std::vector<OptimisationStep> steps_;
    Activity carrying_on_;
};

// The pair parameters by number.
double& parameter_of(PairParameters& pair, std::size_t parameter);

}  // namespace legato::vmc
