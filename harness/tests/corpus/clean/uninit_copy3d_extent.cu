// An extent in bytes.
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

__global__ void sum(float* out, cudaPitchedPtr volume, int w, int h, int d) {
  float s = 0.0f;
  for (int z = 0; z < d; ++z)
    for (int y = 0; y < h; ++y) {
      const float* row = (const float*)((const char*)volume.ptr + z * volume.pitch * h + y * volume.pitch);
      for (int x = 0; x < w; ++x) s += row[x];
    }
  *out = s;
}

int main() {
  const int w = 20, h = 10, d = 5;
  std::vector<float> v(w * h * d, 1.0f);
  cudaPitchedPtr volume;
  cudaMalloc3D(&volume, make_cudaExtent(w * sizeof(float), h, d));
  cudaMemcpy3DParms p = {};
  p.srcPtr = make_cudaPitchedPtr(v.data(), w * sizeof(float), w, h);
  p.dstPtr = volume;
  p.extent = make_cudaExtent(w * sizeof(float), h, d);
  p.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&p);
  float *out, s;
  cudaMalloc(&out, sizeof(float));
  sum<<<1, 1>>>(out, volume, w, h, d);
  cudaMemcpy(&s, out, sizeof s, cudaMemcpyDeviceToHost);
  printf("%g\n", s);
  cudaFree(volume.ptr);
  cudaFree(out);
}
