// Wrong: two locks that let one thread in at a time, and order nothing: no fence, and atomics that are
// relaxed.
#include <cuda_runtime.h>
#include <cstdio>
#include <cuda/atomic>

__device__ int mutex, guarded, other_guarded;
__device__ cuda::atomic<int, cuda::thread_scope_device> next_ticket{0}, serving{0};

__global__ void add(int n) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(&mutex, 0, 1) != 0) {
  }
  guarded += n;  // expect: race_global; says: The atomics of the lock, line 12
  atomicExch(&mutex, 0);
}

__global__ void add_by_tickets(int n) {
  if (threadIdx.x != 0) return;
  const int mine = next_ticket.fetch_add(1, cuda::memory_order_relaxed);
  while (serving.load(cuda::memory_order_relaxed) != mine) {
  }
  other_guarded += n;  // expect: race_global; says: The atomics of the lock, line 21
  serving.store(mine + 1, cuda::memory_order_relaxed);
}

int main() {
  int zero = 0;
  cudaMemcpyToSymbol(guarded, &zero, sizeof(int));
  cudaMemcpyToSymbol(other_guarded, &zero, sizeof(int));
  add<<<8, 32>>>(2);
  add_by_tickets<<<8, 32>>>(2);
  cudaMemcpyFromSymbol(&zero, guarded, sizeof(int));
  std::printf("%d\n", zero);
}
