/* ReNorm for programs that adapt the number of multiplications between two orthonormalisations, NORTHO, which is the
 * sixth argument:
 *
 *     quot = |last vector after its orthogonalisation| / |last vector before|
 *     quot < 1e-11 and NORTHO > 2:  NORTHO = NORTHO - 2
 *     quot > 1e-8  and NORTHO < 10: NORTHO = NORTHO + 2
 *
 * The rule is that of the public program TM1DNNN. NORTHO does not change if quot is NaN, nor for a chain, N = 1. */
#include <math.h>

#include "dropin.h"

static const double too_little = 1e-11, plenty = 1e-8;
enum { fewest = 2, most = 10, change = 2 };

/* Returns ln |last vector|. */
static double log_length(const double* psi_a, const double* psi_b, int32_t n) {
    const int site_first = LEGATO_DROPIN_LAYOUT == LEGATO_TMM_LAYOUT_SITE_FIRST;
    const size_t first = site_first ? (size_t)(n - 1) * (size_t)n : (size_t)(n - 1),
                 stride = site_first ? 1 : (size_t)n;
    double squares = 0;
    for (size_t i = first, k = 0; k < (size_t)n; ++k, i += stride) squares += psi_a[i] * psi_a[i] + psi_b[i] * psi_b[i];
    return 0.5 * log(squares);
}

void renorm_adaptive_(double* psi_a, double* psi_b, double* gamma, double* gamma2, const int32_t* n, int32_t* n_ortho) {
    struct dropin_thread* const thread = dropin_this_thread();
    thread->adaptive = 1;
    dropin_copy_back(thread, *n, psi_a, psi_b);
    double log_norms[dropin_most_sites] = {0}, squares[dropin_most_sites] = {0};
    const int usable = *n >= 1 && *n <= dropin_most_sites; /* else dropin_renorm stops the program */
    const double before = usable ? log_length(psi_a, psi_b, *n) : 0;
    dropin_renorm(psi_a, psi_b, log_norms, squares, n);
    for (int32_t i = 0; i < *n; ++i) {
        gamma[i] += log_norms[i];
        gamma2[i] += squares[i];
    }
    if (*n == 1) return;
    const double quot = exp(log_norms[*n - 1] - before);
    if (quot<too_little&& * n_ortho> fewest)
        *n_ortho -= change;
    else if (quot > plenty && *n_ortho < most)
        *n_ortho += change;
}
