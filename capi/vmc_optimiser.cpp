#include "legato/vmc_optimiser.h"

#include "handle.hpp"
#include "vmc.hpp"
#include "vmc/optimiser.hpp"
#include "vmc_optimiser_params.hpp"

using namespace legato;
using namespace legato::capi;

template <>
inline constexpr std::size_t capi::first_size<legato_vmc_optimiser_params> =
    LEGATO_SIZE_UP_TO(legato_vmc_optimiser_params, significance);
template <>
inline constexpr std::size_t capi::first_size<legato_vmc_optimiser_step> = LEGATO_SIZE_UP_TO(legato_vmc_optimiser_step,
                                                                                             reserved);
template <>
inline constexpr std::size_t capi::first_size<legato_vmc_optimisation> = LEGATO_SIZE_UP_TO(legato_vmc_optimisation,
                                                                                           gain);

template <>
struct capi::StandsFor<legato_vmc_optimiser> : Handle<vmc::Optimiser> {};

namespace {

// Null stands for the defaults.
vmc::Optimisation read_optimisation(const legato_vmc_params* run, const legato_vmc_optimiser_params* params) {
    vmc::Optimisation o;
    o.problem = read_problem(run);
    legato_vmc_optimiser_params c = to_c(o);
    if (params) read_struct("vmc.optimiser.params", params, c);
    from_c(c, o);
    return o;
}

void copy_out(const vmc::ParameterMatrix& matrix, double (&out)[4][4]) {
    for (std::size_t a = 0; a < matrix.size(); ++a) std::copy(matrix[a].begin(), matrix[a].end(), out[a]);
}

template <std::size_t n>
void copy_out(const std::array<statistics::Estimate, n>& estimates, double (&means)[n], double (&errors)[n]) {
    for (std::size_t a = 0; a < n; ++a) {
        means[a] = estimates[a].mean;
        errors[a] = estimates[a].error;
    }
}

int32_t status_of(const vmc::Optimiser& optimiser) {
    if (optimiser.converged()) return LEGATO_VMC_OPTIMISER_STATUS_CONVERGED;
    if (optimiser.finished()) return LEGATO_VMC_OPTIMISER_STATUS_NOT_CONVERGED;
    return optimiser.steps().empty() ? LEGATO_VMC_OPTIMISER_STATUS_WAITING : LEGATO_VMC_OPTIMISER_STATUS_RUNNING;
}

}  // namespace

int32_t legato_vmc_optimiser_params_init_sized(legato_vmc_optimiser_params* params, size_t struct_size) {
    return guard_call(nullptr,
                      [&] { init_struct("vmc.optimiser.params", to_c(vmc::Optimisation{}), params, struct_size); });
}

int32_t legato_vmc_optimiser_create(legato_context* context, const legato_vmc_params* run,
                                    const legato_vmc_optimiser_params* params, legato_vmc_optimiser** optimiser) {
    return create(context, "vmc.optimiser", optimiser,
                  [&](Context& c) { return std::make_unique<vmc::Optimiser>(c, read_optimisation(run, params)); });
}

int32_t legato_vmc_optimiser_destroy(legato_vmc_optimiser* optimiser) {
    return destroy(optimiser);
}

int32_t legato_vmc_optimiser_run(legato_vmc_optimiser* optimiser, legato_progress_callback callback, void* user) {
    return run(optimiser, callback, user);
}

int32_t legato_vmc_optimiser_advance(legato_vmc_optimiser* optimiser, int64_t steps, int64_t* steps_done) {
    return advance("vmc.optimiser.advance.steps", optimiser, steps, steps_done);
}

int32_t legato_vmc_optimiser_result(legato_vmc_optimiser* optimiser, legato_vmc_optimisation* optimisation) {
    return guard(optimiser, [&](vmc::Optimiser& self) {
        legato_vmc_optimisation out{};
        out.status = status_of(self);
        out.steps_done = std::ssize(self.steps());
        const vmc::Optimum optimum = self.optimum();
        copy_out(optimum.parameters, out.parameters, out.errors);
        copy_out(optimum.covariance, out.covariance);
        copy_out(optimum.curvature, out.curvature);
        out.gain = optimum.gain;
        write_struct("vmc.optimisation", out, optimisation);
    });
}

int32_t legato_vmc_optimiser_get_step(legato_vmc_optimiser* optimiser, int64_t index, legato_vmc_optimiser_step* step) {
    return guard(optimiser, [&](vmc::Optimiser& self) {
        if (self.steps().empty()) fail(Status::invalid_argument, "vmc.optimiser.get_step: no step is finished yet");
        require_integer("vmc.optimiser.index", index, 0, std::ssize(self.steps()) - 1);
        const vmc::OptimisationStep& s = self.steps()[static_cast<std::size_t>(index)];
        legato_vmc_optimiser_step out{};
        std::copy(s.parameters.begin(), s.parameters.end(), out.parameters);
        out.energy = s.energy.mean;
        out.energy_error = s.energy.error;
        copy_out(s.gradient, out.gradient, out.gradient_error);
        copy_out(s.covariance, out.gradient_covariance);
        out.stage = static_cast<int32_t>(s.stage);
        write_struct("vmc.optimiser.step", out, step);
    });
}

int32_t legato_vmc_optimiser_save(legato_vmc_optimiser* optimiser, const char* path) {
    return save("vmc.optimiser", optimiser, path);
}

int32_t legato_vmc_optimiser_resume(legato_context* context, const char* path, legato_vmc_optimiser** optimiser) {
    return resume("vmc.optimiser", context, path, optimiser);
}

int32_t legato_vmc_optimiser_get_params(legato_vmc_optimiser* optimiser, legato_vmc_params* run,
                                        legato_vmc_optimiser_params* params) {
    return guard(optimiser, [&](vmc::Optimiser& self) {
        if (run) require_struct("vmc.params", run);
        if (params) write_struct("vmc.optimiser.params", to_c(self.optimisation()), params);
        if (run) write_struct("vmc.params", to_c(self.optimisation().problem), run);
    });
}
