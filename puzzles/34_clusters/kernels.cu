// Puzzle 34, Clusters and distributed shared memory: rows that are too long for the shared memory of one
// block.
//   --softmax-global   each row's softmax in three launches, which read the row three times (given)
//   --softmax-cluster  the same in one launch: the eight blocks of a cluster hold the row
//   --select-global    the k-th largest value of each row, a launch a bit (given)
//   --select-cluster   the same in one launch
// x [rows, columns]; float for the softmax, int from 0 to 65535 for the selection. y [rows, columns], float;
// out [rows], int. `columns` is any number from 1 to 131072 = kCluster * kMostOfSlice.
// Both cluster kernels: grid of kCluster x rows blocks of kBlock = 512 threads; the kCluster = 8 blocks of a
// row are a cluster, and the block's rank in it says which slice of the row it has.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include "given.cuh"

// The slice of a row of `columns` values that the block of rank 0 to kCluster - 1 has: slice_length(columns)
// values, less where the row ends, 0 where it has ended. `begin` + `size` is at most `columns`.
__device__ Slice slice_of(int columns, int rank) {
  Slice slice = {0, 0};
  // FILL ME IN: slice (roughly 3 lines)
  // END: slice
  return slice;
}

// What the launch of a kernel is told so that each kCluster blocks along x are a cluster. As it is here, it
// tells nothing.
inline cudaLaunchAttribute cluster_attribute() {
  cudaLaunchAttribute attribute = {};
  // FILL ME IN: launch (roughly 2 lines)
  // END: launch
  return attribute;
}

// What `combine` makes of the `mine` of all blocks of the cluster, in every thread of all of them. `mine` is
// the same in all threads of a block; `slot` is a variable of the block's shared memory, for this call alone.
template <class Combine>
__device__ float cluster_reduce(float mine, float* slot, Combine combine) {
  const cg::cluster_group cluster = cg::this_cluster();
  float all = mine;
  // FILL ME IN: pull (roughly 4 lines)
  // END: pull
  return all;
}

// --softmax-cluster: y = exp(x - maximum) / sum of them, row by row. `held` has room for the block's slice.
__global__ void softmax_cluster_kernel(float* y, const float* x, int columns) {
  extern __shared__ float held[];
  __shared__ float maximum, total;  // slots for cluster_reduce
  const cg::cluster_group cluster = cg::this_cluster();
  const Slice slice = slice_of(columns, cluster.block_rank());
  const int begin = blockIdx.y * columns + slice.begin;
  // FILL ME IN: softmax (roughly 12 lines)
  // END: softmax
}

// How many of values[0] to values[size - 1] are `candidate` or more: of those that this thread looks at, with
// the kBlock threads of the block taking turns.
__device__ int count_at_least(const int* values, int size, int candidate) {
  int count = 0;
  // FILL ME IN: count (roughly 1 line)
  // END: count
  return count;
}

// The sum of the `mine` of all blocks of the cluster, in every thread of all of them, with stores in place of
// remote loads. `parts` has kCluster numbers in the shared memory of each block: number r is for the block of
// rank r to store in. All blocks of the cluster run when it is called. It ends with every block having
// stored, but some may still be reading their `parts`.
__device__ inline int cluster_sum(int mine, int* parts) {
  const cg::cluster_group cluster = cg::this_cluster();
  int all = 0;
  // FILL ME IN: push (roughly 4 lines)
  // END: push
  return all;
}

// --select-cluster: out[row] is the k-th largest value of the row, equal ones counted each. It is found bit
// by bit, from bit kBits - 1 down: a bit is set if at least k values are as large as what is found with it.
__global__ void select_cluster_kernel(int* out, const int* x, int columns, int k) {
  extern __shared__ int own[];        // room for the block's slice
  __shared__ int parts[2][kCluster];  // for cluster_sum, by turns
  const cg::cluster_group cluster = cg::this_cluster();
  const Slice slice = slice_of(columns, cluster.block_rank());
  const int begin = blockIdx.y * columns + slice.begin;
  int found = 0;
  // FILL ME IN: select (roughly 8 lines)
  // END: select
  if (cluster.block_rank() == 0 && threadIdx.x == 0) out[blockIdx.y] = found;
}
