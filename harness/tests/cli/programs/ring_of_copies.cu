// Warps with a ring of stages each, and no barrier of the block: a thread's accesses are more than the log
// holds at once. Every element of `in` is copied once.
#include <cuda_pipeline.h>

#include <cstdio>

constexpr int kRows = 64, kRow = 72, kSteps = 64, kWarps = 8;

template <int kCount, int kColumns>
__device__ void copy_tile(short* to, const short* from, int stride) {
  const int lane = threadIdx.x % 32;
  for (int i = lane; i < kCount * kColumns / 8; i += 32) {
    const int row = i / (kColumns / 8), column = i % (kColumns / 8) * 8;
    __pipeline_memcpy_async(to + row * kRow + column, from + row * stride + column, 16);
  }
}

__device__ void fetch(short* stage, const short* in, int step) {
  if (step < kSteps) {
    copy_tile<kRows, 64>(stage, in + step * kRows * 64, 64);
    copy_tile<1, 64>(stage + kRows * kRow, in + kSteps * kRows * 64 + step * 64, 64);
  }
  __pipeline_commit();
}

__global__ void walk(int* out, const short* in) {
  extern __shared__ __align__(16) short rings[];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  constexpr int kStage = (kRows + 1) * kRow;
  short* ring = rings + warp * 2 * kStage;
  fetch(ring, in, warp);
  int sum = 0, now = 0;
  for (int step = warp; step < kSteps; step += kWarps) {
    fetch(ring + (1 - now) * kStage, in, step + kWarps);
    __pipeline_wait_prior(1);
    __syncwarp();
    for (int row = 0; row < kRows + 1; ++row)
      for (int column = lane; column < 64; column += 32) sum += ring[now * kStage + row * kRow + column];
    __syncwarp();
    now = 1 - now;
  }
  out[threadIdx.x] = sum;
}

int main() {
  constexpr int kElements = kSteps * (kRows + 1) * 64, kBytes = kWarps * 2 * (kRows + 1) * kRow * 2;
  short* in;
  int* out;
  cudaMallocManaged(&in, kElements * sizeof(short));
  cudaMallocManaged(&out, kWarps * 32 * sizeof(int));
  for (int i = 0; i < kElements; ++i) in[i] = static_cast<short>(i % 3);
  cudaFuncSetAttribute(walk, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes);
  walk<<<1, kWarps * 32, kBytes>>>(out, in);
  cudaDeviceSynchronize();
  int sum = 0;
  for (int i = 0; i < kWarps * 32; ++i) sum += out[i];
  std::printf("sum %d of %d elements\n", sum, kElements);
  cudaFree(in);
  cudaFree(out);
}
