// Kernels that the tests of the host API launch.
#pragma once

#include <cuda_runtime.h>

constexpr int kThreads = 64;

extern __constant__ float coefficients[4];
extern __device__ int counter;

__global__ void fill(int* y, int n, int value);       // y[i] = value
__global__ void add(int* y, int n, int value);        // y[i] += value
__global__ void apply_coefficients(float* y, int n);  // y[i] = coefficients[i % 4]
__global__ void count();                              // ++counter, atomically
__global__ void sum_first(const int* x, int* out, int n);
__global__ void use_shared(int* y);  // 64 ints of static shared memory
__global__ void store_at(int* address);
template <class T>
__global__ void scale(T* y, int n, T factor);  // int and float

// Launches of them, as a program writes with <<<...>>>.
void fill_on(const workbook::sim::LaunchConfig& config, int* y, int n, int value);
void add_on(const workbook::sim::LaunchConfig& config, int* y, int n, int value);
void apply_on(const workbook::sim::LaunchConfig& config, float* y, int n);
void use_shared_on(const workbook::sim::LaunchConfig& config, int* y);
void count_on(const workbook::sim::LaunchConfig& config);
void store_on(const workbook::sim::LaunchConfig& config, int* address);
