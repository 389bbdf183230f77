// Computes 1 / x without the branches of the compiler's division: by the hardware's 20-bit approximation and one step
// of third order. The error is about an ulp if x and its reciprocal are normal numbers.
#pragma once

namespace legato::tmm {

__device__ inline double reciprocal(double x) {
    double r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(x));
    const double error = fma(-x, r, 1.0);
    return fma(r, fma(error, error, error), r);
}

}  // namespace legato::tmm
