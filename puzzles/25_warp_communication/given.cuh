// Puzzle 25, what the learner is handed: the step of the ring, how points are loaded and stored, and the same
// three computations by way of shared memory, to compare with.
#pragma once

#include <cuda_runtime.h>

#include "sizes.h"

// What one step makes of a point and its two neighbours.
__device__ inline float smoothed(float left, float own, float right) {
  return 0.5f * own + 0.25f * (left + right);
}

// The number of a point, where `i` goes on counting beyond either end of the ring.
__device__ inline int on_ring(int i, int size) {
  if (i >= 0 && i < size) return i;
  const int rest = i % size;
  return rest < 0 ? rest + size : rest;
}

// Points i to i + 3 of the ring. i is a multiple of 4: where none of them lies beyond an end of x, they are
// one access of 16 bytes.
__device__ inline float4 load_four(const float* x, int i, int size) {
  if (i >= 0 && i + 4 <= size) return *reinterpret_cast<const float4*>(x + i);
  return make_float4(x[on_ring(i, size)], x[on_ring(i + 1, size)], x[on_ring(i + 2, size)],
                     x[on_ring(i + 3, size)]);
}

// Stores points i to i + 3, as far as there are so many.
__device__ inline void store_four(float* out, int i, float4 points, int size) {
  if (i + 4 <= size) {
    *reinterpret_cast<float4*>(out + i) = points;
    return;
  }
  if (i < size) out[i] = points.x;
  if (i + 1 < size) out[i + 1] = points.y;
  if (i + 2 < size) out[i + 2] = points.z;
}

// --shared: a thread a point. A step goes through shared memory: two rows in turns, so that one barrier a
// step is enough. Grid of ceil(size / (kBlockSize - 2 kSteps)) blocks.
__global__ void ring_shared_kernel(float* out, const float* x, int size) {
  __shared__ float points[2][kBlockSize];
  const int t = threadIdx.x;
  const int i = blockIdx.x * (kBlockSize - 2 * kSteps) - kSteps + t;
  float own = x[on_ring(i, size)];
  for (int step = 0; step < kSteps; ++step) {
    float* row = points[step % 2];
    row[t] = own;
    __syncthreads();  // the neighbours' points are there
    own = smoothed(row[max(t - 1, 0)], own, row[min(t + 1, kBlockSize - 1)]);
  }
  if (t >= kSteps && t < kBlockSize - kSteps && i < size) out[i] = own;
}

// --edges: the work is divided as in --shuffle, and only the way differs by which a lane's first and last
// point come to its neighbours. Launched as ring_shuffle_kernel is.
__global__ void ring_edges_kernel(float* out, const float* x, int size) {
  __shared__ float first[kWarpsPerBlock][kWarpSize], last[kWarpsPerBlock][kWarpSize];
  const int lane = threadIdx.x % kWarpSize, w = threadIdx.x / kWarpSize;
  const int warp = blockIdx.x * kWarpsPerBlock + w;
  if (warp * kKept >= size) return;  // all lanes of a warp leave together
  const int i = warp * kKept - kSteps + lane * kPerLane;
  float4 v = load_four(x, i, size);
  for (int step = 0; step < kSteps; ++step) {
    first[w][lane] = v.x;
    last[w][lane] = v.w;
    __syncwarp();
    const float left = last[w][max(lane - 1, 0)], right = first[w][min(lane + 1, kWarpSize - 1)];
    v = make_float4(smoothed(left, v.x, v.y), smoothed(v.x, v.y, v.z), smoothed(v.y, v.z, v.w),
                    smoothed(v.z, v.w, right));
    __syncwarp();  // everybody has read: the next step may store
  }
  if (lane >= kHelperLanes && lane < kWarpSize - kHelperLanes) store_four(out, i, v, size);
}

// --window: each thread adds up its window from shared memory, as Puzzle 13 does. Grid of
// ceil(size / kBlockSize) blocks. x has kWindow - 1 elements more than out.
__global__ void average_window_kernel(float* out, const float* x, int size) {
  __shared__ float staged[kBlockSize + kWindow - 1];
  const int first = blockIdx.x * kBlockSize, there = min(kBlockSize, size - first) + kWindow - 1;
  for (int t = threadIdx.x; t < there; t += kBlockSize) staged[t] = x[first + t];
  __syncthreads();
  const int i = first + threadIdx.x;
  if (i >= size) return;
  float sum = 0.0f;
  for (int k = 0; k < kWindow; ++k) sum += staged[threadIdx.x + k];
  out[i] = sum / kWindow;
}

// The largest magnitude of four.
__device__ inline float magnitude(float4 v) {
  return fmaxf(fmaxf(fabsf(v.x), fabsf(v.y)), fmaxf(fabsf(v.z), fabsf(v.w)));
}

// --tree: a block a frame, a thread a sample. The peak comes from the tree of Puzzle 12.
__global__ void frame_tree_kernel(float* out, float* peaks, const float* x) {
  __shared__ float largest[kFrame];
  const int t = threadIdx.x, i = blockIdx.x * kFrame + t;
  const float sample = x[i];
  largest[t] = fabsf(sample);
  for (int half = kFrame / 2; half > 0; half /= 2) {
    __syncthreads();  // what is read below was stored by another thread
    if (t < half) largest[t] = fmaxf(largest[t], largest[t + half]);
  }
  __syncthreads();  // thread 0 has stored the peak, and every thread reads it
  const float peak = largest[0];
  if (t == 0) peaks[blockIdx.x] = peak;
  out[i] = peak > 0.0f ? sample / peak : 0.0f;
}
