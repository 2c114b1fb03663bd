// Objects that use the device before main and after it, as wrappers with static storage do.
#include <cstdio>

__global__ void add(int* values, int n) { values[threadIdx.x] += n; }

struct Buffer {
  int* values = nullptr;
  cudaStream_t stream{};
  Buffer() {
    cudaMalloc(&values, 32 * sizeof(int));
    cudaMemset(values, 0, 32 * sizeof(int));
    cudaStreamCreate(&stream);
    add<<<1, 32, 0, stream>>>(values, 1);
  }
  ~Buffer() {
    add<<<1, 33, 0, stream>>>(values, 3);
    int first = 0;
    cudaMemcpy(&first, values, sizeof first, cudaMemcpyDeviceToHost);
    std::printf("%d\n", first);
    cudaStreamDestroy(stream);
    cudaFree(values);
  }
} buffer;

int main() { add<<<1, 32>>>(buffer.values, 2); }
