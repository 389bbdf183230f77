// LEGATO_HOST_DEVICE marks a function that is compiled for host and device. It is empty without nvcc.
#pragma once

#ifdef __CUDACC__
#define LEGATO_HOST_DEVICE __host__ __device__
#else
#define LEGATO_HOST_DEVICE
#endif
