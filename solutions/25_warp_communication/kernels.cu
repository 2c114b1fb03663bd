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
  for (int step = 0; step < kSteps; ++step) {
    // Two points of a lane have a neighbour in another lane. Lane 0 and lane 31 get their own value back: it
    // is wrong, and one point further is wrong after each step.
    const float left = __shfl_up_sync(kAllLanes, v.w, 1);
    const float right = __shfl_down_sync(kAllLanes, v.x, 1);
    v = make_float4(smoothed(left, v.x, v.y), smoothed(v.x, v.y, v.z), smoothed(v.y, v.z, v.w),
                    smoothed(v.z, v.w, right));
  }
  // END: steps
  // FILL ME IN: kept (roughly 1 line)
  // kSteps points at either end of the segment are wrong by now: those of kHelperLanes lanes.
  if (lane >= kHelperLanes && lane < kWarpSize - kHelperLanes) store_four(out, i, v, size);
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
  // v[c] holds the sum of d elements, and that of the d behind them lies d lanes on. The first d lanes are
  // asked by those whose window goes on in the next chunk. The last chunk has none behind it, and nobody uses
  // those of its sums that lack something.
  for (int d = 1; d < kWarpSize; d *= 2)
    for (int c = 0; c < kHeld; ++c) {  // ascending: v[c + 1] is still that of the round before
      const float asked = lane < d && c + 1 < kHeld ? v[c + 1] : v[c];
      v[c] += __shfl_sync(kAllLanes, asked, lane + d);
    }
  // END: doubling
  // FILL ME IN: averages (roughly 4 lines)
  for (int c = 0; c < kChunks; ++c) {
    const int i = first + c * kWarpSize;
    // A window is two chunks long, and the second half of it lies in the same lane.
    if (i < size) out[i] = (v[c] + v[c + 1]) / kWindow;
  }
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
  // Down: after the last round lane 0 has seen all lanes, and no other lane has.
  for (int d = kWarpSize / 2; d > 0; d /= 2)
    largest = fmaxf(largest, __shfl_down_sync(kAllLanes, largest, d));
  // END: peak
  if (lane == 0) {
    peaks[frame] = largest;
    gain = largest > 0.0f ? 1.0f / largest : 0.0f;
  }
  // FILL ME IN: broadcast (roughly 1 line)
  gain = __shfl_sync(kAllLanes, gain, 0);  // behind the branch: lane 0 gives, and all lanes call
  // END: broadcast
  *reinterpret_cast<float4*>(out + i) = make_float4(v.x * gain, v.y * gain, v.z * gain, v.w * gain);
}
