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
  // END: global
}

// The same sums. What a block reads again and again it keeps at hand: a __shared__ array exists once a block,
// all its threads see it, and it holds nothing before they have filled it.
__global__ void correlate_shared_kernel(float* out, const float* x, int size) {
  // FILL ME IN: stage (roughly 6 lines)
  // END: stage

  // FILL ME IN: sums (roughly 4 lines)
  // END: sums
}
