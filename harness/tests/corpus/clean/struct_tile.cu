// A tile of structures, assigned as a whole and read by member.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

struct Body {
  float3 position;
  float mass;
};

constexpr int kBlock = 64;

__global__ void potential(float* out, const Body* bodies, int n) {
  __shared__ Body tile[kBlock];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const Body mine = i < n ? bodies[i] : Body{};
  float sum = 0.0f;
  for (int first = 0; first < n; first += kBlock) {
    const int j = first + threadIdx.x;
    tile[threadIdx.x] = j < n ? bodies[j] : Body{};
    __syncthreads();
    for (int k = 0; k < kBlock; ++k) {
      const float dx = mine.position.x - tile[k].position.x;
      sum += tile[k].mass * fabsf(dx);
    }
    __syncthreads();
  }
  if (i < n) out[i] = sum;
}

int main() {
  const int n = 150;
  std::vector<Body> bodies(n);
  std::vector<float> out(n);
  for (int i = 0; i < n; ++i) bodies[i] = {{static_cast<float>(i), 0.0f, 0.0f}, 2.0f};
  Body* d_bodies;
  float* d_out;
  cudaMalloc(&d_bodies, n * sizeof(Body));
  cudaMalloc(&d_out, n * sizeof(float));
  cudaMemcpy(d_bodies, bodies.data(), n * sizeof(Body), cudaMemcpyHostToDevice);
  potential<<<3, kBlock>>>(d_out, d_bodies, n);
  cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += out[i] != static_cast<float>(i * (i + 1) + (n - 1 - i) * (n - i));
  std::printf("%d wrong\n", wrong);
  cudaFree(d_bodies);
  cudaFree(d_out);
  return wrong != 0;
}
