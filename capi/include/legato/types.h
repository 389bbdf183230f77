/** @file
 * Types that all of Legato's C interface shares. C99; only double, fixed-width integers and pointers cross the border.
 */
#ifndef LEGATO_TYPES_H
#define LEGATO_TYPES_H

#include <stddef.h>
#include <stdint.h>

/** Marks what the shared library exports. */
#if defined(_WIN32)
#define LEGATO_API __declspec(dllexport)
#else
#define LEGATO_API __attribute__((visibility("default")))
#endif

/** Marks a pointer that may be NULL. */
#define LEGATO_NULLABLE

/** Marks an array that the library reads after the call has returned, as long as the object exists. */
#define LEGATO_BORROWED

#ifdef __cplusplus
extern "C" {
#endif

/** Every function returns one of these (as int32_t); the words belonging to it are in legato_context_message(). */
typedef enum legato_status {
    LEGATO_SUCCESS = 0,          /**< all went well */
    LEGATO_INVALID_ARGUMENT = 1, /**< the message names the field, the value and the range; or the handle is none */
    LEGATO_OUT_OF_MEMORY = 2,    /**< the message names the bytes wanted and free where they were known before */
    LEGATO_NO_DEVICE = 3,        /**< CUDA was asked for and cannot be had */
    LEGATO_DEVICE_ERROR = 4,     /**< a CUDA call failed */
    LEGATO_IO_ERROR = 5,         /**< a file cannot be read or written */
    LEGATO_BAD_FILE = 6,         /**< a file is truncated, foreign, damaged or newer than this library */
    LEGATO_CANCELLED = 7,        /**< a progress callback asked to stop; results so far can be read */
    LEGATO_NUMERICAL_ERROR = 8,  /**< a computation overflowed or lost rank */
    LEGATO_INTERNAL_ERROR = 9,   /**< a fault of the library */
    LEGATO_PRECISION_LOST = 10   /**< rounding errors may have spoilt what was computed, which is there all the same */
} legato_status;

/** Where the work is done. */
typedef enum legato_backend {
    LEGATO_BACKEND_AUTO = 0, /**< the faster one for the problem at hand */
    LEGATO_BACKEND_CPU = 1,  /**< threads on the CPU */
    LEGATO_BACKEND_CUDA = 2  /**< a CUDA device; LEGATO_NO_DEVICE where there is none */
} legato_backend;

/** What a log line is about; a level lets through its own lines and those above it. */
typedef enum legato_log_level {
    LEGATO_LOG_SILENT = 0,  /**< nothing */
    LEGATO_LOG_ERROR = 1,   /**< why a call failed */
    LEGATO_LOG_WARNING = 2, /**< results that need care */
    LEGATO_LOG_INFO = 3,    /**< what was chosen, and why */
    LEGATO_LOG_DEBUG = 4    /**< what helps to find a fault */
} legato_log_level;

/** How far a run is. What its points and cycles are stands with the function that runs it. */
typedef struct legato_progress {
    size_t struct_size;       /**< of the library's struct: newer ones have more members */
    int64_t points_done;      /**< that have ended */
    int64_t points_total;     /**< of the whole run */
    int64_t cycles_done;      /**< in this run, summed over points */
    double seconds;           /**< since the run began */
    double cycles_per_second; /**< cycles_done / seconds */
} legato_progress;

/** Called a few times a second in the calling thread. Non-zero stops the run with LEGATO_CANCELLED. It may read results
 * of the run and destroy it, which takes effect when the run returns; it cannot carry it on (which is refused). It may
 * leave by longjmp: the next call takes the run up again, and the memory that the call had in use is lost. */
typedef int (*legato_progress_callback)(void* user, const legato_progress* progress);

/** `line` has no line feed and lives until the callback returns. */
typedef void (*legato_log_callback)(void* user, int32_t level, const char* line);

#ifdef __cplusplus
}
#endif

#endif
