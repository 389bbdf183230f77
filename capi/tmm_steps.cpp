#include "legato/tmm_steps.h"

#include "core/device.hpp"
#include "core/validate.hpp"
#include "guard.hpp"
#include "tmm/building_blocks.hpp"

using namespace legato;
using namespace legato::capi;

namespace {

// Never a silent fall-back: who asked for CUDA is told that there is none, or that the steps do not use it.
void require_cpu(const Context& context) {
    if (context.options().backend != Backend::cuda) return;
    (void)device_info(context.options().device);  // throws where there is none
    fail(Status::no_device, "tmm.steps: single steps run on the CPU only; take backend auto or cpu, or legato_tmm_run");
}

// Asking OpenMP costs as much as a narrow step.
int threads_for(const Context& context, int64_t sites) {
    return sites < tmm::shared_from ? 1 : context.threads();
}

tmm::Layout layout_from_c(int32_t layout) {
    require_integer("tmm.steps.layout", layout, 0, 1);
    return static_cast<tmm::Layout>(layout);
}

}  // namespace

int32_t legato_tmm_multiply(legato_context* context, int32_t dimension, int64_t width, int32_t boundary, double hopping,
                            int32_t layout, const double* diagonal, const double* psi_a, double* psi_b) {
    return guard(context, [&](Context& c) {
        require_cpu(c);
        require_integer("tmm.multiply.dimension", dimension, 1, 3);
        require_integer("tmm.multiply.width", width, 1, dimension == 1 ? 1 : dimension == 2 ? 4096 : 64);
        require_integer("tmm.multiply.boundary", boundary, 0, dimension == 1 ? 0 : 2);
        require_real("tmm.multiply.hopping", hopping, -1e6, 1e6);
        require_pointer("tmm.multiply.diagonal", diagonal);
        require_pointer("tmm.multiply.psi_a", psi_a);
        require_pointer("tmm.multiply.psi_b", psi_b);
        tmm::Problem problem;
        problem.dimension = dimension;
        problem.width = width;
        problem.boundary = static_cast<tmm::Boundary>(boundary);
        problem.hopping = hopping;
        tmm::multiply(problem, layout_from_c(layout), diagonal, psi_a, psi_b, threads_for(c, problem.sites()));
    });
}

int32_t legato_tmm_orthonormalise(legato_context* context, int64_t n, int32_t layout, double* psi_a, double* psi_b,
                                  double* log_norms) {
    return guard(context, [&](Context& c) {
        require_cpu(c);
        require_integer("tmm.orthonormalise.n", n, 1, tmm::max_sites);
        require_pointer("tmm.orthonormalise.psi_a", psi_a);
        require_pointer("tmm.orthonormalise.psi_b", psi_b);
        require_pointer("tmm.orthonormalise.log_norms", log_norms);
        if (!tmm::orthonormalise(static_cast<std::size_t>(n), layout_from_c(layout), psi_a, psi_b, log_norms,
                                 threads_for(c, n)))
            fail(Status::numerical_error,
                 "tmm.orthonormalise: a vector overflowed or vanished; orthonormalise more often");
    });
}
