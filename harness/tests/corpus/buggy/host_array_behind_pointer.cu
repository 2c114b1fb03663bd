// Wrong: a struct leads a kernel to an array that is a variable of the host.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

float gains[8] = {1, 2, 3, 4, 5, 6, 7, 8};

struct Channel {
  const float* gains;
  int count;
};

__global__ void amplify(const Channel* channels, float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *=
        channels[0].gains[i % channels[0].count];  // expect: host_deref; says: gains, a variable of the host
}

int main() {
  const int n = 100;
  std::vector<float> h(n, 1.0f);
  float *x, *g;
  Channel* c;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&g, sizeof gains);
  cudaMalloc(&c, sizeof(Channel));
  cudaMemcpy(g, gains, sizeof gains, cudaMemcpyHostToDevice);
  Channel host{gains, 8};
  cudaMemcpy(c, &host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpy(x, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  amplify<<<1, 128>>>(c, x, n);
  cudaMemcpy(h.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%g\n", h[7]);
  cudaFree(x);
  cudaFree(g);
  cudaFree(c);
}
