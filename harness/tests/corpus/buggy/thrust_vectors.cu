// Wrong: pointers into a vector that has grown, another stream than the algorithm's, room that holds no
// elements, a sum that begins with an int.
#include <cuda_runtime.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>
#include <cstdio>

struct Twice {
  __host__ __device__ float operator()(float v) const { return 2 * v; }
};
struct Positive {
  __host__ __device__ bool operator()(float v) const { return v > 0; }
};

__global__ void add(float* p, int n) {
  if (threadIdx.x < n) p[threadIdx.x] += 1;  // expect: use_after_free; says: raw_pointer_cast(v.data()) anew
}

__global__ void copy(float* to, const float* from, int n) {
  if (threadIdx.x < n) to[threadIdx.x] = from[threadIdx.x];  // expect: stream_race; says: y[0]
}

int main() {
  const int n = 32;
  thrust::device_vector<float> v(n, 0.25f);
  float* p = thrust::raw_pointer_cast(v.data());
  v.push_back(1);  // expect-other: use_after_free
  add<<<1, n>>>(p, n);
  cudaDeviceSynchronize();

  cudaStream_t s, t;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  thrust::device_vector<float> x(n, 1.0f), y(n), z(n);
  cudaDeviceSynchronize();
  // clang-format off
  thrust::transform(thrust::cuda::par_nosync.on(s), x.begin(), x.end(), y.begin(),  // expect-other: stream_race
                                // clang-format on
                    Twice());
  copy<<<1, n, 0, t>>>(thrust::raw_pointer_cast(z.data()), thrust::raw_pointer_cast(y.data()), n);
  cudaDeviceSynchronize();

  thrust::device_vector<float> kept;
  kept.reserve(n);  // expect-other: oob_global
  // clang-format off
  auto end = thrust::copy_if(x.begin(), x.end(), kept.begin(), Positive());  // expect: oob_global; says: kept.resize(n)
  // clang-format on
  // clang-format off
  const float sum = thrust::reduce(v.begin(), v.end(), 0);  // expect-warning: bad_api_call; says: 0.0f for float
  // clang-format on
  std::printf("%d kept, %g\n", static_cast<int>(end - kept.begin()), sum);
  cudaStreamDestroy(s);
  cudaStreamDestroy(t);
}
