/* LEGATO_CHECKPOINT names the folder in which the drop-ins save their state, so that a program that was killed can be
 * resumed.
 *
 * Each problem has its own file. The file name contains the method and a hash of the whole problem, so that a file of
 * another input is never read. When the program ends with status 0 and no call has failed, the files of finished
 * problems are removed. */
#ifndef LEGATO_DROPIN_CHECKPOINT_H
#define LEGATO_DROPIN_CHECKPOINT_H

#include <stddef.h>
#include <stdint.h>

enum { LEGATO_CHECKPOINT_PATH = 4096 };

/* The checkpoint of a problem. legato_dropin.f90 has the same type in Fortran. */
struct legato_checkpoint {
    double saved_at;                   /* time of the beginning or the last save, seconds, monotonic clock */
    int32_t wanted;                    /* 1 if LEGATO_CHECKPOINT is set; otherwise all members are 0 */
    int32_t there;                     /* 1 if the file exists */
    char path[LEGATO_CHECKPOINT_PATH]; /* FOLDER/METHOD-HASH.ENDING */
};

/* Returns the hash of `count` bytes that follow data with the hash `before`; 0 if there are none before. */
uint64_t legato_checkpoint_hash(uint64_t before, const void* bytes, size_t count);

/* Returns 1 if LEGATO_CHECKPOINT is set, else 0. Returns -1 and prints the reason on standard error if
 * LEGATO_CHECKPOINT or LEGATO_CHECKPOINT_INTERVAL cannot be used. */
int32_t legato_checkpoint_wanted(void);

/* Names the file of a problem and checks whether it exists. `ending` is the file extension, for example "h5". Returns 0
 * on success; on failure prints the reason on standard error and returns 1. */
int32_t legato_checkpoint_begin(struct legato_checkpoint* checkpoint, const char* method, uint64_t hash,
                                const char* ending);

/* Returns 1 if LEGATO_CHECKPOINT_INTERVAL seconds have passed since the file was begun or saved. Returns 0 if not, or
 * if no file is wanted. */
int32_t legato_checkpoint_due(const struct legato_checkpoint* checkpoint);

/* Returns 1 if a finished part of the work has taken at least a thousandth of LEGATO_CHECKPOINT_INTERVAL since its file
 * was begun or saved. A shorter part is repeated faster than it is saved. */
int32_t legato_checkpoint_is_worth(const struct legato_checkpoint* checkpoint);

/* Records that a problem is finished and the program has all its results. If there is no memory for the record, the
 * file is not removed. */
void legato_checkpoint_finished(const struct legato_checkpoint* checkpoint);

/* Records that a call has failed: no file is removed when the program ends, whatever its exit status. */
void legato_checkpoint_keep(void);

/* Must be called after each attempt to save. `why` is NULL after a success. After a failure it is the reason, which is
 * printed on standard error. The program continues, and the next attempt follows after the same interval in both cases.
 */
void legato_checkpoint_saved(struct legato_checkpoint* checkpoint, const char* why);

#endif
