#include "legato/kpm_correlation.h"

#include "kpm.hpp"

using namespace legato;
using namespace legato::capi;

namespace {

kpm::OperatorsOfCorrelation operators_from_c(const legato_kpm_hamiltonian* hamiltonian, const legato_kpm_hamiltonian* a,
                                             const legato_kpm_hamiltonian* b) {
    const Argument h_argument("kpm.hamiltonian", hamiltonian);
    const Argument a_argument("kpm.correlation.a", a), b_argument("kpm.correlation.b", b);
    // One handle has one object, even if another thread changes its values now.
    kpm::OperatorsOfCorrelation operators{*h_argument, nullptr, nullptr};
    operators.a = a == hamiltonian ? operators.h : *a_argument;
    operators.b = b == hamiltonian ? operators.h : b == a ? operators.a : *b_argument;
    return operators;
}

kpm::StartVectorSource source_for(legato_kpm_vector_callback callback, void* user,
                                  const kpm::OperatorsOfCorrelation& operators) {
    return start_vectors_from_c(callback, user, kpm::sites_of(*operators.h));
}

// Copies the moments of the first orders on both sides.
void copy_orders(const kpm::Correlation& correlation, int32_t n_orders, std::span<const std::complex<double>> from,
                 double* to) {
    const auto count = static_cast<std::size_t>(n_orders),
               all = static_cast<std::size_t>(correlation.moments_per_side());
    for (std::size_t m = 0; m < count; ++m)
        for (std::size_t n = 0; n < count; ++n) {
            *to++ = from[m * all + n].real();
            *to++ = from[m * all + n].imag();
        }
}

}  // namespace

int32_t legato_kpm_correlation_create(legato_context* context, const legato_kpm_params* params,
                                      const legato_kpm_hamiltonian* hamiltonian, const legato_kpm_hamiltonian* a,
                                      const legato_kpm_hamiltonian* b, legato_kpm_correlation** correlation) {
    return create(context, "kpm.correlation", correlation, [&](Context& c) {
        const kpm::Problem problem = read_problem(params);
        if (problem.start_vectors == kpm::StartVectors::caller || has_fixed_vectors(problem))
            fail(Status::invalid_argument, "kpm.params.start_vectors: ", static_cast<int>(problem.start_vectors),
                 " is not 0, 1, 2 or 5; use legato_kpm_correlation_create_given for your own vectors");
        return std::make_unique<kpm::Correlation>(c, problem, operators_from_c(hamiltonian, a, b));
    });
}

int32_t legato_kpm_correlation_create_given(legato_context* context, const legato_kpm_params* params,
                                            const legato_kpm_hamiltonian* hamiltonian, const legato_kpm_hamiltonian* a,
                                            const legato_kpm_hamiltonian* b, legato_kpm_vector_callback callback,
                                            void* user, legato_kpm_correlation** correlation) {
    return create(context, "kpm.correlation", correlation, [&](Context& c) {
        if (!callback) fail(Status::invalid_argument, "kpm.callback: a null pointer is not allowed");
        kpm::Problem problem = read_problem(params);
        problem.start_vectors = kpm::StartVectors::caller;
        const kpm::OperatorsOfCorrelation operators = operators_from_c(hamiltonian, a, b);
        return std::make_unique<kpm::Correlation>(c, problem, operators, source_for(callback, user, operators));
    });
}

int32_t legato_kpm_correlation_destroy(legato_kpm_correlation* correlation) {
    return destroy(correlation);
}

int32_t legato_kpm_correlation_run(legato_kpm_correlation* correlation, legato_progress_callback callback, void* user) {
    return run(correlation, callback, user);
}

int32_t legato_kpm_correlation_advance(legato_kpm_correlation* correlation, int64_t rounds, int64_t* samples_done) {
    return advance("kpm.correlation.advance.rounds", correlation, rounds, samples_done);
}

int32_t legato_kpm_correlation_get_state(legato_kpm_correlation* correlation, legato_kpm_state* state) {
    return guard(correlation, [&](kpm::Correlation& c) {
        legato_kpm_state out = state_of(c, c.backend());
        out.block_width = static_cast<int32_t>(c.blocks().left);
        out.bytes = c.bytes();
        write_struct("kpm.state", out, state);
    });
}

int32_t legato_kpm_correlation_moments(legato_kpm_correlation* correlation, int32_t n_orders, double* mean,
                                       double* error) {
    return guard(correlation, [&](kpm::Correlation& c) {
        require_integer("kpm.correlation.moments.n_orders", n_orders, 1, c.moments_per_side());
        if (c.samples_done() == 0) {
            c.require_enclosed();
            fail(Status::invalid_argument, "kpm.correlation.moments: no sample is finished yet");
        }
        const kpm::DoubleMoments moments = c.moments();
        if (mean) copy_orders(c, n_orders, moments.mean, mean);
        if (error) copy_orders(c, n_orders, moments.error, error);
        c.require_enclosed();
    });
}

int32_t legato_kpm_correlation_sample(legato_kpm_correlation* correlation, int64_t sample, int32_t n_orders,
                                      double* moments) {
    return guard(correlation, [&](kpm::Correlation& c) {
        require_integer("kpm.correlation.sample.n_orders", n_orders, 1, c.moments_per_side());
        require_pointer("kpm.correlation.sample.moments", moments);
        if (c.samples_done() == 0) c.require_enclosed();
        copy_orders(c, n_orders, c.sample(sample), moments);
        c.require_enclosed();
    });
}

int32_t legato_kpm_correlation_set_progress(legato_kpm_correlation* correlation, legato_progress_callback callback,
                                            void* user) {
    return guard(correlation, [&](kpm::Correlation& c) { c.report_estimates(progress_from_c(callback, user)); });
}

int32_t legato_kpm_correlation_save(legato_kpm_correlation* correlation, const char* path) {
    return save("kpm.correlation", correlation, path);
}

int32_t legato_kpm_correlation_resume(legato_context* context, const char* path,
                                      const legato_kpm_hamiltonian* hamiltonian, const legato_kpm_hamiltonian* a,
                                      const legato_kpm_hamiltonian* b, legato_kpm_vector_callback callback, void* user,
                                      legato_kpm_correlation** correlation) {
    return create(context, "kpm.correlation", correlation, [&](Context& c) {
        const kpm::OperatorsOfCorrelation operators = operators_from_c(hamiltonian, a, b);
        return kpm::Correlation::resume(c, require_path("kpm.correlation.resume.path", path), operators,
                                        source_for(callback, user, operators));
    });
}

int32_t legato_kpm_correlation_get_params(legato_kpm_correlation* correlation, legato_kpm_params* params) {
    return guard(correlation, [&](kpm::Correlation& c) { write_struct("kpm.params", to_c(c.problem()), params); });
}
