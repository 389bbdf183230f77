// What the Ising room gives.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "statistics/estimate.hpp"

namespace legato::ising {

// Of all systems at one temperature; m = sum_x s_x / N, energies per spin and in units of J. Errors allow for
// autocorrelation, and are NaN where they are unknown: of a single bin or a single microcanonical system, of what has
// never changed, of <m> where its sign has not been sampled.
struct Averages {
    std::int64_t bins_done = 0;  // of each system
    statistics::Estimate magnetisation, absolute_magnetisation, magnetisation_2,
        magnetisation_4;  // <m>, <|m|>, <m^2>, <m^4>
    statistics::Estimate energy;
    statistics::Estimate specific_heat;   // beta^2 N (<e^2> - <e>^2)
    statistics::Estimate susceptibility;  // N (<m^2> - <|m|>^2)
    statistics::Estimate binder;          // 1 - <m^4> / (3 <m^2>^2); NaN where m has always been 0
    // Integrated times, in sweeps, of a microcanonical run within its systems; NaN where they are unknown.
    statistics::Estimate energy_autocorrelation, magnetisation_autocorrelation;  // of e, of |m|
    bool bins_are_short = false;           // a bin is shorter than 20 autocorrelation times, or these are unknown
    bool thermalisation_is_short = false;  // the discarded part is
    bool is_trapped = false;  // systems differ by more than they fluctuate, or m does not fit the field: both are short
    // Demons only, else 0: the mean occupation of the levels 4, 8, 16, and beta from all of them, which is NaN where no
    // demon has ever held any energy.
    std::array<statistics::Estimate, 3> demon_occupation{statistics::exactly_zero, statistics::exactly_zero,
                                                         statistics::exactly_zero};
    statistics::Estimate demon_beta = statistics::exactly_zero;
};

// Every measurement of one system.
struct TimeSeries {
    std::vector<double> magnetisation, energy;  // per spin
};

// <s_x s_(x + r)> along an axis, r = 0 .. L / 2.
using CorrelationFunction = std::vector<statistics::Estimate>;

// Of Metropolis' attempts, by the number of a site's neighbours that point as its spin does, and by its spin:
// [0 .. 2 dimensions][down, up].
struct AcceptanceCounts {
    std::array<std::array<std::int64_t, 2>, 7> attempts{}, flips{};

    AcceptanceCounts& operator+=(const AcceptanceCounts& other) {
        for (std::size_t c = 0; c < attempts.size(); ++c) {
            for (std::size_t s = 0; s < 2; ++s) {
                attempts[c][s] += other.attempts[c][s];
                flips[c][s] += other.flips[c][s];
            }
        }
        return *this;
    }
    bool operator==(const AcceptanceCounts&) const = default;
};

}  // namespace legato::ising
