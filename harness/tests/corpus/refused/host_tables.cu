// Elements of arrays of the host that are const: nvcc takes the values of const numbers alone.
#include <cstdio>

static const float kWeights[4] = {1, 2, 3, 4};
const char* const kNames[2] = {"first", "second"};
const int kTurns = 3;
const int own[2] = {1, 2};

__device__ float weight(int i) {
  return kWeights[i % 4];  // refused: identifier "kWeights" is undefined in device code
}

__device__ int element(const int* own, int i) { return own[i]; }

__global__ void weigh(float* x, const int* places) {
  for (int i = 0; i < kTurns; ++i) x[threadIdx.x] *= weight(element(places, i));
  if (x[threadIdx.x] < 0)
    printf("%s\n", kNames[0]);  // refused: identifier "kNames" is undefined in device code
}

int main() {
  std::printf("%s %g %d\n", kNames[1], kWeights[2], own[1]);
  weigh<<<1, 32>>>(nullptr, nullptr);
}
