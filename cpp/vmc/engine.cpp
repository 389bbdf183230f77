#include "vmc/engine.hpp"

#include "core/error.hpp"
#include "vmc/cpu_kernels.hpp"

namespace legato::vmc {

std::int64_t memory_needed(const Model& model) {
    const std::size_t rows = model.order() + model.pairs();
    const auto matrix = static_cast<std::int64_t>(rows * row_length(model.order()) * sizeof(double));
    const auto electrons = static_cast<std::int64_t>((4 * model.order() + model.geometry.sites()) * sizeof(double));
    const auto bins = model.problem.bins * static_cast<std::int64_t>(local_values_of(model.problem) * sizeof(double));
    return (matrix + 4 * electrons + bins) * model.problem.chains;
}

std::unique_ptr<Engine> make_engine(const Context& context, Backend backend, const Model& model) {
    if (backend == Backend::cuda) fail(Status::no_device, "vmc: there is no CUDA engine yet; take the CPU's");
    return make_cpu_engine(context, model);
}

}  // namespace legato::vmc
