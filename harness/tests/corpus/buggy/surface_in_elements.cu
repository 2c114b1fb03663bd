// Wrong: the column of a surface is given in elements.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void write(cudaSurfaceObject_t surface, int w) {
  if (threadIdx.x < w) surf2Dwrite(1.0f, surface, threadIdx.x, blockIdx.x);  // expect: bad_api_call
}

int main() {
  const int w = 32, h = 4;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, w, h, cudaArraySurfaceLoadStore);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface;
  cudaCreateSurfaceObject(&surface, &resource);
  write<<<h, w>>>(surface, w);
  cudaDeviceSynchronize();
  cudaDestroySurfaceObject(surface);
  cudaFreeArray(array);
}
