#include "dropin.h"

void swap_(double* psi_a, double* psi_b, const int32_t* n) {
    dropin_swap(psi_a, psi_b, n);
}
