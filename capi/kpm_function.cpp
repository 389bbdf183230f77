#include "legato/kpm_function.h"

#include "kpm.hpp"
#include "kpm/function.hpp"

using namespace legato;
using namespace legato::capi;

template <>
struct capi::StandsFor<legato_kpm_function> : Handle<kpm::Function> {};

namespace {

kpm::EnergyFunction function_from_c(legato_kpm_function_callback callback, void* user) {
    return [callback, user](std::span<const double> energies, std::span<std::complex<double>> values) {
        const auto compute = [&] {
            const Callback turn;
            return callback(user, static_cast<int64_t>(energies.size()), energies.data(),
                            reinterpret_cast<double*>(values.data()));
        };
        if (compute() != 0) fail(Status::cancelled, "kpm.function: stopped by the callback for the function");
    };
}

void copy_out(const kpm::Function& function, int64_t* terms, double* bound) {
    if (terms) *terms = static_cast<int64_t>(function.expansion().terms());
    if (bound) *bound = function.bound();
}

// Applies the function to vectors whose elements have this number of parts.
int32_t apply(legato_kpm_function* handle, int64_t n_vectors, std::size_t parts, const double* in, double* out,
              legato_progress_callback callback, void* user) {
    return guard_collective(handle, "apply", [&](kpm::Function& function) {
        require_integer("kpm.function.n_vectors", n_vectors, 1, kpm::max_vectors);
        require_pointer("kpm.function.in", in);
        require_pointer("kpm.function.out", out);
        if (parts == 1 && !function.expansion().is_real())
            fail(Status::invalid_argument,
                 "kpm.function: it has an imaginary part; use legato_kpm_function_apply for complex vectors");
        const std::size_t size = parts * static_cast<std::size_t>(n_vectors) *
                                 static_cast<std::size_t>(kpm::sites_of(function.hamiltonian()));
        const std::less<> before;
        if (in != out && before(in, out + size) && before(out, in + size))
            fail(Status::invalid_argument, "kpm.function.out: it overlaps kpm.function.in, but is not the same array");
        function.apply({n_vectors, parts, {in, size}, {out, size}}, progress_from_c(callback, user));
    });
}

}  // namespace

int32_t legato_kpm_function_create(legato_context* context, const legato_kpm_params* params,
                                   const legato_kpm_hamiltonian* hamiltonian, int64_t realisation,
                                   legato_kpm_function** function) {
    return create(context, "kpm.function", function, [&](Context& c) {
        const Argument of("kpm.hamiltonian", hamiltonian);
        return std::make_unique<kpm::Function>(c, read_problem(params), *of, realisation);
    });
}

int32_t legato_kpm_function_destroy(legato_kpm_function* function) {
    return destroy(function);
}

int32_t legato_kpm_function_set(legato_kpm_function* function, int32_t kind, double first, double second,
                                double tolerance, int64_t* terms, double* bound) {
    return guard_collective(function, "set", [&](kpm::Function& f) {
        require_integer("kpm.function.kind", kind, LEGATO_KPM_FUNCTION_KIND_EVOLUTION,
                        LEGATO_KPM_FUNCTION_KIND_RESOLVENT);
        f.set(static_cast<kpm::FunctionKind>(kind), first, second, tolerance);
        copy_out(f, terms, bound);
    });
}

int32_t legato_kpm_function_set_callback(legato_kpm_function* function, legato_kpm_function_callback callback,
                                         void* user, double tolerance, int64_t* terms, double* bound) {
    return guard_collective(function, "set_callback", [&](kpm::Function& f) {
        if (!callback) fail(Status::invalid_argument, "kpm.callback: a null pointer is not allowed");
        f.set(function_from_c(callback, user), tolerance);
        copy_out(f, terms, bound);
    });
}

int32_t legato_kpm_function_apply(legato_kpm_function* function, int64_t n_vectors, const double* in, double* out,
                                  legato_progress_callback callback, void* user) {
    return apply(function, n_vectors, 2, in, out, callback, user);
}

int32_t legato_kpm_function_apply_real(legato_kpm_function* function, int64_t n_vectors, const double* in, double* out,
                                       legato_progress_callback callback, void* user) {
    return apply(function, n_vectors, 1, in, out, callback, user);
}

int32_t legato_kpm_function_get_state(legato_kpm_function* function, legato_kpm_state* state) {
    return guard(function, [&](kpm::Function& f) {
        legato_kpm_state out{};
        out.backend = static_cast<int32_t>(f.backend());
        out.format = static_cast<int32_t>(f.format());
        out.block_width = f.block_width();
        out.moments = f.is_set() ? static_cast<int32_t>(f.expansion().terms()) : 0;
        out.sites = kpm::sites_of(f.hamiltonian());
        out.samples = f.vectors();
        out.samples_done = f.vectors_done();
        out.bytes = f.memory().bytes(f.engine_width());
        out.centre = f.rescaling().centre;
        out.half_width = f.rescaling().half_width;
        write_struct("kpm.state", out, state);
    });
}
