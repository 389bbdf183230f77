// What the extern "C" functions of the kernel polynomial method have in common.
#pragma once

#include "core/validate.hpp"
#include "handle.hpp"
#include "kpm/correlation.hpp"
#include "kpm/shared_hamiltonian.hpp"
#include "kpm/solver.hpp"
#include "kpm/spectrum.hpp"
#include "kpm_params.hpp"
#include "legato/kpm.h"
#include "legato/kpm_correlation.h"

namespace legato::capi {

template <>
inline constexpr std::size_t first_size<legato_kpm_params> = LEGATO_SIZE_UP_TO(legato_kpm_params, division);
template <>
inline constexpr std::size_t first_size<legato_kpm_state> = LEGATO_SIZE_UP_TO(legato_kpm_state, half_width);

using kpm::SharedHamiltonian;

template <>
struct StandsFor<legato_kpm_hamiltonian> : Handle<SharedHamiltonian> {};
template <>
struct StandsFor<legato_kpm_correlation> : Handle<kpm::Correlation> {};

// A null pointer stands for the defaults.
inline kpm::Problem read_problem(const legato_kpm_params* params) {
    legato_kpm_params c = to_c(kpm::Params{});
    if (params) read_struct("kpm.params", params, c);
    kpm::Problem p;
    from_c(c, p);
    return p;
}

inline kpm::Kernel kernel_from_c(int32_t kernel) {
    require_integer("kpm.kernel", kernel, LEGATO_KPM_KERNEL_JACKSON, LEGATO_KPM_KERNEL_DIRICHLET);
    return static_cast<kpm::Kernel>(kernel);
}

// Returns the members of the state that all computations with samples have.
template <class Computation>
legato_kpm_state state_of(const Computation& of, Backend backend) {
    legato_kpm_state state{};
    state.backend = static_cast<int32_t>(backend);
    state.format = static_cast<int32_t>(of.format());
    state.moments = of.problem().moments;
    state.sites = kpm::sites_of(of.hamiltonian());
    state.samples = of.samples();
    state.samples_done = of.samples_done();
    state.centre = of.rescaling().centre;
    state.half_width = of.rescaling().half_width;
    return state;
}

// Returns the start vectors that a callback gives, or none if it is null.
inline kpm::StartVectorSource start_vectors_from_c(legato_kpm_vector_callback callback, void* user, int64_t sites) {
    if (!callback) return {};
    return [callback, user, sites](int64_t sample, std::span<double> vector) {
        const auto fill = [&] {
            const Callback turn;
            return callback(user, sample, sites, vector.data());
        };
        if (fill() != 0) fail(Status::cancelled, "kpm: stopped by the callback for start vector ", sample);
    };
}

}  // namespace legato::capi
