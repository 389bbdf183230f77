#include "kpm/recursion.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/ranks.hpp"

namespace legato::kpm {

Step step_to(std::size_t order, const Rescaling& rescaling) {
    const double a = 1 / rescaling.half_width, b = -rescaling.centre / rescaling.half_width;
    return order == 1 ? Step{a, b, 0} : Step{2 * a, 2 * b, -1};
}

Evidence first_of_ranks(const Context& context, Evidence own) {
    const std::vector<std::int64_t> samples = gather_value(context, own.sample);
    const std::int64_t first = *std::min_element(samples.begin(), samples.end());
    if (context.ranks() == 1 || first == Evidence{}.sample) return own;
    if (own.sample != first) own.text.clear();
    const std::vector<char> text = gather_list<char>(context, own.text);
    return {first, {text.begin(), text.end()}};
}

Recursion::Recursion(Engine& engine, const Block& block, std::int64_t first, const Rescaling& rescaling,
                     double step_rounding, std::span<double> moments)
    : engine_(&engine),
      block_(block),
      first_(first),
      rescaling_(&rescaling),
      step_rounding_(step_rounding),
      moments_(moments),
      beyond_(static_cast<std::size_t>(block.width)) {}

void Recursion::perform(std::size_t count) {
    if (has_failed()) return;
    const std::size_t width = beyond_.size(), all = steps_of(moments_.size() / width);
    Step step = step_to(done_ + 1, *rescaling_);
    step.keep = done_ + 1 < all;  // the last one gives no new vector
    xx_.resize(count * width);
    yx_.resize(count * width);
    engine_->steps(step, static_cast<int>(count), xx_, yx_);
    for (std::size_t i = 0; i < count * width; ++i) set_moments(i % width, 2 * (done_ + i / width), xx_[i], yx_[i]);
    done_ += count;
}

// Sets the moments n and n + 1 of a vector; n is even.
void Recursion::set_moments(std::size_t vector, std::size_t n, double xx, double yx) {
    const std::size_t count = moments_.size() / beyond_.size();
    const std::span<double> mu = moments_.subspan(vector * count, count);
    const auto set = [&](std::size_t i, double moment) {
        mu[i] = moment;
        if (beyond_[vector].n == 0 && !is_bounded(moment, mu[0], *rescaling_, step_rounding_, i))
            beyond_[vector] = {i, moment / mu[0]};
    };
    set(n, n == 0 ? xx : 2 * xx - mu[0]);
    if (n + 1 < mu.size()) set(n + 1, n == 0 ? yx : 2 * yx - mu[1]);
}

Evidence Recursion::evidence(std::int64_t of_sample) const {
    for (std::size_t v = 0; v < beyond_.size(); ++v) {
        const Beyond& beyond = beyond_[v];
        const std::int64_t vector = first_ + static_cast<std::int64_t>(v);
        if (beyond.n > 0)
            return {vector, text("moment ", beyond.n, " of sample ", vector / of_sample, " is ", beyond.ratio,
                                 " times moment 0")};
    }
    return {};
}

}  // namespace legato::kpm
