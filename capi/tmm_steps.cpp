#include "legato/tmm_steps.h"

#include <cmath>

#include "core/call.hpp"
#include "core/device.hpp"
#include "core/validate.hpp"
#include "handle.hpp"
#include "tmm/precision.hpp"
#include "tmm/propagation.hpp"

using namespace legato;
using namespace legato::capi;

template <>
struct capi::StandsFor<legato_tmm_propagation> : Handle<tmm::Propagation> {};

namespace {

// Throws if the context asks for CUDA, instead of using the CPU silently: there is no device, or the steps do not use
// it.
void require_cpu(const Context& context) {
    if (context.options().backend != Backend::cuda) return;
    (void)device_info(context.options().device);  // throws if there is none
    fail(Status::no_device,
         "tmm.steps: single steps run on the CPU only; take backend auto or cpu, or a legato_tmm_propagation");
}

// Returns the number of threads. Narrow steps do not ask OpenMP for it, which costs as much as such a step.
int threads_for(const Context& context, int64_t sites) {
    return sites < tmm::shared_from ? 1 : context.threads();
}

tmm::Layout layout_from_c(int32_t layout) {
    require_integer("tmm.steps.layout", layout, 0, 1);
    return static_cast<tmm::Layout>(layout);
}

tmm::Problem problem_from_c(int32_t dimension, int64_t width, int32_t boundary, double hopping) {
    require_integer("tmm.steps.dimension", dimension, 1, 3);
    require_integer("tmm.steps.width", width, 1, dimension == 1 ? 1 : dimension == 2 ? 4096 : 64);
    require_integer("tmm.steps.boundary", boundary, 0, dimension == 1 ? 0 : 2);
    require_real("tmm.steps.hopping", hopping, -tmm::most_hopping, tmm::most_hopping);
    tmm::Problem problem;
    problem.dimension = dimension;
    problem.width = width;
    problem.boundary = static_cast<tmm::Boundary>(boundary);
    problem.hopping = hopping;
    return problem;
}

void require_precision(double largest_loss, const char* function) {
    if (largest_loss > tmm::most_growth)
        fail(Status::precision_lost, function, ": orthonormalisation has shortened a vector by a factor of ",
             largest_loss, "; beyond ", tmm::most_growth,
             " rounding errors may have spoilt it; orthonormalise more often");
}

void require_valid_norms(bool valid, const char* function) {
    if (!valid) fail(Status::numerical_error, function, ": a vector overflowed or vanished; orthonormalise more often");
}

// Returns the object of a context that does not ask for CUDA, for calls that cannot run a callback. Returns null for
// all other contexts and for handles that are not valid.
ContextObject* valid_cpu_context(legato_context* handle) noexcept {
    auto* const context = static_cast<ContextObject*>(object_of(handle, &type_of<legato_context>));
    return context && context->context && context->context->options().backend != Backend::cuda ? context : nullptr;
}

// Multiplies a narrow bar if all arguments are valid. Programs call this case millions of times, and the general path
// of a call takes several times as long as the multiplication. Returns false in all other cases.
bool multiply_narrow(legato_context* handle, int32_t dimension, int64_t width, int32_t boundary, double hopping,
                     int32_t layout, const double* diagonal, const double* psi_a, double* psi_b) noexcept {
    ContextObject* const context = valid_cpu_context(handle);
    if (!context) return false;
    const bool square = dimension == 3;
    const int64_t widest = square ? 9 : tmm::shared_from - 1;
    if (!(dimension == 2 || square) || width < 1 || width > widest || boundary < 0 || boundary > 2) return false;
    if (layout < 0 || layout > 1 || !diagonal || !psi_a || !psi_b || !(std::abs(hopping) <= tmm::most_hopping))
        return false;
    context->message.clear();
    const DefaultFloatingPoint environment;
    tmm::multiply_narrow(static_cast<std::size_t>(width), square, static_cast<tmm::Boundary>(boundary), hopping,
                         static_cast<tmm::Layout>(layout), diagonal, psi_a, psi_b);
    return true;
}

// Is not inlined, because its stack frame would slow down narrow bars.
[[gnu::noinline]] int32_t multiply(legato_context* context, int32_t dimension, int64_t width, int32_t boundary,
                                   double hopping, int32_t layout, const double* diagonal, const double* psi_a,
                                   double* psi_b) {
    return guard(context, [&](Context& c) {
        require_cpu(c);
        const tmm::Problem problem = problem_from_c(dimension, width, boundary, hopping);
        require_pointer("tmm.multiply.diagonal", diagonal);
        require_pointer("tmm.multiply.psi_a", psi_a);
        require_pointer("tmm.multiply.psi_b", psi_b);
        tmm::multiply(problem, layout_from_c(layout), diagonal, psi_a, psi_b, threads_for(c, problem.sites()));
    });
}

// Orthonormalises vectors that fit into the registers, if all arguments are valid and neither a norm nor precision is
// lost. Returns false in all other cases.
bool orthonormalise_narrow(legato_context* handle, int64_t n, int32_t layout, double* psi_a, double* psi_b,
                           double* log_norms) noexcept {
    ContextObject* const context = valid_cpu_context(handle);
    if (!context || n < 1 || n > tmm::max_sites) return false;
    if (layout < 0 || layout > 1 || !psi_a || !psi_b || !log_norms) return false;
    const DefaultFloatingPoint environment;
    if (!tmm::orthonormalise_narrow(static_cast<std::size_t>(n), static_cast<tmm::Layout>(layout), psi_a, psi_b,
                                    log_norms))
        return false;
    context->message.clear();
    return true;
}

[[gnu::noinline]] int32_t orthonormalise(legato_context* context, int64_t n, int32_t layout, double* psi_a,
                                         double* psi_b, double* log_norms) {
    return guard(context, [&](Context& c) {
        require_cpu(c);
        require_integer("tmm.orthonormalise.n", n, 1, tmm::max_sites);
        require_pointer("tmm.orthonormalise.psi_a", psi_a);
        require_pointer("tmm.orthonormalise.psi_b", psi_b);
        require_pointer("tmm.orthonormalise.log_norms", log_norms);
        double largest_loss = 1;
        require_valid_norms(tmm::orthonormalise(static_cast<std::size_t>(n), layout_from_c(layout), psi_a, psi_b,
                                                log_norms, threads_for(c, n), &largest_loss),
                            "tmm.orthonormalise");
        require_precision(largest_loss, "tmm.orthonormalise");
    });
}

}  // namespace

