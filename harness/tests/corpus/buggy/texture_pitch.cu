// Wrong: the rows of a texture begin where no texture may have them.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void read(float* out, cudaTextureObject_t t, int w) {
  out[blockIdx.x * w + threadIdx.x] = tex2D<float>(t, threadIdx.x + 0.5f, blockIdx.x + 0.5f);
}

int main() {
  const int w = 45, h = 4;
  float host[w * h], *image, *out;
  for (float& value : host) value = 1;
  const size_t pitch = w * sizeof(float);
  cudaMalloc(&image, pitch * h);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy2D(image, pitch, host, w * sizeof(float), w * sizeof(float), h, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = image;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  resource.res.pitch2D.width = w;
  resource.res.pitch2D.height = h;
  resource.res.pitch2D.pitchInBytes = pitch;
  cudaTextureDesc how = {};
  how.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &how, nullptr);  // expect: bad_api_call
  cudaFree(image);
  cudaFree(out);
}
