// Puzzle 14, Prefix sum: out[i] = a[0] + a[1] + ... + a[i], the sum of all up to and with element i.
//   --simple       scan_blocks_kernel: each block for itself, the sums begin anew every kBlockSize elements
//   --complete     scan_pieces_kernel, scan_sums_kernel, add_offsets_kernel: three launches, any size
//   --single-pass  single_pass_kernel: one launch, in which blocks tell each other what they know
// Blocks have kBlockSize = 256 threads. From --complete on a thread takes kPerThread = 23 neighbouring
// elements, so a block takes a piece of kPieceSize = 5888. given.cuh holds these and what moves pieces.
#include <cuda_runtime.h>

// Every thread of the block brings one value and gets the sum of those of threads 0 to itself. All must call
// it together: those without an element bring 0.
__device__ inline int block_scan(int value) {
  __shared__ int row[2][kBlockSize];  // two rows, used in turns
  const int t = threadIdx.x;
  // FILL ME IN: block_scan (roughly 6 lines)
  // END: block_scan
  return value;
}

__global__ void scan_blocks_kernel(int* out, const int* a, int size) {
  // FILL ME IN: scan_blocks (roughly 3 lines)
  // END: scan_blocks
}

// Turns the elements of a piece in shared memory into their prefix sums within the piece. When it returns,
// they are there for all threads of the block.
__device__ inline void scan_piece(int* piece) {
  // FILL ME IN: scan_piece (roughly 9 lines)
  // END: scan_piece
}

// First launch: the prefix sums of every piece for itself, and the sum of each piece.
__global__ void scan_pieces_kernel(int* out, int* sums, const int* a, int size) {
  __shared__ int piece[kPieceSize];
  const int first = blockIdx.x * kPieceSize;
  load_piece(piece, a, first, size);
  scan_piece(piece);
  store_piece(out, piece, first, size, 0);
  if (threadIdx.x == 0) sums[blockIdx.x] = piece[kPieceSize - 1];
}

// Second launch, ONE block: offsets[piece] = sums[0] + ... + sums[piece - 1], what all pieces before it add
// up to. There may be many more pieces than threads.
__global__ void scan_sums_kernel(int* offsets, const int* sums, int pieces) {
  // FILL ME IN: scan_sums (roughly 8 lines)
  // END: scan_sums
}

// Third launch, a block a piece again: what all pieces before it add up to goes to each of its elements.
__global__ void add_offsets_kernel(int* out, const int* offsets, int size) {
  // FILL ME IN: add_offsets (roughly 3 lines)
  // END: add_offsets
}

// What all pieces before this one add up to, for one thread of the block that has it. `sum` is the piece's
// own sum. Blocks of later pieces wait for what is published here.
__device__ inline int look_back(long long* states, int piece, int sum) {
  int before = 0;
  // FILL ME IN: look_back (roughly 9 lines)
  // END: look_back
  return before;
}

// One launch. A block takes the next piece that nobody has, so the pieces before it belong to blocks that
// have begun already, and a block that waits for them cannot wait for ever. With the number of the block in
// place of that, it could: nothing says in which order blocks begin. atomicInc counts to gridDim.x - 1 and
// begins at 0 again, which leaves `next` ready for another launch.
__global__ void single_pass_kernel(int* out, long long* states, unsigned* next, const int* a, int size) {
  __shared__ int piece[kPieceSize];
  __shared__ int number, before;
  if (threadIdx.x == 0) number = static_cast<int>(atomicInc(next, gridDim.x - 1));
  __syncthreads();
  const int first = number * kPieceSize;
  load_piece(piece, a, first, size);
  scan_piece(piece);
  if (threadIdx.x == 0) before = look_back(states, number, piece[kPieceSize - 1]);
  __syncthreads();
  store_piece(out, piece, first, size, before);
}
