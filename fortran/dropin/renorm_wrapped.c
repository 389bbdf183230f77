#include "dropin.h"

void __wrap_renorm_(double* psi_a, double* psi_b, double* gamma, double* gamma2, const int32_t* n) {
    dropin_renorm(psi_a, psi_b, gamma, gamma2, n);
}
