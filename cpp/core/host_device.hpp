// Marks a function that host and device both compile, empty without nvcc; and a loop that both are to unroll.
#pragma once

#ifdef __CUDACC__
#define LEGATO_HOST_DEVICE __host__ __device__
#define LEGATO_UNROLL _Pragma("unroll")
#else
#define LEGATO_HOST_DEVICE
#define LEGATO_UNROLL _Pragma("GCC unroll 16")
#endif
