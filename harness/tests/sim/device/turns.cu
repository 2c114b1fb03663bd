// Blocks whose threads all do the same, none of them, or something else halfway: in whichever way they are
// run, one after another or from barrier to barrier, they compute the same.
#include "device_test.h"

using device_test::Buffer;
using device_test::expect_values;

namespace {

constexpr dim3 kBlock(5, 3, 4);
constexpr std::size_t kThreads = 60, kBlocks = 7;

__device__ int linear_index() {
  return static_cast<int>(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
}

__device__ int time_passes() {
  const long long before = clock64();
  return clock64() > before;
}

__global__ void store_index(int* out) {
  out[blockIdx.x * kThreads + linear_index()] = static_cast<int>(blockIdx.x) * 1000 + linear_index();
}

// In the midst of a row one asks for what only the simulator knows.
__global__ void store_index_and_ask(int* out) {
  const int later = linear_index() == 33 ? 5 * time_passes() : 0;
  out[blockIdx.x * kThreads + linear_index()] = static_cast<int>(blockIdx.x) * 1000 + linear_index() + later;
}

// Every third block has barriers, the others have none.
__global__ void turn_around(int* out) {
  __shared__ int tile[kThreads];
  const int i = linear_index();
  if (blockIdx.x % 3 != 2) {
    out[blockIdx.x * kThreads + i] = i;
    return;
  }
  for (int round = 0; round < 3; ++round) {
    tile[i] = round == 0 ? i : tile[i];
    __syncthreads();
    const int other = tile[kThreads - 1 - i];
    __syncthreads();
    tile[i] = other;
  }
  out[blockIdx.x * kThreads + i] = tile[i];
}

// Barriers of both kinds, with operations of the warp, atomics and a single thread's work between them.
__global__ void count_in_turns(int* out) {
  __shared__ int sum;
  const int i = linear_index();
  if (i == 0) sum = 0;
  __syncthreads();
  int mine = 0;
  for (int round = 0; round < 4; ++round) {
    atomicAdd(&sum, i);
    __syncthreads();
    if (i == round) mine += sum;
    __syncthreads();
    mine += __syncthreads_count(i % 2 == round % 2);
    if (round == 1) mine += __shfl_sync(~0u >> (i < 32 ? 0 : 4), mine, 3);
    if (round == 2 && i == 17) mine += time_passes();
    __syncthreads();
  }
  out[blockIdx.x * kThreads + i] = mine;
}

// The first thread waits for the last, which the others do not.
__global__ void wait_for_last(int* flags, int* out) {
  const int i = linear_index();
  if (i == 0)
    while (atomicAdd(&flags[blockIdx.x], 0) == 0) {
    }
  if (i == static_cast<int>(kThreads) - 1) atomicExch(&flags[blockIdx.x], 1);
  out[blockIdx.x * kThreads + i] = i;
}

std::vector<int> expected(const std::function<int(int, int)>& value) {
  return device_test::generate<int>(kBlocks * kThreads, [&](std::size_t i) {
    return value(static_cast<int>(i / kThreads), static_cast<int>(i % kThreads));
  });
}

int counted(int i) {
  int mine = 0, of_lane_3 = 0;
  for (const int whose : {i / 32 * 32 + 3, i}) {
    mine = 0;
    for (int round = 0; round < 4; ++round) {
      if (whose == round) mine += (round + 1) * 59 * 30;
      mine += 30;
      if (round == 1 && whose == i / 32 * 32 + 3) of_lane_3 = mine;
      if (round == 1) mine += of_lane_3;
      if (round == 2 && whose == 17) mine += 1;
    }
  }
  return mine;
}

DEVICE_TEST("threads that wait for nobody have their own indices") {
  Buffer<int> out(kBlocks * kThreads);
  store_index<<<kBlocks, kBlock>>>(out.data());
  expect_values(out.values(), expected([](int block, int i) { return block * 1000 + i; }), "store_index");
  store_index_and_ask<<<kBlocks, kBlock>>>(out.data());
  expect_values(out.values(), expected([](int block, int i) { return block * 1000 + i + (i == 33 ? 5 : 0); }),
                "store_index_and_ask");
}

DEVICE_TEST("blocks of a launch may differ in whether they have barriers") {
  Buffer<int> out(kBlocks * kThreads);
  turn_around<<<kBlocks, kBlock>>>(out.data());
  expect_values(out.values(), expected([](int block, int i) {
                  return block % 3 != 2 ? i : static_cast<int>(kThreads) - 1 - i;
                }),
                "turn_around");
}

DEVICE_TEST("between barriers threads may do what others do not") {
  Buffer<int> out(kBlocks * kThreads);
  count_in_turns<<<kBlocks, kBlock>>>(out.data());
  expect_values(out.values(), expected([](int, int i) { return counted(i); }), "count_in_turns");
}

DEVICE_TEST("a thread may wait for one that comes after it") {
  Buffer<int> flags(std::vector<int>(kBlocks, 0)), out(kBlocks * kThreads);
  wait_for_last<<<kBlocks, kBlock>>>(flags.data(), out.data());
  expect_values(out.values(), expected([](int, int i) { return i; }), "wait_for_last");
}

}  // namespace
