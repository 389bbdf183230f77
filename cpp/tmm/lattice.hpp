// The transverse neighbours of every site, and the hopping to them.
#pragma once

#include <cstdint>
#include <vector>

#include "tmm/problem.hpp"

namespace legato::tmm {

struct Neighbour {
    std::int32_t site;
    double hopping;  // hopping t; 0 across a hard wall, -t across an antiperiodic edge
};

inline int neighbours_per_site(int dimension) {
    return dimension == 1 ? 0 : dimension == 2 ? 2 : 4;
}

// Returns [sites][neighbours_per_site] neighbours: left, right, and in 3D down, up. Across an edge the neighbour is the
// site at the opposite edge. With periodic boundaries the only neighbour therefore counts twice for M = 2, and the site
// itself counts twice for M = 1.
inline std::vector<Neighbour> neighbours(const Problem& problem) {
    const auto m = static_cast<std::int32_t>(problem.width);
    const double wrap = problem.boundary == Boundary::hard_wall  ? 0.0
                        : problem.boundary == Boundary::periodic ? problem.hopping
                                                                 : -problem.hopping;
    std::vector<Neighbour> list;
    const auto along = [&](std::int32_t site, std::int32_t position, std::int32_t stride) {
        const bool first = position == 0, last = position == m - 1;
        list.push_back({first ? site + (m - 1) * stride : site - stride, first ? wrap : problem.hopping});
        list.push_back({last ? site - (m - 1) * stride : site + stride, last ? wrap : problem.hopping});
    };
    for (std::int32_t site = 0; site < problem.sites(); ++site) {
        if (problem.dimension >= 2) along(site, site % m, 1);
        if (problem.dimension == 3) along(site, site / m, m);
    }
    return list;
}

}  // namespace legato::tmm
