// Marks a function that host code and CUDA kernels share. Outside nvcc it is nothing.
#pragma once

#ifdef __CUDACC__
#define CUPEL_HOST_DEVICE __host__ __device__
#else
#define CUPEL_HOST_DEVICE
#endif
