#include "legato/tmm.h"

#include <limits>

#include "core/validate.hpp"
#include "handle.hpp"
#include "tmm/solver.hpp"
#include "tmm_params.hpp"

using namespace legato;
using namespace legato::capi;

template <>
inline constexpr std::size_t capi::first_size<legato_tmm_params> = LEGATO_SIZE_UP_TO(legato_tmm_params, max_growth);
template <>
inline constexpr std::size_t capi::first_size<legato_tmm_point> = LEGATO_SIZE_UP_TO(legato_tmm_point, relative_error);

template <>
struct capi::StandsFor<legato_tmm> : Handle<tmm::Solver> {};

namespace {

// A null pointer stands for the defaults.
tmm::Problem read_problem(const legato_tmm_params* params) {
    legato_tmm_params c = to_c(tmm::Params{});
    if (params) read_struct("tmm.params", params, c);
    tmm::Problem p;
    from_c(c, p);
    return p;
}

std::vector<tmm::Point> points_from_c(int64_t n, const double* energy, const double* disorder) {
    require_integer("tmm.n_points", n, 1, tmm::max_points);
    require_pointer("tmm.energy", energy);
    require_pointer("tmm.disorder", disorder);
    std::vector<tmm::Point> points(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < points.size(); ++i) points[i] = {energy[i], disorder[i]};
    return points;
}

tmm::SliceCallback callback_from_c(legato_tmm_slice_callback callback, void* user) {
    if (!callback) fail(Status::invalid_argument, "tmm.callback: a null pointer is not allowed");
    return [callback, user](std::int64_t point, std::int64_t replica, std::int64_t slice, const tmm::SliceNumbers& of) {
        const auto change = [&] {
            const Callback turn;
            return callback(user, point, replica, slice, std::ssize(of.on_site), static_cast<int64_t>(of.links),
                            static_cast<int64_t>(of.components), of.on_site.data(), of.hopping.data(), of.along.data());
        };
        if (change() != 0)
            fail(Status::cancelled, "tmm: stopped by the callback for slice ", slice, " of point ", point);
    };
}

std::vector<tmm::Link> links_from_c(int64_t n, const int64_t* first, const int64_t* second, std::int64_t sites) {
    require_integer("tmm.n_links", n, 0, tmm::most_links);
    std::vector<tmm::Link> links;
    if (n == 0) return links;
    require_pointer("tmm.first", first);
    require_pointer("tmm.second", second);
    for (int64_t l = 0; l < n; ++l) {
        require_integer(text("tmm.first[", l, "]"), first[l], 0, sites - 1);
        require_integer(text("tmm.second[", l, "]"), second[l], 0, sites - 1);
        links.push_back({static_cast<int32_t>(first[l]), static_cast<int32_t>(second[l])});
    }
    return links;
}

double localisation_length(const tmm::PointResult& result) {
    if (result.cycles == 0) return 0.0;
    const double exponent = result.exponents[0];
    return exponent != 0.0 ? 1.0 / exponent : std::numeric_limits<double>::infinity();
}

}  // namespace

int32_t legato_tmm_params_init_sized(legato_tmm_params* params, size_t struct_size) {
    return guard_call(nullptr, [&] { init_struct("tmm.params", to_c(tmm::Params{}), params, struct_size); });
}

int32_t legato_tmm_create(legato_context* context, const legato_tmm_params* params, int64_t n_points,
                          const double* energy, const double* disorder, legato_tmm** tmm) {
    return create(context, "tmm", tmm, [&](Context& c) {
        return std::make_unique<tmm::Solver>(c, read_problem(params), points_from_c(n_points, energy, disorder));
    });
}

int32_t legato_tmm_create_given(legato_context* context, const legato_tmm_params* params, int64_t n_links,
                                const int64_t* first, const int64_t* second, legato_tmm_slice_callback callback,
                                void* user, int64_t n_points, const double* energy, const double* disorder,
                                legato_tmm** tmm) {
    return create(context, "tmm", tmm, [&](Context& c) {
        tmm::Problem problem = read_problem(params);
        validate(problem);
        tmm::Given given{links_from_c(n_links, first, second, problem.sites()), callback_from_c(callback, user)};
        return std::make_unique<tmm::Solver>(c, problem, points_from_c(n_points, energy, disorder), std::nullopt,
                                             std::move(given));
    });
}

int32_t legato_tmm_destroy(legato_tmm* tmm) {
    return destroy(tmm);
}

int32_t legato_tmm_run(legato_tmm* tmm, legato_progress_callback callback, void* user) {
    return run(tmm, callback, user);
}

int32_t legato_tmm_advance(legato_tmm* tmm, int64_t cycles, int64_t* finished) {
    return advance("tmm.advance.cycles", tmm, cycles, finished);
}

int32_t legato_tmm_size(legato_tmm* tmm, int64_t* points, int64_t* exponents) {
    return guard(tmm, [&](tmm::Solver& solver) {
        if (points) *points = static_cast<int64_t>(solver.points().size());
        if (exponents) *exponents = solver.problem().sites();
    });
}

int32_t legato_tmm_result(legato_tmm* tmm, int64_t index, legato_tmm_point* point, int64_t n, double* exponents,
                          double* errors) {
    return guard(tmm, [&](tmm::Solver& solver) {
        require_index("tmm.result.index", index, solver.points().size());
        if (exponents || errors) require_integer("tmm.result.n", n, 0, solver.problem().sites());
        if (point) require_struct("tmm.point", point);
        const auto i = static_cast<std::size_t>(index);
        const tmm::PointResult result = solver.result(i);
        if (exponents) std::copy_n(result.exponents.data(), n, exponents);
        if (errors) std::copy_n(result.errors.data(), n, errors);
        if (!point) return;
        legato_tmm_point out{};
        out.status = static_cast<int32_t>(result.status);
        out.cycles = result.cycles;
        out.energy = solver.points()[i].energy;
        out.disorder = solver.points()[i].disorder;
        out.localisation_length = localisation_length(result);
        out.relative_error = result.errors[0];
        write_struct("tmm.point", out, point);
    });
}

int32_t legato_tmm_save(legato_tmm* tmm, const char* path) {
    return save("tmm", tmm, path);
}

int32_t legato_tmm_resume(legato_context* context, const char* path, legato_tmm** tmm) {
    return resume("tmm", context, path, tmm);
}

int32_t legato_tmm_resume_given(legato_context* context, const char* path, legato_tmm_slice_callback callback,
                                void* user, legato_tmm** tmm) {
    return create(context, "tmm", tmm, [&](Context& c) {
        return tmm::Solver::resume(c, require_path("tmm.resume.path", path), callback_from_c(callback, user));
    });
}

int32_t legato_tmm_get_params(legato_tmm* tmm, legato_tmm_params* params) {
    return guard(tmm, [&](tmm::Solver& solver) { write_struct("tmm.params", to_c(solver.problem()), params); });
}
