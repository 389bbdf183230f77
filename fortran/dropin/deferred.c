/* Deferred calls. Multiplications are queued and done together with the orthonormalisation that follows them; the wave
 * functions stay on the device from call to call. Meanwhile the program's two arrays are filled with a mark, a NaN of
 * our own, so that a program that reads them finds out at once, and one that sets them anew is noticed: at the next
 * call an array without the mark counts as new. Looked at are its first, middle and last element. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dropin.h"

static const uint64_t mark_bits = 0x7ff84c656761746fu; /* a quiet NaN, "Legato" */

static int marked(const double* psi, int64_t sites) {
    const int64_t last = sites * sites - 1, places[] = {0, last / 2, last};
    for (int i = 0; i < 3; ++i)
        if (memcmp(psi + places[i], &mark_bits, sizeof mark_bits) != 0) return 0;
    return 1;
}

static void mark(double* psi, int64_t sites) {
    for (int64_t i = 0; i < sites * sites; ++i) memcpy(psi + i, &mark_bits, sizeof mark_bits);
}

int dropin_defers(struct dropin_thread* thread, const struct dropin_bar* bar, int64_t sites) {
    if (thread->decided_for == sites) return thread->deferred;
    const char* const wish = getenv("LEGATO_DROPIN");
    legato_tmm_propagation* propagation = NULL;
    dropin_check(thread, legato_tmm_propagation_create(thread->context, bar->dimension, bar->width, bar->boundary,
                                                       bar->hopping, LEGATO_DROPIN_LAYOUT, &propagation));
    dropin_check(thread, legato_context_backend(thread->context, &thread->backend, NULL));
    legato_tmm_propagation_destroy(propagation);
    if (!wish || strcmp(wish, "auto") == 0)
        thread->deferred = thread->backend == LEGATO_BACKEND_CUDA;
    else if (strcmp(wish, "deferred") == 0)
        thread->deferred = 1;
    else if (strcmp(wish, "at_once") == 0)
        thread->deferred = 0;
    else
        dropin_stop("LEGATO_DROPIN: allowed are auto, at_once and deferred");
    thread->decided_for = sites;
    return thread->deferred;
}

static struct dropin_held* find(struct dropin_thread* thread, const double* psi_a, const double* psi_b) {
    for (int i = 0; i < dropin_most_held; ++i) {
        struct dropin_held* const h = &thread->held[i];
        if (!h->propagation) continue;
        if ((h->current == psi_a && h->previous == psi_b) || (h->current == psi_b && h->previous == psi_a)) return h;
    }
    return NULL;
}

static void forget(struct dropin_held* held) {
    legato_tmm_propagation_destroy(held->propagation);
    held->propagation = NULL;
}

void dropin_forget_all(struct dropin_thread* thread) {
    for (int i = 0; i < dropin_most_held; ++i) forget(&thread->held[i]);
}

/* A free place, or that of the pair that has not been used for longest: its arrays may not exist any more. */
static struct dropin_held* place(struct dropin_thread* thread) {
    struct dropin_held* oldest = thread->held;
    for (int i = 0; i < dropin_most_held; ++i) {
        if (!thread->held[i].propagation) return &thread->held[i];
        if (thread->held[i].last_use < oldest->last_use) oldest = &thread->held[i];
    }
    forget(oldest);
    return oldest;
}

/* Gives the program back what is in the arrays that still bear the mark; one that it has set itself stays as it is.
 * What has overflowed comes as NaN. */
static void bring_home(struct dropin_thread* thread, const struct dropin_held* held) {
    if (!marked(held->current, held->sites) && !marked(held->previous, held->sites)) return;
    const size_t bytes = (size_t)(held->sites * held->sites) * sizeof(double);
    double *const current = malloc(bytes), *const previous = malloc(bytes);
    if (!current || !previous) dropin_stop("out of memory");
    const int32_t status = legato_tmm_propagation_store(held->propagation, current, previous);
    if (status == LEGATO_NUMERICAL_ERROR)
        for (int64_t i = 0; i < held->sites * held->sites; ++i) current[i] = previous[i] = NAN;
    else
        dropin_check(thread, status);
    if (marked(held->current, held->sites)) memcpy(held->current, current, bytes);
    if (marked(held->previous, held->sites)) memcpy(held->previous, previous, bytes);
    free(current);
    free(previous);
}

static int same_bar(const struct dropin_bar* a, const struct dropin_bar* b) {
    return a->dimension == b->dimension && a->width == b->width && a->boundary == b->boundary &&
           !(a->hopping < b->hopping) && !(a->hopping > b->hopping);
}

/* The pair as it stands on the device, psi_a being this slice; `bar` may be NULL, any will do. */
static struct dropin_held* hold(struct dropin_thread* thread, const struct dropin_bar* bar, int64_t sites,
                                double* psi_a, double* psi_b) {
    struct dropin_held* held = find(thread, psi_a, psi_b);
    if (held) {
        const int same = held->sites == sites && (!bar || (held->current == psi_a && same_bar(bar, &held->bar)));
        if (same && marked(psi_a, sites) && marked(psi_b, sites)) return held;
        if (held->sites == sites) bring_home(thread, held);
        if (!same) forget(held);
    }
    if (!held || !held->propagation) {
        const struct dropin_bar any = {2, (int32_t)sites, LEGATO_TMM_HARD_WALL, 0.0};
        held = place(thread);
        held->bar = bar ? *bar : any;
        dropin_check(thread, legato_tmm_propagation_create(thread->context, held->bar.dimension, held->bar.width,
                                                           held->bar.boundary, held->bar.hopping, LEGATO_DROPIN_LAYOUT,
                                                           &held->propagation));
    }
    if (marked(psi_a, sites) || marked(psi_b, sites))
        dropin_stop(
            "the wave functions are held for another pair of arrays or another thread, or a thread has more than 8 "
            "pairs; take LEGATO_DROPIN=at_once");
    held->sites = sites;
    held->current = psi_a;
    held->previous = psi_b;
    dropin_check(thread, legato_tmm_propagation_load(held->propagation, psi_a, psi_b));
    mark(psi_a, sites);
    mark(psi_b, sites);
    return held;
}

static void exchange(struct dropin_held* held) {
    double* const current = held->current;
    held->current = held->previous;
    held->previous = current;
}

void dropin_multiply_deferred(struct dropin_thread* thread, const struct dropin_bar* bar, const double* diagonal,
                              double* psi_a, double* psi_b) {
    const int64_t sites = bar->dimension == 3 ? (int64_t)bar->width * bar->width : bar->width;
    struct dropin_held* const held = hold(thread, bar, sites, psi_a, psi_b);
    held->last_use = ++thread->uses;
    dropin_check(thread, legato_tmm_propagation_multiply(held->propagation, diagonal));
    exchange(held);
}

int32_t dropin_orthonormalise_deferred(struct dropin_thread* thread, int64_t sites, double* psi_a, double* psi_b,
                                       double* log_norms) {
    struct dropin_held* const held = hold(thread, NULL, sites, psi_a, psi_b);
    held->last_use = ++thread->uses;
    return legato_tmm_propagation_orthonormalise(held->propagation, log_norms);
}

int dropin_swap_deferred(struct dropin_thread* thread, int64_t sites, double* psi_a, double* psi_b) {
    struct dropin_held* const held = find(thread, psi_a, psi_b);
    if (!held) return 0;
    if (held->sites != sites) {
        forget(held);
        return 0;
    }
    if (marked(psi_a, held->sites) && marked(psi_b, held->sites)) {
        exchange(held);
        return 1;
    }
    bring_home(thread, held);
    forget(held);
    return 0;
}
