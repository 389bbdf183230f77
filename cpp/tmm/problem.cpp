#include "tmm/problem.hpp"

#include <cmath>
#include <string_view>

#include "core/parameter.hpp"

namespace legato::tmm {
namespace {

void validate_width(const Problem& p) {
    const std::int64_t most = max_sites / p.components();
    std::int64_t width = p.dimension == 1 ? 1 : most;
    if (p.dimension == 3) width = static_cast<std::int64_t>(std::sqrt(static_cast<double>(most)));
    require_integer("tmm.params.width", p.width, 1, width);
}

void require_philox(const Problem& p, std::string_view field, const std::string& value, std::string_view only) {
    if (p.random_stream != RandomStream::philox)
        fail(Status::invalid_argument, "tmm.params.", field, ": ", value, " is not ", only,
             ", the only value with the lfsr113 streams");
}

void validate_model(const Problem& p) {
    if (p.model != Model::anderson)
        require_philox(p, "model", text(static_cast<int>(p.model)), "LEGATO_TMM_MODEL_ANDERSON");
    if (p.hopping_disorder != HoppingDisorder::none)
        require_philox(p, "hopping_disorder", text(static_cast<int>(p.hopping_disorder)),
                       "LEGATO_TMM_HOPPING_DISORDER_NONE");
    if (p.anisotropy == 0)
        fail(Status::invalid_argument, "tmm.params.anisotropy: 0 is not allowed: the bar would be ", p.width,
             " independent strips; compute a strip, with tmm.params.dimension = 2");
    if (p.anisotropy != 1) require_philox(p, "anisotropy", text(p.anisotropy), "1");
    const auto require_used = [](std::string_view field, double value, double unused, bool used, const char* where) {
        if (value != unused && !used)
            fail(Status::invalid_argument, "tmm.params.", field, ": ", value, " is not ", unused,
                 ", the only value without ", where);
    };
    const bool field = p.model == Model::peierls;
    require_used("anisotropy", p.anisotropy, 1, p.dimension == 3, "dimension 3");
    require_used("transverse_flux", p.transverse_flux, 0, field && p.dimension == 3,
                 "LEGATO_TMM_MODEL_PEIERLS in dimension 3");
    require_used("longitudinal_flux", p.longitudinal_flux, 0, field && p.dimension > 1,
                 "LEGATO_TMM_MODEL_PEIERLS in dimension 2 or 3");
    const double quanta = p.transverse_flux * static_cast<double>(p.width);
    if (p.boundary != Boundary::hard_wall && std::fabs(quanta - std::round(quanta)) > 1e-9)
        fail(Status::invalid_argument, "tmm.params.transverse_flux: ", p.transverse_flux, " times the width ", p.width,
             " is ", quanta, ", not an integer; without LEGATO_TMM_BOUNDARY_HARD_WALL the field would not be uniform");
}

}  // namespace

void validate(const Problem& p) {
    if (p.max_growth != 0.0) require_real("tmm.params.max_growth", p.max_growth, 1e1, 1e8);
    require_parameters("tmm.params", p);
    validate_width(p);
    validate_model(p);
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
