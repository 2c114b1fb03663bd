// Vectors that grow, an algorithm's stream, room that gets elements, sums of the elements' type.
#include <cuda_runtime.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <cstdio>

struct Twice {
  __host__ __device__ float operator()(float v) const { return 2 * v; }
};
struct Positive {
  __host__ __device__ bool operator()(float v) const { return v > 0; }
};

__global__ void add(float* p, int n) {
  if (threadIdx.x < n) p[threadIdx.x] += 1;
}

int main() {
  const int n = 32;
  thrust::device_vector<float> v(n, 0.25f);
  v.push_back(1);
  add<<<1, n>>>(thrust::raw_pointer_cast(v.data()), n);

  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  thrust::device_vector<float> x(n, 1.0f), y(n);
  cudaDeviceSynchronize();
  thrust::transform(thrust::cuda::par_nosync.on(s), x.begin(), x.end(), y.begin(), Twice());
  add<<<1, n, 0, s>>>(thrust::raw_pointer_cast(y.data()), n);
  cudaStreamSynchronize(s);
  cudaStreamDestroy(s);

  const thrust::host_vector<float> h(10, 3.0f);
  thrust::device_vector<float> grown, kept;
  grown.reserve(64);
  grown.insert(grown.end(), h.begin(), h.end());
  thrust::sort(grown.begin(), grown.end());
  for (int i = 0; i < 5; ++i) grown.push_back(static_cast<float>(i));
  grown.resize(40);
  thrust::sequence(grown.begin(), grown.end());
  kept.reserve(n);
  kept.resize(n);
  const auto end = thrust::copy_if(x.begin(), x.end(), kept.begin(), Positive());
  kept.resize(end - kept.begin());
  const float sum = thrust::reduce(v.begin(), v.end(), 0.0f), last = grown[39], third = y[2];
  std::printf("%g %g %g %d\n", sum, last, third, static_cast<int>(kept.size()));
}
