// Minimises a function of several variables with NLopt: with M. J. D. Powell's NEWUOA, which needs values only, or with
// limited-memory BFGS, which also needs gradients. NLopt calls the function itself; here the caller asks for the next
// point instead. Many minimisations can therefore run at the same time, and each can be repeated from a record of its
// values.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/thread.hpp"
#include "dfr/optimiser_params.hpp"

namespace legato::dfr {

struct MinimiserOptions {
    OptimiserMethod method = OptimiserMethod::newuoa;
    int max_values = 500;
    double first_step = 0.1;   // NEWUOA: first radius of the trust region; BFGS: length of the first step
    double last_step = 1e-4;   // NEWUOA: last radius of the trust region
    double tolerance = 1e-13;  // BFGS: relative change of the value in the last step
    // BFGS: upper triangular matrix R, by rows. The length of a step s is |R s|, and the curvature of the function is
    // expected to be the same in all directions of R s. Empty: the unit matrix.
    std::vector<double> metric = {};
};

class Minimiser {
  public:
    // NEWUOA needs at least two variables. Throws out_of_memory if no thread can be started.
    Minimiser(std::vector<double> start, const MinimiserOptions& options);
    ~Minimiser();
    Minimiser(const Minimiser&) = delete;
    Minimiser& operator=(const Minimiser&) = delete;

    // Returns the point where the next value is needed, first `start`; none when the minimiser has ended. The point
    // stays the same until tell().
    std::optional<std::vector<double>> next();
    // Takes the value of the function at that point and for BFGS its gradient. They must be finite.
    void tell(double value, std::vector<double> gradient = {});

    // Returns true in a child of fork(), where this object can only be destroyed. Another minimiser that is told the
    // same values asks for the same points.
    bool lost() const { return thread_.lost(); }

    // These functions are valid once the minimiser has ended.
    bool values_used_up() const { return used_up_; }     // max_values was reached first
    const char* why_failed() const { return failure_; }  // empty if it did not fail

  private:
    static double value_at(unsigned n, const double* x, double* gradient, void* self);
    void minimise();
    int run(double& minimum);
    void take_point(const double* u);
    void scale_gradient();

    MinimiserOptions options_;
    std::vector<double> x_;      // working point of NLopt: the variables, or R times the variables
    std::vector<double> point_;  // point where NLopt needs a value, in the caller's variables
    double value_ = 0;           // value at point_
    std::vector<double> gradient_;
    double scale_ = 0;  // factor of values and gradients that gives BFGS the length of its first step; 0: unknown
    int values_ = 0;    // number of values that NLopt has received
    struct Synchronisation {
        std::mutex mutex;
        std::condition_variable changed;
    };
    std::unique_ptr<Synchronisation> synchronisation_ = std::make_unique<Synchronisation>();
    bool asked_ = false, told_ = false, ended_ = false, stopping_ = false, used_up_ = false;
    const char* failure_ = "";
    Thread thread_;  // runs NLopt; nothing may throw in it
};

}  // namespace legato::dfr
