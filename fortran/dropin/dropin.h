/* What the drop-ins share. The libraries differ in LEGATO_DROPIN_LAYOUT alone, given when they are compiled.
 *
 * A calling thread works in one of two ways, for each number of sites. At once: each routine has done all its work when
 * it returns, on the CPU. Deferred, which is taken where a GPU is faster: the wave functions stay on the device
 * (deferred.c). LEGATO_DROPIN chooses: auto (the default), at_once, deferred. */
#ifndef LEGATO_DROPIN_H
#define LEGATO_DROPIN_H

#include <legato/legato.h>

enum dropin_routine { DROPIN_RENORM, DROPIN_TMMULT2D, DROPIN_TMMULT3D, DROPIN_SWAP, DROPIN_ROUTINES };

/* A bar as the calls describe it. */
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
    dropin_wide = 256,       /* sites from which on a GPU is faster even if the pair goes there and back */
    dropin_most_held = 8,    /* pairs of arrays that a thread can have on the device */
    dropin_most_sites = 4096 /* what legato_tmm_orthonormalise takes */
};

/* A pair of the program's arrays. While its contents are on the device, the arrays themselves bear a mark. */
struct dropin_held {
    legato_tmm_propagation* propagation; /* NULL: none */
    struct dropin_bar bar;
    int64_t sites;
    double *current, *previous; /* the program's arrays that stand for this slice and the one before */
    int on_device;
    int64_t last_use;
};

/* One for each thread that calls, as a context serves one thread at a time. Kept to the end of the process, when the
 * calls of all are added up. */
struct dropin_thread {
    legato_context *context, *steps; /* steps: see dropin_steps_context */
    int64_t calls[DROPIN_ROUTINES];
    int64_t decided_for; /* sites for which `deferred` was decided */
    int deferred;
    int64_t begun_at, review_at; /* calls of ReNorm before that, and after which it is decided again */
    double expected;             /* cycles for which it was decided */
    struct dropin_bar step_bar;  /* whose multiplications go at once by `step`; width 0: none is known */
    legato_tmm_step step;        /* NULL: by legato_tmm_multiply */
    int adaptive;    /* has called renorm_adaptive_, which reads the wave functions: nothing is deferred then */
    int32_t backend; /* that was chosen then */
    int32_t log_level;
    int names_cuda, names_none; /* LEGATO_BACKEND: it is cuda; it leaves the choice to the library */
    int64_t uses;
    legato_tmm_propagation* single; /* for pairs that are with the program before and after an orthonormalisation */
    int64_t single_sites;
    int went_singly; /* for the line at the end, when the propagation may be gone */
    struct dropin_held held[dropin_most_held];
    struct dropin_thread* next;
};

/* The calling thread's; null before its first call. In static thread storage: narrow bars call by the million. */
extern __thread struct dropin_thread* dropin_own __attribute__((tls_model("initial-exec")));
struct dropin_thread* dropin_begin_thread(void);

/* The same, made from the environment (LEGATO_*) at the first call; the second counts the call. */
static inline struct dropin_thread* dropin_this_thread(void) {
    return dropin_own ? dropin_own : dropin_begin_thread();
}
static inline struct dropin_thread* dropin_enter(enum dropin_routine routine) {
    struct dropin_thread* const thread = dropin_this_thread();
    ++thread->calls[routine];
    return thread;
}

/* End the program with one line; the second if `status` is an error. */
void dropin_stop(const char* message);
void dropin_stop_with(const legato_context* context, int32_t status);
static inline void dropin_check(const legato_context* context, int32_t status) {
    if (status != LEGATO_SUCCESS) dropin_stop_with(context, status);
}

/* For what is done at once. A thread that defers does so from its second cycle on: where LEGATO_BACKEND names the GPU,
 * which takes no single steps, the first needs a context for the CPU. */
legato_context* dropin_steps_context(struct dropin_thread* thread);

/* The three routines, deferred. 0: not so, the arrays are the program's and it is to be done at once. The second one
 * also takes a wide pair of a program with a multiplication of its own to the GPU and back. */
int dropin_multiply_deferred(struct dropin_thread* thread, const struct dropin_bar* bar, const double* diagonal,
                             double* psi_a, double* psi_b);
int dropin_orthonormalise_deferred(struct dropin_thread* thread, int64_t sites, double* psi_a, double* psi_b,
                                   double* log_norms, int32_t* status);
int dropin_swap_deferred(struct dropin_thread* thread, int64_t sites, double* psi_a, double* psi_b);

/* Has any thread placed a mark? Until then no array can bear one. */
extern int dropin_marks_exist;
static inline int dropin_any_marks(void) {
    return __atomic_load_n(&dropin_marks_exist, __ATOMIC_RELAXED);
}

/* What the legacy routines do (tmm_dropin.c). They have names of their own: a call of renorm_ from within the library
 * would reach the program's routine, if it still has one. */
void dropin_renorm(double* psi_a, double* psi_b, double* gamma, double* gamma2, const int32_t* n);
void dropin_swap(double* psi_a, double* psi_b, const int32_t* n);

/* Makes the arrays the program's again, if they are not. */
void dropin_bring_home(struct dropin_thread* thread, int64_t sites, double* psi_a, double* psi_b);

/* Gives back all that is on the device; a thread does so when it ends, the main thread at the end of the program. To be
 * asked for when the device is in use, so that it comes before the end of CUDA itself. */
void dropin_forget_all(struct dropin_thread* thread);
void dropin_forget_at_exit(void);

/* For tmm_dropin.f90, which knows the user's modules: one multiplication, in the layout of this library. diagonal[N]:
 * E - V; dimension 2 or 3. */
LEGATO_API void legato_dropin_multiply(int32_t dimension, int32_t width, int32_t boundary, double hopping,
                                       const double* diagonal, double* psi_a, double* psi_b);

/* Calls of all routines by all threads so far. */
LEGATO_API int64_t legato_dropin_calls(void);

/* The legacy routines, each in a file of its own. */
LEGATO_API void renorm_(double* psi_a, double* psi_b, double* gamma, double* gamma2, const int32_t* n);
LEGATO_API void swap_(double* psi_a, double* psi_b, const int32_t* n);

/* ReNorm with a sixth argument, which it adapts (renorm_adaptive.c). Callers come here by `objcopy --redefine-sym`. */
LEGATO_API void renorm_adaptive_(double* psi_a, double* psi_b, double* gamma, double* gamma2, const int32_t* n,
                                 int32_t* n_ortho);

/* The same under the names that `ld --wrap` asks for. NOLINTBEGIN(bugprone-reserved-identifier) */
LEGATO_API void __wrap_renorm_(double* psi_a, double* psi_b, double* gamma, double* gamma2, const int32_t* n);
LEGATO_API void __wrap_swap_(double* psi_a, double* psi_b, const int32_t* n);
/* NOLINTEND(bugprone-reserved-identifier) */

#endif
