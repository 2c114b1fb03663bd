// Puzzle 02, Zip: two vectors become one, one thread an element.
//   --zip    once[i]  = alpha * a[i] + b[i]
//   --steps  often[i] = the same, kSteps times over: what one step gives is the next one's a[i]; b[i] stays
//
// Both are launched as kernel<<<blocks, kBlockSize>>>(...), with enough blocks for `size` elements. `alpha`
// is a number and not a tensor: every thread gets its own copy with the call. Memory is touched three times
// an element in both: a[i] and b[i] are read once, the result is written once. More is no solution here.
#include <cuda_runtime.h>

// Large enough for the kernel not to wait for blocks to be handed out (Puzzle 01), small enough for a
// GPU to fit several blocks side by side.
constexpr int kBlockSize = 256;

__global__ void zip_kernel(float* once, const float* a, const float* b, float alpha, int size) {
  // FILL ME IN: zip (roughly 2 lines)
  // One index for three tensors: all three accesses of a warp are coalesced, or none is.
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) once[i] = alpha * a[i] + b[i];
  // END: zip
}

// kSteps stands in given.h.
__global__ void steps_kernel(float* often, const float* a, const float* b, float alpha, int size) {
  // FILL ME IN: steps (roughly 6 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  float value = a[i];  // in a register from here on: a step costs no access
  // A variable as well: `often` may point to where `b` does, as far as the compiler knows.
  const float shift = b[i];
  for (int step = 0; step < kSteps; ++step) value = alpha * value + shift;
  often[i] = value;
  // END: steps
}
