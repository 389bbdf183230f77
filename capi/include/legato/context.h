/** @file
 * Contexts. A context holds the settings of a caller and the message of its last call. One thread at a time may use a
 * context; different threads may use different contexts at the same time. */
#ifndef LEGATO_CONTEXT_H
#define LEGATO_CONTEXT_H

#include <legato/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A context. Only one thread at a time may use it and the objects made from it.
 *
 * Handles of contexts and of all methods are numbers, not addresses. A call with a handle that has been destroyed or
 * has another type, or with a number that never was a handle, returns LEGATO_STATUS_INVALID_ARGUMENT. Such a call has
 * no context that could store a message. Only legato_context_message accepts the handle of a destroyed context, as long
 * as a handle made from this context exists. */
typedef struct legato_context legato_context;

/** Settings of a context. Environment variables change the defaults; the comment of each member names its variable. */
typedef struct legato_context_params {
    size_t struct_size; /**< Set by legato_context_params_init. */
    int32_t backend;    /**< Backend of the computations. LEGATO_BACKEND (auto, cpu, cuda) changes the default. One of
                             legato_backend, default LEGATO_BACKEND_AUTO. */
    int32_t device;     /**< Number of the CUDA device. -1 stands for the devices that LEGATO_DEVICE names: a number, a
                             list such as 0,1, all, or local. The last one, and the default if it is not set, is the
                             local rank of the process if mpirun or srun has started it, modulo the number of devices,
                             otherwise 0. Several devices share the work: see legato_context_set_devices. Range
                             [-1, 1023], default -1. */
    int32_t threads;    /**< Number of threads on the CPU. 0 stands for the number that OpenMP would use, but at most
                             one for each processor. Processes that mpirun or srun has started on one machine share
                             its processors, if they are not bound to some of them. LEGATO_NUM_THREADS changes the
                             default. Range [0, 4096], default 0. */
    int32_t log_level;  /**< Highest level of the lines that are logged. LEGATO_LOG (silent, error, warning, info,
                             debug) changes the default. One of legato_log_level, default LEGATO_LOG_LEVEL_WARNING. */
} legato_context_params;

/** Properties of a CUDA device. */
typedef struct legato_device_info {
    size_t struct_size;         /**< Set by the caller. */
    char name[256];             /**< Name of the device, which ends with a zero byte. */
    int32_t compute_capability; /**< Compute capability; 90 means 9.0. */
    int32_t multiprocessors;    /**< Number of multiprocessors. */
    int64_t total_memory;       /**< Bytes of device memory. */
    int64_t free_memory;        /**< Bytes of device memory that are free at the time of the call. */
} legato_device_info;

/** Returns the version "major.minor.patch" of the library that is loaded. The library may be newer than the header. */
LEGATO_API const char* legato_version(void);

/** Returns the version of the library as a number: 10000 major + 100 minor + patch. */
LEGATO_API int32_t legato_version_number(void);

/** Returns a short text for a status, such as "out of memory". */
LEGATO_API const char* legato_status_text(int32_t status);

/** Fills in the defaults of a struct of struct_size bytes. It is for other languages; C programs call
 * legato_context_params_init. */
LEGATO_API int32_t legato_context_params_init_sized(legato_context_params* params, size_t struct_size);

/** Fills in the defaults, including those that environment variables change. If the value of a variable is unusable,
 * this function ignores the environment, and legato_context_create reports the error. */
static inline int32_t legato_context_params_init(legato_context_params* params) {
    return legato_context_params_init_sized(params, sizeof *params);
}

/** Creates a context; NULL for `params` stands for the defaults. A call that fails creates *context nevertheless,
 * unless there is too little memory. legato_context_message then returns the error. All other functions that use the
 * context return the same status. The context must be destroyed like any other. */
LEGATO_API int32_t legato_context_create(LEGATO_NULLABLE const legato_context_params* params, legato_context** context);

/** Destroys a context; NULL is allowed. For a handle that has been destroyed already it returns
 * LEGATO_STATUS_INVALID_ARGUMENT. Handles made from the context remain valid, but its logger is no longer called. The
 * message of the context can be read as long as one of these handles exists. */
LEGATO_API int32_t legato_context_destroy(legato_context* context);

/** Returns the message of the last call with this context or with a handle made from it. The message is "" if that call
 * succeeded, except after legato_context_device_count. The text is valid until the next call with the same context. A
 * call without a context, or with a null handle, stores no message. */
LEGATO_API const char* legato_context_message(const legato_context* context);

/** Makes `message` the context's message, as a call does that has failed, and returns `failure`, the status of such a
 * call. It is for libraries that build on this one. Range of failure: [1, 11]. */
LEGATO_API int32_t legato_context_report(legato_context* context, int32_t failure, const char* message);

/** Sends log lines up to `level` to `callback`, or to standard error if `callback` is NULL. If `level` is
 * LEGATO_LOG_LEVEL_ERROR or higher, a callback also receives the message of each call that fails with this context or
 * with a handle made from it. It receives the message once, before the call returns. Standard error does not receive
 * these messages, because legato_context_message returns them. LEGATO_LOG_LEVEL_DEBUG adds a line whenever the library
 * chooses a backend. This line names the requested backend, threads and device. */
LEGATO_API int32_t legato_context_set_logger(legato_context* context, int32_t level, legato_log_callback callback,
                                             void* user);

/** Lets `n_devices` CUDA devices of this process share the problems of a context, if they are computed with CUDA. They
 * share the points of tmm, vectors of kpm, atoms of dfr, chains of vmc and systems of ising. The results are bitwise
 * identical for every number of devices. The devices are different numbers in [0, 1023]. The call replaces
 * context.params.device; with LEGATO_BACKEND_AUTO, the first device is the one on which the library measures. It must
 * come before any handle is made from the context. */
LEGATO_API int32_t legato_context_set_devices(legato_context* context, int32_t n_devices, const int32_t devices[]);

/** Reads the backend that the library chose last with this context, and the reason for this choice as a text. The text
 * is valid until the next call with the context. */
LEGATO_API int32_t legato_context_backend(legato_context* context, int32_t* backend,
                                          LEGATO_NULLABLE const char** reason);

/** Reads the number of CUDA devices. The number is 0 if the library was built without CUDA or if the machine has no
 * device. The call succeeds nevertheless, and legato_context_message returns the reason. */
LEGATO_API int32_t legato_context_device_count(legato_context* context, int32_t* count);

/** Reads the properties of CUDA device `device`, counted from 0. */
LEGATO_API int32_t legato_context_device_info(legato_context* context, int32_t device, legato_device_info* info);

#ifdef __cplusplus
}
#endif

#endif
