#include "tmm/problem.hpp"

#include <cmath>

#include "core/parameter.hpp"

namespace legato::tmm {

void validate(const Problem& p) {
    if (p.max_growth != 0.0) require_real("tmm.params.max_growth", p.max_growth, 1e1, 1e8);
    require_parameters("tmm.params", p);
    require_integer("tmm.params.width", p.width, 1, p.dimension == 1 ? 1 : p.dimension == 2 ? max_sites : 64);
    if (p.dimension == 1 && p.boundary != Boundary::hard_wall)
        fail(Status::invalid_argument, "tmm.params.boundary: ", static_cast<int>(p.boundary),
             " is not in 0..0 (hard wall) with tmm.params.dimension = 1: a chain has no transverse boundary");
}

void validate(std::span<const Point> points) {
    require_integer("tmm.points", static_cast<std::int64_t>(points.size()), 1, max_points);
    for (std::size_t i = 0; i < points.size(); ++i) {
        require_real([i] { return text("tmm.points[", i, "].energy"); }, points[i].energy, -1e6, 1e6);
        require_real([i] { return text("tmm.points[", i, "].disorder"); }, points[i].disorder, 0.0, 1e6);
    }
}

}  // namespace legato::tmm
