/* Declarations shared by the files of the tmm drop-ins. The libraries differ only in LEGATO_DROPIN_LAYOUT, which is set
 * when they are compiled.
 *
 * A calling thread works in one of two modes for each number of sites. At once: each routine has done all its work, on
 * the CPU, when it returns. Deferred, if a GPU is faster: the columns stay on the device (deferred.c).
 * LEGATO_DROPIN selects the mode: auto (the default), at_once, deferred. */
#ifndef LEGATO_DROPIN_H
#define LEGATO_DROPIN_H

#include <legato/legato.h>

enum dropin_routine { DROPIN_RENORM, DROPIN_TMMULT2D, DROPIN_TMMULT3D, DROPIN_SWAP, DROPIN_ROUTINES };

/* A bar as described by the arguments of a call. */
struct dropin_bar {
    int32_t dimension, width, boundary;
    double hopping;
};

static inline int64_t dropin_sites(const struct dropin_bar* bar) {
    return bar->dimension == 3 ? (int64_t)bar->width * bar->width : bar->width;
}

static inline int dropin_same_bar(const struct dropin_bar* a, const struct dropin_bar* b) {
    return a->dimension == b->dimension && a->width == b->width && a->boundary == b->boundary &&
           !(a->hopping < b->hopping) && !(a->hopping > b->hopping);
}

enum {
    dropin_wide = 256,       /* sites from which a GPU is faster even with transfers in both directions */
    dropin_most_pairs = 8,   /* largest number of array pairs of a thread on the device */
    dropin_most_sites = 4096 /* limit of legato_tmm_orthonormalise */
};

/* A pair of the program's arrays. While its contents are on the device, the arrays themselves contain a mark. */
struct dropin_device_pair {
    legato_tmm_propagation* propagation; /* NULL: this entry is free */
    struct dropin_bar bar;
    int64_t sites;
    double *current, *previous; /* the program's arrays for this slice and the one before */
    int on_device;
    int64_t last_use;
};

/* The state of a calling thread. Each thread has its own, because a context serves one thread at a time. The state is
 * kept until the end of the process, when the calls of all threads are added up. */
struct dropin_thread {
    legato_context *context, *steps; /* steps: see dropin_steps_context */
    int64_t calls[DROPIN_ROUTINES];
    int64_t decided_for; /* number of sites for which `deferred` was decided */
    int deferred;
    int64_t begun_at, review_at; /* calls of ReNorm before the first decision, and before the next */
    double expected;             /* number of cycles assumed in the decision */
    struct dropin_bar step_bar;  /* bar that `step` multiplies at once; width 0: none is known */
    legato_tmm_step step;        /* NULL: legato_tmm_multiply is used */
    int adaptive;                /* 1 after a call of renorm_adaptive_: it reads the columns, so nothing is deferred */
    int32_t backend;             /* backend that was chosen in the decision */
    int32_t log_level;
    int backend_is_cuda, backend_is_auto; /* LEGATO_BACKEND is cuda; LEGATO_BACKEND is auto or unset */
    int64_t uses;
    legato_tmm_propagation* round_trip; /* for pairs that go to the device and back for one orthonormalisation */
    int64_t round_trip_sites;
    int made_round_trips; /* 1 after `round_trip` was used; it may be destroyed before the report at the end */
    struct dropin_device_pair pairs[dropin_most_pairs];
    struct dropin_thread* next;
};

/* The state of the calling thread; null before its first call. The static TLS model makes access fast, because narrow
 * bars make millions of calls. */
extern __thread struct dropin_thread* dropin_own __attribute__((tls_model("initial-exec")));
struct dropin_thread* dropin_begin_thread(void);

/* Returns the state of the calling thread, which is made from the environment (LEGATO_*) at the first call.
 * dropin_enter also counts the call. */
static inline struct dropin_thread* dropin_this_thread(void) {
    return dropin_own ? dropin_own : dropin_begin_thread();
}
static inline struct dropin_thread* dropin_enter(enum dropin_routine routine) {
    struct dropin_thread* const thread = dropin_this_thread();
    ++thread->calls[routine];
    return thread;
}

