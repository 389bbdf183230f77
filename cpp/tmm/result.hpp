// Result of the transfer-matrix method for one point.
#pragma once

#include <cstdint>
#include <vector>

namespace legato::tmm {

enum class PointStatus : int {
    waiting = 0,        // not begun
    running = 1,        // begun; the results so far can be read
    converged = 2,      // relative error of the smallest exponent <= epsilon
    not_converged = 3,  // max_multiplications reached first
    failed = 4,         // overflow or loss of rank within one cycle: n_ortho is too large; earlier cycles count
    imprecise = 5,      // the columns grow too far apart in a single multiplication (precision.hpp)
    paused = 6,         // in an engine: the replica has the number of cycles at which it waits for the others
};

inline bool is_finished(PointStatus status) {
    return static_cast<int>(status) >= 2 && status != PointStatus::paused;
}

inline bool is_under_way(PointStatus status) {
    return status == PointStatus::running || status == PointStatus::paused;
}

struct PointResult {
    PointStatus status = PointStatus::waiting;
    std::int64_t cycles = 0;        // orthonormalisations counted
    std::vector<double> exponents;  // [sites] per slice, smallest first; zeros while waiting
    std::vector<double> errors;     // [sites] relative standard errors, in the same order; NaN if unknown
};

}  // namespace legato::tmm
