// What a program asks before it starts: how many devices, which properties, how much memory, how many blocks
// fit.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

__global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int main() {
  int count = 0, driver = 0, runtime = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
    std::fprintf(stderr, "There is no CUDA device.\n");
    return 1;
  }
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  std::printf("%d device(s), runtime %d.%d\n", count, runtime / 1000, runtime % 100 / 10);

  bool sensible = true;
  for (int device = 0; device < count; ++device) {
    cudaSetDevice(device);
    cudaDeviceProp p;
    std::memset(&p, 0, sizeof p);
    cudaGetDeviceProperties(&p, device);
    std::printf("device %d: %s, compute capability %d.%d\n", device, p.name, p.major, p.minor);
    std::printf("  global memory           %.1f GiB\n", static_cast<double>(p.totalGlobalMem) / (1 << 30));
    std::printf("  multiprocessors         %d\n", p.multiProcessorCount);
    std::printf("  shared memory a block   %zu bytes\n", p.sharedMemPerBlock);
    std::printf("  registers a block       %d\n", p.regsPerBlock);
    std::printf("  warp size               %d\n", p.warpSize);
    std::printf("  most threads a block    %d (%d x %d x %d)\n", p.maxThreadsPerBlock, p.maxThreadsDim[0],
                p.maxThreadsDim[1], p.maxThreadsDim[2]);
    std::printf("  largest grid            %d x %d x %d\n", p.maxGridSize[0], p.maxGridSize[1],
                p.maxGridSize[2]);
    sensible = sensible && p.warpSize == 32 && p.maxThreadsPerBlock == 1024 && p.multiProcessorCount > 0 &&
               p.major >= 3;

    int processors = 0, optin = 0;
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    cudaDeviceGetAttribute(&optin, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    sensible =
        sensible && processors == p.multiProcessorCount && optin >= static_cast<int>(p.sharedMemPerBlock);

    size_t free_bytes = 0, total_bytes = 0;
    cudaMemGetInfo(&free_bytes, &total_bytes);
    sensible = sensible && free_bytes > 0 && free_bytes <= total_bytes;
  }

  int smallest_grid = 0, block = 0, active = 0;
  cudaOccupancyMaxPotentialBlockSize(&smallest_grid, &block, saxpy, 0, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&active, saxpy, 256, 0);
  std::printf("saxpy: blocks of %d fill the device; %d blocks of 256 run on a multiprocessor\n", block,
              active);
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, saxpy);
  sensible = sensible && block > 0 && block % 32 == 0 && active > 0 && attributes.maxThreadsPerBlock > 0;
  return sensible ? 0 : 1;
}
