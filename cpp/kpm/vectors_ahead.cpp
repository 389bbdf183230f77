#include "kpm/vectors_ahead.hpp"

#include <algorithm>
#include <utility>

namespace legato::kpm {

void VectorsAhead::expect(std::int64_t first, std::int64_t end, std::int64_t bytes) {
    if (first != first_) {
        first_ = first;
        made_ = 0;
        error_ = nullptr;
    }
    const auto each = static_cast<std::int64_t>(numbers_ * sizeof(double));
    vectors_.resize(std::max(made_, static_cast<std::size_t>(std::min(end - first, bytes / each))));
}

void VectorsAhead::make_next() noexcept {
    if (error_ || made_ == vectors_.size()) return;
    try {
        Pages<double>& vector = vectors_[made_];
        if (vector.empty()) vector = Pages<double>(numbers_);
        source_(first_ + static_cast<std::int64_t>(made_), vector);
        ++made_;
    } catch (...) {
        error_ = std::current_exception();
    }
}

std::span<const double> VectorsAhead::take(std::int64_t sample, std::span<double> memory) {
    const std::int64_t number = sample - first_, made = static_cast<std::int64_t>(made_);
    if (number >= 0 && number < made) return vectors_[static_cast<std::size_t>(number)];
    if (number == made && error_) std::rethrow_exception(std::exchange(error_, nullptr));
    source_(sample, memory);
    return memory;
}

}  // namespace legato::kpm
