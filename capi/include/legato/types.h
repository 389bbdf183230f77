/** @file
 * Types that all parts of the C interface share. The interface is C99. Its arguments are double, fixed-width integers
 * and pointers only. Every struct begins with struct_size, the size of the caller's struct in bytes. The function whose
 * name ends in _init sets it in a struct with parameters. In any other struct that the caller passes, the caller sets
 * it to sizeof the struct before the call. */
#ifndef LEGATO_TYPES_H
#define LEGATO_TYPES_H

#include <stddef.h>
#include <stdint.h>

/** Marks a function that the shared library exports. */
#if defined(_WIN32)
#define LEGATO_API __declspec(dllexport)
#else
#define LEGATO_API __attribute__((visibility("default")))
#endif

/** Marks a pointer that may be NULL. */
#define LEGATO_NULLABLE

/** Marks an array that must exist and stay unchanged as long as an object made from it exists. */
#define LEGATO_BORROWED

#ifdef __cplusplus
extern "C" {
#endif

/** Status that a function returns, as an int32_t. legato_context_message returns the message that belongs to it. */
typedef enum legato_status {
    LEGATO_STATUS_SUCCESS = 0,          /**< success */
    LEGATO_STATUS_INVALID_ARGUMENT = 1, /**< invalid argument (the message names it, its value and range), or invalid
                                             handle */
    LEGATO_STATUS_OUT_OF_MEMORY = 2,    /**< out of memory; the message names the needed and the free bytes if they are
                                             known in advance */
    LEGATO_STATUS_NO_DEVICE = 3,        /**< CUDA was requested and is not available */
    LEGATO_STATUS_DEVICE_ERROR = 4,     /**< a CUDA call failed */
    LEGATO_STATUS_IO_ERROR = 5,         /**< a file cannot be read or written */
    LEGATO_STATUS_BAD_FILE = 6,         /**< a file is truncated, damaged, not of the expected kind, or written by a
                                             newer version of the library */
    LEGATO_STATUS_CANCELLED = 7,        /**< a progress callback stopped the run; the results so far can be read */
    LEGATO_STATUS_NUMERICAL_ERROR = 8,  /**< a computation overflowed or lost rank */
    LEGATO_STATUS_INTERNAL_ERROR = 9,   /**< an error inside the library */
    LEGATO_STATUS_PRECISION_LOST = 10,  /**< a result was computed, but rounding errors may have spoilt it */
    LEGATO_STATUS_COMMUNICATION_ERROR = 11 /**< a function of a communicator failed (legato/communicator.h) */
} legato_status;

/** Backend of a computation. */
typedef enum legato_backend {
    LEGATO_BACKEND_AUTO = 0, /**< the faster backend for the problem */
    LEGATO_BACKEND_CPU = 1,  /**< threads on the CPU */
    LEGATO_BACKEND_CUDA = 2  /**< a CUDA device; the status is LEGATO_STATUS_NO_DEVICE if there is none */
} legato_backend;

/** Level of a log line. A logger receives the lines of its own level and of all levels with a smaller number. */
typedef enum legato_log_level {
    LEGATO_LOG_LEVEL_SILENT = 0,  /**< no lines */
    LEGATO_LOG_LEVEL_ERROR = 1,   /**< errors: the reason why a call failed */
    LEGATO_LOG_LEVEL_WARNING = 2, /**< warnings: results that need care */
    LEGATO_LOG_LEVEL_INFO = 3,    /**< choices of the library, with the reason */
    LEGATO_LOG_LEVEL_DEBUG = 4    /**< details that help to find an error */
} legato_log_level;

/** Progress of a run. Each function with a progress callback says in its comment what it counts as points and as
 * cycles. */
typedef struct legato_progress {
    size_t struct_size;       /**< Size of the library's struct. Newer versions of the library have more members. */
    int64_t points_done;      /**< Number of finished points. */
    int64_t points_total;     /**< Number of all points of the run. */
    int64_t cycles_done;      /**< Number of cycles of all points together since the call began. */
    double seconds;           /**< Seconds since the call began. */
    double cycles_per_second; /**< cycles_done / seconds */
} legato_progress;

/** Reports progress. The library calls it a few times a second in the calling thread. A return value other than 0 stops
 * the run with LEGATO_STATUS_CANCELLED.
 *
 * The callback may read the results of the run. It may also destroy the run; this takes effect when the function that
 * called the callback returns. It cannot continue the run: such a call is refused. It may leave the
 * library by longjmp. Another call can then continue the run, but the memory that the interrupted call used is not
 * freed. */
typedef int (*legato_progress_callback)(void* user, const legato_progress* progress);

/** Receives a log line. `line` has no line feed and is valid until the callback returns. */
typedef void (*legato_log_callback)(void* user, int32_t level, const char* line);

#ifdef __cplusplus
}
#endif

#endif
