// A latch counts threads, and each of them counts down.
#include <cuda_runtime.h>
#include <cuda/latch>

#include <cstdio>
#include <new>

using Latch = cuda::latch<cuda::thread_scope_block>;

__global__ void sum(const int* in, int* out) {
  __shared__ alignas(Latch) char room[sizeof(Latch)];
  Latch& ready = *reinterpret_cast<Latch*>(room);
  __shared__ int part[128];
  if (threadIdx.x == 0) new (&ready) Latch(128);
  __syncthreads();
  part[threadIdx.x] = in[threadIdx.x];
  ready.arrive_and_wait();
  if (threadIdx.x == 0) {
    int s = 0;
    for (int i = 0; i < 128; i++) s += part[i];
    *out = s;
  }
}

int main() {
  int h[128], *in, *out, s = 0;
  for (int i = 0; i < 128; i++) h[i] = i;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, 4);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  sum<<<1, 128>>>(in, out);
  std::printf("%s\n", cudaGetErrorString(cudaMemcpy(&s, out, 4, cudaMemcpyDeviceToHost)));
  std::printf("%d\n", s);
  cudaFree(in);
  cudaFree(out);
}
