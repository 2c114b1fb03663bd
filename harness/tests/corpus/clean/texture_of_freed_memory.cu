// Memory of a texture lives as long as the texture.
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

__global__ void look(float* out, cudaTextureObject_t t) {
  out[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x);
}

int main() {
  const int n = 64;
  std::vector<float> h(n, 3.0f);
  float *d, *out;
  cudaMalloc(&d, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(d, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeLinear;
  r.res.linear.devPtr = d;
  r.res.linear.desc = cudaCreateChannelDesc<float>();
  r.res.linear.sizeInBytes = n * sizeof(float);
  cudaTextureDesc t = {};
  cudaTextureObject_t tex;
  cudaCreateTextureObject(&tex, &r, &t, nullptr);
  look<<<1, n>>>(out, tex);
  cudaMemcpy(h.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", h[1]);
  cudaDestroyTextureObject(tex);
  cudaFree(d);
  cudaFree(out);
}
