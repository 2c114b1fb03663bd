// Puzzle 25, Warp communication: neighbours in a warp, windows that reach across its end, and one lane's
// value for all of them.
//   --shuffle    kSteps steps of a stencil on a ring of points, which stay in the registers of their warp
//   --shared     the same, a thread a point, through shared memory with a barrier a step (given)
//   --edges      the work divided as in --shuffle, edges handed over in shared memory (given)
//   --doubling   the average of kWindow elements from each one on: sums that double in length
//   --window     the same, every window added up from shared memory (given)
//   --broadcast  frames of kFrame samples, each divided by its peak: a warp a frame
//   --tree       the same, a block a frame, the peak by a tree in shared memory (given)
// Ring, average: x and out are [size] and [size + kWindow - 1], [size]. Frames: x and out are [frames,
// kFrame], row-major, peaks is [frames]. `size` and `frames` are any numbers. What is given stands in
// given.cuh, sizes in sizes.h.
//
// All three read registers of other lanes, by functions that every lane named in `mask` calls together:
//   __shfl_up_sync(mask, value, d)     of lane - d; the first d lanes get their own value back
//   __shfl_down_sync(mask, value, d)   of lane + d; the last d lanes get their own value back
//   __shfl_sync(mask, value, n)        of lane n, which may differ from lane to lane; 32 counts as 0 again
#include <cuda_runtime.h>

#include "given.cuh"

constexpr unsigned kAllLanes = 0xffffffffu;

// A ring of `size` points: behind the last one comes the first. In a step every point becomes
// smoothed(left neighbour, itself, right neighbour), all at once. Grid of
// ceil(size / (kKept * kWarpsPerBlock)) blocks of kBlockSize threads. Warp w keeps the points from w * kKept
// on; its segment begins kSteps points before them and ends kSteps behind them.
__global__ void ring_shuffle_kernel(float* out, const float* x, int size) {
  const int lane = threadIdx.x % kWarpSize;
  const int warp = blockIdx.x * kWarpsPerBlock + threadIdx.x / kWarpSize;
  if (warp * kKept >= size) return;                       // all lanes of a warp leave together
  const int i = warp * kKept - kSteps + lane * kPerLane;  // the lane's first point
  float4 v = load_four(x, i, size);                       // and all four of them: v.x, v.y, v.z, v.w
  // FILL ME IN: steps (roughly 6 lines)
  // END: steps
  // FILL ME IN: kept (roughly 1 line)
  // END: kept
}

// out[i] = (x[i] + x[i + 1] + ... + x[i + kWindow - 1]) / kWindow. x has kWindow - 1 elements more than out.
// Grid of ceil(size / (kChunks * kBlockSize)) blocks of kBlockSize threads: a warp has kChunks * kWarpSize
// results that lie side by side.
__global__ void average_doubling_kernel(float* out, const float* x, int size) {
  const int lane = threadIdx.x % kWarpSize;
  const int warp = blockIdx.x * kWarpsPerBlock + threadIdx.x / kWarpSize;
  if (warp * kChunks * kWarpSize >= size) return;  // all lanes of a warp leave together
  const int first = warp * kChunks * kWarpSize + lane;
  float v[kHeld];  // v[c] of the lanes is chunk c: kWarpSize neighbouring elements, 0 where x has ended
  for (int c = 0; c < kHeld; ++c) {
    const int i = first + c * kWarpSize;
    v[c] = i < size + kWindow - 1 ? x[i] : 0.0f;
  }
  // v[c] shall become the sum of kWarpSize elements from its own on; the last is only there to be asked.
  // FILL ME IN: doubling (roughly 6 lines)
  // END: doubling
  // FILL ME IN: averages (roughly 4 lines)
  // END: averages
}

// peaks[f] = the largest magnitude of frame f, out = x / peaks[f]; a frame of zeros stays one. Grid of
// ceil(frames / kWarpsPerBlock) blocks: a warp has a frame, and a lane four of its samples.
__global__ void frame_broadcast_kernel(float* out, float* peaks, const float* x, int frames) {
  const int lane = threadIdx.x % kWarpSize;
  const int frame = blockIdx.x * kWarpsPerBlock + threadIdx.x / kWarpSize;
  if (frame >= frames) return;  // all lanes of a warp leave together
  const int i = frame * kFrame + lane * kPerLane;
  const float4 v = *reinterpret_cast<const float4*>(x + i);
  float largest = magnitude(v), gain = 0.0f;
  // FILL ME IN: peak (roughly 2 lines)
  // END: peak
  if (lane == 0) {
    peaks[frame] = largest;
    gain = largest > 0.0f ? 1.0f / largest : 0.0f;
  }
  // FILL ME IN: broadcast (roughly 1 line)
  // END: broadcast
  *reinterpret_cast<float4*>(out + i) = make_float4(v.x * gain, v.y * gain, v.z * gain, v.w * gain);
}
