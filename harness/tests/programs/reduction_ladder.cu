// The sum of an array six ways, each mending what held the one before it back.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

// 1: every second, fourth, eighth ... thread adds. Warps diverge, and most threads idle.
__global__ void reduce_interleaved(const int* in, int* out, unsigned int n) {
  extern __shared__ int sdata[];
  unsigned int tid = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  sdata[tid] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned int s = 1; s < blockDim.x; s *= 2) {
    if (tid % (2 * s) == 0) sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = sdata[0];
}

// 2: the first half adds the second half.
__global__ void reduce_sequential(const int* in, int* out, unsigned int n) {
  extern __shared__ int sdata[];
  unsigned int tid = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  sdata[tid] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = sdata[0];
}

// 3: two loads and the first addition before anything is stored.
__global__ void reduce_first_add(const int* in, int* out, unsigned int n) {
  extern __shared__ int sdata[];
  unsigned int tid = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  int sum = i < n ? in[i] : 0;
  if (i + blockDim.x < n) sum += in[i + blockDim.x];
  sdata[tid] = sum;
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) sdata[tid] = sum = sum + sdata[tid + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = sum;
}

__inline__ __device__ int warpReduceSum(int val) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2) val += __shfl_down_sync(0xFFFFFFFF, val, offset);
  return val;
}

__inline__ __device__ int blockReduceSum(int val) {
  static __shared__ int shared[32];
  int lane = threadIdx.x % warpSize, wid = threadIdx.x / warpSize;
  val = warpReduceSum(val);
  if (lane == 0) shared[wid] = val;
  __syncthreads();
  val = threadIdx.x < blockDim.x / warpSize ? shared[lane] : 0;
  if (wid == 0) val = warpReduceSum(val);
  return val;
}

// 4: shuffles, and a grid that walks the array.
__global__ void reduce_shuffle(const int* in, int* out, unsigned int n) {
  int sum = 0;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    sum += in[i];
  sum = blockReduceSum(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// 5: int4 loads, an atomic a warp.
__global__ void reduce_vectorised(const int* in, int* out, unsigned int n) {
  int sum = 0;
  unsigned int idx = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned int i = idx; i < n / 4; i += blockDim.x * gridDim.x) {
    int4 v = reinterpret_cast<const int4*>(in)[i];
    sum += (v.x + v.y) + (v.z + v.w);
  }
  unsigned int rest = n / 4 * 4 + idx;
  if (rest < n) sum += in[rest];
  sum = warpReduceSum(sum);
  if ((threadIdx.x & (warpSize - 1)) == 0) atomicAdd(out, sum);
}

int main() {
  const unsigned int n = 100003, threads = 128;
  std::vector<int> h(n);
  for (unsigned int i = 0; i < n; ++i) h[i] = static_cast<int>(i * 2654435761u >> 28);
  const int expected = std::accumulate(h.begin(), h.end(), 0);
  int *d_in, *d_out;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_out, 1024 * sizeof(int));
  cudaMemcpy(d_in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);

  int failures = 0;
  const auto finish = [&](const char* name, unsigned int blocks) {
    std::vector<int> partial(blocks);
    cudaMemcpy(partial.data(), d_out, blocks * sizeof(int), cudaMemcpyDeviceToHost);
    const int sum = std::accumulate(partial.begin(), partial.end(), 0);
    std::printf("%-12s %d %s\n", name, sum, sum == expected ? "ok" : "WRONG");
    failures += sum != expected;
  };
  const unsigned int blocks = (n + threads - 1) / threads, half = (n + 2 * threads - 1) / (2 * threads);
  const size_t bytes = threads * sizeof(int);
  reduce_interleaved<<<blocks, threads, bytes>>>(d_in, d_out, n);
  finish("interleaved", blocks);
  reduce_sequential<<<blocks, threads, bytes>>>(d_in, d_out, n);
  finish("sequential", blocks);
  reduce_first_add<<<half, threads, bytes>>>(d_in, d_out, n);
  finish("first add", half);
  reduce_shuffle<<<40, threads>>>(d_in, d_out, n);
  finish("shuffle", 40);
  cudaMemset(d_out, 0, sizeof(int));
  reduce_vectorised<<<20, threads>>>(d_in, d_out, n);
  finish("vectorised", 1);
  cudaFree(d_in);
  cudaFree(d_out);
  return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
