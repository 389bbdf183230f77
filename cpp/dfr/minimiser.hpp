// Minimises a function of several variables without derivatives by M. J. D. Powell's NEWUOA, as implemented in NLopt.
// NLopt calls the function itself; here the caller asks for the next point instead. Many minimisations can therefore
// run at the same time, and each can be repeated from a record of its values.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/thread.hpp"

namespace legato::dfr {

struct MinimiserOptions {
    double first_step = 0.1, last_step = 1e-4;  // first and last radius of the trust region
    int max_values = 500;
};

class Minimiser {
  public:
    // Needs at least two variables. Throws out_of_memory if no thread can be started.
    Minimiser(std::vector<double> start, const MinimiserOptions& options);
    ~Minimiser();
    Minimiser(const Minimiser&) = delete;
    Minimiser& operator=(const Minimiser&) = delete;

    // Returns the point where the next value is needed, first `start`; none when the minimiser has ended. The point
    // stays the same until tell().
    std::optional<std::vector<double>> next();
    // Takes the value of the function at that point. It must be finite.
    void tell(double value);

    // Returns true in a child of fork(), where this object can only be destroyed. Another minimiser that is told the
    // same values asks for the same points.
    bool lost() const { return thread_.lost(); }

    // These functions are valid once the minimiser has ended.
    bool values_used_up() const { return used_up_; }     // max_values was reached before last_step
    const char* why_failed() const { return failure_; }  // empty if it did not fail

  private:
    static double value_at(unsigned n, const double* x, double* gradient, void* self);
    void minimise();

    MinimiserOptions options_;
    std::vector<double> x_;      // working point of NLopt
    std::vector<double> point_;  // point where NLopt needs a value
    double value_ = 0;           // value at point_
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
