// A finite-size scaling fit, and the errors of its parameters from fits to synthetic data.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/run.hpp"
#include "fss/least_squares.hpp"
#include "fss/model.hpp"
#include "fss/problem.hpp"
#include "fss/result.hpp"

namespace legato::fss {

class Solver : public Run<Solver> {
  public:
    static constexpr std::string_view run_name = "fss";

    // Checks all arguments. The context must outlive the solver.
    Solver(Context& context, Problem problem);

    const Context& context() const { return context_; }
    const Problem& problem() const { return problem_; }
    const Model& model() const { return model_; }
    Progress progress() const;  // counts fits, the first one that of the data

    FitStatus status() const { return status_; }
    std::int64_t resamples_done() const { return static_cast<std::int64_t>(samples_.size()); }
    std::int64_t resamples_failed() const;
    double chi2() const { return chi2_; }
    double goodness_of_fit() const;

    // All parameters, in the order of the model; NaN without a fit.
    const std::vector<double>& parameters() const { return parameters_; }

    Spread spread(std::size_t parameter) const;
    double value(double length, double control) const;
    Spread value_spread(double length, double control) const;
    Fields fields(double length, double control) const { return model_.fields(parameters_, length, control); }
    // F(phi_1, phi_2)
    double value(const Fields& fields) const { return model_.value(parameters_, fields); }

  private:
    friend class Run<Solver>;
    bool step(Reporter& reporter);
    void search();
    void descend();
    void choose();
    void resample();
    std::size_t at_once() const;
    bool has_errors() const;

    Context& context_;
    Problem problem_;
    Model model_;
    FitStatus status_ = FitStatus::waiting;
    double chi2_ = statistics::unknown;
    std::vector<Minimum> minima_;               // first the starts, then what has been found from them
    std::size_t descended_ = 0;                 // number of starts that have been taken to their minima
    std::vector<double> parameters_, fitted_;   // fitted_[data]: values of the fit
    std::vector<std::vector<double>> samples_;  // parameters of each synthetic data set; empty: not found
};

}  // namespace legato::fss
