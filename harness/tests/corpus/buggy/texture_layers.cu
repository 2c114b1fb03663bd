// Wrong: layers of a texture that are counted from 1, and one below the first.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int kWidth = 16, kHeight = 16, kLayers = 3;

__global__ void blend(cudaTextureObject_t image, float* out) {
  const float x = threadIdx.x + 0.5f, y = threadIdx.y + 0.5f;
  float sum = 0.0f;
  for (int layer = 1; layer <= kLayers; ++layer) {
    sum += tex2DLayered<float>(image, x, y, layer);  // expect-warning: bad_api_call; says: layers are 0 to 2
  }
  out[threadIdx.y * kWidth + threadIdx.x] = sum;
}

__global__ void differences(cudaTextureObject_t image, float* out) {
  const float x = threadIdx.x + 0.5f, y = threadIdx.y + 0.5f;
  float sum = 0.0f;
  for (int layer = 0; layer < kLayers; ++layer) {
    sum += tex2DLayered<float>(image, x, y, layer);
    sum -= tex2DLayered<float>(image, x, y, layer - 1);  // expect-warning: bad_api_call; says: as layer -1
  }
  out[threadIdx.y * kWidth + threadIdx.x] = sum;
}

cudaTextureObject_t make(cudaArray_t array) {
  cudaResourceDesc what{};
  what.resType = cudaResourceTypeArray;
  what.res.array.array = array;
  cudaTextureDesc how{};
  how.readMode = cudaReadModeElementType;
  cudaTextureObject_t made = 0;
  cudaCreateTextureObject(&made, &what, &how, nullptr);
  return made;
}

int main() {
  static float image[kWidth * kHeight * kLayers], *out;
  for (int i = 0; i < kWidth * kHeight * kLayers; ++i) image[i] = static_cast<float>(i);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMalloc3DArray(&array, &format, make_cudaExtent(kWidth, kHeight, kLayers), cudaArrayLayered);
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(image, kWidth * sizeof(float), kWidth, kHeight);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(kWidth, kHeight, kLayers);
  copy.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&copy);
  cudaMalloc(&out, kWidth * kHeight * sizeof(float));
  const cudaTextureObject_t blended = make(array), differing = make(array);
  blend<<<1, dim3(kWidth, kHeight)>>>(blended, out);
  differences<<<1, dim3(kWidth, kHeight)>>>(differing, out);
  cudaMemcpy(image, out, kWidth * kHeight * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%g\n", image[0]);
  cudaDestroyTextureObject(blended), cudaDestroyTextureObject(differing);
  cudaFreeArray(array), cudaFree(out);
}
