// Tables that both sides may read, and tables of the host that only the host reads.
#include <cuda_runtime.h>

#include <cstdio>

static const float kWeights[4] = {1, 2, 3, 4};
__constant__ const float kOfDevice[4] = {1, 2, 3, 4};
constexpr int kSteps[3] = {1, 2, 4};
const int kTurns = 3;

template <int kStep>
__device__ int shifted(int x) {
  return x + kStep;
}

struct Filter {
  float kWeights[4];
  __device__ float first() const { return kWeights[0]; }
};

__global__ void weigh(float* x, Filter filter) {
  float sum = 0;
  for (int i = 0; i < kTurns; ++i) sum += kOfDevice[i % 4];
  x[threadIdx.x] = sum + static_cast<float>(shifted<kSteps[2]>(1)) + filter.first();
}

int main() {
  float *x, out[32];
  cudaMalloc(&x, sizeof out);
  weigh<<<1, 32>>>(x, Filter{{kWeights[1]}});
  cudaMemcpy(out, x, sizeof out, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (const float each : out) wrong += each != 13.0f;
  std::printf("%d wrong\n", wrong);
  cudaFree(x);
  return wrong != 0;
}
