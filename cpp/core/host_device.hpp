// Marks a function that host and device both compile; empty without nvcc.
#pragma once

#ifdef __CUDACC__
#define LEGATO_HOST_DEVICE __host__ __device__
#else
#define LEGATO_HOST_DEVICE
#endif
