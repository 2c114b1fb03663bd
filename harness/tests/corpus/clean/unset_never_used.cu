// Right: values that nobody set are copied and stored, and nothing depends on them: members and padding, the
// tail of an array, a result that its thread alone uses, what lanes without work give to a shuffle.
#include <cub/cub.cuh>

#include <cstdio>

struct Hit {
  char kind;
  double distance;
  int id;
};

__global__ void hits(Hit* y) {
  Hit hit;
  hit.kind = 'h';
  hit.distance = 2.0;
  if (threadIdx.x % 2 == 0) hit.id = static_cast<int>(threadIdx.x);
  y[threadIdx.x] = hit;
}

__global__ void first_of_four(const float* x, float* y) {
  float v[4];
  for (int k = 0; k < 2; ++k) v[k] = x[threadIdx.x];
  for (int k = 0; k < 4; ++k) y[threadIdx.x * 4 + k] = v[k];
}

__global__ void mean(const float* x, float* y) {
  using Reduce = cub::BlockReduce<float, 64>;
  __shared__ typename Reduce::TempStorage room;
  __shared__ float all, each[64];
  const float sum = Reduce(room).Sum(x[threadIdx.x]);
  const float average = sum / 64;  // a number in every thread, and thread 0's alone is kept
  each[threadIdx.x] = average;
  if (threadIdx.x == 0) all = average;
  __syncthreads();
  y[threadIdx.x] = x[threadIdx.x] - all + 0.0f * each[0];
}

__global__ void of_some_lanes(const float* x, float* y, int n) {
  float v, other;
  if (threadIdx.x < n) v = x[threadIdx.x];
  other = __shfl_up_sync(0xffffffffu, v, 1);
  if (threadIdx.x > 0 && threadIdx.x < n) y[threadIdx.x] = v + other;
}

__global__ void largest_before(const float* x, float* y) {
  using Scan = cub::BlockScan<float, 64>;
  __shared__ typename Scan::TempStorage room;
  float before, with_start;
  Scan(room).ExclusiveScan(x[threadIdx.x], before, cub::Max());
  __syncthreads();
  Scan(room).ExclusiveScan(x[threadIdx.x], with_start, -1.0f, cub::Max());
  y[threadIdx.x] = threadIdx.x == 0 ? with_start : before;
}

__host__ __device__ int sign(float v) {
  int s, unused;
  if (v < 0)
    s = -1;
  else if (v > 0)
    s = 1;
  else
    s = 0;
  (void)unused;
  return s;
}

__global__ void signs(const float* x, float* y) {
  struct Local {
    int a, b;
  } local;
  unsigned char bytes[8], *p;
  for (int i = 0; i < 8; ++i) bytes[i] = static_cast<unsigned char>(i);
  local.a = sign(x[threadIdx.x]);
  p = bytes + threadIdx.x % 8;
  y[threadIdx.x] = static_cast<float>(local.a) + static_cast<float>(*p) * 0.0f;
}

// A kernel that does something else each time is not judged by what it does twice.
__global__ void ticks(long long* y) {
  long long t, unused[2];
  t = clock64();
  y[threadIdx.x] = t + 0 * (unused[0] & 0);
}

int main() {
  float host[256], sum = 0.0f, *x, *y;
  for (float& v : host) v = 1.0f;
  Hit *h, hit[32];
  long long *t, times[32];
  cudaMalloc(&x, sizeof host);
  cudaMalloc(&y, sizeof host);
  cudaMalloc(&h, sizeof hit);
  cudaMalloc(&t, sizeof times);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(y, 0, sizeof host);
  hits<<<1, 32>>>(h);
  cudaMemcpy(hit, h, sizeof hit, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; i += 2) sum += static_cast<float>(hit[i].distance) + static_cast<float>(hit[i].id);
  const Hit copy = hit[3];
  sum += static_cast<float>(copy.distance);
  first_of_four<<<1, 64>>>(x, y);
  cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 256; ++i)
    if (i % 4 < 2) sum += host[i];
  mean<<<1, 64>>>(x, y);
  of_some_lanes<<<1, 32>>>(x, y, 20);
  largest_before<<<1, 64>>>(x, y + 64);
  signs<<<1, 64>>>(x, y + 128);
  cudaMemcpy(host, y, 192 * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 192; ++i) sum += host[i];
  ticks<<<1, 32>>>(t);
  cudaMemcpy(times, t, sizeof times, cudaMemcpyDeviceToHost);
  std::printf("%g %d\n", static_cast<double>(sum), times[0] != 1);
  cudaFree(x), cudaFree(y), cudaFree(h), cudaFree(t);
}
