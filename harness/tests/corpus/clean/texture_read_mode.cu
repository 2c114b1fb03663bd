// A texture of floats is read as it is.
#include <cuda_runtime.h>
#include <cstdio>
__global__ void sample(cudaTextureObject_t t, float* out, int w) {
  int x = threadIdx.x, y = blockIdx.x;
  out[y * w + x] = tex2D<float>(t, x + 0.5f, y + 0.5f);
}
int main() {
  const int w = 64, h = 32;
  float host[w * h];
  for (int i = 0; i < w * h; ++i) host[i] = i;
  cudaChannelFormatDesc c = cudaCreateChannelDesc<float>();
  cudaArray_t a;
  cudaMallocArray(&a, &c, w, h);
  cudaMemcpy2DToArray(a, 0, 0, host, w * 4, w * 4, h, cudaMemcpyHostToDevice);
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = a;
  cudaTextureDesc d = {};
  d.filterMode = cudaFilterModePoint;
  d.readMode = cudaReadModeElementType;
  cudaTextureObject_t t = 0;
  cudaCreateTextureObject(&t, &r, &d, nullptr);
  float* out;
  cudaMalloc(&out, sizeof host);
  sample<<<h, w>>>(t, out, w);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%g\n", host[70]);
  cudaDestroyTextureObject(t);
  cudaFreeArray(a);
  cudaFree(out);
}