int32_t legato_tmm_multiply(legato_context* context, int32_t dimension, int64_t width, int32_t boundary, double hopping,
                            int32_t layout, const double* diagonal, const double* psi_a, double* psi_b) {
    if (multiply_narrow(context, dimension, width, boundary, hopping, layout, diagonal, psi_a, psi_b))
        return LEGATO_STATUS_SUCCESS;
    return multiply(context, dimension, width, boundary, hopping, layout, diagonal, psi_a, psi_b);
}

int32_t legato_tmm_narrow_step(legato_context* context, int32_t dimension, int64_t width, int32_t boundary,
                               int32_t layout, legato_tmm_step* step) {
    return guard(context, [&](Context& c) {
        require_cpu(c);
        legato_tmm_step& found = require_pointer("tmm.narrow_step.step", step);
        found = nullptr;
        found = tmm::narrow_step(problem_from_c(dimension, width, boundary, 1.0), layout_from_c(layout));
    });
}

int32_t legato_tmm_orthonormalise(legato_context* context, int64_t n, int32_t layout, double* psi_a, double* psi_b,
                                  double* log_norms) {
    if (orthonormalise_narrow(context, n, layout, psi_a, psi_b, log_norms)) return LEGATO_STATUS_SUCCESS;
    return orthonormalise(context, n, layout, psi_a, psi_b, log_norms);
}

int32_t legato_tmm_propagation_create(legato_context* context, int32_t dimension, int64_t width, int32_t boundary,
                                      double hopping, int32_t layout, legato_tmm_propagation** propagation) {
    constexpr double many = 10000;
    return legato_tmm_propagation_create_for(context, dimension, width, boundary, hopping, layout, many, propagation);
}

int32_t legato_tmm_propagation_create_for(legato_context* context, int32_t dimension, int64_t width, int32_t boundary,
                                          double hopping, int32_t layout, double cycles,
                                          legato_tmm_propagation** propagation) {
    return create(context, "tmm.propagation", propagation, [&](Context& c) {
        const tmm::Problem problem = problem_from_c(dimension, width, boundary, hopping);
        require_real("tmm.propagation.cycles", cycles, 1, tmm::Propagation::most_expected);
        return std::make_unique<tmm::Propagation>(c, problem, layout_from_c(layout), cycles);
    });
}

int32_t legato_tmm_propagation_destroy(legato_tmm_propagation* propagation) {
    return destroy(propagation);
}

int32_t legato_tmm_propagation_load(legato_tmm_propagation* propagation, const double* current,
                                    const double* previous) {
    return guard(propagation, [&](tmm::Propagation& p) {
        p.load(&require_pointer("tmm.propagation.current", current),
               &require_pointer("tmm.propagation.previous", previous));
    });
}

int32_t legato_tmm_propagation_multiply(legato_tmm_propagation* propagation, const double* diagonal) {
    return guard(propagation,
                 [&](tmm::Propagation& p) { p.multiply(&require_pointer("tmm.propagation.diagonal", diagonal)); });
}

int32_t legato_tmm_propagation_orthonormalise(legato_tmm_propagation* propagation, double* log_norms) {
    return guard(propagation, [&](tmm::Propagation& p) {
        double largest_loss = 1;
        require_valid_norms(p.orthonormalise(&require_pointer("tmm.propagation.log_norms", log_norms), &largest_loss),
                            "tmm.propagation.orthonormalise");
        require_precision(largest_loss, "tmm.propagation.orthonormalise");
    });
}

int32_t legato_tmm_propagation_store(legato_tmm_propagation* propagation, double* current, double* previous) {
    return guard(propagation, [&](tmm::Propagation& p) {
        require_valid_norms(p.store(&require_pointer("tmm.propagation.current", current),
                                    &require_pointer("tmm.propagation.previous", previous)),
                            "tmm.propagation.store");
    });
}
