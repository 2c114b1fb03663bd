// Wrong: the lanes of one vote do not agree about who takes part.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void vote(unsigned int* votes, const int* x) {
  const int lane = threadIdx.x;
  const unsigned int mask = lane < 8 ? 0x000000ffu : 0x0000ffffu;
  if (lane < 16) votes[lane] = __ballot_sync(mask, x[lane] > 3);  // expect: bad_warp_mask
  __syncwarp();                                                   // expect-other: bad_warp_mask
}

int main() {
  std::vector<int> x(32, 4);
  std::vector<unsigned int> votes(16);
  int* d_x;
  unsigned int* d_votes;
  cudaMalloc(&d_x, 32 * sizeof(int));
  cudaMalloc(&d_votes, 16 * sizeof(int));
  cudaMemcpy(d_x, x.data(), 32 * sizeof(int), cudaMemcpyHostToDevice);
  vote<<<1, 32>>>(d_votes, d_x);
  cudaMemcpy(votes.data(), d_votes, 16 * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("lane 0 saw %x\n", votes[0]);
  cudaFree(d_x);
  cudaFree(d_votes);
}
