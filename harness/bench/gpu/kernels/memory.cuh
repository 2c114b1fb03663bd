// Kernels that move data and hardly compute: what they ask of the memory differs, what they deliver does not.
// Grids are one dimension, a thread an element unless said; `count` is in elements.
#pragma once

__global__ void copy_kernel(float* out, const float* in, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[i];
}

// Lane l reads element 8 l: each lane a sector of its own, of which it wants four bytes. `count` a power of
// two.
__global__ void copy_strided_kernel(float* out, const float* in, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int segment = count / 8;
  if (i < count) out[i] = in[(i % segment) * 8 + i / segment];
}

// A thread moves 16 bytes; `count` in float4.
__global__ void copy_float4_kernel(float4* out, const float4* in, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[i];
}

// The block's dynamic shared memory is there only to keep other blocks away from its SM.
__global__ void copy_crowded_kernel(float* out, const float* in, int count) {
  extern __shared__ float crowd[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  crowd[threadIdx.x] = i < count ? in[i] : 0.0f;
  if (i < count) out[i] = crowd[threadIdx.x];
}

__global__ void saxpy_kernel(float* y, const float* x, float a, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) y[i] = a * x[i] + y[i];
}

struct Particle {
  float x, y, z, mass, vx, vy, vz, charge;
};

// Array of structures: three of a structure's eight fields, so lanes lie 32 bytes apart.
__global__ void energy_aos_kernel(float* energy, const Particle* particles, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) energy[i] = 0.5f * particles[i].mass * particles[i].vx * particles[i].vx + particles[i].x;
}

// Structure of arrays: the same fields, each an array of `count`, one behind the other.
__global__ void energy_soa_kernel(float* energy, const float* fields, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float x = fields[i], mass = fields[count + i], vx = fields[2 * count + i];
  energy[i] = 0.5f * mass * vx * vx + x;
}

__global__ void gather_kernel(float* out, const float* in, const int* index, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[index[i]];
}

constexpr int kStencilBlock = 256;

// Each block loads its elements and one neighbour on either side, so that no element is loaded three times.
__global__ void stencil_kernel(float* out, const float* in, int count) {
  __shared__ float tile[kStencilBlock + 2];
  const int i = blockIdx.x * kStencilBlock + threadIdx.x;
  const int t = threadIdx.x + 1;
  tile[t] = i < count ? in[i] : 0.0f;
  if (threadIdx.x == 0) tile[0] = i > 0 ? in[i - 1] : 0.0f;
  if (threadIdx.x == kStencilBlock - 1) tile[t + 1] = i + 1 < count ? in[i + 1] : 0.0f;
  __syncthreads();
  if (i < count) out[i] = 0.25f * tile[t - 1] + 0.5f * tile[t] + 0.25f * tile[t + 1];
}

__global__ void tiny_kernel(float* out, const float* in) { out[threadIdx.x] = in[threadIdx.x] + 1.0f; }

constexpr int kFmaSteps = 128;

// 4 chains of 128 dependent multiply-adds for one load and one store: bound by arithmetic.
__global__ void fma_kernel(float* out, const float* in, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float a = in[i], b = a + 1.0f, c = a + 2.0f, d = a + 3.0f;
  for (int step = 0; step < kFmaSteps; ++step) {
    a = fmaf(a, 0.999f, 0.001f);
    b = fmaf(b, 0.998f, 0.002f);
    c = fmaf(c, 0.997f, 0.003f);
    d = fmaf(d, 0.996f, 0.004f);
  }
  out[i] = a + b + c + d;
}
