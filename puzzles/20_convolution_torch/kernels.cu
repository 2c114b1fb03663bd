// Puzzle 20, Convolution in PyTorch: the convolution of Puzzle 17, and its two gradients.
//   --forward      forward_kernel: out[b][i] = sum over k of filter[k] * x[b][i+k], as in Puzzle 17
//   --grad-input   grad_input_kernel: the gradient of x, from the gradient of out and the filter
//   --grad-filter  partial_kernel, total_kernel: the gradient of the filter, in two launches
// `grad` is the gradient of out: by how much the loss grows for each element of out. x, out and grad are
// [rows, size], filter is [taps], all row-major. What lies outside a row counts as 0. Any number of taps.
//
// All kernels but the last have blocks of kBlockSize threads, and for each row `tiles` blocks, with
// kBlockSize positions each. convolution.py hands all this to PyTorch.
#include <cuda_runtime.h>

#include "given.cuh"

__global__ void forward_kernel(float* out, const float* x, const float* filter, int size, int taps,
                               int tiles) {
  __shared__ float shared_x[kBlockSize + kPiece - 1];
  __shared__ float shared_filter[kPiece];
  const int row = blockIdx.x / tiles, first = blockIdx.x % tiles * kBlockSize;
  const float* x_row = x + static_cast<size_t>(row) * size;
  const int i = first + threadIdx.x;
  float sum = 0.0f;
  for (int piece = 0; piece < taps; piece += kPiece) {
    // FILL ME IN: forward (roughly 6 lines)
    // END: forward
  }
  if (i < size) out[static_cast<size_t>(row) * size + i] = sum;
}

// x[j] went with filter[k] into out[j-k]. So its gradient gets filter[k] * grad[j-k], for every k.
__global__ void grad_input_kernel(float* grad_x, const float* grad, const float* filter, int size, int taps,
                                  int tiles) {
  __shared__ float shared_grad[kBlockSize + kPiece - 1];  // the halo, then the block's own elements
  __shared__ float shared_filter[kPiece];
  const int row = blockIdx.x / tiles, first = blockIdx.x % tiles * kBlockSize;
  const float* grad_row = grad + static_cast<size_t>(row) * size;
  const int j = first + threadIdx.x;
  float sum = 0.0f;
  for (int piece = 0; piece < taps; piece += kPiece) {
    // FILL ME IN: grad_input (roughly 7 lines)
    // END: grad_input
  }
  if (j < size) grad_x[static_cast<size_t>(row) * size + j] = sum;
}

// filter[k] went with x[i+k] into out[i], in every row. So its gradient is the sum of grad[i] * x[i+k] over
// all positions of all rows. First launch: partial [taps, blocks] has what the positions of each block add up
// to.
__global__ void partial_kernel(float* partial, const float* grad, const float* x, int size, int taps,
                               int tiles) {
  __shared__ float shared_grad[kBlockSize];
  __shared__ float shared_x[kBlockSize + kPiece - 1];
  const int row = blockIdx.x / tiles, first = blockIdx.x % tiles * kBlockSize;
  const float* grad_row = grad + static_cast<size_t>(row) * size;
  const float* x_row = x + static_cast<size_t>(row) * size;
  stage(shared_grad, grad_row, first, kBlockSize, size);
  for (int piece = 0; piece < taps; piece += kPiece) {
    // FILL ME IN: partial (roughly 8 lines)
    // END: partial
  }
}

// Second launch, a block for each tap: grad_filter[k] = the sum of row k of partial [taps, blocks].
__global__ void total_kernel(float* grad_filter, const float* partial, int blocks) {
  // FILL ME IN: total (roughly 5 lines)
  // END: total
}
