// Barriers in shared memory, by which warps that copy and warps that multiply wait for each other.
#pragma once

// A phase of a barrier ends when so many have arrived, and when the bytes that they expect have come; then
// the next one begins, of the other parity.
using StageBarrier = unsigned long long;
__device__ inline unsigned place_of(const void* shared) {
  return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}
__device__ inline void begin_barrier(StageBarrier* barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(place_of(barrier)), "r"(arrivals) : "memory");
}
__device__ inline void arrive(StageBarrier* barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(place_of(barrier)) : "memory");
}
__device__ inline void wait_for(StageBarrier* barrier, int parity) {
  unsigned ended = 0;
  while (ended == 0)
#if __CUDA_ARCH__ >= 900
    asm volatile(
        "{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
        : "=r"(ended)
        : "r"(place_of(barrier)), "r"(parity)
        : "memory");
#else
    asm volatile(
        "{\n.reg .pred p;\nmbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
        : "=r"(ended)
        : "r"(place_of(barrier)), "r"(parity)
        : "memory");
#endif
}
// Nobody of this warp reads the stage any more.
__device__ inline void leave_stage(StageBarrier& empty) {
  __syncwarp();
  if (threadIdx.x % 32 == 0) arrive(&empty);
}
// What this thread has stored in shared memory, and barriers that it has begun, are there for whatever reads
// and writes shared memory besides threads.
__device__ inline void show_stores() {
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}
