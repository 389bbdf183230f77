// FP64 matrix instructions.
#pragma once

namespace legato::cuda {

// Computes C (8 x 8) += A (8 x 4) B (4 x 8). A lane gives A(lane / 4, lane % 4) and B(lane % 4, lane / 4), and holds
// C(lane / 4, 2 (lane % 4)) and its right neighbour.
__device__ inline void matrix_multiply(double (&c)[2], double a, double b) {
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
        : "+d"(c[0]), "+d"(c[1])
        : "d"(a), "d"(b));
}

// Computes two such products with the same B. Compute capability 9.0 does this at twice the rate.
__device__ inline void matrix_multiply(double (&c0)[2], double (&c1)[2], double a0, double a1, double b) {
#if __CUDA_ARCH__ >= 900
    asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
        : "+d"(c0[0]), "+d"(c0[1]), "+d"(c1[0]), "+d"(c1[1])
        : "d"(a0), "d"(a1), "d"(b));
#else
    matrix_multiply(c0, a0, b);
    matrix_multiply(c1, a1, b);
#endif
}

}  // namespace legato::cuda