/* Ends the program and prints a message, for dropin_stop_with that of the context. dropin_check does so if `status` is
 * an error. */
void dropin_stop(const char* message);
void dropin_stop_with(const legato_context* context, int32_t status);
static inline void dropin_check(const legato_context* context, int32_t status) {
    if (status != LEGATO_STATUS_SUCCESS) dropin_stop_with(context, status);
}

/* Returns the context for work that is done at once. A thread defers calls only from its second cycle on. If
 * LEGATO_BACKEND names the GPU, which refuses single steps, the first cycle needs a context for the CPU. */
legato_context* dropin_steps_context(struct dropin_thread* thread);

/* The three routines in deferred mode. They return 0 if the call must be done at once; the arrays then contain the wave
 * functions. If the program has its own multiplication, the second function transfers a wide pair to the GPU and back.
 */
int dropin_multiply_deferred(struct dropin_thread* thread, const struct dropin_bar* bar, const double* diagonal,
                             double* psi_a, double* psi_b);
int dropin_orthonormalise_deferred(struct dropin_thread* thread, int64_t sites, double* psi_a, double* psi_b,
                                   double* log_norms, int32_t* status);
int dropin_swap_deferred(struct dropin_thread* thread, int64_t sites, double* psi_a, double* psi_b);

/* Is 1 after any thread has placed a mark. Until then no array can contain one. */
extern int dropin_marks_exist;
static inline int dropin_any_marks(void) {
    return __atomic_load_n(&dropin_marks_exist, __ATOMIC_RELAXED);
}

/* The work of the legacy routines (tmm_dropin.c). These functions have their own names: a call of renorm_ from within
 * the library would reach the program's routine, if it still has one. */
void dropin_renorm(double* psi_a, double* psi_b, double* gamma, double* gamma2, const int32_t* n);
void dropin_swap(double* psi_a, double* psi_b, const int32_t* n);

/* Copies the columns back to the program's arrays if they are on the device. */
void dropin_copy_back(struct dropin_thread* thread, int64_t sites, double* psi_a, double* psi_b);

/* Release a pair, or `round_trip`, on the device. A thread releases everything when it ends, the main thread at the end
 * of the program. dropin_release_at_exit must be called after the first use of the device, so that the release precedes
 * the end of CUDA itself. */
void dropin_release_pair(struct dropin_device_pair* pair);
void dropin_release_round_trip(struct dropin_thread* thread);
void dropin_release_at_exit(void);

/* Multiplies once, in the layout of this library. tmm_dropin.f90, which uses the program's modules, calls it.
 * diagonal[N] is E - V; dimension is 2 or 3. */
LEGATO_API void legato_dropin_multiply(int32_t dimension, int32_t width, int32_t boundary, double hopping,
                                       const double* diagonal, double* psi_a, double* psi_b);

/* Returns the number of calls of all routines by all threads so far. */
LEGATO_API int64_t legato_dropin_calls(void);

/* The legacy routines, each in a file of its own. */
LEGATO_API void renorm_(double* psi_a, double* psi_b, double* gamma, double* gamma2, const int32_t* n);
LEGATO_API void swap_(double* psi_a, double* psi_b, const int32_t* n);

/* ReNorm with a sixth argument, which it adapts (renorm_adaptive.c). `objcopy --redefine-sym` redirects callers to it.
 */
LEGATO_API void renorm_adaptive_(double* psi_a, double* psi_b, double* gamma, double* gamma2, const int32_t* n,
                                 int32_t* n_ortho);

/* The same routines under the names that `ld --wrap` needs. NOLINTBEGIN(bugprone-reserved-identifier) */
LEGATO_API void __wrap_renorm_(double* psi_a, double* psi_b, double* gamma, double* gamma2, const int32_t* n);
LEGATO_API void __wrap_swap_(double* psi_a, double* psi_b, const int32_t* n);
/* NOLINTEND(bugprone-reserved-identifier) */

#endif
