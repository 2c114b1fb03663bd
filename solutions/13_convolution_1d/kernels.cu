// Puzzle 13, Convolution 1D: out[i] = filter[0] a[i] + filter[1] a[i+1] + ... + filter[taps-1] a[i+taps-1].
// Past the end of `a` there is nothing: a term whose element does not exist counts as 0.
//   --simple          convolve_kernel: each thread reads all it needs from global memory
//   --block-boundary  convolve_staged_kernel: the block first copies to shared memory what its threads need
//   --sliding         convolve_sliding_kernel: the same, and each thread computes kPerThread neighbours
// Blocks have kBlockSize threads. 1 <= taps <= kMaxTaps, so there may be more taps than threads, and more
// taps than elements. given.cuh sets kBlockSize to 128, kMaxTaps to 256 and kPerThread to 5.
#include <cuda_runtime.h>

__global__ void convolve_kernel(float* out, const float* a, const float* filter, int size, int taps) {
  // FILL ME IN: simple (roughly 6 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  float sum = 0.0f;
  // At each tap a warp reads neighbours. Over all taps each element is read `taps` times: the cache answers.
  for (int k = 0; k < taps; ++k)
    if (i + k < size) sum += filter[k] * a[i + k];
  out[i] = sum;
  // END: simple
}

// Copies `count` elements, from[first] and those behind it, to shared memory: all threads of the block call
// it together and share the work. An element at or past `size` does not exist: its place gets 0. No barrier.
__device__ inline void stage(float* to, const float* from, int first, int count, int size) {
  // FILL ME IN: stage (roughly 2 lines)
  // `count` may be more than there are threads, or less: a loop. In each round neighbours read neighbours.
  for (int t = threadIdx.x; t < count; t += blockDim.x) to[t] = first + t < size ? from[first + t] : 0.0f;
  // END: stage
}

__global__ void convolve_staged_kernel(float* out, const float* a, const float* filter, int size, int taps) {
  __shared__ float shared_a[kBlockSize + kMaxTaps - 1];  // the block's own elements, then its halo
  __shared__ float shared_filter[kMaxTaps];
  // FILL ME IN: staged (roughly 9 lines)
  const int first = blockIdx.x * kBlockSize;               // the block's first element
  stage(shared_a, a, first, kBlockSize + taps - 1, size);  // the last thread needs taps - 1 more than its own
  stage(shared_filter, filter, 0, taps, taps);
  __syncthreads();  // a thread reads what up to `taps` others have copied
  const int i = first + threadIdx.x;
  if (i >= size) return;  // not before the barrier, to which every thread must come
  float sum = 0.0f;
  // The zeros past the end take the place of a guard at each tap. The 32 neighbours that a warp reads lie in
  // 32 banks, and the one weight goes to all of them.
  for (int k = 0; k < taps; ++k) sum += shared_filter[k] * shared_a[threadIdx.x + k];
  out[i] = sum;
  // END: staged
}

__global__ void convolve_sliding_kernel(float* out, const float* a, const float* filter, int size, int taps) {
  constexpr int kResults = kBlockSize * kPerThread;  // of a block
  __shared__ float shared_a[kResults + kMaxTaps - 1];
  __shared__ float shared_filter[kMaxTaps];
  const int first = blockIdx.x * kResults;
  stage(shared_a, a, first, kResults + taps - 1, size);
  stage(shared_filter, filter, 0, taps, taps);
  __syncthreads();
  const int mine = threadIdx.x * kPerThread;  // this thread's first result in the block; it has kPerThread
  float sums[kPerThread] = {};                // one for each of them

  // FILL ME IN: slide (roughly 9 lines)
  // window[j] is the element that result j weighs at this tap. The next tap needs all but the first of them
  // again, and one new one: 2 reads of shared memory for kPerThread multiply-adds, not for one.
  float window[kPerThread];
  for (int j = 0; j < kPerThread - 1; ++j) window[j] = shared_a[mine + j];
  for (int k = 0; k < taps; ++k) {
    window[kPerThread - 1] = shared_a[mine + k + kPerThread - 1];
    const float weight = shared_filter[k];
    for (int j = 0; j < kPerThread; ++j) sums[j] += weight * window[j];
    for (int j = 0; j < kPerThread - 1; ++j) window[j] = window[j + 1];  // registers: renamed when unrolled
  }
  // END: slide

  // Stored from here, the results of a warp would lie kPerThread apart. They take the way back through shared
  // memory, so that neighbouring threads store neighbours.
  __syncthreads();  // everybody has read shared_a
  for (int j = 0; j < kPerThread; ++j) shared_a[mine + j] = sums[j];
  __syncthreads();
  for (int t = threadIdx.x; t < kResults && first + t < size; t += kBlockSize) out[first + t] = shared_a[t];
}
