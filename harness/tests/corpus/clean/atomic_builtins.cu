// nvcc's built-in atomic functions: a message passed with release and acquire, a lock, and every operation.
#include <cstdio>

__global__ void pass(int* flag, int* message, int* seen, int* counters) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    *message = 42;
    __nv_atomic_store_n(flag, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
  }
  if (blockIdx.x == 1 && threadIdx.x == 0) {
    while (__nv_atomic_load_n(flag, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) == 0) {
    }
    *seen = *message;
  }
  __nv_atomic_fetch_add(&counters[0], 1, __NV_ATOMIC_RELAXED);
  __nv_atomic_sub(&counters[1], 1, __NV_ATOMIC_RELAXED);
  __nv_atomic_max(&counters[2], static_cast<int>(threadIdx.x), __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_or(&counters[3], 1 << (threadIdx.x % 8), __NV_ATOMIC_RELAXED);
  int expected = 0;
  do {
    expected = __nv_atomic_load_n(&counters[4], __NV_ATOMIC_RELAXED);
  } while (!__nv_atomic_compare_exchange_n(&counters[4], &expected, expected + 2, true, __NV_ATOMIC_ACQ_REL,
                                           __NV_ATOMIC_RELAXED));
}

int main() {
  int* memory = nullptr;
  cudaMalloc(&memory, 8 * sizeof(int));
  cudaMemset(memory, 0, 8 * sizeof(int));
  pass<<<2, 32>>>(memory, memory + 1, memory + 2, memory + 3);
  int got[8];
  cudaMemcpy(got, memory, sizeof got, cudaMemcpyDeviceToHost);
  cudaFree(memory);
  const bool right =
      got[2] == 42 && got[3] == 64 && got[4] == -64 && got[5] == 31 && got[6] == 255 && got[7] == 128;
  std::printf("%s\n", right ? "PASSED" : "FAILED");
  return right ? 0 : 1;
}
