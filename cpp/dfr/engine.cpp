#include "dfr/engine.hpp"

#include "core/device.hpp"

namespace legato::dfr {

std::unique_ptr<Engine> make_engine(const Context& context, Backend backend, const Problem& problem,
                                    std::span<const Atom> atoms) {
    if constexpr (with_cuda)
        if (backend == Backend::cuda) return make_cuda_engine(context, problem, atoms);
    return make_cpu_engine(context, problem, atoms);
}

}  // namespace legato::dfr
