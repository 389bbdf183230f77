// The caller's start vectors of the next round, made while a device computes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <vector>

#include "kpm/pages.hpp"
#include "kpm/problem.hpp"

namespace legato::kpm {

class VectorsAhead {
  public:
    // `numbers` is the number of real numbers of a vector.
    VectorsAhead(const StartVectorSource& source, std::int64_t numbers)
        : source_(source), numbers_(static_cast<std::size_t>(numbers)) {}

    // The vectors of the samples first .. end - 1 may be made ahead, as many as fit into `bytes` bytes of host memory.
    // Those of the round before have been taken.
    void expect(std::int64_t first, std::int64_t end, std::int64_t bytes);

    // Makes the next of these vectors, if one is left. take() throws what the source throws here.
    void make_next() noexcept;

    // Returns the vector of a sample: the one that has been made, or the one that the source now stores in `memory`.
    std::span<const double> take(std::int64_t sample, std::span<double> memory);

  private:
    const StartVectorSource& source_;
    std::size_t numbers_;
    std::int64_t first_ = 0;  // sample of vectors_[0]
    std::size_t made_ = 0;    // number of vectors that have been made
    std::vector<Pages<double>> vectors_;
    std::exception_ptr error_;  // of the sample after those
};

}  // namespace legato::kpm
