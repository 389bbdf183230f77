// The search for the pair function's parameters of least energy. Every step is a Monte Carlo run, in one of three
// stages:
//   - Descent by stochastic reconfiguration (S. Sorella, Phys. Rev. B 64, 024512 (2001)): the parameters move by
//         - time (S + shift diag S)^-1 Ns G / 2,    G the gradient of the energy per site, S the metric.
//     This is a step in imaginary time within the states that the parameters reach. The descent ends when the gradient
//     is no longer significant.
//   - Survey, by longer runs. The second derivatives along the eigenvectors of the metric follow from differences of
//     the gradients on either side.
//   - Refinement by Newton steps. A step moves to the mean of the minima that all refinement runs so far predict. If it
//     is not close to the survey's centre, where the curvature was measured, another survey comes first.
// Near nodes of Psi the gradient's estimator is as large as 1 / Psi^2, so that the errors of short runs say little: the
// gradient may look small in a flat valley. The survey shows how flat the valley is, and so how far off the parameters
// may be. If a survey does not resolve the curvature, the descent goes on with longer runs. Parameters, and
// combinations of parameters, on which the state does not depend remain fixed in all stages. They contribute 0 to the
// optimum's errors and curvature.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/context.hpp"
#include "core/matrix.hpp"
#include "core/run.hpp"
#include "vmc/optimiser_params.hpp"
#include "vmc/result.hpp"

namespace legato::vmc {

struct Optimisation : OptimiserParams {
    Problem problem;  // problem of a descent step; its pair parameters are the start
    // True if step i has the seed problem.seed + i. Only optimisations that version 0.1 began have such seeds.
    bool seeds_of_steps = false;
};

inline constexpr int highest_optimisation_level = 2;  // a run is longer by refinement^level

enum class Stage : int { descent = 0, survey = 1, refinement = 2 };

struct OptimisationStep {
    std::array<double, variational_parameters> parameters{};
    statistics::Estimate energy;  // energy per site
    // The gradient is 0 for parameters that are not free.
    std::array<statistics::Estimate, variational_parameters> gradient = no_gradient;
    Stage stage = Stage::descent;
    ParameterMatrix covariance{};  // covariance of the gradient's errors
};

// The optimum. If the optimisation has converged, it follows from the quiet steps. Otherwise the parameters are those
// of the last step, and all else is NaN. For parameters that are not free everything but the parameter itself is 0.
struct Optimum {
    std::array<statistics::Estimate, variational_parameters> parameters{};
    ParameterMatrix covariance{};       // covariance of the parameters' errors
    ParameterMatrix curvature{};        // second derivatives of the energy per site
    double gain = statistics::unknown;  // energy per site still to be gained, from the quiet steps' mean gradient
};

void validate(const Optimisation& optimisation);

// advance() makes one step. A step that is interrupted is repeated by the next call.
class Optimiser : public Run<Optimiser> {
  public:
    static constexpr std::string_view run_name = "vmc.optimiser";
    static constexpr std::int64_t newest_schema = 2;

    Optimiser(Context& context, const Optimisation& optimisation);

    const Context& context() const { return context_; }
    const Optimisation& optimisation() const { return optimisation_; }
    const std::vector<OptimisationStep>& steps() const { return steps_; }
    // Returns true if the last `quiet_steps` steps are quiet steps of the refinement. A step is quiet if all gradients
    // and their combinations (by chi^2) are within `significance` errors from 0, and the energy still to be gained is
    // less than the error of the energy.
    bool converged() const { return converged_; }
    bool finished() const;
    bool complete() const { return finished(); }
    // Counts steps, and the sweeps of all chains, those of interrupted steps included.
    Progress progress() const;

    Optimum optimum() const;
    std::array<double, variational_parameters> parameters() const;  // parameters of the optimum

  private:
    using Parameters = std::array<double, variational_parameters>;
    // The second derivatives by the free parameters. The steps on either side of `centre` along column a are centre +-
    // column a. `curvature` is that of the energy, in units of the columns.
    struct Survey {
        std::vector<double> centre;
        Matrix columns, curvature;
        std::vector<Matrix> covariances;  // covariances of the errors of (second derivatives times column)
        bool resolved = false;            // all curvatures are positive, beyond their errors
    };
    // The mean gradient of some steps, and the covariance of its error. The covariance includes the survey's errors:
    // those of the second derivatives, times the distance from these steps to the minimum.
    struct Slope {
        std::vector<double> gradient;
        Matrix covariance;
    };
    std::optional<Survey> latest_survey() const;                   // nullopt if the survey is not complete
    Slope slope_of(const Survey& survey, std::size_t last) const;  // mean over the last `last` steps
    std::size_t refinements() const;                               // number of refinement steps at the end of steps_
    bool has_converged() const;
    bool is_quiet(const OptimisationStep& step, const Survey* survey) const;
    Problem problem_of_next() const;
    friend class Run<Optimiser>;
    bool step(Reporter& reporter);
    void write(StateWriter& writer) const;
    static std::unique_ptr<Optimiser> read(Context& context, const StateReader& reader);
    void take(const OptimisationStep& step, const Gradient& gradient);
    void plan(const Gradient& gradient);
    void share_plan();
    void descend(const Gradient& gradient);
    void begin_survey(const Gradient& gradient);  // survey about next_
    void end_survey();
    void refine(const Gradient& gradient);
    void move_by(Parameters moves);
    void put_history(StateWriter& writer) const;
    void get_history(const StateReader& reader);
    void check_stages(const StateReader& reader) const;

    Context& context_;
    Optimisation optimisation_;
    Parameters next_{};  // parameters of the next step; stage_ is its stage
    Stage stage_ = Stage::descent;
    std::vector<Parameters> planned_;  // points of the current survey that come after next_
    int level_ = 0;                    // level of the next run, up to highest_optimisation_level
    std::vector<OptimisationStep> steps_;
    bool converged_ = false;
    std::int64_t sweeps_ = 0;  // sweeps of all chains since this object was made
};

// Returns the pair parameter with the number of a Parameter.
double& parameter_of(PairParameters& pair, std::size_t parameter);

}  // namespace legato::vmc
