// Right: mapped memory is made accessible; what is unmapped keeps its values, and has them elsewhere.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(int* p, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) p[i] = i;
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
  CUmemAccessDesc may{};
  may.location = what.location;
  may.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  if (cuMemSetAccess(place, bytes, &may, 1) != CUDA_SUCCESS) return 1;
  fill<<<4, 256>>>(reinterpret_cast<int*>(place), 1000);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  // What was unmapped is found again elsewhere.
  if (cuMemUnmap(place, bytes) != CUDA_SUCCESS) return 1;
  if (cuMemMap(place + bytes, bytes, 0, memory, 0) != CUDA_SUCCESS) return 1;
  if (cuMemSetAccess(place + bytes, bytes, &may, 1) != CUDA_SUCCESS) return 1;
  int h = 0;
  cudaMemcpy(&h, reinterpret_cast<int*>(place + bytes) + 999, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%d\n", h);
  cuMemUnmap(place + bytes, bytes);
  cuMemRelease(memory);
  cuMemAddressFree(place, 2 * bytes);
}
