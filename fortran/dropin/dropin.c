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
    int cuda = 0, deferred = 0, singly = 0;
    count_calls(calls);
    for (const struct dropin_thread* t = threads; t; t = t->next) {
        deferred |= t->uses > 0;
        singly |= t->went_singly;
        cuda |= (t->uses > 0 || t->went_singly) && t->backend == LEGATO_BACKEND_CUDA;
    }
    fprintf(stderr,
            "legato info: Legato %s ran %lld renorm, %lld tmmult2d, %lld tmmult3d, %lld swap; backend %s, %s, %s\n",
            legato_version(), (long long)calls[DROPIN_RENORM], (long long)calls[DROPIN_TMMULT2D],
            (long long)calls[DROPIN_TMMULT3D], (long long)calls[DROPIN_SWAP], cuda ? "cuda" : "cpu",
            deferred ? "deferred"
            : singly ? "there and back"
                     : "at once",
            LEGATO_DROPIN_LAYOUT == LEGATO_TMM_LAYOUT_SITE_FIRST ? "psi(site, state)" : "psi(state, site)");
}

static void enlist(struct dropin_thread* thread) {
    pthread_mutex_lock(&threads_mutex);
    const int first = !threads;
    thread->next = threads;
    threads = thread;
    pthread_mutex_unlock(&threads_mutex);
    legato_context_params params;
    if (legato_context_params_init(&params) == LEGATO_STATUS_SUCCESS) {
        thread->log_level = params.log_level;
        thread->names_cuda = params.backend == LEGATO_BACKEND_CUDA;
        thread->names_none = params.backend == LEGATO_BACKEND_AUTO;
    }
    if (first && thread->log_level >= LEGATO_LOG_LEVEL_INFO) atexit(report_calls);
}

void dropin_forget(struct dropin_held* held) {
    legato_tmm_propagation_destroy(held->propagation);
    held->propagation = NULL;
    held->on_device = 0;
}

void dropin_forget_single(struct dropin_thread* thread) {
    legato_tmm_propagation_destroy(thread->single);
    thread->single = NULL;
}

static void forget_all(struct dropin_thread* thread) {
    dropin_forget_single(thread);
    for (int i = 0; i < dropin_most_held; ++i) dropin_forget(&thread->held[i]);
}

/* Releases what the thread has, except its counters, which are added up at the end of the process. */
static void end_thread(void* ended) {
    struct dropin_thread* const thread = *(struct dropin_thread**)ended;
    if (!thread) return;
    forget_all(thread);
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
    enlist(thread);
    return thread;
}

static void end_own(void) {
    if (dropin_own) forget_all(dropin_own);
}

static void register_end(void) {
    atexit(end_own);
}

void dropin_forget_at_exit(void) {
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
