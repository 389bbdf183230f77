#include "dfr/minimiser.hpp"

#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <type_traits>
#include <utility>

#include "core/error.hpp"

namespace legato::dfr {
namespace {

struct DestroyOptimiser {
    void operator()(nlopt_opt optimiser) const { nlopt_destroy(optimiser); }
};
// NLopt ends at a value below `lowest`, but not at a value equal to it.
constexpr double lowest = -0.5 * std::numeric_limits<double>::max(), stopping_value = 2.0 * lowest;

using Optimiser = std::unique_ptr<std::remove_pointer_t<nlopt_opt>, DestroyOptimiser>;

}  // namespace

Minimiser::Minimiser(std::vector<double> start, const MinimiserOptions& options)
    : options_(options), x_(start), point_(std::move(start)) {
    const std::size_t n = x_.size();
    for (std::size_t i = 0; i < n && !options_.metric.empty(); ++i)
        x_[i] = std::inner_product(point_.begin() + static_cast<std::ptrdiff_t>(i), point_.end(),
                                   options_.metric.begin() + static_cast<std::ptrdiff_t>(i * n + i), 0.0);
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

void Minimiser::tell(double value, std::vector<double> gradient) {
    {
        const std::lock_guard lock(synchronisation_->mutex);
        value_ = value;
        gradient_ = std::move(gradient);
        told_ = true;
    }
    synchronisation_->changed.notify_all();
}

// Solves R point = u.
void Minimiser::take_point(const double* u) {
    const std::size_t n = point_.size();
    std::copy_n(u, n, point_.begin());
    const double* const r = options_.metric.data();
    for (std::size_t i = n; !options_.metric.empty() && i-- > 0;) {
        for (std::size_t j = i + 1; j < n; ++j) point_[i] -= r[i * n + j] * point_[j];
        point_[i] /= r[i * n + i];
    }
}

// Solves R^T g = gradient, which gives the derivatives with respect to R times the variables.
void Minimiser::scale_gradient() {
    const std::size_t n = gradient_.size();
    const double* const r = options_.metric.data();
    for (std::size_t i = 0; !options_.metric.empty() && i < n; ++i) {
        for (std::size_t j = 0; j < i; ++j) gradient_[i] -= r[j * n + i] * gradient_[j];
        gradient_[i] /= r[i * n + i];
    }
}

// NLopt's BFGS compares the number of values with the largest one only between its steps.
double Minimiser::value_at(unsigned n, const double* x, double* gradient, void* user) {
    auto& self = *static_cast<Minimiser*>(user);
    std::unique_lock lock(self.synchronisation_->mutex);
    if (self.values_ == self.options_.max_values) {
        self.used_up_ = true;
    } else {
        self.take_point(x);
        self.asked_ = true;
        self.synchronisation_->changed.notify_all();
        self.synchronisation_->changed.wait(lock, [&self] { return self.told_ || self.stopping_; });
        self.asked_ = self.told_ = false;
        ++self.values_;
    }
    if (self.stopping_ || self.used_up_) {
        if (gradient) std::fill_n(gradient, n, 0.0);
        return stopping_value;
    }
    if (!gradient) return self.value_;
    self.scale_gradient();
    if (self.scale_ == 0) {
        const double norm =
            std::sqrt(std::inner_product(self.gradient_.begin(), self.gradient_.end(), self.gradient_.begin(), 0.0));
        self.scale_ = norm > 0 ? self.options_.first_step / norm : 1.0;
    }
    for (unsigned i = 0; i < n; ++i) gradient[i] = self.scale_ * self.gradient_[i];
    return self.scale_ * self.value_;
}

// Returns an nlopt_result.
int Minimiser::run(double& minimum) {
    const bool newuoa = options_.method == OptimiserMethod::newuoa;
    const auto variables = static_cast<unsigned>(x_.size());
    const Optimiser optimiser(nlopt_create(newuoa ? NLOPT_LN_NEWUOA : NLOPT_LD_LBFGS, variables));
    if (!optimiser) return NLOPT_OUT_OF_MEMORY;
    nlopt_result outcome = NLOPT_SUCCESS;
    const auto set = [&outcome](nlopt_result result) {
        if (outcome > 0) outcome = result;
    };
    set(nlopt_set_min_objective(optimiser.get(), value_at, this));
    set(nlopt_set_maxeval(optimiser.get(), options_.max_values));
    set(nlopt_set_stopval(optimiser.get(), lowest));
    if (newuoa) {
        set(nlopt_set_initial_step1(optimiser.get(), options_.first_step));
        set(nlopt_set_xtol_abs1(optimiser.get(), options_.last_step));
    } else {
        constexpr unsigned pairs = 40;  // number of steps and changes of the gradient that are kept
        set(nlopt_set_vector_storage(optimiser.get(), pairs));
        set(nlopt_set_ftol_rel(optimiser.get(), options_.tolerance));
    }
    return outcome > 0 ? nlopt_optimize(optimiser.get(), x_.data(), &minimum) : outcome;
}

void Minimiser::minimise() {
    double minimum = 0;
    const auto outcome = static_cast<nlopt_result>(run(minimum));
    const std::lock_guard lock(synchronisation_->mutex);
    used_up_ = used_up_ || outcome == NLOPT_MAXEVAL_REACHED;
    if (outcome < 0 && outcome != NLOPT_ROUNDOFF_LIMITED) failure_ = nlopt_result_to_string(outcome);
    ended_ = true;
    synchronisation_->changed.notify_all();
}

}  // namespace legato::dfr
