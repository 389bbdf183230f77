// Chebyshev's recursion for one vector r on the right of Green's functions: moments <l| T_n(H~) |r> with several
// vectors or sites on the left.
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

class GreenRecursion {
  public:
    // Slots 0 and 1 belong to the recursion; the others have the vectors on the left, if those are not sites.
    static constexpr std::size_t first_left = 2;

    // Slot 0 has the start vector. `left` vectors are on the left, or sites unless `sites` is empty. The moments are
    // [left][N][numbers of an element].
    GreenRecursion(Slots& slots, std::size_t left, std::span<const std::int64_t> sites, std::size_t count,
                   const Rescaling& rescaling, double step_rounding, std::int64_t sample, std::span<double> moments);

    std::int64_t sample() const { return sample_; }

    // Computes the next `count` moments. Does nothing after a failure.
    void perform(std::size_t count);

    // Returns true if a moment of the vector on the right is larger than its moment 0.
    bool has_failed() const { return !evidence_.text.empty(); }
    const Evidence& evidence() const { return evidence_; }

    // Returns moments <r|T_n|r>, for tests whether the bounds enclose the spectrum.
    std::span<const double> own_moments() const { return own_; }

  private:
    static constexpr std::size_t most_own = 4096;

    void record();
    void check();
    void check(std::size_t order, double moment);

    Slots* slots_;
    std::span<const std::int64_t> sites_;
    std::size_t count_, numbers_;
    const Rescaling* rescaling_;
    double step_rounding_;
    std::int64_t sample_;
    std::span<double> moments_;
    std::size_t n_ = 0;                           // the next order
    std::size_t now_ = 0, other_ = 1;             // slots of T_n r, and of the one before
    std::vector<std::complex<double>> elements_;  // [left]
    std::vector<double> own_;
    Evidence evidence_;
};

}  // namespace legato::kpm
