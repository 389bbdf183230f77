#include "legato/fss.h"

#include "fss/solver.hpp"
#include "fss_params.hpp"
#include "handle.hpp"

using namespace legato;
using namespace legato::capi;

template <>
inline constexpr std::size_t capi::first_size<legato_fss_params> = LEGATO_SIZE_UP_TO(legato_fss_params, seed);
template <>
inline constexpr std::size_t capi::first_size<legato_fss_fit> = LEGATO_SIZE_UP_TO(legato_fss_fit, critical_value_high);

template <>
struct capi::StandsFor<legato_fss> : Handle<fss::Solver> {};

namespace {

std::vector<double> list_from_c(const char* field, int64_t n, const double* values) {
    require_pointer(field, values);
    return {values, values + n};
}

// The places at which a fit is evaluated.
struct Places {
    std::vector<double> length, control;
};

Places places_from_c(const char* call, int64_t n, const double* length, const double* control) {
    require_integer(text(call, ".n"), n, 0, 1'000'000'000);
    Places places;
    if (n == 0) return places;
    places = {list_from_c(text(call, ".length").c_str(), n, length),
              list_from_c(text(call, ".control").c_str(), n, control)};
    fss::validate_places(call, places.length, places.control);
    return places;
}

void put(const fss::Solver& solver, std::size_t parameter, double& value, double& error, double& low, double& high) {
    const fss::Spread spread = solver.spread(parameter);
    value = solver.parameters()[parameter];
    error = spread.error;
    low = spread.low;
    high = spread.high;
}

}  // namespace

int32_t legato_fss_params_init_sized(legato_fss_params* params, size_t struct_size) {
    return guard_call(nullptr, [&] { init_struct("fss.params", to_c(fss::Params{}), params, struct_size); });
}

int32_t legato_fss_create(legato_context* context, const legato_fss_params* params, int64_t n_data,
                          const double* length, const double* control, const double* value, const double* error,
                          legato_fss** fss) {
    return create(context, "fss", fss, [&](Context& c) {
        legato_fss_params p = to_c(fss::Params{});
        if (params) read_struct("fss.params", params, p);
        fss::Problem problem;
        from_c(p, problem);
        require_integer("fss.n_data", n_data, 1, fss::max_data);
        problem.length = list_from_c("fss.length", n_data, length);
        problem.control = list_from_c("fss.control", n_data, control);
        problem.value = list_from_c("fss.value", n_data, value);
        problem.error = list_from_c("fss.error", n_data, error);
        return std::make_unique<fss::Solver>(c, std::move(problem));
    });
}

int32_t legato_fss_destroy(legato_fss* fss) {
    return destroy(fss);
}

int32_t legato_fss_run(legato_fss* fss, legato_progress_callback callback, void* user) {
    return run(fss, callback, user);
}

int32_t legato_fss_result(legato_fss* fss, legato_fss_fit* fit) {
    return guard(fss, [&](fss::Solver& solver) {
        const fss::Model& model = solver.model();
        legato_fss_fit out{};
        out.status = static_cast<int32_t>(solver.status());
        out.parameters = static_cast<int32_t>(model.parameters());
        out.data = static_cast<int64_t>(solver.problem().value.size());
        out.resamples_done = solver.resamples_done();
        out.resamples_failed = solver.resamples_failed();
        out.chi2 = solver.chi2();
        out.goodness_of_fit = solver.goodness_of_fit();
        put(solver, fss::Model::critical_point, out.critical_point, out.critical_point_error, out.critical_point_low,
            out.critical_point_high);
        put(solver, fss::Model::exponent, out.exponent, out.exponent_error, out.exponent_low, out.exponent_high);
        out.irrelevant_exponent = out.irrelevant_exponent_error = statistics::unknown;
        out.irrelevant_exponent_low = out.irrelevant_exponent_high = statistics::unknown;
        if (model.is_corrected())
            put(solver, model.irrelevant_exponent(), out.irrelevant_exponent, out.irrelevant_exponent_error,
                out.irrelevant_exponent_low, out.irrelevant_exponent_high);
        put(solver, model.coefficients(), out.critical_value, out.critical_value_error, out.critical_value_low,
            out.critical_value_high);
        write_struct("fss.fit", out, fit);
    });
}

int32_t legato_fss_parameters(legato_fss* fss, int64_t n, double* values, double* errors, double* low, double* high) {
    return guard(fss, [&](fss::Solver& solver) {
        require_integer("fss.parameters.n", n, 0, static_cast<int64_t>(solver.model().parameters()));
        if (n > 0) require_pointer("fss.parameters.values", values);
        for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
            double error = 0, from = 0, to = 0;
            put(solver, i, values[i], error, from, to);
            if (errors) errors[i] = error;
            if (low) low[i] = from;
            if (high) high[i] = to;
        }
    });
}

int32_t legato_fss_curve(legato_fss* fss, int64_t n, const double* length, const double* control, double* values,
                         double* errors) {
    return guard(fss, [&](fss::Solver& solver) {
        const Places places = places_from_c("fss.curve", n, length, control);
        if (n > 0) require_pointer("fss.curve.values", values);
        for (std::size_t i = 0; i < places.length.size(); ++i) {
            values[i] = solver.value(places.length[i], places.control[i]);
            if (errors) errors[i] = solver.value_spread(places.length[i], places.control[i]).error;
        }
    });
}

int32_t legato_fss_collapse(legato_fss* fss, int64_t n, const double* length, const double* control, double* values,
                            double* fields) {
    return guard(fss, [&](fss::Solver& solver) {
        const Places places = places_from_c("fss.collapse", n, length, control);
        if (n > 0) require_pointer("fss.collapse.values", values);
        if (n > 0) require_pointer("fss.collapse.fields", fields);
        for (std::size_t i = 0; i < places.length.size(); ++i) {
            const fss::Fields at = solver.fields(places.length[i], places.control[i]);
            values[i] += solver.value({at.relevant, 0}) - solver.value(at);
            fields[i] = at.relevant;
        }
    });
}

int32_t legato_fss_scaling_function(legato_fss* fss, int64_t n, const double* fields, double* values) {
    return guard(fss, [&](fss::Solver& solver) {
        require_integer("fss.scaling_function.n", n, 0, 1'000'000'000);
        if (n > 0) require_pointer("fss.scaling_function.fields", fields);
        if (n > 0) require_pointer("fss.scaling_function.values", values);
        for (int64_t i = 0; i < n; ++i)
            require_real([&] { return text("fss.scaling_function.fields[", i, "]"); }, fields[i], -1e100, 1e100);
        for (int64_t i = 0; i < n; ++i) values[i] = solver.value({fields[i], 0});
    });
}

int32_t legato_fss_get_params(legato_fss* fss, legato_fss_params* params) {
    return guard(fss, [&](fss::Solver& solver) { write_struct("fss.params", to_c(solver.problem()), params); });
}
