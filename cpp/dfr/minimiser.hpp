// Minimises a function of several variables without derivatives by M. J. D. Powell's NEWUOA, as NLopt has it, with the
// roles exchanged: NLopt calls a function, here the caller asks for the next point, so that many minimisations can be
// carried on side by side and each can be repeated from a record of its values.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/thread.hpp"

namespace legato::dfr {

struct MinimiserOptions {
    double first_step = 0.1, last_step = 1e-4;  // radii of the trust region
    int max_values = 500;
};

class Minimiser {
  public:
    // At least two variables. Throws out_of_memory where no thread is to be had.
    Minimiser(std::vector<double> start, const MinimiserOptions& options);
    ~Minimiser();
    Minimiser(const Minimiser&) = delete;
    Minimiser& operator=(const Minimiser&) = delete;

    // Where the function is wanted next, the start at first; none when the minimiser has ended. The same until told.
    std::optional<std::vector<double>> next();
    // The function there: a finite number, however bad.
    void tell(double value);

    // In a child of fork() it can only be destroyed: another one that is told the same will ask the same.
    bool lost() const { return thread_.lost(); }

    // Once it has ended.
    bool values_used_up() const { return used_up_; }     // max_values came before last_step
    const char* why_failed() const { return failure_; }  // empty: it did not

  private:
    static double value_at(unsigned n, const double* x, double* gradient, void* self);
    void minimise();

    MinimiserOptions options_;
    std::vector<double> x_;      // where NLopt works
    std::vector<double> point_;  // where it wants a value
    double value_ = 0;           // there
    struct Turns {
        std::mutex mutex;
        std::condition_variable changed;
    };
    std::unique_ptr<Turns> turns_ = std::make_unique<Turns>();
    bool asked_ = false, told_ = false, ended_ = false, stopping_ = false, used_up_ = false;
    const char* failure_ = "";
    Thread thread_;  // NLopt's own, where nothing may throw
};

}  // namespace legato::dfr
