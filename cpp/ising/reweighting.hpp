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
#include <functional>
#include <span>
#include <vector>

#include "statistics/estimate.hpp"

namespace legato::ising {

// The measurements of a run, in their order.
struct RunSeries {
    double beta = 0;
    std::vector<double> magnetisation, energy;  // m and e per spin, in units of J
};

// Averages at a temperature, as in result.hpp.
struct Reweighted {
    statistics::Estimate energy, specific_heat, absolute_magnetisation, magnetisation_2, magnetisation_4,
        susceptibility, binder;
    statistics::Estimate binder_slope;         // dU / dbeta
    statistics::Estimate magnetisation_slope;  // d ln <|m|> / dbeta
    // The number of equal weights that would fluctuate as much: (sum w)^2 / sum w^2. If it is small, beta is too far
    // from the runs.
    double measurements = 0;
};

// A place where a quantity has its maximum, or has a given value.
struct ReweightedPoint {
    statistics::Estimate beta, value;
};

class Reweighting {
  public:
    enum class Quantity { specific_heat, susceptibility, binder, binder_slope, magnetisation_slope };

    // `sites` is the number of sites. Errors come from the jackknife over so many blocks of successive measurements, of
    // all runs at the same time. A block should have at least 20 autocorrelation times. Measurements that are left over
    // are not used. Throws an invalid_argument if a run has too few or infinite values, or if the energies of the runs
    // do not overlap.
    Reweighting(double sites, std::span<const RunSeries> runs, std::size_t blocks = 32);

    Reweighted at(double beta) const;
    // Finds the maximum of a quantity between two temperatures. The estimate is NaN if it is at one of them.
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
        std::vector<double> of_level;         // [levels][sums]
        std::vector<double> counts;           // of measurements of each run
        std::vector<double> free_energies{};  // f_k
    };
    struct Moments {
        double e = 0, e_2 = 0, m = 0, m_2 = 0, m_4 = 0, e_m = 0, e_m_2 = 0, e_m_4 = 0, measurements = 0;
    };

    Histogram without(std::size_t block) const;
    double shares(const Histogram& histogram, std::size_t level, std::span<double> share) const;
    struct Expected;
    Expected expected(const Histogram& histogram) const;
    static std::vector<double> newton_step(const Expected& sum, const Histogram& histogram);
    void solve(Histogram& histogram) const;
    Moments moments(const Histogram& histogram, double beta) const;
    double value(const Histogram& histogram, double beta, Quantity quantity) const;
    statistics::Estimate estimate(const std::function<double(const Histogram&)>& function) const;
    void require_overlap() const;

    double sites_, lowest_;
    std::vector<double> betas_, levels_;  // of runs; the energies E that have been measured, minus the lowest
    std::vector<Histogram> blocks_, without_;
    Histogram all_;
};

}  // namespace legato::ising
