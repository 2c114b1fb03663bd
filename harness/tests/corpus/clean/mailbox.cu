// Two blocks pass a parcel to and fro through mailboxes: full and empty again, by atomics in one direction
// and volatile stores in the other.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int kBlock = 64, kRounds = 20;

struct Mailbox {
  int full, parcel[kBlock];
};

__device__ void wait_for(int* flag, int wanted) {
  if (threadIdx.x == 0) {
    while (atomicAdd(flag, 0) != wanted) {
    }
    __threadfence();
  }
  __syncthreads();
}

__device__ void tell(int* flag, int value) {
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) atomicExch(flag, value);
}

__global__ void table_tennis(Mailbox* boxes) {
  Mailbox &in = boxes[blockIdx.x], &out = boxes[1 - blockIdx.x];
  const int t = threadIdx.x;
  for (int round = 0; round < kRounds; ++round) {
    if (blockIdx.x == 0) {
      out.parcel[t] = in.parcel[t] + 1;
      tell(&out.full, 1);
      wait_for(&in.full, 1);
      tell(&in.full, 0);
    } else {
      wait_for(&in.full, 1);
      tell(&in.full, 0);
      out.parcel[t] = in.parcel[t] + 1;
      tell(&out.full, 1);
    }
  }
}

int main() {
  Mailbox* boxes;
  cudaMalloc(&boxes, 2 * sizeof(Mailbox));
  cudaMemset(boxes, 0, 2 * sizeof(Mailbox));
  table_tennis<<<2, kBlock>>>(boxes);
  Mailbox got;
  cudaMemcpy(&got, boxes, sizeof got, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int v : got.parcel) wrong += v != 2 * kRounds;
  std::printf("%d wrong\n", wrong);
  cudaFree(boxes);
  return wrong != 0;
}
