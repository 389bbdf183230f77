// Wraps every function of the CUDA runtime that the library calls and that may fail. cuSOLVER is not among them,
// because it is loaded while the program runs.
#include <cuda_runtime.h>

#include "wrapped.hpp"

namespace {

using legato::tests::Failure;
using legato::tests::live_blocks;

thread_local cudaError_t last_error = cudaSuccess;  // error of an injected failure, until it is queried

cudaError_t failed(cudaError_t error) {
    return last_error = error;
}

}  // namespace

// Wraps a function. Calls that the runtime makes itself are not counted.
#define LEGATO_CUDA(name, error, parameters, arguments)                         \
    extern "C" cudaError_t __real_##name parameters;                            \
    extern "C" cudaError_t __wrap_##name parameters {                           \
        if (legato::tests::fails(Failure::device, #name)) return failed(error); \
        const legato::tests::Uncounted own_calls;                               \
        return __real_##name arguments;                                         \
    }
// Adds `change` to the number of live blocks if the call succeeds.
#define LEGATO_CUDA_MEMORY(name, error, change, parameters, arguments)          \
    extern "C" cudaError_t __real_##name parameters;                            \
    extern "C" cudaError_t __wrap_##name parameters {                           \
        if (legato::tests::fails(Failure::device, #name)) return failed(error); \
        const legato::tests::Uncounted own_calls;                               \
        const cudaError_t result = __real_##name arguments;                     \
        if (result == cudaSuccess) live_blocks += change;                       \
        return result;                                                          \
    }
// Releases the memory even if it reports a failure.
#define LEGATO_CUDA_FREE(name, type)                                     \
    extern "C" cudaError_t __real_##name(type memory);                   \
    extern "C" cudaError_t __wrap_##name(type memory) {                  \
        const bool fails = legato::tests::fails(Failure::device, #name); \
        const legato::tests::Uncounted own_calls;                        \
        const cudaError_t result = __real_##name(memory);                \
        if (memory && result == cudaSuccess) --live_blocks;              \
        return fails ? failed(cudaErrorLaunchFailure) : result;          \
    }

LEGATO_CUDA_MEMORY(cudaMalloc, cudaErrorMemoryAllocation, 1, (void** memory, std::size_t size), (memory, size))
LEGATO_CUDA_MEMORY(cudaHostAlloc, cudaErrorMemoryAllocation, 1, (void** memory, std::size_t size, unsigned flags),
                   (memory, size, flags))
LEGATO_CUDA_MEMORY(cudaEventCreateWithFlags, cudaErrorMemoryAllocation, 1, (cudaEvent_t * event, unsigned flags),
                   (event, flags))
LEGATO_CUDA_MEMORY(cudaStreamCreateWithFlags, cudaErrorMemoryAllocation, 1, (cudaStream_t * stream, unsigned flags),
                   (stream, flags))
LEGATO_CUDA_MEMORY(cudaStreamCreateWithPriority, cudaErrorMemoryAllocation, 1,
                   (cudaStream_t * stream, unsigned flags, int priority), (stream, flags, priority))
LEGATO_CUDA_FREE(cudaFree, void*)
LEGATO_CUDA_FREE(cudaFreeHost, void*)
LEGATO_CUDA_FREE(cudaEventDestroy, cudaEvent_t)
LEGATO_CUDA_FREE(cudaStreamDestroy, cudaStream_t)

LEGATO_CUDA(cudaGetDeviceCount, cudaErrorNoDevice, (int* count), (count))
LEGATO_CUDA(cudaDriverGetVersion, cudaErrorUnknown, (int* version), (version))
LEGATO_CUDA(cudaGetDevice, cudaErrorInitializationError, (int* device), (device))
LEGATO_CUDA(cudaSetDevice, cudaErrorDevicesUnavailable, (int device), (device))
LEGATO_CUDA(cudaGetDeviceProperties, cudaErrorInvalidDevice, (cudaDeviceProp * properties, int device),
            (properties, device))
LEGATO_CUDA(cudaDeviceGetAttribute, cudaErrorInvalidValue, (int* value, cudaDeviceAttr which, int device),
            (value, which, device))
LEGATO_CUDA(cudaDeviceGetStreamPriorityRange, cudaErrorInitializationError, (int* least, int* greatest),
            (least, greatest))
LEGATO_CUDA(cudaDeviceCanAccessPeer, cudaErrorInvalidDevice, (int* can, int device, int peer), (can, device, peer))
LEGATO_CUDA(cudaDeviceGetP2PAttribute, cudaErrorInvalidDevice, (int* value, cudaDeviceP2PAttr which, int from, int to),
            (value, which, from, to))
LEGATO_CUDA(cudaDeviceEnablePeerAccess, cudaErrorInvalidDevice, (int peer, unsigned flags), (peer, flags))
LEGATO_CUDA(cudaMemGetInfo, cudaErrorLaunchFailure, (std::size_t * free, std::size_t* total), (free, total))

LEGATO_CUDA(cudaMemcpy, cudaErrorIllegalAddress,
            (void* to, const void* from, std::size_t size, cudaMemcpyKind direction), (to, from, size, direction))
LEGATO_CUDA(cudaMemset, cudaErrorIllegalAddress, (void* memory, int value, std::size_t size), (memory, value, size))
LEGATO_CUDA(cudaMemsetAsync, cudaErrorIllegalAddress, (void* memory, int value, std::size_t size, cudaStream_t stream),
            (memory, value, size, stream))
LEGATO_CUDA(cudaMemcpyAsync, cudaErrorIllegalAddress,
            (void* to, const void* from, std::size_t size, cudaMemcpyKind direction, cudaStream_t stream),
            (to, from, size, direction, stream))
LEGATO_CUDA(cudaMemcpyPeerAsync, cudaErrorIllegalAddress,
            (void* to, int to_device, const void* from, int from_device, std::size_t size, cudaStream_t stream),
            (to, to_device, from, from_device, size, stream))
LEGATO_CUDA(cudaStreamWaitEvent, cudaErrorLaunchFailure, (cudaStream_t stream, cudaEvent_t event, unsigned flags),
            (stream, event, flags))
LEGATO_CUDA(cudaEventRecord, cudaErrorLaunchFailure, (cudaEvent_t event, cudaStream_t stream), (event, stream))
LEGATO_CUDA(cudaEventSynchronize, cudaErrorLaunchFailure, (cudaEvent_t event), (event))
LEGATO_CUDA(cudaStreamSynchronize, cudaErrorLaunchFailure, (cudaStream_t stream), (stream))
LEGATO_CUDA(cudaDeviceSynchronize, cudaErrorLaunchFailure, (), ())

LEGATO_CUDA(cudaFuncGetAttributes, cudaErrorInvalidDeviceFunction,
            (cudaFuncAttributes * attributes, const void* kernel), (attributes, kernel))
LEGATO_CUDA(cudaFuncSetAttribute, cudaErrorInvalidValue, (const void* kernel, cudaFuncAttribute which, int value),
            (kernel, which, value))
LEGATO_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, cudaErrorInvalidDeviceFunction,
            (int* blocks, const void* kernel, int threads, std::size_t shared, unsigned flags),
            (blocks, kernel, threads, shared, flags))
LEGATO_CUDA(cudaOccupancyMaxActiveClusters, cudaErrorInvalidDeviceFunction,
            (int* clusters, const void* kernel, const cudaLaunchConfig_t* config), (clusters, kernel, config))
LEGATO_CUDA(cudaLaunchKernel, cudaErrorLaunchOutOfResources,
            (const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared, cudaStream_t stream),
            (kernel, grid, block, arguments, shared, stream))
LEGATO_CUDA(cudaLaunchKernelExC, cudaErrorLaunchOutOfResources,
            (const cudaLaunchConfig_t* config, const void* kernel, void** arguments), (config, kernel, arguments))
LEGATO_CUDA(cudaLaunchCooperativeKernel, cudaErrorCooperativeLaunchTooLarge,
            (const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared, cudaStream_t stream),
            (kernel, grid, block, arguments, shared, stream))

// `kernel<<<...>>>` calls this function from CUDA 13 on. It identifies kernels by handles.
#if CUDART_VERSION >= 13000
LEGATO_CUDA(__cudaLaunchKernel, cudaErrorLaunchOutOfResources,
            (cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared, cudaStream_t stream),
            (kernel, grid, block, arguments, shared, stream))
#endif

#define LEGATO_LAST_ERROR(name)                           \
    extern "C" cudaError_t __real_##name();               \
    extern "C" cudaError_t __wrap_##name() {              \
        const cudaError_t injected = last_error;          \
        last_error = cudaSuccess;                         \
        const legato::tests::Uncounted own_calls;         \
        const cudaError_t real = __real_##name();         \
        return injected != cudaSuccess ? injected : real; \
    }
LEGATO_LAST_ERROR(cudaGetLastError)
