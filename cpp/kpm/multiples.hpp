// Sums of multiples of the vectors x of a block, on the CPU.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "kpm/pages.hpp"

namespace legato::kpm {

// Each sum has the layout of the panels of x without halos. Sites count from 0 in the slab.
template <class Real>
class MultiplesOfVectors {
  public:
    MultiplesOfVectors(int sums, std::size_t sites, int block_width)
        : sites_(sites),
          sums_(static_cast<std::size_t>(sums)),
          size_(sites * static_cast<std::size_t>(block_width)),
          z_(sums_ * size_) {}

    // Sets the sums of these sites to zero.
    template <class Panel>
    void clear(const Panel& panel, std::size_t first, std::size_t last) {
        for (std::size_t sum = 0; sum < sums_; ++sum)
            std::fill(start(panel, sum) + first * panel.width, start(panel, sum) + last * panel.width, Real{0});
    }

    // Adds factor x to a sum. In single precision each element is rounded once.
    template <class Sites, class Panel>
    void add(const Sites& sites, const Panel& panel, std::size_t sum, double factor, const Real* x) {
        Real* const z = start(panel, sum);
        sites.over_sites(panel.width, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first * panel.width; i < last * panel.width; ++i)
                z[i] = static_cast<Real>(z[i] + factor * x[i]);
        });
    }

    // Copies a sum of vector number `vector` of the block, which has `lanes` lanes and is in this panel.
    template <class Sites, class Panel>
    void read(const Sites& sites, const Panel& panel, std::size_t sum, std::size_t vector, std::size_t lanes,
              std::span<double> elements) {
        const Real* const z = start(panel, sum) + (vector * lanes - panel.first);
        sites.over_sites(panel.width, [&](std::size_t first, std::size_t last) {
            for (std::size_t site = first; site < last; ++site)
                for (std::size_t lane = 0; lane < lanes; ++lane)
                    elements[site * lanes + lane] = z[site * panel.width + lane];
        });
    }

  private:
    template <class Panel>
    Real* start(const Panel& panel, std::size_t sum) {
        return z_.data() + sum * size_ + panel.first * sites_;
    }

    std::size_t sites_, sums_, size_;
    Pages<Real> z_;  // [sums][panels][sites][width of the panel]
};

}  // namespace legato::kpm
