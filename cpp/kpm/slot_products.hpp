// Products of vectors on the CPU.
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

namespace legato::kpm {

// Vectors of `count` numbers, one every `stride` numbers. `count` is a multiple of 8. If lanes is 2, the elements are
// complex, with real and imaginary parts side by side.
struct VectorArray {
    const double* first;
    std::size_t stride, count, lanes;

    const double* operator[](std::size_t vector) const { return first + vector * stride; }
};

// Computes <l|r> for `lefts` vectors from number `left` on, and `rights` vectors from number `right` on, out[left]
// [right]. The sums are formed in chunks of the vectors, in segments of chunks, and over the segments. Their order does
// not depend on the threads or on the other vectors.
class SlotProducts {
  public:
    // Returns the bytes of the sums for up to `slots` vectors on a side.
    static std::size_t bytes(std::size_t count, std::size_t lanes, std::size_t slots);

    SlotProducts(const VectorArray& vectors, std::size_t slots, int threads);
    void operator()(std::size_t left, std::size_t lefts, std::size_t right, std::size_t rights,
                    std::span<std::complex<double>> out);

  private:
    void block(std::size_t left, std::size_t lefts, std::size_t right, std::size_t rights, std::size_t row,
               std::complex<double>* out);
    void piece(std::size_t segment, std::size_t left, std::size_t lefts, std::size_t right, std::size_t rights,
               double* sums) const;

    VectorArray vectors_;
    int threads_;
    std::vector<double> sums_;  // [segments][left][right][lanes] of a block
};

}  // namespace legato::kpm
