// Puzzle 14, Prefix sum: what moves pieces and tells other blocks about them.
#pragma once

#include <cuda_runtime.h>

#include <cuda/atomic>

#include "sizes.h"

// Copies a piece to shared memory, 0 where there is no element. Neighbouring threads read neighbours. All
// threads of the block call it together; when it returns, the piece is there for all.
__device__ inline void load_piece(int* piece, const int* a, int first, int size) {
  for (int t = threadIdx.x; t < kPieceSize; t += kBlockSize) piece[t] = first + t < size ? a[first + t] : 0;
  __syncthreads();
}

// Stores a piece, each element with `before` added to it.
__device__ inline void store_piece(int* out, const int* piece, int first, int size, int before) {
  for (int t = threadIdx.x; t < kPieceSize && first + t < size; t += kBlockSize)
    out[first + t] = before + piece[t];
}

// The pieces of which this thread adds up the sums, where one block has them all: from `begin` to below
// `end`. Where there are fewer pieces than threads, the last threads have none.
struct Pieces {
  int begin, end;
};
__device__ inline Pieces pieces_of_thread(int pieces) {
  const int share = (pieces + kBlockSize - 1) / kBlockSize;
  const int begin = min(static_cast<int>(threadIdx.x) * share, pieces);
  return {begin, min(begin + share, pieces)};
}

// What a block has told the others about its piece. Kind and value share one word of 64 bits, which is
// written and read whole: whoever sees the kind sees the value that belongs to it.
struct State {
  Kind kind;
  int value;
};
using Word = cuda::atomic_ref<long long, cuda::thread_scope_device>;

__device__ inline void publish(long long* states, int piece, Kind kind, int value) {
  const long long word = static_cast<long long>(kind) << 32 | static_cast<unsigned>(value);
  Word(states[piece]).store(word, cuda::memory_order_relaxed);
}

__device__ inline State look_at(long long* states, int piece) {
  const long long word = Word(states[piece]).load(cuda::memory_order_relaxed);
  return {static_cast<Kind>(word >> 32), static_cast<int>(word)};
}
