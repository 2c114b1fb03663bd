// Wrong: memory is mapped at reserved addresses, and nobody said that the device may touch it.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(int* p, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) p[i] = i;  // expect: oob_global
}

int main() {
  cudaFree(nullptr);
  CUmemAllocationProp what{};
  what.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  what.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  size_t bytes = 0;
  if (cuMemGetAllocationGranularity(&bytes, &what, CU_MEM_ALLOC_GRANULARITY_MINIMUM) != CUDA_SUCCESS)
    return 1;
  CUdeviceptr place = 0;
  CUmemGenericAllocationHandle memory;
  if (cuMemAddressReserve(&place, 2 * bytes, 0, 0, 0) != CUDA_SUCCESS) return 1;
  if (cuMemCreate(&memory, bytes, &what, 0) != CUDA_SUCCESS) return 1;
  if (cuMemMap(place, bytes, 0, memory, 0) != CUDA_SUCCESS) return 1;
  fill<<<4, 256>>>(reinterpret_cast<int*>(place), 1000);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cuMemUnmap(place, bytes);
  cuMemRelease(memory);
  cuMemAddressFree(place, 2 * bytes);
}
