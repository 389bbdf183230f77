#include "dfr/engine.hpp"

#include "core/device.hpp"

namespace legato::dfr {

std::unique_ptr<Engine> make_engine(const Context& context, Backend backend, const Quadratures& quadratures,
                                    int threads) {
    if constexpr (with_cuda)
        if (backend == Backend::cuda) return make_cuda_engine(context, quadratures, threads);
    return make_cpu_engine(quadratures, threads);
}

}  // namespace legato::dfr
