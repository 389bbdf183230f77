/** @file
 * Contexts: what a program chooses once, and where the words of an error are kept. A context is used by one thread at a
 * time; several contexts may work in several threads. */
#ifndef LEGATO_CONTEXT_H
#define LEGATO_CONTEXT_H

#include <legato/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A context. It is used by one thread at a time, with all that is made from it. Handles, this one and those of all
 * methods, are numbers and no addresses: a call with one that has been destroyed, is of another type or never was any
 * returns LEGATO_INVALID_ARGUMENT, and has no context to put words into. */
typedef struct legato_context legato_context;

/** What a program chooses once. Defaults come from environment variables where these are set. */
typedef struct legato_context_params {
    size_t struct_size; /**< set by legato_context_params_init */
    int32_t backend;    /**< legato_backend. AUTO, or environment variable LEGATO_BACKEND: auto, cpu, cuda */
    int32_t device;     /**< CUDA ordinal. 0, or LEGATO_DEVICE */
    int32_t threads;    /**< 0: as OpenMP, one a processor at most. 0, or LEGATO_NUM_THREADS; at most 4096 */
    int32_t log_level;  /**< legato_log_level. WARNING, or LEGATO_LOG: silent, error, warning, info, debug */
} legato_context_params;

/** What is known of a CUDA device. */
typedef struct legato_device_info {
    size_t struct_size;         /**< set by the caller */
    char name[256];             /**< ends with a zero byte */
    int32_t compute_capability; /**< 90 means 9.0 */
    int32_t multiprocessors;    /**< how many */
    int64_t total_memory;       /**< bytes */
    int64_t free_memory;        /**< bytes, at the time of the call */
} legato_device_info;

/** "major.minor.patch" of the library that runs, which may be newer than the header. */
LEGATO_API const char* legato_version(void);

/** The same as a number, 10000 major + 100 minor + patch. */
LEGATO_API int32_t legato_version_number(void);

/** A few words for a status. */
LEGATO_API const char* legato_status_text(int32_t status);

/** legato_context_params_init with the size of the struct that the caller knows, for other languages. */
LEGATO_API int32_t legato_context_params_init_sized(legato_context_params* params, size_t struct_size);

/** Fills in the defaults above, environment variables included. A variable with an unusable value is reported by
 * legato_context_create, not here. */
static inline int32_t legato_context_params_init(legato_context_params* params) {
    return legato_context_params_init_sized(params, sizeof *params);
}

/** A context; `params` may be NULL for the defaults. On failure *context is still made where memory allows (its message
 * says what was wrong) but every other call refuses it with the same status; destroy it as usual. */
LEGATO_API int32_t legato_context_create(LEGATO_NULLABLE const legato_context_params* params, legato_context** context);

/** Gives it back; NULL is allowed, a handle that has been destroyed is LEGATO_INVALID_ARGUMENT. Handles made from the
 * context stay usable and keep what they need of it; its logger is dropped. Its message can be read as long as one of
 * them is there. */
LEGATO_API int32_t legato_context_destroy(legato_context* context);

/** What was wrong with the last call with this context or a handle made from it; "" if nothing was. Valid until the
 * next call with the same context. A call without a context, or with a null handle, leaves no words. */
LEGATO_API const char* legato_context_message(const legato_context* context);

/** Log lines up to `level` go to `callback` (NULL: standard error). From LEGATO_LOG_ERROR on a callback also gets the
 * words of each call that fails with this context or a handle made from it, once and before the call returns; standard
 * error does not, as legato_context_message has them. LEGATO_LOG_DEBUG adds what a problem was created with. */
LEGATO_API int32_t legato_context_set_logger(legato_context* context, int32_t level, legato_log_callback callback,
                                             void* user);

/** The backend taken by the last problem created with this context, and why in words (may be NULL; valid until the next
 * call with the context). */
LEGATO_API int32_t legato_context_backend(legato_context* context, int32_t* backend,
                                          LEGATO_NULLABLE const char** reason);

/** Usable CUDA devices; 0, with the reason in the context's message, in a build or on a machine without. */
LEGATO_API int32_t legato_context_device_count(legato_context* context, int32_t* count);

/** What is known of CUDA device `device`, from 0. */
LEGATO_API int32_t legato_context_device_info(legato_context* context, int32_t device, legato_device_info* info);

#ifdef __cplusplus
}
#endif

#endif
