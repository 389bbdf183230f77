// The kernels for wide points with other than plain hopping.
#include "tmm/cluster_kernel.cuh"
#include "tmm/grid_kernel.cuh"
#include "tmm/wide_kernels.hpp"

namespace legato::tmm {

WideKernels coupled_kernels() {
    return {cluster_kernel<false>, {grid_kernel<false, false>, grid_kernel<true, false>}};
}

}  // namespace legato::tmm
