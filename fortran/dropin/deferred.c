/* Deferred calls. Multiplications are queued and done together with the orthonormalisation that follows them; the wave
 * functions stay on the device between calls. Meanwhile the program's two arrays are filled with a mark, a special NaN.
 * A program that reads them gets NaN at once. If the program writes new data to an array, the next call finds no mark
 * there and treats the array as new. Only the first, middle and last element are checked.
 *
 * Only a multiplication places marks, and only after a call of the library's ReNorm. ReNorm and Swap continue with a
 * pair that is on the device. A program that keeps its own multiplication or its own ReNorm therefore always works at
 * once.
 *
 * The mark is a signalling NaN. Copies preserve it; arithmetic makes it quiet, on most processors with the same
 * payload. A program that computes with the arrays therefore leaves altered marks, which are detected. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dropin.h"

static const uint64_t mark_bits = 0x7ff44c656761746fu; /* "Legato" */
static const uint64_t sign_and_quiet = 0x8008000000000000u;

static int marked(const double* psi, int64_t sites) {
    const int64_t last = sites * sites - 1, places[] = {0, last / 2, last};
    int marks = 0, altered = 0;
    for (int i = 0; i < 3; ++i) {
        uint64_t bits;
        memcpy(&bits, psi + places[i], sizeof bits);
        if (bits == mark_bits)
            ++marks;
        else if ((bits & ~sign_and_quiet) == mark_bits)
            altered = 1;
    }
    if (altered || (marks > 0 && marks < 3))
        dropin_stop(
            "the program itself computes with columns that the library keeps: replace TMMult2D, TMMult3D and "
            "ReNorm wherever they are called, or take LEGATO_DROPIN=at_once");
    return marks == 3;
}

int dropin_marks_exist;

static void mark(double* psi, int64_t sites) {
    __atomic_store_n(&dropin_marks_exist, 1, __ATOMIC_RELAXED);
    for (int64_t i = 0; i < sites * sites; ++i) memcpy(psi + i, &mark_bits, sizeof mark_bits);
}

/* Returns the number of cycles before the first comparison of CPU and GPU, which costs little compared with these
 * cycles. The number follows from a number of operations, not from a time. Since the costs are kept for later runs, a
 * program changes to the device at the same cycle in each of them. */
static int64_t cycles_before_a_comparison(int64_t sites) {
    const double n = (double)sites, operations = 1.5e9, of_a_cycle = 60 * n * n + 4 * n * n * n;
    return (int64_t)(operations / of_a_cycle);
}

static legato_tmm_propagation* propagation_of(struct dropin_thread* thread, const struct dropin_bar* bar) {
    legato_tmm_propagation* propagation = NULL;
    dropin_check(thread->context,
                 legato_tmm_propagation_create_for(thread->context, bar->dimension, bar->width, bar->boundary,
                                                   bar->hopping, LEGATO_DROPIN_LAYOUT, thread->expected, &propagation));
    return propagation;
}

/* Decides whether multiplications of a bar with `sites` sites are deferred. The library does not know how long the
 * program will run. If the library chooses the backend, the program begins on the CPU. Whenever the number of cycles
 * has doubled, the backends are compared for as many further cycles. The start of a device therefore never costs more
 * time than the program has already spent. */
static int decide_deferred(struct dropin_thread* thread, const struct dropin_bar* bar, int64_t sites) {
    const int64_t cycles = thread->calls[DROPIN_RENORM];
    if (thread->decided_for == sites && cycles < thread->review_at) return thread->deferred;
    const char* wish = getenv("LEGATO_DROPIN");
    if (!wish || !*wish) wish = "auto";
    const int free_choice = thread->backend_is_auto && strcmp(wish, "auto") == 0;
    if (thread->decided_for != sites) {
        thread->begun_at = cycles;
        thread->review_at = cycles + (free_choice ? cycles_before_a_comparison(sites) : 0);
        if (thread->review_at > cycles) {
            thread->decided_for = sites;
            thread->deferred = 0;
            thread->step_bar.width = 0;
            return 0;
        }
    }
    const struct dropin_bar multiplied = thread->step_bar;
    if (multiplied.width > 0 && dropin_sites(&multiplied) == sites) bar = &multiplied;
    thread->step_bar.width = 0;
    const int64_t done = cycles > thread->begun_at ? cycles - thread->begun_at : 1;
    thread->expected = (double)done;
    legato_tmm_propagation* const propagation = propagation_of(thread, bar);
    dropin_check(thread->context, legato_context_backend(thread->context, &thread->backend, NULL));
    legato_tmm_propagation_destroy(propagation);
    if (strcmp(wish, "auto") == 0) {
        thread->deferred = thread->backend == LEGATO_BACKEND_CUDA;
    } else if (strcmp(wish, "deferred") == 0) {
        thread->deferred = 1;
    } else if (strcmp(wish, "at_once") == 0) {
        thread->deferred = 0;
    } else {
        char message[200];
        snprintf(message, sizeof message, "LEGATO_DROPIN: \"%s\" is not one of auto, at_once, deferred", wish);
        dropin_stop(message);
    }
    thread->decided_for = sites;
    thread->review_at = free_choice && !thread->deferred ? cycles + done : INT64_MAX;
    return thread->deferred;
}

