// The sums of a run's measurements over each bin, for each system.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/host_device.hpp"
#include "ising/problem.hpp"

namespace legato::ising {

// Returns a product that is not fused with a sum.
LEGATO_HOST_DEVICE inline double rounded_product(double a, double b) {
#ifdef __CUDA_ARCH__
    return __dmul_rn(a, b);
#else
    return a * b;
#endif
}

// The binned values of a measurement, by index: m, |m|, m^2, m^4, e, e^2 per spin; the demons' occupations of their
// levels, [3]; with clusters of all sites the improved m, m^2, m^4, [3]; <s_x s_(x + r)> by axes, as in MeasuredValues;
// |sum_x s_x exp(i k x)|^2 / N along the last axis with k = 2 pi / L.
struct BinnedValues {
    explicit BinnedValues(const Model& model);

    static constexpr std::size_t m = 0, absolute_m = 1, m_2 = 2, m_4 = 3, e = 4, e_2 = 5;
    std::size_t demons = 6, clusters = 6;
    std::array<std::size_t, 3> correlations{};
    std::size_t structure_factor = 0;
    std::size_t count = 6;
};

// Adds m and e of a measurement to the sums over a bin. The operations are not fused, so that the sums have the same
// bits on every backend.
LEGATO_HOST_DEVICE inline void add_to_bin(double magnetisation, double bonds, double sites, double field,
                                          double* sums) {
    const double m = magnetisation / sites, of_field = rounded_product(field, magnetisation),
                 e = -(bonds + of_field) / sites, m_2 = rounded_product(m, m),
                 m_4 = rounded_product(rounded_product(m_2, m), m);
    sums[BinnedValues::m] += m;
    sums[BinnedValues::absolute_m] += std::fabs(m);
    sums[BinnedValues::m_2] += m_2;
    sums[BinnedValues::m_4] += m_4;
    sums[BinnedValues::e] += e;
    sums[BinnedValues::e_2] += rounded_product(e, e);
}

class Bins {
  public:
    explicit Bins(const Model& model);

    const BinnedValues& values() const { return values_; }
    // Adds the measurements of some systems from number `first` on, in the engine's layout:
    // [measurements][systems][values].
    void add(std::span<const std::int64_t> measured, std::int64_t first, Systems systems, int threads);
    // Returns the sums over the current bin, [systems][values], for an engine that adds to them.
    std::span<double> sums(Systems systems) {
        return std::span(sums_).subspan(systems.first * values_.count, systems.count() * values_.count);
    }
    void close(std::int64_t bin, Systems systems);  // ends the current bin, whose sums are complete

    // Returns the means of a value over the bins done, for all systems of a temperature: [systems][bins].
    std::vector<double> means(std::size_t value, std::size_t beta) const;

    const std::vector<double>& done() const { return done_; }            // [bins][systems][values]
    const std::vector<double>& under_way() const { return sums_; }       // [systems][values]
    const std::vector<std::int64_t>& series() const { return series_; }  // [measurements][systems][2] M and bonds
    void restore(std::vector<double> done, std::vector<double> under_way, std::vector<std::int64_t> series);

  private:
    const Model& model_;
    BinnedValues values_;
    std::vector<double> done_, sums_, cosines_, sines_;
    std::vector<std::int64_t> series_;

    void keep_series(std::span<const std::int64_t> measured, std::int64_t first, Systems systems, int threads);
    void add_system(std::span<const std::int64_t> measured, std::span<double> sums) const;
    double structure_factor(std::span<const std::int64_t> planes) const;
};

}  // namespace legato::ising
