// A cube map: which face a direction meets, where in it, and layers of cubes, against the table of the CUDA
// C++ Programming Guide.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kWidth = 4, kLayers = 2;

__global__ void look(cudaTextureObject_t cube, const float3* directions, int layer, float* out, int n) {
  const int i = threadIdx.x;
  if (i < n) {
    const float3 d = directions[i];
    out[i] = layer < 0 ? texCubemap<float>(cube, d.x, d.y, d.z)
                       : texCubemapLayered<float>(cube, d.x, d.y, d.z, layer);
  }
}

int main() {
  // Texel (x, y) of a face is 100 * face + 10 * y + x; the second layer has 1000 more.
  std::vector<float> texels;
  for (int face = 0; face < 6 * kLayers; ++face)
    for (int y = 0; y < kWidth; ++y)
      for (int x = 0; x < kWidth; ++x)
        texels.push_back(1000.0f * (face / 6) + 100.0f * (face % 6) + 10.0f * y + x);
  const std::vector<float3> directions = {{1, 0.3f, 0.1f},  {-2, 0.3f, 0.1f}, {0.1f, 1, 0.8f},
                                          {0.1f, -1, 0.8f}, {0.3f, 0.1f, 4},  {0.3f, 0.1f, -1}};
  // s and t of the guide's table, times 2 as texels: floor(2 * (s / m + 1)).
  const float expected[6] = {0 + 11, 100 + 12, 200 + 32, 300 + 2, 400 + 12, 500 + 11};
  float3* from;
  float* to;
  const int n = static_cast<int>(directions.size());
  cudaMalloc(&from, n * sizeof(float3));
  cudaMalloc(&to, n * sizeof(float));
  cudaMemcpy(from, directions.data(), n * sizeof(float3), cudaMemcpyHostToDevice);
  int wrong = 0;
  for (const bool layered : {false, true}) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    const int faces = layered ? 6 * kLayers : 6;
    if (cudaMalloc3DArray(&array, &format, make_cudaExtent(kWidth, kWidth, 5), cudaArrayCubemap) ==
        cudaSuccess)
      ++wrong;
    cudaMalloc3DArray(&array, &format, make_cudaExtent(kWidth, kWidth, faces),
                      cudaArrayCubemap | (layered ? cudaArrayLayered : 0));
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(texels.data(), kWidth * sizeof(float), kWidth, kWidth);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(kWidth, kWidth, faces);
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how{};
    how.normalizedCoords = 1;
    cudaTextureObject_t cube;
    cudaCreateTextureObject(&cube, &resource, &how, nullptr);
    for (int layer = layered ? 0 : -1; layer < (layered ? kLayers : 0); ++layer) {
      look<<<1, 32>>>(cube, from, layer, to, n);
      float out[6];
      cudaMemcpy(out, to, sizeof out, cudaMemcpyDeviceToHost);
      for (int i = 0; i < n; ++i)
        if (out[i] != expected[i] + 1000.0f * (layer > 0 ? layer : 0)) {
          printf("direction %d: %g\n", i, out[i]);
          ++wrong;
        }
    }
    cudaDestroyTextureObject(cube);
    cudaFreeArray(array);
  }
  cudaFree(from);
  cudaFree(to);
  printf("%s\n", wrong == 0 ? "PASS" : "FAIL");
  return wrong;
}