static struct dropin_device_pair* find(struct dropin_thread* thread, const double* psi_a, const double* psi_b) {
    for (int i = 0; i < dropin_most_pairs; ++i) {
        struct dropin_device_pair* const pair = &thread->pairs[i];
        if (!pair->propagation) continue;
        if ((pair->current == psi_a && pair->previous == psi_b) || (pair->current == psi_b && pair->previous == psi_a))
            return pair;
    }
    return NULL;
}

/* Returns a free entry, or else that of the least recently used pair, whose arrays may no longer exist. */
static struct dropin_device_pair* free_entry(struct dropin_thread* thread) {
    struct dropin_device_pair* oldest = thread->pairs;
    for (int i = 0; i < dropin_most_pairs; ++i) {
        if (!thread->pairs[i].propagation) return &thread->pairs[i];
        if (thread->pairs[i].last_use < oldest->last_use) oldest = &thread->pairs[i];
    }
    dropin_release_pair(oldest);
    return oldest;
}

/* Copies the columns back to those arrays that still contain the mark. An array that the program has set itself
 * is not changed. After an overflow all values are NaN. */
static void copy_back(struct dropin_thread* thread, struct dropin_device_pair* pair) {
    pair->on_device = 0;
    if (!marked(pair->current, pair->sites) && !marked(pair->previous, pair->sites)) return;
    const size_t bytes = (size_t)(pair->sites * pair->sites) * sizeof(double);
    double *const current = malloc(bytes), *const previous = malloc(bytes);
    if (!current || !previous) dropin_stop("out of memory");
    const int32_t status = legato_tmm_propagation_store(pair->propagation, current, previous);
    if (status == LEGATO_STATUS_NUMERICAL_ERROR)
        for (int64_t i = 0; i < pair->sites * pair->sites; ++i) current[i] = previous[i] = NAN;
    else
        dropin_check(thread->context, status);
    if (marked(pair->current, pair->sites)) memcpy(pair->current, current, bytes);
    if (marked(pair->previous, pair->sites)) memcpy(pair->previous, previous, bytes);
    free(current);
    free(previous);
}

/* Returns the pair's entry, NULL if it has none. The pair is on the device if both arrays contain the mark. If the
 * program has set one of them, the other is copied back. */
static struct dropin_device_pair* look_up(struct dropin_thread* thread, int64_t sites, const double* psi_a,
                                          const double* psi_b) {
    if (sites < 1 || sites > dropin_most_sites || !dropin_any_marks()) return NULL;
    const int marks = marked(psi_a, sites) + marked(psi_b, sites);
    struct dropin_device_pair* pair = find(thread, psi_a, psi_b);
    if (pair && pair->sites != sites) {
        dropin_release_pair(pair);
        pair = NULL;
    }
    if (marks == 0) {
        if (pair) pair->on_device = 0;
        return pair;
    }
    if (!pair || !pair->on_device)
        dropin_stop(
            "the columns belong to another pair of arrays or another thread, or a thread has more than 8 "
            "pairs; take LEGATO_DROPIN=at_once");
    if (marks == 1) copy_back(thread, pair);
    return pair;
}

static void load(struct dropin_thread* thread, struct dropin_device_pair* pair, double* psi_a, double* psi_b) {
    pair->current = psi_a;
    pair->previous = psi_b;
    dropin_check(thread->context, legato_tmm_propagation_load(pair->propagation, psi_a, psi_b));
    mark(psi_a, pair->sites);
    mark(psi_b, pair->sites);
    pair->on_device = 1;
}

static void exchange(struct dropin_device_pair* pair) {
    double* const current = pair->current;
    pair->current = pair->previous;
    pair->previous = current;
}

