// Puzzle 08, Shared memory: how similar is a signal to itself, shifted?
//
// The signal x is cut into frames of kFrame samples, a block a frame, a thread a shift ("lag"):
//   out[first + lag] = x[first] * x[first + lag] + x[first + 1] * x[first + 1 + lag] + ...
// as long as both samples lie in the frame, which begins at `first`. The last frame may be shorter: it has as
// many lags as samples. The lag at which such a sum is largest is the period of a tone: tuners find it so.
//   --global   correlate_global_kernel: each thread reads what it needs from x
//   --shared   correlate_shared_kernel: each thread reads one sample of x, and the block shares them
#include <cuda_runtime.h>

constexpr int kFrame = 128;  // samples in a frame, lags in a frame, threads in a block: four warps

__global__ void correlate_global_kernel(float* out, const float* x, int size) {
  // FILL ME IN: global (roughly 7 lines)
  const int first = blockIdx.x * kFrame;
  const int count = min(kFrame, size - first);  // the last frame may be shorter
  const int lag = threadIdx.x;
  if (lag >= count) return;
  float sum = 0.0f;
  // The 32 threads of a warp read one address by x[first + k], and 32 neighbours by the other: these begin
  // anywhere, mostly in one line of the cache and end in the next, which costs a second look into it.
  for (int k = 0; k + lag < count; ++k) sum += x[first + k] * x[first + k + lag];
  out[first + lag] = sum;
  // END: global
}

// The same sums. What a block reads again and again it keeps at hand: a __shared__ array exists once a block,
// all its threads see it, and it holds nothing before they have filled it.
__global__ void correlate_shared_kernel(float* out, const float* x, int size) {
  // FILL ME IN: stage (roughly 6 lines)
  __shared__ float frame[kFrame];
  const int first = blockIdx.x * kFrame;
  const int count = min(kFrame, size - first);
  const int lag = threadIdx.x;
  // Guarded, and no return: the barrier is for all threads of the block, also for those without a sample.
  if (lag < count) frame[lag] = x[first + lag];
  __syncthreads();  // from here on a thread reads what other warps have stored
  // END: stage

  // FILL ME IN: sums (roughly 4 lines)
  if (lag >= count) return;  // no barrier follows
  float sum = 0.0f;
  for (int k = 0; k + lag < count; ++k) sum += frame[k] * frame[k + lag];  // from 0: the frame's own index
  out[first + lag] = sum;
  // END: sums
}
