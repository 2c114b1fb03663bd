// Shifts by what is left of a word, as whoever packs bits writes them: by 32 and more they give 0.
#include <cuda_runtime.h>

#include <cstdio>

__global__ static void cut(const unsigned int* word, unsigned int* left, unsigned int* right) {
  const unsigned int bit = threadIdx.x;
  left[bit] = *word << 32 - bit;
  right[bit] = *word >> 2 * bit;
}

int main() {
  constexpr unsigned int kWord = 0x87654321u, kBits = 32;
  unsigned int *word, *left, *right;
  cudaMallocManaged(&word, sizeof *word);
  cudaMallocManaged(&left, kBits * sizeof *left);
  cudaMallocManaged(&right, kBits * sizeof *right);
  *word = kWord;
  cut<<<1, kBits>>>(word, left, right);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (unsigned int bit = 0; bit < kBits; ++bit) {
    const unsigned long long wide = kWord;
    if (left[bit] != static_cast<unsigned int>(wide << (32 - bit))) ++wrong;
    if (right[bit] != static_cast<unsigned int>(2 * bit < 64 ? wide >> (2 * bit) : 0)) ++wrong;
  }
  cudaFree(word);
  cudaFree(left);
  cudaFree(right);
  printf("%s\n", wrong == 0 ? "PASS" : "FAIL");
  return wrong;
}
