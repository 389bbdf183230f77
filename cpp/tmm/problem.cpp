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
    if (p.replicas > 1 && p.rule != Rule::blocks)
        fail(Status::invalid_argument, "tmm.params.replicas: ", p.replicas,
             " is not 1, the only number with LEGATO_TMM_RULE_TMSEXD");
    if (p.replicas > 1 && p.random_stream != RandomStream::philox)
        fail(Status::invalid_argument, "tmm.params.replicas: ", p.replicas,
             " is not 1, the only number with the lfsr113 streams: they give all points the same random numbers");
}

std::size_t sequences_of(const Problem& p, std::size_t points) {
    const auto most = max_points / static_cast<std::int64_t>(points);
    if (p.replicas > most)
        fail(Status::invalid_argument, "tmm.params.replicas: ", p.replicas, " is not in 1..", most, " with ", points,
             " points: points times replicas is at most ", max_points);
    return points * static_cast<std::size_t>(p.replicas);
}

void validate(std::span<const Point> points) {
    require_integer("tmm.points", static_cast<std::int64_t>(points.size()), 1, max_points);
    for (std::size_t i = 0; i < points.size(); ++i) {
        require_real([i] { return text("tmm.points[", i, "].energy"); }, points[i].energy, -1e6, 1e6);
        require_real([i] { return text("tmm.points[", i, "].disorder"); }, points[i].disorder, 0.0, 1e6);
    }
}

}  // namespace legato::tmm
