// Puzzle 17, Convolution op: out[b][i] = filter[0] x[b][i] + filter[1] x[b][i+1] + ... for each row b of x,
// as an operator that others call, from Python too. x and out are [rows, size], row-major; filter has `taps`.
//   --row-by-row  row_by_row: the kernel of Puzzle 13 (given), launched once a row
//   --batch       batch: one launch, whose blocks belong to all rows
//   --pieces      pieces: the same for a filter of any length
// A window ends with its row: past the row's end elements count as 0, and what lies there in memory belongs
// to the next row. The caller has chosen rows, size and taps, each at least 1: every one must work. (A filter
// longer than kMaxTaps is refused for --row-by-row and --batch before you are asked.)
//
// CUDA takes a grid of up to 2147483647 blocks along x, and of up to 65535 along y and z.
#include <cuda_runtime.h>

#include "given.cuh"

// Host code: launches convolve_row_kernel of given.cuh, on `stream`. out, x and filter are addresses on the
// GPU: host code may add to them, not read through them.
void row_by_row(float* out, const float* x, const float* filter, int rows, int size, int taps,
                cudaStream_t stream) {
  // FILL ME IN: row_by_row (roughly 5 lines)
  // END: row_by_row
}

// Each row has `tiles` blocks, a tile of kBlockSize results each; the last of a row may have fewer.
__global__ void convolve_batch_kernel(float* out, const float* x, const float* filter, int size, int taps,
                                      int tiles) {
  __shared__ float shared_x[kBlockSize + kMaxTaps - 1];  // the tile's own elements, then its halo
  __shared__ float shared_filter[kMaxTaps];
  // FILL ME IN: batch_kernel (roughly 12 lines)
  // END: batch_kernel
}

// Host code: one launch for all rows.
void batch(float* out, const float* x, const float* filter, int rows, int size, int taps,
           cudaStream_t stream) {
  // FILL ME IN: batch_launch (roughly 2 lines)
  // END: batch_launch
}

// As above, for any number of taps: shared memory holds kPiece of them at a time, and the elements that these
// weigh. The taps from `piece` on weigh the elements from `first + piece` on.
__global__ void convolve_pieces_kernel(float* out, const float* x, const float* filter, int size, int taps,
                                       int tiles) {
  __shared__ float shared_x[kBlockSize + kPiece - 1];
  __shared__ float shared_filter[kPiece];
  const int row = blockIdx.x / tiles, first = blockIdx.x % tiles * kBlockSize;
  const float* x_row = x + static_cast<size_t>(row) * size;
  const int i = first + threadIdx.x;
  float sum = 0.0f;
  for (int piece = 0; piece < taps; piece += kPiece) {
    // FILL ME IN: piece (roughly 6 lines)
    // END: piece
  }
  if (i < size) out[static_cast<size_t>(row) * size + i] = sum;
}

void pieces(float* out, const float* x, const float* filter, int rows, int size, int taps,
            cudaStream_t stream) {
  const int tiles = (size + kBlockSize - 1) / kBlockSize;
  convolve_pieces_kernel<<<rows * tiles, kBlockSize, 0, stream>>>(out, x, filter, size, taps, tiles);
}
