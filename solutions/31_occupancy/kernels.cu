// Puzzle 31, Occupancy: how many blocks a multiprocessor (SM) holds at a time, what bounds them, and when it
// matters.
//   --limits       the blocks that fit on an SM of an H200, for many needs
//   --narrow       sums over lists of pages, a warp a list, blocks of one warp: given but for walk()
//   --wide         the same with the blocks that you choose
//   --table        the same through a codebook in shared memory, blocks of kFewWarps warps
//   --wide-table   the same with the blocks that you choose
//   --together     the sums of --narrow with kTogether lists a warp
//   --few, --many  out = factor * x, a quarter of an SM's warps and all of them
// Lists: `head` has the first page of each list, `next` the page behind each page, 0 behind the last one.
// Page p is bytes p * kPage to p * kPage + kPage - 1 of `values`. Page 0 stands for no page: its bytes are 0,
// and behind it comes page 0. A list may be empty. kPage = 32, kCodes = 256, kTogether = 16, kHeld = 4; what
// an SM has stands in sizes.h.
#include <cuda_runtime.h>

#include "given.cuh"

// How many blocks are on a multiprocessor at a time, each of `threads` threads (1 to 1024) with `shared`
// bytes of shared memory a block and `registers` registers a thread. 0: not even one.
__host__ __device__ inline int resident_blocks(int threads, int shared, int registers) {
  int blocks = kSmBlocks;
  // FILL ME IN: limits (roughly 5 lines)
  const int warps = divide_up(threads, kWarpSize);
  blocks = smaller(blocks, kSmWarps / warps);
  blocks = smaller(blocks, kSmShared / round_up(shared + kSystemShared, kSharedUnit));
  // A warp lives in one quarter, with all of its registers.
  const int warps_a_quarter = kQuarterRegisters / round_up(registers * kWarpSize, kRegisterUnit);
  blocks = smaller(blocks, warps_a_quarter * kQuarters / warps);
  // END: limits
  return blocks;
}

// The sum over a list that begins with `page`, of the byte that each page has for the lane.
__device__ inline int walk(const unsigned char* values, const int* next, int page, int lane) {
  int sum = 0;
  // FILL ME IN: walk (roughly 4 lines)
  // Where the next page lies is known when `next` has come from memory, and not before: a list has one load
  // after the other, whatever the compiler does.
  while (page != 0) {
    sum += values[page * kPage + lane];
    page = next[page];
  }
  // END: walk
  return sum;
}

// The warps of a block of --wide.
constexpr int wide_warps() {
  int warps = 1;
  // FILL ME IN: wide_warps (roughly 1 line)
  warps = 8;  // 8 blocks of them are 64 warps; 4 or 16 do as well
  // END: wide_warps
  return warps;
}

// --table and --wide-table: out[list] is the sum over the list's pages of row `code` of the codebook, where a
// byte of a page is the code of its lane's column. Blocks of any number of warps, as many as are resident at
// the same time: each takes a list for each of its warps, and so on until there are none.
__global__ void decode_kernel(float* out, const unsigned char* values, const int* next, const int* head,
                              const float* codebook, int lists) {
  __shared__ float table[kCodes * kPage];  // the codebook: 32 KB
  const int lane = threadIdx.x % kWarpSize, warps = blockDim.x / kWarpSize;
  const int first = blockIdx.x * warps + threadIdx.x / kWarpSize;
  // FILL ME IN: decode (roughly 8 lines)
  for (int i = threadIdx.x; i < kCodes * kPage; i += blockDim.x) table[i] = codebook[i];
  __syncthreads();  // a warp looks up what all of them have stored
  for (int list = first; list < lists; list += gridDim.x * warps) {
    float sum = 0.0f;
    // Column by lane: whatever the codes are, lane l asks bank l.
    for (int page = head[list]; page != 0; page = next[page])
      sum += table[values[page * kPage + lane] * kPage + lane];
    out[list * kPage + lane] = sum;
  }
  // END: decode
}

// The warps of a block of --wide-table.
constexpr int table_warps() {
  int warps = kFewWarps;
  // FILL ME IN: table_warps (roughly 1 line)
  warps = 16;  // more warps for each codebook: 4 blocks of them are 64 warps and 132 KB
  // END: table_warps
  return warps;
}

// --together: grid of ceil(lists / kTogether) warps in blocks of kTogetherBlock threads: each walks kTogether
// lists that stand side by side.
__global__ void together_kernel(int* out, const unsigned char* values, const int* next, const int* head,
                                int lists) {
  const int lane = threadIdx.x % kWarpSize;
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) / kWarpSize * kTogether;
  int page[kTogether], sum[kTogether];  // of list first + k
#pragma unroll
  for (int k = 0; k < kTogether; ++k) {
    page[k] = first + k < lists ? head[first + k] : 0;
    sum[k] = 0;
  }
  // FILL ME IN: together (roughly 8 lines)
  bool more = true;
  while (more) {
    more = false;
    // A page of every list in each round, without a branch: no load waits for that of another list. A list
    // that has ended goes on with page 0, which adds nothing.
#pragma unroll
    for (int k = 0; k < kTogether; ++k) {
      sum[k] += values[page[k] * kPage + lane];
      page[k] = next[page[k]];
      more |= page[k] != 0;
    }
  }
  // END: together
#pragma unroll
  for (int k = 0; k < kTogether; ++k)
    if (first + k < lists) out[(first + k) * kPage + lane] = sum[k];
}

// --few and --many: out[i] = factor * x[i] for `vectors` float4, kHeld a thread. Thread t of a block of
// kStreamBlock threads has vectors begin + t + k * kStreamBlock, k below kHeld, as far as there are any.
__global__ void stream_kernel(float4* out, const float4* x, float factor, int vectors) {
  const int begin = blockIdx.x * kStreamBlock * kHeld + threadIdx.x;
  float4 held[kHeld];
  // FILL ME IN: stream (roughly 6 lines)
  // All loads stand before the first store, which no load could pass: they are under way together.
#pragma unroll
  for (int k = 0; k < kHeld; ++k)
    if (begin + k * kStreamBlock < vectors) held[k] = x[begin + k * kStreamBlock];
#pragma unroll
  for (int k = 0; k < kHeld; ++k)
    if (begin + k * kStreamBlock < vectors) out[begin + k * kStreamBlock] = scaled(held[k], factor);
  // END: stream
}
