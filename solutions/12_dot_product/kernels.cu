// Puzzle 12, Dot product: out[0] = a[0] * b[0] + a[1] * b[1] + ... for vectors of any size, by any number of
// blocks. Threads add up products, blocks add up their threads' sums, and then there are as many sums as
// blocks. Two ways to finish:
//   --atomic      every block adds its sum to out[0] with one atomicAdd
//   --two-stage   every block stores its sum; a second launch of one block adds those up
//   --each        the code of --atomic, launched with a thread for every product; see the chapter, Measure
//
// Blocks have kBlockSize = 256 threads. Nothing may be taken for granted about their number: it can be one,
// and it can be far too small for a thread an element.
#include <cuda_runtime.h>

// The thread's share of the dot product: its own products, added up in a register.
__device__ float sum_own_products(const float* a, const float* b, int size) {
  float sum = 0.0f;
  // FILL ME IN: products (roughly 2 lines)
  // The grid-stride loop of Puzzle 06: in each round neighbouring threads read neighbouring elements. A
  // thread that comes to no element at all is left with 0, which adds nothing.
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x)
    sum += a[i] * b[i];
  // END: products
  return sum;
}

// Adds up sums[0] to sums[kBlockSize - 1], a shared array that each thread has stored its own element of.
// Afterwards sums[0] is their total; thread 0 may read it. All threads of the block must call this.
__device__ void add_up_block(float* sums) {
  const int t = threadIdx.x;
  // FILL ME IN: tree (roughly 4 lines)
  for (int half = kBlockSize / 2; half > 0; half /= 2) {
    __syncthreads();  // what is read below was stored by another thread: in the round before, or at first
    // Threads side by side read words side by side, twice: no two lanes of a warp meet in a bank. The barrier
    // stays outside: threads that add nothing have to come to it, too.
    if (t < half) sums[t] += sums[t + half];
  }
  // END: tree
}

// out[0] is 0 when the launch begins: a kernel cannot set it for its own blocks, which run in any order.
__global__ void dot_atomic_kernel(float* out, const float* a, const float* b, int size) {
  __shared__ float sums[kBlockSize];
  sums[threadIdx.x] = sum_own_products(a, b, size);
  add_up_block(sums);
  // FILL ME IN: atomic (roughly 1 line)
  if (threadIdx.x == 0) atomicAdd(out, sums[0]);  // once a block: all of them queue at one address
  // END: atomic
}

// partial[k] is the sum of block k.
__global__ void dot_partial_kernel(float* partial, const float* a, const float* b, int size) {
  __shared__ float sums[kBlockSize];
  sums[threadIdx.x] = sum_own_products(a, b, size);
  add_up_block(sums);
  // FILL ME IN: partial (roughly 1 line)
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
  // END: partial
}

// One block. `count` is the number of partial sums: it may be smaller than the block, and larger.
__global__ void add_partials_kernel(float* out, const float* partial, int count) {
  __shared__ float sums[kBlockSize];
  // FILL ME IN: second_stage (roughly 5 lines)
  float sum = 0.0f;
  for (int k = threadIdx.x; k < count; k += kBlockSize) sum += partial[k];
  sums[threadIdx.x] = sum;  // 0 where there was nothing to add: the tree reads all of the array
  add_up_block(sums);
  if (threadIdx.x == 0) *out = sums[0];  // the only writer, so neither an atomic nor a zero before is needed
  // END: second_stage
}
