#include "tmm/problem.hpp"

#include <cmath>
#include <limits>

#include "core/validate.hpp"

namespace legato::tmm {

void validate(const Problem& p) {
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    require_integer("tmm.params.dimension", p.dimension, 1, 3);
    require_integer("tmm.params.width", p.width, 1, p.dimension == 1 ? 1 : p.dimension == 2 ? max_sites : 64);
    require_integer("tmm.params.boundary", static_cast<int>(p.boundary), 0, 2);
    if (p.dimension == 1 && p.boundary != Boundary::hard_wall)
        fail(Status::invalid_argument, "tmm.params.boundary: ", static_cast<int>(p.boundary),
             " is not 0 (hard wall), the only one that a chain (tmm.params.dimension 1) has");
    require_integer("tmm.params.disorder", static_cast<int>(p.disorder), 0, 2);
    require_integer("tmm.params.random_stream", static_cast<int>(p.random_stream), 0, 2);
    require_integer("tmm.params.seed", p.seed, std::numeric_limits<std::int64_t>::min(), most);
    require_real("tmm.params.hopping", p.hopping, -most_hopping, most_hopping);
    require_integer("tmm.params.n_ortho", p.n_ortho, 1, 1000);
    if (p.max_growth != 0.0) require_real("tmm.params.max_growth", p.max_growth, 1e1, 1e8);
    require_integer("tmm.params.max_multiplications", p.max_multiplications, 1, most);
    require_real("tmm.params.epsilon", p.epsilon, 1e-15, 1.0);
    require_integer("tmm.params.rule", static_cast<int>(p.rule), 0, 1);
    require_integer("tmm.params.min_blocks", p.min_blocks, fewest_blocks, most_min_blocks);
    require_integer("tmm.params.burn_in", p.burn_in, 0, most_burn_in);
}

void validate(std::span<const Point> points) {
    require_integer("tmm.points", static_cast<std::int64_t>(points.size()), 1, max_points);
    for (std::size_t i = 0; i < points.size(); ++i) {
        require_real(text("tmm.points[", i, "].energy"), points[i].energy, -1e6, 1e6);
        require_real(text("tmm.points[", i, "].disorder"), points[i].disorder, 0.0, 1e6);
    }
}

}  // namespace legato::tmm
