#include "kpm/double_recursion.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.hpp"

namespace legato::kpm {
namespace {

constexpr std::size_t piece_vectors = 64;  // on a side: products of fewer vectors would take longer

}  // namespace

std::size_t most_slots(std::size_t moments) {
    return other_slots + moments + std::min(moments, piece_vectors);
}

BlockSizes sizes_of_blocks(std::size_t moments, std::size_t slots) {
    const std::size_t both = slots - other_slots, beside_all = both > moments ? both - moments : 0;
    const std::size_t right = std::min({moments, piece_vectors, std::max({both / 4, beside_all, std::size_t{2}})});
    return {std::min(moments, both - right), right};
}

std::vector<Piece> pieces_of(std::size_t moments, const BlockSizes& sizes, std::size_t products_at_once) {
    std::vector<Piece> pieces;
    const auto range = [](std::size_t first, std::size_t size, std::size_t end) {
        return SlotRange{first, std::min(size, end - first)};
    };
    for (std::size_t m = 0; m < moments; m += sizes.left) {
        const std::size_t end = std::min(m + sizes.left, moments);
        for (std::size_t k = m; k < end; k += piece_vectors)
            pieces.push_back({Piece::Kind::left, range(k, piece_vectors, end), {}});
        for (std::size_t n = 0; n < moments; n += sizes.right) {
            const SlotRange right = range(n, sizes.right, moments);
            pieces.push_back({Piece::Kind::right, {}, right});
            for (std::size_t k = m; k < end; k += products_at_once)
                pieces.push_back({Piece::Kind::products, range(k, products_at_once, end), right});
        }
    }
    return pieces;
}

DoubleRecursion::DoubleRecursion(Slots& slots, std::size_t a, std::size_t b, std::size_t moments,
                                 const BlockSizes& sizes, const Rescaling& rescaling, double step_rounding,
                                 std::int64_t sample)
    : slots_(&slots),
      a_(a),
      b_(b),
      sizes_(sizes),
      rescaling_(&rescaling),
      step_rounding_(step_rounding),
      sample_(sample),
      moments_(moments) {}

void DoubleRecursion::perform(const Piece& piece, std::span<std::complex<double>> products) {
    if (has_failed()) return;
    if (piece.kind == Piece::Kind::left)
        compute_left(piece.left);
    else if (piece.kind == Piece::Kind::right)
        compute_right(piece.right);
    else
        multiply(piece, products);
}

void DoubleRecursion::compute_left(const SlotRange& orders) {
    for (std::size_t m = orders.first; m < orders.first + orders.count; ++m) {
        if (m == 0) {
            slots_->apply(a_, {1, 0, 0}, start, start, now_);
        } else {
            slots_->apply(0, step_to(m, *rescaling_), now_, other_, other_);
            std::swap(now_, other_);
        }
        if (m == 0) left_norm2_ = norm2_of(now_);
        slots_->apply(b_, {1, 0, 0}, now_, now_, left_slot(m));
    }
    // <T_m A r|T_m A r> is half the sum of the moments 0 and 2 m of A r.
    const std::size_t last = orders.first + orders.count - 1;
    const double norm2 = norm2_of(now_);
    if (!is_bounded(2 * norm2 - left_norm2_, left_norm2_, *rescaling_, step_rounding_, 2 * last))
        evidence_ = {sample_, text("the squared norm of T_", last, " A r of sample ", sample_, " is ",
                                   norm2 / left_norm2_, " times that of A r")};
}

double DoubleRecursion::norm2_of(std::size_t slot) {
    std::complex<double> product;
    slots_->products({slot, 1}, {slot, 1}, {&product, 1});
    return product.real();
}

void DoubleRecursion::compute_right(const SlotRange& orders) {
    for (std::size_t n = orders.first; n < orders.first + orders.count; ++n)
        if (n == 0)
            slots_->apply(0, {0, 1, 0}, start, start, right_slot(n));  // a copy
        else
            slots_->apply(0, step_to(n, *rescaling_), right_slot(n - 1), right_slot(n + sizes_.right - 2),
                          right_slot(n));
    if (orders.first < moments_done_) return;
    some_.resize(orders.count);
    slots_->products({start, 1}, {right_slot(orders.first), orders.count}, some_);
    for (std::size_t i = 0; i < orders.count; ++i) {
        const std::size_t n = orders.first + i;
        moments_[n] = some_[i].real();
        if (!has_failed() && !is_bounded(moments_[n], moments_[0], *rescaling_, step_rounding_, n))
            evidence_ = {sample_, text("moment ", n, " of sample ", sample_, " is ", moments_[n] / moments_[0],
                                       " times moment 0")};
    }
    moments_done_ = orders.first + orders.count;
}

void DoubleRecursion::multiply(const Piece& piece, std::span<std::complex<double>> products) {
    const auto& [kind, left, right] = piece;
    some_.resize(left.count * right.count);
    slots_->products({left_slot(left.first), left.count}, {right_slot(right.first), right.count}, some_);
    for (std::size_t m = 0; m < left.count; ++m)
        std::copy_n(some_.data() + m * right.count, right.count,
                    products.data() + (left.first + m) * moments_.size() + right.first);
}

}  // namespace legato::kpm
