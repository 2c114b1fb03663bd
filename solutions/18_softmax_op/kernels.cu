// Puzzle 18, Softmax op: y [rows, cols] is the softmax of each row of x [rows, cols], both row-major:
// y[row][col] = exp(x[row][col]) / sum over the row of exp(x[row][...]), without ever taking exp of a large
// number.
//   --thread-per-row  softmax_thread_per_row_kernel: one thread walks along one row, three times
//   --block-per-row   softmax_block_per_row_kernel: the kThreads threads of a block share one row
//
// CUDA has expf() and fmaxf() for float; INFINITY is <math.h>'s.
#include <cuda_runtime.h>
#include <math.h>

#include "given.cuh"

// Grid ceil(rows / kThreads), blocks of kThreads.
__global__ void softmax_thread_per_row_kernel(float* y, const float* x, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  x += row * cols;  // from here on x[col] and y[col] are this thread's row
  y += row * cols;
  // FILL ME IN: thread_per_row (roughly 5 lines)
  float largest = x[0];  // an element of the row and not 0, which may be far above all of them
  for (int col = 1; col < cols; ++col) largest = fmaxf(largest, x[col]);
  float sum = 0.0f;
  for (int col = 0; col < cols; ++col) sum += expf(x[col] - largest);
  // The largest element alone adds exp(0) = 1 to the sum, so this never divides by 0.
  for (int col = 0; col < cols; ++col) y[col] = expf(x[col] - largest) / sum;
  // END: thread_per_row
}

// Grid (rows): block b has row b. Any number of columns: a thread goes on in steps of kThreads.
__global__ void softmax_block_per_row_kernel(float* y, const float* x, int cols) {
  __shared__ float partial[kThreads];
  const int t = threadIdx.x;
  x += blockIdx.x * cols;  // from here on x[col] and y[col] are this block's row
  y += blockIdx.x * cols;
  // FILL ME IN: row_max (roughly 9 lines)
  float largest = -INFINITY;  // what changes no maximum: a thread past the end of a short row keeps it
  for (int col = t; col < cols; col += kThreads) largest = fmaxf(largest, x[col]);
  partial[t] = largest;
  for (int active = kThreads / 2; active > 0; active /= 2) {
    __syncthreads();
    if (t < active) partial[t] = fmaxf(partial[t], partial[t + active]);
  }
  __syncthreads();  // thread 0 has stored the last maximum, and all threads read it
  largest = partial[0];
  // END: row_max
  // FILL ME IN: row_sum (roughly 10 lines)
  float sum = 0.0f;
  for (int col = t; col < cols; col += kThreads) sum += expf(x[col] - largest);
  __syncthreads();  // every thread has its copy of the maximum before partial[0] is used again
  partial[t] = sum;
  for (int active = kThreads / 2; active > 0; active /= 2) {
    __syncthreads();
    if (t < active) partial[t] += partial[t + active];
  }
  __syncthreads();
  sum = partial[0];
  // END: row_sum
  // FILL ME IN: normalise (roughly 1 line)
  // exp once more, not kept from the loop before: a row of any length has no room in registers, and storing
  // it would cost a write and a read of y.
  for (int col = t; col < cols; col += kThreads) y[col] = expf(x[col] - largest) / sum;
  // END: normalise
}
