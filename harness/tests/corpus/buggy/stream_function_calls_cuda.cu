// Wrong: functions that a stream calls make calls of CUDA, which may fail there, or never return.
#include <cuda_runtime.h>
#include <cstdio>

struct Job {
  float* d_x;
  float* x;
};

void clean_up(void* job) {
  cudaFree(static_cast<Job*>(job)->d_x);  // expect: bad_api_call
}

void report(cudaStream_t stream, cudaError_t status, void* job) {
  const Job& done = *static_cast<Job*>(job);
  std::printf("%s, %g\n", cudaGetErrorString(status), done.x[0]);
  cudaMemsetAsync(done.d_x, 0, sizeof(float), stream);  // expect: bad_api_call
}

__global__ void fill(float* x) { x[threadIdx.x] = 3.0f; }

int main() {
  const int n = 64;
  Job job;
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaMalloc(&job.d_x, n * sizeof(float));
  cudaMallocHost(&job.x, n * sizeof(float));
  fill<<<1, n, 0, s>>>(job.d_x);
  cudaMemcpyAsync(job.x, job.d_x, n * sizeof(float), cudaMemcpyDeviceToHost, s);
  cudaStreamAddCallback(s, report, &job, 0);
  cudaLaunchHostFunc(s, clean_up, &job);
  cudaStreamSynchronize(s);
  cudaFreeHost(job.x);
  cudaStreamDestroy(s);
}
