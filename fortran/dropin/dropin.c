/* Contexts, counters and the end of the program. */
#include "dropin.h"

#include "../dropin_thread.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t threads_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct dropin_thread* threads;
__thread struct dropin_thread* dropin_own;

void dropin_stop(const char* message) {
    fprintf(stderr, "legato: %s\n", message);
    exit(EXIT_FAILURE);
}

static void count_calls(int64_t calls[DROPIN_ROUTINES]) {
    for (int i = 0; i < DROPIN_ROUTINES; ++i) calls[i] = 0;
    pthread_mutex_lock(&threads_mutex);
    for (const struct dropin_thread* t = threads; t; t = t->next)
        for (int i = 0; i < DROPIN_ROUTINES; ++i) calls[i] += t->calls[i];
    pthread_mutex_unlock(&threads_mutex);
}

int64_t legato_dropin_calls(void) {
    int64_t calls[DROPIN_ROUTINES], total = 0;
    count_calls(calls);
    for (int i = 0; i < DROPIN_ROUTINES; ++i) total += calls[i];
    return total;
}

static void report_calls(void) {
    int64_t calls[DROPIN_ROUTINES];
    int cuda = 0, deferred = 0, round_trips = 0;
    count_calls(calls);
    for (const struct dropin_thread* t = threads; t; t = t->next) {
        deferred |= t->uses > 0;
        round_trips |= t->made_round_trips;
        cuda |= (t->uses > 0 || t->made_round_trips) && t->backend == LEGATO_BACKEND_CUDA;
    }
    fprintf(stderr,
            "legato info: Legato %s ran %lld renorm, %lld tmmult2d, %lld tmmult3d, %lld swap; backend %s, %s, %s\n",
            legato_version(), (long long)calls[DROPIN_RENORM], (long long)calls[DROPIN_TMMULT2D],
            (long long)calls[DROPIN_TMMULT3D], (long long)calls[DROPIN_SWAP], cuda ? "cuda" : "cpu",
            deferred      ? "deferred"
            : round_trips ? "there and back"
                          : "at once",
            LEGATO_DROPIN_LAYOUT == LEGATO_TMM_LAYOUT_SITE_FIRST ? "psi(site, state)" : "psi(state, site)");
}

static void register_thread(struct dropin_thread* thread) {
    pthread_mutex_lock(&threads_mutex);
    const int first = !threads;
    thread->next = threads;
    threads = thread;
    pthread_mutex_unlock(&threads_mutex);
    legato_context_params params;
    if (legato_context_params_init(&params) == LEGATO_STATUS_SUCCESS) {
        thread->log_level = params.log_level;
        thread->backend_is_cuda = params.backend == LEGATO_BACKEND_CUDA;
        thread->backend_is_auto = params.backend == LEGATO_BACKEND_AUTO;
    }
    if (first && thread->log_level >= LEGATO_LOG_LEVEL_INFO) atexit(report_calls);
}

void dropin_release_pair(struct dropin_device_pair* pair) {
    legato_tmm_propagation_destroy(pair->propagation);
    pair->propagation = NULL;
    pair->on_device = 0;
}

void dropin_release_round_trip(struct dropin_thread* thread) {
    legato_tmm_propagation_destroy(thread->round_trip);
    thread->round_trip = NULL;
}

static void release_all(struct dropin_thread* thread) {
    dropin_release_round_trip(thread);
    for (int i = 0; i < dropin_most_pairs; ++i) dropin_release_pair(&thread->pairs[i]);
}

/* Releases what the thread has, except its counters, which are added up at the end of the process. */
static void end_thread(void* ended) {
    struct dropin_thread* const thread = *(struct dropin_thread**)ended;
    if (!thread) return;
    release_all(thread);
    legato_context_destroy(thread->steps);
    thread->context = thread->steps = NULL;
}

struct dropin_thread* dropin_begin_thread(void) {
    int32_t status;
    legato_context* const context = legato_dropin_context(&status);
    dropin_check(context, status);
    struct dropin_thread** const place = legato_dropin_storage(sizeof(void*), end_thread);
    struct dropin_thread* const thread = place ? calloc(1, sizeof *thread) : NULL;
    if (!thread) dropin_stop("out of memory");
    *place = dropin_own = thread;
    thread->context = context;
    register_thread(thread);
    return thread;
}

static void end_own(void) {
    if (dropin_own) release_all(dropin_own);
}

static void register_end(void) {
    atexit(end_own);
}

void dropin_release_at_exit(void) {
    static pthread_once_t registered = PTHREAD_ONCE_INIT;
    pthread_once(&registered, register_end);
}

legato_context* dropin_steps_context(struct dropin_thread* thread) {
    if (!thread->deferred) return thread->context;
    if (!thread->steps) {
        legato_context_params params;
        dropin_check(thread->context, legato_context_params_init(&params));
        params.backend = LEGATO_BACKEND_CPU;
        dropin_check(thread->steps, legato_context_create(&params, &thread->steps));
    }
    return thread->steps;
}

void dropin_stop_with(const legato_context* context, int32_t status) {
    dropin_stop(context ? legato_context_message(context) : legato_status_text(status));
}
