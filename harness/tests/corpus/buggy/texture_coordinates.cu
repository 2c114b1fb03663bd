// Wrong: pixels where a texture takes fractions, fractions where it takes pixels, and a mode that pixels do
// not have.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int kWidth = 32, kHeight = 16;

__global__ void by_pixels(cudaTextureObject_t image, float* out) {
  const int x = threadIdx.x, y = blockIdx.x;
  float& to = out[y * kWidth + x];
  to = tex2D<float>(image, x + 0.5f, y + 0.5f);  // expect-warning: bad_api_call; says: normalizedCoords = 1
}

__global__ void by_fractions(cudaTextureObject_t image, float* out) {
  const int x = threadIdx.x, y = blockIdx.x;
  const float u = (x + 0.5f) / kWidth, v = (y + 0.5f) / kHeight;
  out[y * kWidth + x] = tex2D<float>(image, u, v);  // expect-warning: bad_api_call; says: count pixels
}

__global__ void mirrored(cudaTextureObject_t image, float* out) {
  const float u = threadIdx.x - 2.0f + 0.5f, v = blockIdx.x + 0.5f;
  float& to = out[blockIdx.x * kWidth + threadIdx.x];
  to = tex2D<float>(image, u, v);  // expect-warning: bad_api_call; says: cudaAddressModeMirror
}

__global__ void wrapped(cudaTextureObject_t image, float* out) {
  const float u = threadIdx.x - 2.0f + 0.5f, v = blockIdx.x + 0.5f;
  float& to = out[blockIdx.x * kWidth + threadIdx.x];
  to = tex2D<float>(image, u, v);  // expect-advice: bad_api_call; says: cudaAddressModeWrap
}

cudaTextureObject_t make(cudaArray_t array, cudaTextureAddressMode mode, bool normalised) {
  cudaResourceDesc what{};
  what.resType = cudaResourceTypeArray;
  what.res.array.array = array;
  cudaTextureDesc how{};
  how.addressMode[0] = how.addressMode[1] = mode;
  how.filterMode = cudaFilterModeLinear;
  how.normalizedCoords = normalised;
  cudaTextureObject_t made = 0;
  cudaCreateTextureObject(&made, &what, &how, nullptr);
  return made;
}

int main() {
  float image[kWidth * kHeight], *out;
  for (int i = 0; i < kWidth * kHeight; ++i) image[i] = static_cast<float>(i);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, kWidth, kHeight);
  cudaMemcpy2DToArray(array, 0, 0, image, kWidth * 4, kWidth * 4, kHeight, cudaMemcpyHostToDevice);
  cudaMalloc(&out, sizeof image);
  const cudaTextureObject_t fractions = make(array, cudaAddressModeClamp, true),
                            pixels = make(array, cudaAddressModeClamp, false),
                            mirror = make(array, cudaAddressModeMirror, false),
                            wrap = make(array, cudaAddressModeWrap, false);
  by_pixels<<<kHeight, kWidth>>>(fractions, out);
  by_fractions<<<kHeight, kWidth>>>(pixels, out);
  mirrored<<<kHeight, kWidth>>>(mirror, out);
  wrapped<<<kHeight, kWidth>>>(wrap, out);
  cudaMemcpy(image, out, sizeof image, cudaMemcpyDeviceToHost);
  std::printf("%g\n", image[40]);
  for (const cudaTextureObject_t texture : {fractions, pixels, mirror}) cudaDestroyTextureObject(texture);
  cudaFreeArray(array);  // and the last texture is not destroyed
  cudaFree(out);
}
