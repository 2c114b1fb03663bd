// A block passes a message to the next one: data, fence, volatile flag; on the other side flag, fence, data.
// The blocks take their number from a counter, so that the one before is always running.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int kBlocks = 6;

__global__ void relay(int* message, volatile int* ready, int* started) {
  if (threadIdx.x == 0) {
    const int b = atomicAdd(started, 1);
    int received = 1;
    if (b > 0) {
      while (ready[b - 1] == 0) {
      }
      __threadfence();
      received = 2 * message[b - 1];
    }
    message[b] = received;
    __threadfence();
    ready[b] = 1;
  }
}

int main() {
  int *d_message, *d_ready, *d_started, message[kBlocks];
  cudaMalloc(&d_message, sizeof message);
  cudaMalloc(&d_ready, sizeof message);
  cudaMalloc(&d_started, sizeof(int));
  cudaMemset(d_ready, 0, sizeof message);
  cudaMemset(d_started, 0, sizeof(int));
  relay<<<kBlocks, 32>>>(d_message, d_ready, d_started);
  cudaMemcpy(message, d_message, sizeof message, cudaMemcpyDeviceToHost);
  std::printf("the last message is %d\n", message[kBlocks - 1]);
  cudaFree(d_message);
  cudaFree(d_ready);
  cudaFree(d_started);
  return message[kBlocks - 1] != 1 << (kBlocks - 1);
}
