// Wrong: two threads of the host fill one buffer, each by a stream that it waits for itself; and the main
// thread reads what another one has waited for, before it joins that.
#include <cuda_runtime.h>

#include <cstdio>
#include <thread>

__global__ void add(int* sums, int value) {
  sums[threadIdx.x] += value;  // expect: stream_race
}

__global__ void fill(int* out, int value) { out[threadIdx.x] = value; }  // expect-other: stream_race

void add_in_stream(int* sums, int value) {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  add<<<1, 64, 0, stream>>>(sums, value);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
}

void fill_and_wait(int* out) {
  fill<<<1, 64>>>(out, 3);
  cudaDeviceSynchronize();
}

int main() {
  int* sums;
  cudaMalloc(&sums, 64 * sizeof(int));
  cudaMemset(sums, 0, 64 * sizeof(int));
  cudaDeviceSynchronize();
  std::thread first(add_in_stream, sums, 1), second(add_in_stream, sums, 2);
  first.join();
  second.join();

  int* out;
  cudaMallocManaged(&out, 64 * sizeof(int));
  std::thread filler(fill_and_wait, out);
  cudaStream_t own;
  cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
  cudaMemsetAsync(out, 0, 64 * sizeof(int), own);  // expect: stream_race
  cudaStreamSynchronize(own);
  filler.join();
  printf("%d\n", out[5] >= 0);
  cudaStreamDestroy(own);
  cudaFree(sums);
  cudaFree(out);
}
