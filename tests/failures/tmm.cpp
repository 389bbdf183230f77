// Tests runs of points, saved and resumed, and the steps for programs with a loop of their own.
#include <algorithm>
#include <string>

#include "scenario.hpp"

namespace legato::tests {
namespace {

using Tmm = Owned<legato_tmm, legato_tmm_destroy>;
using Propagation = Owned<legato_tmm_propagation, legato_tmm_propagation_destroy>;

legato_tmm_params params_of(Scenario& scenario, int64_t width, int32_t random_stream) {
    auto params = scenario.defaults("legato_tmm_params_init", legato_tmm_params_init);
    params.width = width;
    params.random_stream = random_stream;
    params.epsilon = 0.05;
    params.max_multiplications = width < 50 ? 200 : 40;
    return params;
}

void read(Scenario& scenario, legato_tmm* tmm) {
    int64_t points = 0, exponents = 0;
    scenario.step("legato_tmm_size", [&] { return legato_tmm_size(tmm, &points, &exponents); });
    for (int64_t i = 0; i < points; ++i) {
        legato_tmm_point point{};
        point.struct_size = sizeof point;
        std::vector<double> values(static_cast<std::size_t>(exponents)), errors(values.size());
        scenario.step("legato_tmm_result",
                      [&] { return legato_tmm_result(tmm, i, &point, exponents, values.data(), errors.data()); });
        scenario.note(point.localisation_length);
        scenario.note(static_cast<double>(point.cycles));
        scenario.note(values);
        scenario.note(errors);
    }
}

void run_points(Scenario& scenario, int64_t width, int32_t random_stream, int64_t replicas = 1) {
    const double energy[] = {0.0, 0.5, 2.0}, disorder[] = {2.0, 6.0, 1e6};  // the last point overflows: a warning
    legato_tmm_params params = params_of(scenario, width, random_stream);
    if (replicas > 1) {
        params.replicas = replicas;
        params.burn_in = 8;
        params.min_blocks = 8;
    }
    Tmm tmm, resumed;
    scenario.make("legato_tmm_create", tmm, [&](legato_tmm** made) {
        return legato_tmm_create(scenario.context(), &params, 3, energy, disorder, made);
    });
    int64_t finished = 0;
    scenario.step("legato_tmm_advance", [&] { return legato_tmm_advance(tmm.get(), 1, &finished); });
    scenario.save("legato_tmm_save", "tmm.h5", [&] { return legato_tmm_save(tmm.get(), "tmm.h5"); });
    scenario.step("legato_tmm_advance", [&] { return legato_tmm_advance(tmm.get(), 3, &finished); });
    scenario.save("legato_tmm_save", "tmm.h5", [&] { return legato_tmm_save(tmm.get(), "tmm.h5"); });
    scenario.step("legato_tmm_run", [&] { return legato_tmm_run(tmm.get(), Scenario::progress, nullptr); });
    read(scenario, tmm.get());
    scenario.make("legato_tmm_resume", resumed,
                  [&](legato_tmm** made) { return legato_tmm_resume(scenario.context(), "tmm.h5", made); });
    scenario.step("legato_tmm_get_params", [&] { return legato_tmm_get_params(resumed.get(), &params); });
    scenario.step("legato_tmm_run", [&] { return legato_tmm_run(resumed.get(), nullptr, nullptr); });
    read(scenario, resumed.get());
}

int change_slice(void*, int64_t point, int64_t, int64_t slice, int64_t sites, int64_t, int64_t, double on_site[],
                 double[], double along[]) {
    on_site[0] = 0.125 * static_cast<double>(slice % 7 + point);  // exact with any rounding
    along[sites - 1] = 1.5;
    return 0;
}

// Runs a model with spin, whose slices the caller changes, on the lattice of the parameters or on one of the caller.
void run_given(Scenario& scenario, const std::vector<int64_t>& first, const std::vector<int64_t>& second) {
    const double energy[] = {0.0, 0.5}, disorder[] = {2.0, 6.0};
    legato_tmm_params params = params_of(scenario, 5, LEGATO_TMM_RANDOM_STREAM_PHILOX);
    params.model = LEGATO_TMM_MODEL_SU2;
    params.hopping_disorder = LEGATO_TMM_HOPPING_DISORDER_UNIFORM;
    Tmm tmm, resumed;
    scenario.make("legato_tmm_create_given", tmm, [&](legato_tmm** made) {
        return legato_tmm_create_given(scenario.context(), &params, std::ssize(first), first.data(), second.data(),
                                       change_slice, nullptr, 2, energy, disorder, made);
    });
    int64_t finished = 0;
    scenario.step("legato_tmm_advance", [&] { return legato_tmm_advance(tmm.get(), 2, &finished); });
    scenario.save("legato_tmm_save", "tmm.h5", [&] { return legato_tmm_save(tmm.get(), "tmm.h5"); });
    scenario.make("legato_tmm_resume_given", resumed, [&](legato_tmm** made) {
        return legato_tmm_resume_given(scenario.context(), "tmm.h5", change_slice, nullptr, made);
    });
    scenario.step("legato_tmm_run", [&] { return legato_tmm_run(resumed.get(), nullptr, nullptr); });
    read(scenario, resumed.get());
}

// Does one cycle step by step: two multiplications and an orthonormalisation.
void take_steps(Scenario& scenario, int64_t width) {
    const auto n = static_cast<std::size_t>(width);
    std::vector<double> current(n * n), previous(n * n), diagonal(n, 0.3), log_norms(n);
    for (std::size_t i = 0; i < n; ++i) current[i * (n + 1)] = 1;
    Propagation propagation;
    scenario.make("legato_tmm_propagation_create", propagation, [&](legato_tmm_propagation** made) {
        return legato_tmm_propagation_create(scenario.context(), 2, width, LEGATO_TMM_BOUNDARY_PERIODIC, 1.0,
                                             LEGATO_TMM_LAYOUT_SITE_FIRST, made);
    });
    legato_tmm_propagation* const p = propagation.get();
    scenario.step("legato_tmm_propagation_load",
                  [&] { return legato_tmm_propagation_load(p, current.data(), previous.data()); });
    for (int i = 0; i < 2; ++i)
        scenario.step("legato_tmm_propagation_multiply",
                      [&] { return legato_tmm_propagation_multiply(p, diagonal.data()); });
    scenario.step("legato_tmm_propagation_orthonormalise",
                  [&] { return legato_tmm_propagation_orthonormalise(p, log_norms.data()); });
    scenario.note(log_norms);
    scenario.step("legato_tmm_propagation_store",
                  [&] { return legato_tmm_propagation_store(p, current.data(), previous.data()); });
    scenario.note(std::span<const double>(current).first(n));
}

void take_single_steps(Scenario& scenario, int64_t width) {
    const auto n = static_cast<std::size_t>(width);
    std::vector<double> a(n * n), b(n * n), diagonal(n, 0.3), log_norms(n);
    for (std::size_t i = 0; i < n; ++i) a[i * (n + 1)] = 1;
    scenario.step("legato_tmm_multiply", [&] {
        std::fill(b.begin(), b.end(), 0.0);
        return legato_tmm_multiply(scenario.context(), 2, width, LEGATO_TMM_BOUNDARY_PERIODIC, 1.0,
                                   LEGATO_TMM_LAYOUT_STATE_FIRST, diagonal.data(), a.data(), b.data());
    });
    scenario.step("legato_tmm_orthonormalise", [&] {
        return legato_tmm_orthonormalise(scenario.context(), width, LEGATO_TMM_LAYOUT_STATE_FIRST, a.data(), b.data(),
                                         log_norms.data());
    });
    scenario.note(log_norms);
}

void be_refused(Scenario& scenario) {
    const double zero = 0;
    legato_tmm_params params = params_of(scenario, 0, LEGATO_TMM_RANDOM_STREAM_PHILOX);
    scenario.step(
        "legato_tmm_create",
        [&] {
            legato_tmm* made = nullptr;
            return legato_tmm_create(scenario.context(), &params, 1, &zero, &zero, &made);
        },
        LEGATO_STATUS_INVALID_ARGUMENT);
}

}  // namespace

void use_tmm(Scenario& scenario) {
    be_refused(scenario);
    run_points(scenario, 6, LEGATO_TMM_RANDOM_STREAM_PHILOX);
    run_points(scenario, 4, LEGATO_TMM_RANDOM_STREAM_LFSR113_PER_SITE);
    run_points(scenario, 100, LEGATO_TMM_RANDOM_STREAM_PHILOX);   // threads share a point
    run_points(scenario, 2, LEGATO_TMM_RANDOM_STREAM_PHILOX, 2);  // each replica has a slot
    run_points(scenario, 1, LEGATO_TMM_RANDOM_STREAM_PHILOX, 6);  // some wait for one
    run_given(scenario, {}, {});
    run_given(scenario, {0, 1, 2, 3}, {1, 2, 3, 4});
    take_steps(scenario, 8);
    take_steps(scenario, 100);
    if (scenario.backend() != LEGATO_BACKEND_CPU) return;
    take_single_steps(scenario, 8);
    take_single_steps(scenario, 100);
}

}  // namespace legato::tests
