// Right: fractions that leave the texture a little, or go round it many times; pixels beside it that are
// clamped; the first pixel alone, and one of few.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int kWidth = 32, kHeight = 16;

__global__ void zoomed(cudaTextureObject_t image, float* out, float scale) {
  const float x = (threadIdx.x + 0.5f) / kWidth, y = (blockIdx.x + 0.5f) / kHeight;
  out[blockIdx.x * kWidth + threadIdx.x] =
      tex2D<float>(image, 0.5f + (x - 0.5f) * scale, 0.5f + (y - 0.5f) * scale);
}

__global__ void neighbours(cudaTextureObject_t image, float* out) {
  const int x = threadIdx.x, y = blockIdx.x;
  out[y * kWidth + x] = tex2D<float>(image, x - 1 + 0.5f, y + 0.5f) + tex2D<float>(image, x + 1.5f, y + 0.5f);
}

__global__ void first_pixel(cudaTextureObject_t image, float* out) {
  out[threadIdx.x] = tex2D<float>(image, 0.5f, 0.5f);
}

__global__ void between(cudaTextureObject_t image, float* out) {
  out[threadIdx.x] = tex2D<float>(image, 0.5f + threadIdx.x / 32.0f * (kWidth - 1), 0.5f);
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
  const cudaTextureObject_t clamped = make(array, cudaAddressModeClamp, true),
                            wrapped = make(array, cudaAddressModeWrap, true),
                            border = make(array, cudaAddressModeBorder, true),
                            pixels = make(array, cudaAddressModeClamp, false),
                            first = make(array, cudaAddressModeClamp, false);
  zoomed<<<kHeight, kWidth>>>(clamped, out, 1.5f);
  zoomed<<<kHeight, kWidth>>>(border, out, 2.5f);
  zoomed<<<kHeight, kWidth>>>(wrapped, out, 20.0f);
  neighbours<<<kHeight, kWidth>>>(pixels, out);
  cudaMemcpy(image, out, sizeof image, cudaMemcpyDeviceToHost);
  first_pixel<<<1, 32>>>(first, out);
  between<<<1, 32>>>(pixels, out);
  cudaDeviceSynchronize();
  std::printf("%g\n", image[kWidth]);
  for (const cudaTextureObject_t texture : {clamped, wrapped, border, pixels, first})
    cudaDestroyTextureObject(texture);
  cudaFreeArray(array);
  cudaFree(out);
  return image[kWidth] != kWidth + kWidth + 1;
}
