// Averages at any temperature from runs at one or several temperatures (A. M. Ferrenberg and R. H. Swendsen, Phys. Rev.
// Lett. 61, 2635 (1988) and 63, 1195 (1989)). The runs have the same lattice and field.
//
// A measurement with energy E contributes to averages at beta with the weight
//
//     w(E) = exp(-beta E) / sum_k N_k exp(f_k - beta_k E),
//
// where run k has N_k measurements at beta_k, and exp(-f_k) is its partition function, up to a common factor. The f_k
// follow from the condition that the weights reproduce the runs. They maximise a concave likelihood, which Newton's
// method does in a few steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "statistics/estimate.hpp"

namespace legato::ising {

// The measurements of a run, in their order.
struct RunSeries {
    double beta = 0;
    std::vector<double> magnetisation, energy;  // m and e per spin, in units of J
};

// Averages at a temperature, as in result.hpp. All errors are NaN if `is_far` is true.
struct Reweighted {
    statistics::Estimate energy, specific_heat, absolute_magnetisation, magnetisation_2, magnetisation_4,
        susceptibility, binder;
    statistics::Estimate binder_slope;         // dU / dbeta
    statistics::Estimate magnetisation_slope;  // d ln <|m|> / dbeta
    // The number of equal weights that would fluctuate as much: (sum w)^2 / sum w^2.
    double measurements = 0;
    // There are fewer than 20 such measurements for each block of the jackknife: beta is too far from the runs.
    bool is_far = false;
};

// A place where a quantity has its maximum, or has a given value. `is_far` is that of Reweighted at this beta; it is
// false if there is no such place.
struct ReweightedPoint {
    statistics::Estimate beta, value;
    bool is_far = false;
};

enum class ReweightingQuantity : int {
    specific_heat = 0,
    susceptibility = 1,
    binder = 2,
    binder_slope = 3,
    magnetisation_slope = 4,
};

class Reweighting {
  public:
    using Quantity = ReweightingQuantity;

    static constexpr std::int64_t max_sites = std::int64_t{1} << 37, max_measurements = 1'000'000'000;
    static constexpr int max_runs = 1000, max_blocks = 1000;

    // Errors come from the jackknife over blocks of successive measurements, of all runs at the same time. A block
    // should have at least 20 autocorrelation times. Measurements that are left over are not used. Throws an
    // invalid_argument if an argument is out of its range, if a run has fewer measurements than there are blocks, or if
    // the energies of the runs do not overlap.
    Reweighting(std::int64_t sites, std::span<const RunSeries> runs, int blocks = 32);

    // Throws unless there may be runs with so many measurements.
    static void require_lengths(std::span<const std::int64_t> measurements, int blocks);

    Reweighted at(double beta) const;
    // Finds the maximum of a quantity between two temperatures. The estimate is NaN if the quantity is largest at one
    // of them.
    ReweightedPoint maximum(Quantity quantity, double low, double high) const;

    // Finds the beta between two at which a quantity is the same in both lattices. It is NaN if there is none, or if
    // the difference has the same sign at both ends.
    static ReweightedPoint crossing(const Reweighting& a, const Reweighting& b, Quantity quantity, double low,
                                    double high);

    std::span<const double> betas() const { return betas_; }

  private:
    static constexpr std::size_t sums = 4;  // of 1, |m|, m^2, m^4

    // Sums over measurements by their energies.
    struct Histogram {
        std::vector<double> of_level;       // [levels][sums]
        std::vector<double> counts;         // of measurements of each run
        std::vector<double> free_energies;  // f_k
    };
    // The sums of a block, and the f_k without it. If every measurement has an energy of its own, as in a field, then a
    // table of all energies for each block would not fit into memory.
    struct Block {
        std::vector<std::size_t> levels;  // those that occur in the block, ascending
        std::vector<double> of_level;     // [levels of the block][sums]
        std::vector<double> counts, free_energies;
    };
    struct Moments {
        double e = 0, e_2 = 0, m = 0, m_2 = 0, m_4 = 0, e_m = 0, e_m_2 = 0, e_m_4 = 0, measurements = 0;
    };

    void sum_up(std::span<const RunSeries> runs);
    void estimate_free_energies(std::span<const RunSeries> runs);
    Histogram without(const Block& block) const;
    double shares(const Histogram& histogram, std::size_t level, std::span<double> share) const;
    struct Expected;
    Expected expected(const Histogram& histogram) const;
    std::vector<double> newton_step(const Expected& sum, const Histogram& histogram) const;
    void solve(Histogram& histogram) const;
    Moments moments(const Histogram& histogram, double beta) const;
    double value(const Moments& moments, double beta, Quantity quantity) const;
    double value(const Histogram& histogram, double beta, Quantity quantity) const {
        return value(moments(histogram, beta), beta, quantity);
    }
    bool are_few(double measurements) const;
    bool is_far(double beta) const;
    template <class Function>
    auto estimates(const Function& function) const;
    void require_overlap() const;

    double sites_, lowest_ = 0;
    std::vector<double> betas_, levels_;  // of runs; the energies E that have been measured, minus the lowest
    std::vector<Block> blocks_;
    Histogram all_;
};

}  // namespace legato::ising
