// The recursions of a double expansion for one start vector r,
//     <r| A T_m(H~) B T_n(H~) |r> = <B T_m(H~) A r | T_n(H~) r>,    m, n = 0 .. N - 1.
// The vectors on the left and on the right are computed in blocks, which take slots. If not all vectors on the left
// fit, those on the right are computed again for each block on the left.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kpm/bounds.hpp"
#include "kpm/recursion.hpp"
#include "kpm/slots.hpp"

namespace legato::kpm {

// The numbers of vectors of the blocks on both sides.
struct BlockSizes {
    std::size_t left = 0, right = 0;
};

// Slots: r, two vectors of the recursion on the left, and both blocks.
inline constexpr std::size_t other_slots = 3;
inline constexpr std::size_t least_slots = other_slots + 1 + 2;
// Returns the number of slots with which no vector is computed twice.
std::size_t most_slots(std::size_t moments);
// Returns the sizes of the blocks for this number of slots, at least least_slots.
BlockSizes sizes_of_blocks(std::size_t moments, std::size_t slots);

// A piece of the work for a start vector: the vectors of these orders on one side, or the products of some of them.
// Between pieces progress is reported. A piece of products has up to `products_at_once` vectors on the left.
struct Piece {
    enum class Kind { left, right, products } kind;
    SlotRange left, right;  // orders m and n
};
std::vector<Piece> pieces_of(std::size_t moments, const BlockSizes& sizes, std::size_t products_at_once);

class DoubleRecursion {
  public:
    // H is operator 0 of the slots. Slot 0 has the start vector. `a` and `b` are the numbers of the operators A and B.
    DoubleRecursion(Slots& slots, std::size_t a, std::size_t b, std::size_t moments, const BlockSizes& sizes,
                    const Rescaling& rescaling, double step_rounding, std::int64_t sample);

    std::int64_t sample() const { return sample_; }

    // Performs the next piece. Does nothing after a failure. `products` are those of all orders, [m][n].
    void perform(const Piece& piece, std::span<std::complex<double>> products);

    // Returns true if a vector has become too long.
    bool has_failed() const { return !evidence_.text.empty(); }
    const Evidence& evidence() const { return evidence_; }

    // Returns <r|T_n|r>, [N].
    std::span<const double> moments() const { return moments_; }

  private:
    static constexpr std::size_t start = 0;  // slot

    void compute_left(const SlotRange& orders);
    void compute_right(const SlotRange& orders);
    void multiply(const Piece& piece, std::span<std::complex<double>> products);
    double norm2_of(std::size_t slot);
    std::size_t left_slot(std::size_t m) const { return other_slots + m % sizes_.left; }
    std::size_t right_slot(std::size_t n) const { return other_slots + sizes_.left + n % sizes_.right; }

    Slots* slots_;
    std::size_t a_, b_;
    BlockSizes sizes_;
    const Rescaling* rescaling_;
    double step_rounding_;
    std::int64_t sample_;
    double left_norm2_ = 0;            // of A r
    std::size_t now_ = 1, other_ = 2;  // slots of T_m A r, and of the one before
    std::vector<double> moments_;
    std::size_t moments_done_ = 0;
    std::vector<std::complex<double>> some_;  // products of a piece
    Evidence evidence_;
};

}  // namespace legato::kpm
