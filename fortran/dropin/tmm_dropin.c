/* The work of renorm, swap, tmmult2d and tmmult3d. It is done at once, unless deferred.c takes over.
 *
 * The legacy names themselves are in renorm.c, renorm_wrapped.c, swap.c and swap_wrapped.c. Each has a file of its own,
 * because the linker takes whole members from a static library: a program that keeps its own swap_ must be able to take
 * renorm_ without a second swap_. */
#include "dropin.h"

#include <pthread.h>
#include <stdio.h>

/* Prints the warning only once, however many threads and calls lose precision. */
static void warn_of_precision(const struct dropin_thread* thread, const legato_context* context) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static int warned;
    pthread_mutex_lock(&mutex);
    if (!warned && thread->log_level >= LEGATO_LOG_LEVEL_WARNING)
        fprintf(stderr,
                "legato warning: %s: take a smaller NOfOrtho. The program goes on with what modified Gram-Schmidt "
                "gives; its smallest exponents may be wrong. If its own ReNorm adapts a sixth argument, NORTHO, link "
                "renorm_adaptive_ in place of renorm_ (docs/relinking.md)\n",
                legato_context_message(context));
    warned = 1;
    pthread_mutex_unlock(&mutex);
}

/* Orthonormalises; gamma(i) += ln R_ii, gamma2(i) += (ln R_ii)^2. If a norm is zero or not finite, the sums are NaN
 * from there on; the serial routine makes them infinite or NaN. The program detects this by its own checks. If
 * precision is lost, the result is like that of the serial routine. */
void dropin_renorm(double* psi_a, double* psi_b, double* gamma, double* gamma2, const int32_t* n) {
    struct dropin_thread* const thread = dropin_enter(DROPIN_RENORM);
    double log_norms[dropin_most_sites];
    int32_t status;
    legato_context* context = thread->context;
    if (!dropin_orthonormalise_deferred(thread, *n, psi_a, psi_b, log_norms, &status)) {
        context = dropin_steps_context(thread);
        status = legato_tmm_orthonormalise(context, *n, LEGATO_DROPIN_LAYOUT, psi_a, psi_b, log_norms);
    }
    if (status == LEGATO_STATUS_PRECISION_LOST)
        warn_of_precision(thread, context);
    else if (status != LEGATO_STATUS_NUMERICAL_ERROR)
        dropin_check(context, status);
    for (int32_t i = 0; i < *n; ++i) {
        gamma[i] += log_norms[i];
        gamma2[i] += log_norms[i] * log_norms[i];
    }
}

void dropin_swap(double* psi_a, double* psi_b, const int32_t* n) {
    if (dropin_swap_deferred(dropin_enter(DROPIN_SWAP), *n, psi_a, psi_b)) return;
    const size_t size = (size_t)*n * (size_t)*n;
    for (size_t i = 0; i < size; ++i) {
        const double saved = psi_a[i];
        psi_a[i] = psi_b[i];
        psi_b[i] = saved;
    }
}

static void find_step(struct dropin_thread* thread, const struct dropin_bar* bar) {
    if (dropin_same_bar(bar, &thread->step_bar)) return;
    dropin_check(thread->context, legato_tmm_narrow_step(thread->context, bar->dimension, bar->width, bar->boundary,
                                                         LEGATO_DROPIN_LAYOUT, &thread->step));
    thread->step_bar = *bar;
}

/* Is not inlined, because its stack frame would slow down narrow bars. */
__attribute__((noinline)) static void multiply(struct dropin_thread* thread, const struct dropin_bar* bar,
                                               const double* diagonal, double* psi_a, double* psi_b) {
    const int64_t sites = dropin_sites(bar);
    const int at_once = thread->decided_for == sites && !thread->deferred && !dropin_any_marks();
    if (!at_once && dropin_multiply_deferred(thread, bar, diagonal, psi_a, psi_b)) return;
    legato_context* const context = at_once ? thread->context : dropin_steps_context(thread);
    dropin_check(context, legato_tmm_multiply(context, bar->dimension, bar->width, bar->boundary, bar->hopping,
                                              LEGATO_DROPIN_LAYOUT, diagonal, psi_a, psi_b));
    if (at_once) find_step(thread, bar);
}

/* Multiplies a narrow bar by thread->step while nothing is deferred, because no array can contain a mark before that.
 * The members of the known bar are compared one by one with the arguments, which are in registers. */
void legato_dropin_multiply(int32_t dimension, int32_t width, int32_t boundary, double hopping, const double* diagonal,
                            double* psi_a, double* psi_b) {
    struct dropin_thread* const thread = dropin_enter(dimension == 2 ? DROPIN_TMMULT2D : DROPIN_TMMULT3D);
    const struct dropin_bar* const known = &thread->step_bar;
    if (thread->step && width == known->width && dimension == known->dimension && boundary == known->boundary &&
        hopping <= known->hopping && hopping >= known->hopping && !dropin_any_marks()) {
        thread->step(hopping, diagonal, psi_a, psi_b);
        return;
    }
    const struct dropin_bar bar = {dimension, width, boundary, hopping};
    multiply(thread, &bar, diagonal, psi_a, psi_b);
}
