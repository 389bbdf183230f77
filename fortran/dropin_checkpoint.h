/* LEGATO_CHECKPOINT: where the drop-ins save what they have done, so that a program that was killed is taken up again.
 *
 * Each problem has a file of its own, whose name tells the method and a hash of all that the problem consists of: a
 * file of another input is never looked at. When the program ends with status 0 and no call has failed, the files of
 * finished problems are removed. */
#ifndef LEGATO_DROPIN_CHECKPOINT_H
#define LEGATO_DROPIN_CHECKPOINT_H

#include <stddef.h>
#include <stdint.h>

enum { LEGATO_CHECKPOINT_PATH = 4096 };

/* A problem's file. Fortran has the same in legato_dropin.f90. */
struct legato_checkpoint {
    double saved_at;                   /* seconds, on a clock that never goes back */
    int32_t wanted;                    /* whether LEGATO_CHECKPOINT is set; if not, nothing else is */
    int32_t there;                     /* whether the file is there */
    char path[LEGATO_CHECKPOINT_PATH]; /* FOLDER/METHOD-HASH.ENDING */
};

/* Of some bytes, and of what went before: 0 to begin with. */
uint64_t legato_checkpoint_hash(uint64_t before, const void* bytes, size_t count);

/* Whether LEGATO_CHECKPOINT is set: 1 or 0. -1: it, or LEGATO_CHECKPOINT_INTERVAL, cannot be used, as a line on
 * standard error says. */
int32_t legato_checkpoint_wanted(void);

/* Names the file of a problem and looks whether it is there. `ending`: such as "h5". Returns 0, or 1 after a line on
 * standard error. */
int32_t legato_checkpoint_begin(struct legato_checkpoint* checkpoint, const char* method, uint64_t hash,
                                const char* ending);

/* Whether LEGATO_CHECKPOINT_INTERVAL seconds have passed since the file was begun or saved; 0 where none is wanted. */
int32_t legato_checkpoint_due(const struct legato_checkpoint* checkpoint);

/* Whether a finished part of the work has taken a thousandth of LEGATO_CHECKPOINT_INTERVAL since its file was begun or
 * saved: a shorter one is sooner done again than saved. */
int32_t legato_checkpoint_is_worth(const struct legato_checkpoint* checkpoint);

/* The problem is finished, and all its results are with the program. Where there is no memory to remember that, the
 * file stays. */
void legato_checkpoint_finished(const struct legato_checkpoint* checkpoint);

/* A call has failed: no file is removed when the program ends, whatever its exit status. */
void legato_checkpoint_keep(void);

/* To be called after each attempt at saving. `why`: of one that has failed, for a line on standard error; the program
 * goes on, and the next attempt is as far off as after one that has not. NULL: it is saved. */
void legato_checkpoint_saved(struct legato_checkpoint* checkpoint, const char* why);

#endif
