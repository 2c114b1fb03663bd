// Heat spreads over a plate: a five-point stencil, two arrays that change places, sources held fixed by a
// map.
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#define DIM 96
#define SPEED 0.25f

struct Plate {
  float *now, *next, *sources;
};

__global__ void copy_sources(float* plate, const float* sources) {
  int x = threadIdx.x + blockIdx.x * blockDim.x;
  int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= DIM || y >= DIM) return;
  int offset = x + y * DIM;
  if (sources[offset] != 0) plate[offset] = sources[offset];
}

__global__ void spread(float* out, const float* in) {
  int x = threadIdx.x + blockIdx.x * blockDim.x;
  int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= DIM || y >= DIM) return;
  int offset = x + y * DIM;
  int left = x == 0 ? offset : offset - 1, right = x == DIM - 1 ? offset : offset + 1;
  int top = y == 0 ? offset : offset - DIM, bottom = y == DIM - 1 ? offset : offset + DIM;
  out[offset] = in[offset] + SPEED * (in[top] + in[bottom] + in[left] + in[right] - in[offset] * 4);
}

int main() {
  const size_t bytes = DIM * DIM * sizeof(float);
  std::vector<float> sources(DIM * DIM, 0.0f), result(DIM * DIM);
  for (int y = 20; y < 30; y++)
    for (int x = 40; x < 60; x++) sources[x + y * DIM] = 1.0f;
  sources[70 + 70 * DIM] = 0.0001f;

  Plate plate;
  cudaMalloc(&plate.now, bytes);
  cudaMalloc(&plate.next, bytes);
  cudaMalloc(&plate.sources, bytes);
  cudaMemset(plate.now, 0, bytes);
  cudaMemcpy(plate.sources, sources.data(), bytes, cudaMemcpyHostToDevice);
  dim3 threads(16, 16), blocks((DIM + 15) / 16, (DIM + 15) / 16);
  const int steps = 20;
  for (int step = 0; step < steps; step++) {
    copy_sources<<<blocks, threads>>>(plate.now, plate.sources);
    spread<<<blocks, threads>>>(plate.next, plate.now);
    std::swap(plate.now, plate.next);
  }
  cudaMemcpy(result.data(), plate.now, bytes, cudaMemcpyDeviceToHost);

  std::vector<float> a(DIM * DIM, 0.0f), b(DIM * DIM);
  for (int step = 0; step < steps; step++) {
    for (int i = 0; i < DIM * DIM; i++)
      if (sources[i] != 0) a[i] = sources[i];
    for (int y = 0; y < DIM; y++)
      for (int x = 0; x < DIM; x++) {
        int o = x + y * DIM;
        float sum =
            a[y ? o - DIM : o] + a[y < DIM - 1 ? o + DIM : o] + a[x ? o - 1 : o] + a[x < DIM - 1 ? o + 1 : o];
        b[o] = a[o] + SPEED * (sum - a[o] * 4);
      }
    std::swap(a, b);
  }
  float worst = 0;
  for (int i = 0; i < DIM * DIM; i++) worst = std::max(worst, std::fabs(a[i] - result[i]));
  printf("centre %g, largest error %g\n", result[50 + 25 * DIM], worst);
  cudaFree(plate.now);
  cudaFree(plate.next);
  cudaFree(plate.sources);
  return worst < 1e-5f ? 0 : 1;
}
