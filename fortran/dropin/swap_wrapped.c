#include "dropin.h"

void __wrap_swap_(double* psi_a, double* psi_b, const int32_t* n) {
    dropin_swap(psi_a, psi_b, n);
}
