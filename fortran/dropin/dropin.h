/* What the drop-ins share. The libraries differ in LEGATO_DROPIN_LAYOUT alone, given when they are compiled.
 *
 * When host arrays are valid: always. Every routine here has done all its work when it returns. A program that
 * keeps to the rule below will run unchanged on a later drop-in that defers multiplications to a GPU: between a
 * tmmult2d or tmmult3d and the next renorm it hands psi_a and psi_b to these routines only, and neither reads nor
 * writes them itself. Behind renorm they are valid for good. */
#ifndef LEGATO_DROPIN_H
#define LEGATO_DROPIN_H

#include <legato/legato.h>

enum dropin_routine { DROPIN_RENORM, DROPIN_TMMULT2D, DROPIN_TMMULT3D, DROPIN_SWAP, DROPIN_ROUTINES };

/* One for each thread that calls, as a context serves one thread at a time. Kept to the end of the process, when the
 * calls of all are added up. */
struct dropin_thread {
    legato_context* context;
    int64_t calls[DROPIN_ROUTINES];
    struct dropin_thread* next;
};

/* The calling thread's, made from the environment (LEGATO_*) at the first call, which one more is counted in. */
struct dropin_thread* dropin_enter(enum dropin_routine routine);

/* Ends the program with one line if `status` is an error. */
void dropin_check(const struct dropin_thread* thread, int32_t status);

/* For tmm_dropin.f90, which knows the user's modules: one multiplication, in the layout of this library. diagonal[N]:
 * E - V; dimension 2 or 3. */
LEGATO_API void legato_dropin_multiply(int32_t dimension, int32_t width, int32_t boundary, double hopping,
                                       const double* diagonal, const double* psi_a, double* psi_b);

/* Calls of all routines by all threads so far. */
LEGATO_API int64_t legato_dropin_calls(void);

/* The legacy routines. The names with __wrap_ are those that `ld --wrap` asks for. */
LEGATO_API void renorm_(double* psi_a, double* psi_b, double* gamma, double* gamma2, const int32_t* n);
LEGATO_API void swap_(double* psi_a, double* psi_b, const int32_t* n);
LEGATO_API void __wrap_renorm_(double* psi_a, double* psi_b, double* gamma, double* gamma2, const int32_t* n);
LEGATO_API void __wrap_swap_(double* psi_a, double* psi_b, const int32_t* n);

#endif
