// Wraps cuSOLVER, which is loaded while the program runs, by replacing the results of dlsym().
#include <cusolverDn.h>

#include <cstring>

#include "wrapped.hpp"

extern "C" void* __real_dlsym(void* library, const char* name);

// The library does not load older versions.
#if CUSOLVER_VERSION >= 11701

using legato::tests::live_blocks;

#define LEGATO_CUSOLVER(name, error, parameters, arguments, blocks)                    \
    namespace {                                                                        \
    decltype(&name) real_##name = nullptr;                                             \
    cusolverStatus_t wrap_##name parameters {                                          \
        if (legato::tests::fails(legato::tests::Failure::device, #name)) return error; \
        const legato::tests::Uncounted own_calls;                                      \
        const cusolverStatus_t result = real_##name arguments;                         \
        if (result == CUSOLVER_STATUS_SUCCESS) live_blocks += blocks;                  \
        return result;                                                                 \
    }                                                                                  \
    }
// Wraps a function that releases something. Its status is not checked.
#define LEGATO_CUSOLVER_DESTROY(name, handle)                          \
    namespace {                                                        \
    decltype(&name) real_##name = nullptr;                             \
    cusolverStatus_t wrap_##name(handle given) {                       \
        const legato::tests::Uncounted own_calls;                      \
        const cusolverStatus_t result = real_##name(given);            \
        if (given && result == CUSOLVER_STATUS_SUCCESS) --live_blocks; \
        return result;                                                 \
    }                                                                  \
    }

LEGATO_CUSOLVER(cusolverDnCreate, CUSOLVER_STATUS_ALLOC_FAILED, (cusolverDnHandle_t * handle), (handle), 1)
LEGATO_CUSOLVER(cusolverDnCreateParams, CUSOLVER_STATUS_ALLOC_FAILED, (cusolverDnParams_t * params), (params), 1)
LEGATO_CUSOLVER_DESTROY(cusolverDnDestroy, cusolverDnHandle_t)
LEGATO_CUSOLVER_DESTROY(cusolverDnDestroyParams, cusolverDnParams_t)
LEGATO_CUSOLVER(cusolverDnXsyevBatched_bufferSize, CUSOLVER_STATUS_INTERNAL_ERROR,
                (cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t job, cublasFillMode_t triangle,
                 int64_t n, cudaDataType type_a, const void* a, int64_t lda, cudaDataType type_w, const void* w,
                 cudaDataType type, std::size_t* device_bytes, std::size_t* host_bytes, int64_t batch),
                (handle, params, job, triangle, n, type_a, a, lda, type_w, w, type, device_bytes, host_bytes, batch), 0)
LEGATO_CUSOLVER(cusolverDnXsyevBatched, CUSOLVER_STATUS_EXECUTION_FAILED,
                (cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t job, cublasFillMode_t triangle,
                 int64_t n, cudaDataType type_a, void* a, int64_t lda, cudaDataType type_w, void* w, cudaDataType type,
                 void* device_work, std::size_t device_bytes, void* host_work, std::size_t host_bytes, int* info,
                 int64_t batch),
                (handle, params, job, triangle, n, type_a, a, lda, type_w, w, type, device_work, device_bytes,
                 host_work, host_bytes, info, batch),
                0)

#define LEGATO_FOUND(wanted)                                        \
    if (std::strcmp(name, #wanted) == 0 && found) {                 \
        real_##wanted = reinterpret_cast<decltype(&wanted)>(found); \
        return reinterpret_cast<void*>(wrap_##wanted);              \
    }

extern "C" void* __wrap_dlsym(void* library, const char* name) {
    void* const found = __real_dlsym(library, name);
    LEGATO_FOUND(cusolverDnCreate)
    LEGATO_FOUND(cusolverDnCreateParams)
    LEGATO_FOUND(cusolverDnDestroy)
    LEGATO_FOUND(cusolverDnDestroyParams)
    LEGATO_FOUND(cusolverDnXsyevBatched_bufferSize)
    LEGATO_FOUND(cusolverDnXsyevBatched)
    return found;
}

#else

extern "C" void* __wrap_dlsym(void* library, const char* name) {
    return __real_dlsym(library, name);
}

#endif