/* Returns 1 if a pair in the program's arrays goes to the engine and back for one orthonormalisation. It does not if
 * the library also multiplies it, because this is deferred from the second cycle on. If LEGATO_DROPIN asks for deferred
 * calls without a GPU, pairs of any width go. */
static int wants_round_trip(const struct dropin_thread* thread, int64_t sites) {
    const int multiplies = thread->calls[DROPIN_TMMULT2D] + thread->calls[DROPIN_TMMULT3D] > 0;
    if (!thread->deferred || (multiplies && !thread->adaptive)) return 0;
    return thread->backend != LEGATO_BACKEND_CUDA || thread->backend_is_cuda || sites >= dropin_wide;
}

static int32_t orthonormalise_in_round_trip(struct dropin_thread* thread, int64_t sites, double* psi_a, double* psi_b,
                                            double* log_norms) {
    if (thread->round_trip && thread->round_trip_sites != sites) dropin_release_round_trip(thread);
    if (!thread->round_trip) {
        const struct dropin_bar any = {2, (int32_t)sites, LEGATO_TMM_BOUNDARY_HARD_WALL, 0.0};
        thread->round_trip = propagation_of(thread, &any);
        thread->round_trip_sites = sites;
        thread->made_round_trips = 1;
        dropin_release_at_exit();
    }
    dropin_check(thread->context, legato_tmm_propagation_load(thread->round_trip, psi_a, psi_b));
    const int32_t status = legato_tmm_propagation_orthonormalise(thread->round_trip, log_norms);
    if (status == LEGATO_STATUS_SUCCESS || status == LEGATO_STATUS_PRECISION_LOST) /* both give a result */
        dropin_check(thread->context, legato_tmm_propagation_store(thread->round_trip, psi_a, psi_b));
    return status;
}

int dropin_multiply_deferred(struct dropin_thread* thread, const struct dropin_bar* bar, const double* diagonal,
                             double* psi_a, double* psi_b) {
    const int64_t sites = dropin_sites(bar);
    const int defer = decide_deferred(thread, bar, sites) && !thread->adaptive && thread->calls[DROPIN_RENORM] > 0;
    struct dropin_device_pair* pair = look_up(thread, sites, psi_a, psi_b);
    if (pair && pair->on_device && (!defer || pair->current != psi_a || !dropin_same_bar(bar, &pair->bar)))
        copy_back(thread, pair);
    if (!defer) return 0;
    if (pair && !dropin_same_bar(bar, &pair->bar)) {
        dropin_release_pair(pair);
        pair = NULL;
    }
    if (!pair) {
        pair = free_entry(thread);
        pair->bar = *bar;
        pair->sites = sites;
        pair->propagation = propagation_of(thread, bar);
    }
    if (!pair->on_device) load(thread, pair, psi_a, psi_b);
    dropin_release_at_exit();
    pair->last_use = ++thread->uses;
    dropin_check(thread->context, legato_tmm_propagation_multiply(pair->propagation, diagonal));
    exchange(pair);
    return 1;
}

int dropin_orthonormalise_deferred(struct dropin_thread* thread, int64_t sites, double* psi_a, double* psi_b,
                                   double* log_norms, int32_t* status) {
    const struct dropin_bar any = {2, (int32_t)sites, LEGATO_TMM_BOUNDARY_HARD_WALL, 0.0};
    decide_deferred(thread, &any, sites); /* also refuses invalid environment variables */
    struct dropin_device_pair* const pair = look_up(thread, sites, psi_a, psi_b);
    if (pair && pair->on_device) {
        pair->last_use = ++thread->uses;
        *status = legato_tmm_propagation_orthonormalise(pair->propagation, log_norms);
        return 1;
    }
    if (!wants_round_trip(thread, sites)) return 0;
    *status = orthonormalise_in_round_trip(thread, sites, psi_a, psi_b, log_norms);
    return 1;
}

void dropin_copy_back(struct dropin_thread* thread, int64_t sites, double* psi_a, double* psi_b) {
    struct dropin_device_pair* const pair = look_up(thread, sites, psi_a, psi_b);
    if (pair && pair->on_device) copy_back(thread, pair);
}

int dropin_swap_deferred(struct dropin_thread* thread, int64_t sites, double* psi_a, double* psi_b) {
    struct dropin_device_pair* const pair = look_up(thread, sites, psi_a, psi_b);
    if (!pair || !pair->on_device) return 0;
    exchange(pair);
    return 1;
}
