#include "dfr/minimiser.hpp"

#include <nlopt.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>

#include "core/error.hpp"

namespace legato::dfr {
namespace {

struct DestroyOptimiser {
    void operator()(nlopt_opt optimiser) const { nlopt_destroy(optimiser); }
};
// NLopt's NEWUOA ends at a value below `lowest`, but not at a value equal to it.
constexpr double lowest = -0.5 * std::numeric_limits<double>::max(), stopping_value = 2.0 * lowest;

using Optimiser = std::unique_ptr<std::remove_pointer_t<nlopt_opt>, DestroyOptimiser>;

}  // namespace

Minimiser::Minimiser(std::vector<double> start, const MinimiserOptions& options)
    : options_(options), x_(std::move(start)), point_(x_) {
    if (!thread_.start([](void* self) { static_cast<Minimiser*>(self)->minimise(); }, this))
        fail(Status::out_of_memory, "dfr: optimiser: the system cannot start a thread for a minimisation");
}

Minimiser::~Minimiser() {
    if (lost()) {
        static_cast<void>(synchronisation_.release());  // its destructor would wait for ever for the missing thread
        return;
    }
    {
        const std::lock_guard lock(synchronisation_->mutex);
        stopping_ = true;
    }
    synchronisation_->changed.notify_all();
}

std::optional<std::vector<double>> Minimiser::next() {
    std::unique_lock lock(synchronisation_->mutex);
    synchronisation_->changed.wait(lock, [this] { return ended_ || (asked_ && !told_); });
    if (ended_) return std::nullopt;
    return point_;
}

void Minimiser::tell(double value) {
    {
        const std::lock_guard lock(synchronisation_->mutex);
        value_ = value;
        told_ = true;
    }
    synchronisation_->changed.notify_all();
}

double Minimiser::value_at(unsigned n, const double* x, double* /*gradient*/, void* user) {
    auto& self = *static_cast<Minimiser*>(user);
    std::unique_lock lock(self.synchronisation_->mutex);
    std::copy_n(x, n, self.point_.begin());
    self.asked_ = true;
    self.synchronisation_->changed.notify_all();
    self.synchronisation_->changed.wait(lock, [&self] { return self.told_ || self.stopping_; });
    self.asked_ = self.told_ = false;
    return self.stopping_ ? stopping_value : self.value_;
}

void Minimiser::minimise() {
    const Optimiser optimiser(nlopt_create(NLOPT_LN_NEWUOA, static_cast<unsigned>(x_.size())));
    nlopt_result outcome = optimiser ? NLOPT_SUCCESS : NLOPT_OUT_OF_MEMORY;
    const auto carry_on = [&outcome](nlopt_result result) {
        outcome = result;
        return outcome > 0;
    };
    double minimum = 0;
    if (optimiser && carry_on(nlopt_set_min_objective(optimiser.get(), value_at, this)) &&
        carry_on(nlopt_set_initial_step1(optimiser.get(), options_.first_step)) &&
        carry_on(nlopt_set_xtol_abs1(optimiser.get(), options_.last_step)) &&
        carry_on(nlopt_set_maxeval(optimiser.get(), options_.max_values)) &&
        carry_on(nlopt_set_stopval(optimiser.get(), lowest)))
        outcome = nlopt_optimize(optimiser.get(), x_.data(), &minimum);
    const std::lock_guard lock(synchronisation_->mutex);
    used_up_ = outcome == NLOPT_MAXEVAL_REACHED;
    if (outcome < 0 && outcome != NLOPT_ROUNDOFF_LIMITED) failure_ = nlopt_result_to_string(outcome);
    ended_ = true;
    synchronisation_->changed.notify_all();
}

}  // namespace legato::dfr
