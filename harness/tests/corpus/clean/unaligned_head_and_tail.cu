// Bytes from the middle of a buffer: single ones up to the first aligned word, words, single ones at the end.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <vector>

__global__ void count_bits(unsigned int* bits, const unsigned char* bytes, int n) {
  const int t = threadIdx.x, threads = blockDim.x;
  const int misaligned = static_cast<int>(reinterpret_cast<std::uintptr_t>(bytes) % 4);
  const int head = min(n, misaligned == 0 ? 0 : 4 - misaligned), words = (n - head) / 4;
  unsigned int mine = 0;
  if (t < head) mine += __popc(bytes[t]);
  const unsigned int* aligned = reinterpret_cast<const unsigned int*>(bytes + head);
  for (int w = t; w < words; w += threads) mine += __popc(aligned[w]);
  const int tail = head + 4 * words + t;
  if (tail < n) mine += __popc(bytes[tail]);
  mine = __reduce_add_sync(0xffffffffu, mine);
  if (t % 32 == 0) atomicAdd(bits, mine);
}

int main() {
  const int size = 1003;
  std::vector<unsigned char> bytes(size);
  for (int i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>(i * 37);
  unsigned char* d_bytes;
  unsigned int* d_bits;
  cudaMalloc(&d_bytes, size);
  cudaMalloc(&d_bits, sizeof(int));
  cudaMemcpy(d_bytes, bytes.data(), size, cudaMemcpyHostToDevice);
  int wrong = 0;
  for (int first = 0; first < 5; ++first) {
    for (const int last : {first + 1, first + 2, 500, size - 1, size}) {
      unsigned int bits = 0, expected = 0;
      for (int i = first; i < last; ++i) expected += __builtin_popcount(bytes[i]);
      cudaMemset(d_bits, 0, sizeof(int));
      count_bits<<<1, 64>>>(d_bits, d_bytes + first, last - first);
      cudaMemcpy(&bits, d_bits, sizeof(int), cudaMemcpyDeviceToHost);
      wrong += bits != expected;
    }
  }
  std::printf("%d wrong\n", wrong);
  cudaFree(d_bytes);
  cudaFree(d_bits);
  return wrong != 0;
}
