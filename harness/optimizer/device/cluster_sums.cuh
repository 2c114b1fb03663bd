// Sums of which each block of a cluster has a part of the terms: each gets some columns of them whole.
#pragma once

#include <cooperative_groups.h>

// All threads of a cluster wait for each other; what they have stored is there for all of them.
__device__ inline void meet_cluster() {
#if __CUDA_ARCH__ >= 900
  cooperative_groups::this_cluster().sync();
#endif
}
// A thread's sums of the columns of each of kBlocks blocks go to that block: a thread has `room` for what all
// of them send. `number`: this block's in its cluster.
template <int kBlocks, int kThreads, int kDown, int kParts>
__device__ inline void send_sums([[maybe_unused]] float4* room,
                                 [[maybe_unused]] const float (&sums)[kDown][kParts][4],
                                 [[maybe_unused]] int number) {
#if __CUDA_ARCH__ >= 900
  constexpr int kShare = kParts / kBlocks;
#pragma unroll
  for (int to = 0; to < kBlocks; ++to) {
    float4* const there = cooperative_groups::this_cluster().map_shared_rank(room, to) +
                          number * kDown * kShare * kThreads + threadIdx.x;
#pragma unroll
    for (int i = 0; i < kDown * kShare; ++i) {
      const float(&four)[4] = sums[i / kShare][to * kShare + i % kShare];
      there[i * kThreads] = make_float4(four[0], four[1], four[2], four[3]);
    }
  }
#endif
}
// What all have sent to this block's thread is added.
template <int kBlocks, int kThreads, int kDown, int kShare>
__device__ inline void add_sent_sums(const float4* room, float (&own)[kDown][kShare][4]) {
#pragma unroll
  for (int from = 0; from < kBlocks; ++from)
#pragma unroll
    for (int i = 0; i < kDown * kShare; ++i) {
      const float4 four = room[(from * kDown * kShare + i) * kThreads + threadIdx.x];
      own[i / kShare][i % kShare][0] += four.x, own[i / kShare][i % kShare][1] += four.y;
      own[i / kShare][i % kShare][2] += four.z, own[i / kShare][i % kShare][3] += four.w;
    }
}
