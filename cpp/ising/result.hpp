// The results of ising.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "statistics/estimate.hpp"

namespace legato::ising {

// The averages over all systems at one temperature. m = sum_x s_x / N; energies are per spin and in units of J. Errors
// allow for autocorrelation. They are NaN if they are unknown: for a single bin or a single microcanonical system, for
// values that have never changed, and for <m> if the run has not sampled both signs of m well.
struct Averages {
    std::int64_t bins_done = 0;  // number of bins of each system
    statistics::Estimate magnetisation, absolute_magnetisation, magnetisation_2,
        magnetisation_4;  // <m>, <|m|>, <m^2>, <m^4>
    statistics::Estimate energy;
    statistics::Estimate specific_heat;   // beta^2 N (<e^2> - <e>^2)
    statistics::Estimate susceptibility;  // N (<m^2> - <|m|>^2)
    statistics::Estimate binder;          // 1 - <m^4> / (3 <m^2>^2); NaN if m has always been 0
    // Integrated autocorrelation times, in sweeps. Those of a microcanonical run are within its systems. They are NaN
    // if they are unknown.
    statistics::Estimate energy_autocorrelation, magnetisation_autocorrelation;  // times of e and of |m|
    bool bins_are_short = false;           // a bin is shorter than 20 autocorrelation times, or these are unknown
    bool thermalisation_is_short = false;  // the same for the thermalisation
    // True if the means of the systems differ by more than their fluctuations explain, or if m does not fit the field.
    // The two members above are then also true.
    bool is_trapped = false;
    // Mean occupations of the levels 4, 8, 16, and the beta that follows from all of them; 0 without demons. demon_beta
    // is NaN if no demon has ever had any energy.
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

// The counts of Metropolis' attempts and flips, by the number of a site's neighbours that point as its spin does, and
// by its spin: [0 .. 2 dimensions][down, up].
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
