// Puzzle 22, LayerNorm + Linear: y = W (gamma * (x - mean) / sqrt(variance + eps) + beta) + b for each
// of the B*S positions, each a row of `hidden` floats.
//   --unfused      layernorm_kernel, then three kernels of given.cuh: four launches, three tensors between
//   --fused        minimal_fused_kernel: one launch, one thread a position
//   --fused-block  fused_block_kernel: one launch, 256 threads share eight positions
// All tensors are row-major: x [B,S,H], gamma, beta [H], weight [O,H], bias [O], y [B,S,O].
#include <cuda_runtime.h>

// Inside the square root: it keeps a row of equal values (variance 0) from dividing by 0.
constexpr float kEpsilon = 1e-5f;

// Grid (B, S), a block of `hidden` threads (so hidden <= 1024): the block owns a row, the thread one
// element of it. Every thread adds up the whole row for itself: simple, and `hidden` times the work. The
// 32 lanes of a warp read the same address together, which costs one request and not 32.
__global__ void layernorm_kernel(float* normalized, const float* x, const float* gamma, const float* beta,
                                 int positions, int hidden) {
  const int position = blockIdx.x * gridDim.y + blockIdx.y;  // b * S + s
  const int h = threadIdx.x;
  if (position >= positions || h >= hidden) return;
  // FILL ME IN: layernorm (roughly 11 lines)
  // END: layernorm
}

// Grid (B, S), ONE thread a block: it computes all outputs of its position. Nothing travels through memory
// between the two steps, so three tensors and three launches are gone. Is it faster? The chapter asks you to
// predict that (`workbook book 22`) before a run answers it.
__global__ void minimal_fused_kernel(float* y, const float* x, const float* gamma, const float* beta,
                                     const float* weight, const float* bias, int positions, int hidden,
                                     int outputs) {
  const int position = blockIdx.x * gridDim.y + blockIdx.y;
  if (position >= positions) return;
  // FILL ME IN: fused_statistics (roughly 10 lines)
  // END: fused_statistics

  // FILL ME IN: fused_outputs (roughly 10 lines)
  // END: fused_outputs
}

constexpr int kWarpSize = 32;
// Eight rows a block, and not one: why, is a question under Predict in the chapter. Count what a block has
// to read, and then what all blocks read together.
constexpr int kRowsPerBlock = 8;
constexpr int kWarpsPerBlock = kRowsPerBlock;  // a warp normalises a row
// Four outputs at a time: each value read from shared memory serves four multiply-adds, each weight eight.
constexpr int kOutputsPerWarp = 4;
static_assert(kRowsPerBlock * kOutputsPerWarp == kWarpSize, "each lane ends with exactly one output");

// The normalised rows of a block, [kRowsPerBlock][hidden]; the launch says how many bytes that is.
extern __shared__ float shared_rows[];

// The sum of `value` over the 32 lanes of a warp, in every lane. All 32 must call it together. Shuffles
// move registers between lanes: no shared memory and no barrier (Puzzle 24 builds this step by step).
__device__ inline float warp_sum(float value) {
  for (int offset = kWarpSize / 2; offset > 0; offset /= 2)
    value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

// Grid of ceil(positions / kRowsPerBlock) blocks, each of kWarpsPerBlock warps. First each warp normalises
// one row into shared memory, then each warp computes four outputs of all eight rows, then the next four.
// The last block may own rows past the end: they must be filled (with anything finite) and never stored.
__global__ void fused_block_kernel(float* y, const float* x, const float* gamma, const float* beta,
                                   const float* weight, const float* bias, int positions, int hidden,
                                   int outputs) {
  // FILL ME IN: fused_block_rows (roughly 16 lines)
  // END: fused_block_rows

  // FILL ME IN: fused_block_outputs (roughly 20 lines)
  // END: fused_block_outputs
}
