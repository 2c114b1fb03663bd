// Every thread changes the same words, each word with one kind of atomic, one of them made from atomicCAS.
#include <cuda_runtime.h>

#include <cstdio>

struct Words {
  int sum, low, high, bits;
  unsigned int wrapped;
  unsigned long long product;
  float fsum;
  double dsum;
};

__device__ void atomic_multiply(unsigned long long* word, unsigned long long factor) {
  unsigned long long seen = *reinterpret_cast<volatile unsigned long long*>(word), expected;
  do {
    expected = seen;
    seen = atomicCAS(word, expected, expected * factor);
  } while (seen != expected);
}

__global__ void change(Words* w) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&w->sum, i);
  atomicMin(&w->low, i);
  atomicMax(&w->high, i);
  atomicXor(&w->bits, 1 << i % 30);
  atomicInc(&w->wrapped, 6);
  atomicAdd(&w->fsum, 0.5f);
  atomicAdd(&w->dsum, 0.25);
  if (i < 40) atomic_multiply(&w->product, 3);
}

int main() {
  Words words{0, 1000, -1000, 0, 0, 1, 0.0f, 0.0}, *d_words;
  cudaMalloc(&d_words, sizeof(Words));
  cudaMemcpy(d_words, &words, sizeof(Words), cudaMemcpyHostToDevice);
  change<<<4, 60>>>(d_words);
  cudaMemcpy(&words, d_words, sizeof(Words), cudaMemcpyDeviceToHost);
  unsigned long long power = 1;
  for (int k = 0; k < 40; ++k) power *= 3;
  const int n = 240;
  const bool right = words.sum == n * (n - 1) / 2 && words.low == 0 && words.high == n - 1 &&
                     words.bits == 0 && words.wrapped == n % 7 && words.product == power &&
                     words.fsum == 120.0f && words.dsum == 60.0;
  std::printf("%s\n", right ? "right" : "wrong");
  cudaFree(d_words);
  return !right;
}
