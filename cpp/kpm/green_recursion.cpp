#include "kpm/green_recursion.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/error.hpp"
#include "kpm/enclosure.hpp"

namespace legato::kpm {

GreenRecursion::GreenRecursion(Slots& slots, std::size_t left, std::span<const std::int64_t> sites, std::size_t count,
                               const Rescaling& rescaling, double step_rounding, std::int64_t sample,
                               std::span<double> moments)
    : slots_(&slots),
      sites_(sites),
      count_(count),
      numbers_(moments.size() / (left * count)),
      rescaling_(&rescaling),
      step_rounding_(step_rounding),
      sample_(sample),
      moments_(moments),
      elements_(left),
      own_(std::min(2 * count - 1, most_own)) {}

void GreenRecursion::perform(std::size_t count) {
    for (std::size_t i = 0; i < count && !has_failed(); ++i, ++n_) {
        if (n_ > 0) {
            // The other slot has no vector yet before the first step.
            slots_->apply(0, step_to(n_, *rescaling_), now_, n_ == 1 ? now_ : other_, other_);
            std::swap(now_, other_);
        }
        record();
        check();
    }
}

void GreenRecursion::record() {
    if (sites_.empty())
        slots_->products({first_left, elements_.size()}, {now_, 1}, elements_);
    else
        slots_->read(now_, sites_, elements_);
    for (std::size_t l = 0; l < elements_.size(); ++l) {
        double* const moment = moments_.data() + (l * count_ + n_) * numbers_;
        moment[0] = elements_[l].real();
        if (numbers_ == 2) moment[1] = elements_[l].imag();
    }
}

// Computes the moments 2 n - 1 and 2 n of the vector on the right.
void GreenRecursion::check() {
    std::array<std::complex<double>, 2> products;  // with slots 0 and 1
    if (n_ == 0)
        slots_->products({now_, 1}, {now_, 1}, std::span(products).subspan(now_, 1));
    else
        slots_->products({now_, 1}, {0, 2}, products);
    const double size = products[now_].real();
    if (n_ == 0) return check(0, size);
    const double overlap = products[other_].real();
    check(2 * n_ - 1, n_ == 1 ? overlap : 2 * overlap - own_[1]);
    check(2 * n_, 2 * size - own_[0]);
}

void GreenRecursion::check(std::size_t order, double moment) {
    if (order < own_.size()) own_[order] = moment;
    if (!has_failed() && !is_bounded(moment, own_[0], *rescaling_, step_rounding_, order))
        evidence_ = {sample_,
                     text("moment ", order, " of sample ", sample_, " is ", moment / own_[0], " times moment 0")};
}

}  // namespace legato::kpm
