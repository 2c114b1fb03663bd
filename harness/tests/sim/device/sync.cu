// Synchronisation objects of libcu++: barriers with copies, pipelines of block and thread scope, atomics with
// orders, latches and semaphores; and that the race detector sees what they order.
#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/chrono>
#include <new>
#include <utility>

#include "device_test.h"

#pragma nv_diag_suppress static_var_with_dynamic_init

namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;
using device_test::Buffer;
using device_test::expect_values;
using device_test::generate;

namespace {

__global__ void reverse_by_barrier(float* data) {
  __shared__ float tile[96];
  __shared__ Barrier bar;
  const auto block = cg::this_thread_block();
  if (threadIdx.x == 0) init(&bar, static_cast<int>(blockDim.x));
  block.sync();
  const unsigned i = threadIdx.x;
  tile[i] = data[i];
  Barrier::arrival_token token = bar.arrive();
  const float own = 0.5f * static_cast<float>(i);
  bar.wait(std::move(token));
  const float other = tile[95 - i];
  bar.arrive_and_wait();
  tile[i] = other + own;
  bar.arrive_and_wait();
  data[i] = tile[i];
}

// Warp 0 fills, the others empty, two stages: the mbarrier idiom, by parity.
__global__ void full_and_empty(float* out, const float* in, int rounds) {
  __shared__ float stage[2][32];
  __shared__ Barrier full[2], empty[2];
  if (threadIdx.x == 0)
    for (int s = 0; s < 2; ++s) {
      init(&full[s], 32);
      init(&empty[s], 32);
    }
  __syncthreads();
  const int lane = static_cast<int>(threadIdx.x % 32);
  for (int r = 0; r < rounds; ++r) {
    const int s = r % 2;
    const bool phase = r / 2 % 2 != 0;
    if (threadIdx.x < 32) {
      empty[s].wait_parity(!phase);
      stage[s][lane] = in[32 * r + lane];
      static_cast<void>(full[s].arrive());
    } else {
      while (!full[s].try_wait_parity_for(phase, cuda::std::chrono::nanoseconds(100))) {
      }
      out[32 * r + lane] = 2.0f * stage[s][31 - lane];
      static_cast<void>(empty[s].arrive());
    }
  }
}

__global__ void some_leave(int* out) {
  __shared__ Barrier bar;
  __shared__ int sum;
  if (threadIdx.x == 0) {
    init(&bar, 64);
    sum = 0;
  }
  __syncthreads();
  if (threadIdx.x >= 40) {
    atomicAdd(&sum, 1);
    bar.arrive_and_drop();
    return;
  }
  atomicAdd(&sum, 100);
  bar.arrive_and_wait();
  bar.arrive_and_wait();  // only 40 are expected now
  if (threadIdx.x == 0) out[0] = sum;
}

__global__ void copies_on_a_barrier(float* out, const float* in) {
  __shared__ alignas(16) float stage[2][128];
  __shared__ Barrier bar;
  const auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&bar, static_cast<int>(block.size()));
  block.sync();
  cuda::memcpy_async(block, stage[0], in, cuda::aligned_size_t<16>(sizeof stage[0]), bar);
  cuda::memcpy_async(&stage[1][2 * threadIdx.x], in + 128 + 2 * threadIdx.x, sizeof(float) * 2, bar);
  bar.arrive_and_wait();
  out[threadIdx.x] = stage[0][127 - threadIdx.x] + stage[1][threadIdx.x + 64];
}

__global__ void bulk_copy(float* out, const float* in) {
  __shared__ alignas(128) float tile[256];
  __shared__ Barrier bar;
  if (threadIdx.x == 0) init(&bar, static_cast<int>(blockDim.x));
  __syncthreads();
  Barrier::arrival_token token = [&] {
    if (threadIdx.x == 0) {
      cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(sizeof tile), bar);
      return cuda::device::barrier_arrive_tx(bar, 1, sizeof tile);
    }
    return bar.arrive();
  }();
  bar.wait(std::move(token));
  out[threadIdx.x] = tile[255 - threadIdx.x];
}

__global__ void reads_before_the_wait(float* out, const float* in) {
  __shared__ alignas(16) float stage[64];
  __shared__ Barrier bar;
  const auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&bar, 64);
  block.sync();
  cuda::memcpy_async(block, stage, in, sizeof stage, bar);
  Barrier::arrival_token token = bar.arrive();
  out[threadIdx.x] = stage[threadIdx.x];  // mark: reads_before_the_wait
  bar.wait(std::move(token));
}

__global__ void arrives_but_never_waits(float* data) {
  __shared__ float tile[64];
  __shared__ Barrier bar;
  if (threadIdx.x == 0) init(&bar, 64);
  __syncthreads();
  tile[threadIdx.x] = data[threadIdx.x];
  static_cast<void>(bar.arrive());
  data[threadIdx.x] = tile[63 - threadIdx.x];  // mark: arrives_but_never_waits
}

template <int kStages>
__global__ void block_pipeline(float* out, const float* in, int tiles) {
  constexpr int kTile = 64;
  __shared__ alignas(16) float stage[kStages][kTile];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  const auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int fetched = 0;
  for (int t = 0; t < tiles; ++t) {
    for (; fetched < tiles && fetched < t + kStages; ++fetched) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, stage[fetched % kStages], in + fetched * kTile, sizeof(float) * kTile, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    const int i = static_cast<int>(threadIdx.x);
    out[t * kTile + i] = stage[t % kStages][kTile - 1 - i] + 1.0f;
    pipe.consumer_release();
  }
}

// Half of the block loads, half computes.
__global__ void pipeline_with_roles(float* out, const float* in, int tiles) {
  constexpr int kTile = 32, kStages = 2;
  __shared__ alignas(16) float stage[kStages][kTile];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  const auto block = cg::this_thread_block();
  const auto role = block.thread_rank() < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = cuda::make_pipeline(block, &state, role);
  const int lane = static_cast<int>(threadIdx.x % 32);
  for (int t = 0; t < tiles; ++t) {
    if (role == cuda::pipeline_role::producer) {
      pipe.producer_acquire();
      cuda::memcpy_async(&stage[t % kStages][lane], in + t * kTile + lane, sizeof(float), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      out[t * kTile + lane] = stage[t % kStages][kTile - 1 - lane] + 1.0f;
      pipe.consumer_release();
    }
  }
}

__global__ void thread_pipeline(float* out, const float* in, int rounds) {
  __shared__ float stage[2][64];
  auto pipe = cuda::make_pipeline();
  const int i = static_cast<int>(threadIdx.x);
  pipe.producer_acquire();
  cuda::memcpy_async(&stage[0][i], in + i, sizeof(float), pipe);
  pipe.producer_commit();
  for (int r = 0; r < rounds; ++r) {
    if (r + 1 < rounds) {
      pipe.producer_acquire();
      cuda::memcpy_async(&stage[(r + 1) % 2][i], in + (r + 1) * 64 + i, sizeof(float), pipe);
      pipe.producer_commit();
      cuda::pipeline_consumer_wait_prior<1>(pipe);
    } else {
      pipe.consumer_wait();
    }
    __syncthreads();
    out[r * 64 + i] = stage[r % 2][63 - i] + 1.0f;
    pipe.consumer_release();
    __syncthreads();
  }
}

__global__ void primitives(float* out, const float* in, int rounds) {
  __shared__ alignas(16) float4 stage[2][16];
  const int i = static_cast<int>(threadIdx.x);
  const auto* vectors = reinterpret_cast<const float4*>(in);
  if (i < 16) __pipeline_memcpy_async(&stage[0][i], vectors + i, sizeof(float4));
  __pipeline_commit();
  for (int r = 0; r < rounds; ++r) {
    if (r + 1 < rounds && i < 16)
      __pipeline_memcpy_async(&stage[(r + 1) % 2][i], vectors + (r + 1) * 16 + i, sizeof(float4));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    out[r * 64 + i] = reinterpret_cast<const float*>(stage[r % 2])[63 - i] + 1.0f;
    __syncthreads();
  }
}

__device__ cuda::atomic<int, cuda::thread_scope_device> arrivals{0};

// Every block leaves a sum; the last one, told by the atomic, adds them.
__global__ void last_block_by_atomic(int* sums, int* total) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  if (tile.thread_rank() == 0) {
    sums[blockIdx.x] = static_cast<int>(blockIdx.x) + 1;
    if (arrivals.fetch_add(1, cuda::memory_order_acq_rel) == static_cast<int>(gridDim.x) - 1) {
      int sum = 0;
      for (unsigned b = 0; b < gridDim.x; ++b) sum += sums[b];
      *total = sum;
      arrivals.store(0, cuda::memory_order_relaxed);
    }
  }
}

__global__ void operations(int* ints, float* floats, unsigned long long* longs) {
  cuda::atomic_ref<int, cuda::thread_scope_device> a(ints[0]), b(ints[1]), c(ints[2]);
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  a.fetch_add(2);
  b.fetch_max(i, cuda::std::memory_order_relaxed);
  c.fetch_min(-i);
  ++a;
  cuda::atomic_ref<float> f(floats[0]);
  float seen = f.load();
  while (!f.compare_exchange_weak(seen, seen + 0.5f)) {
  }
  cuda::atomic_ref<unsigned long long, cuda::thread_scope_system> l(longs[0]);
  l |= 1ull << (i % 64);
  cuda::atomic_ref<unsigned long long> m(longs[1]);
  m.fetch_xor(static_cast<unsigned long long>(i));
}

struct Lock {
  int* word;
  __device__ void lock() {
    cuda::atomic_ref<int, cuda::thread_scope_device> state(*word);
    while (state.exchange(1, cuda::memory_order_acquire) != 0) __nanosleep(10);
  }
  __device__ void unlock() {
    cuda::atomic_ref<int, cuda::thread_scope_device>(*word).store(0, cuda::memory_order_release);
  }
};

__global__ void one_at_a_time(int* word, int* counter) {
  if (threadIdx.x % 32 != 0) return;
  Lock lock{word};
  lock.lock();
  *counter += 1;
  lock.unlock();
}

__global__ void unlocked(int* counter) {
  if (threadIdx.x % 32 == 0) *counter += 1;  // mark: unlocked
}

__global__ void waits_for_a_latch(int* out) {
  using Latch = cuda::latch<cuda::thread_scope_block>;
  using Semaphore = cuda::counting_semaphore<cuda::thread_scope_block>;
  __shared__ alignas(Latch) unsigned char latch_place[sizeof(Latch)];
  __shared__ alignas(Semaphore) unsigned char semaphore_place[sizeof(Semaphore)];
  Latch& latch = *reinterpret_cast<Latch*>(latch_place);
  Semaphore& places = *reinterpret_cast<Semaphore*>(semaphore_place);
  __shared__ int value[64], inside;
  if (threadIdx.x == 0) {
    new (&latch) Latch(32);
    new (&places) Semaphore(3);
    inside = 0;
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    value[threadIdx.x] = static_cast<int>(threadIdx.x);
    latch.count_down();
  } else {
    latch.wait();
    value[threadIdx.x] = 2 * value[threadIdx.x - 32];
  }
  places.acquire();
  const int now = atomicAdd(&inside, 1);
  atomicSub(reinterpret_cast<unsigned*>(&inside), 1u);
  places.release();
  out[threadIdx.x] = now < 3 ? value[threadIdx.x] : -1;
}

std::vector<float> input(std::size_t n) {
  return generate<float>(n, [](std::size_t i) { return static_cast<float>(i % 1000); });
}
/// Each tile reversed, plus one.
std::vector<float> reversed(std::size_t n, std::size_t tile) {
  return generate<float>(n, [=](std::size_t i) {
    return static_cast<float>((i / tile * tile + tile - 1 - i % tile) % 1000) + 1.0f;
  });
}

}  // namespace

DEVICE_TEST("a barrier's arrivals and waits order shared memory") {
  const Buffer<float> data(input(96));
  reverse_by_barrier<<<1, 96>>>(data.data());
  expect_values(
      data.values(),
      generate<float>(
          96, [](std::size_t i) { return static_cast<float>(95 - i) + 0.5f * static_cast<float>(i); }),
      "reversed");
  const Buffer<float> in(input(32 * 9)), out(32 * 9);
  full_and_empty<<<1, 64>>>(out.data(), in.data(), 9);
  expect_values(
      out.values(),
      generate<float>(32 * 9,
                      [](std::size_t i) { return 2.0f * static_cast<float>(i / 32 * 32 + 31 - i % 32); }),
      "two stages by parity");
  const Buffer<int> sum(1);
  some_leave<<<1, 64>>>(sum.data());
  expect_values(sum.values(), std::vector<int>{24 + 4000}, "arrive_and_drop");
}

DEVICE_TEST("a barrier's phase waits for its copies") {
  const Buffer<float> in(input(256)), out(64), all(256);
  copies_on_a_barrier<<<1, 64>>>(out.data(), in.data());
  expect_values(out.values(),
                generate<float>(64, [](std::size_t i) { return static_cast<float>(127 - i + 128 + 64 + i); }),
                "copies");
  bulk_copy<<<1, 256>>>(all.data(), in.data());
  expect_values(all.values(), generate<float>(256, [](std::size_t i) { return static_cast<float>(255 - i); }),
                "bulk copy");
}

DEVICE_TEST("reading before the barrier's wait is a race") {
  device_test::expect_finding("copy_not_waited", __FILE__, "reads_before_the_wait");
  const Buffer<float> in(input(64)), out(64);
  reads_before_the_wait<<<1, 64>>>(out.data(), in.data());
}

DEVICE_TEST("arriving without waiting orders nothing for the one who arrives") {
  device_test::expect_finding("race_shared", __FILE__, "arrives_but_never_waits");
  const Buffer<float> data(input(64));
  arrives_but_never_waits<<<1, 64>>>(data.data());
}

DEVICE_TEST("pipelines of a block, with and without roles") {
  const Buffer<float> in(input(64 * 7)), out(64 * 7);
  block_pipeline<2><<<1, 64>>>(out.data(), in.data(), 7);
  expect_values(out.values(), reversed(64 * 7, 64), "two stages");
  block_pipeline<3><<<1, 64>>>(out.data(), in.data(), 7);
  expect_values(out.values(), reversed(64 * 7, 64), "three stages");
  pipeline_with_roles<<<1, 64>>>(out.data(), in.data(), 14);
  expect_values(out.values(), reversed(64 * 7, 32), "roles");
}

DEVICE_TEST("pipelines of a thread") {
  const Buffer<float> in(input(64 * 5)), out(64 * 5);
  thread_pipeline<<<1, 64>>>(out.data(), in.data(), 5);
  expect_values(out.values(), reversed(64 * 5, 64), "cuda::pipeline");
  const Buffer<float> second(64 * 5);
  primitives<<<1, 64>>>(second.data(), in.data(), 5);
  expect_values(second.values(), reversed(64 * 5, 64), "__pipeline functions");
}

DEVICE_TEST("atomics with orders publish what came before") {
  const Buffer<int> sums(20), total(1);
  last_block_by_atomic<<<20, 32>>>(sums.data(), total.data());
  expect_values(total.values(), std::vector<int>{210}, "last block");
  const Buffer<int> ints(std::vector<int>{0, -1, 5});
  const Buffer<float> floats(std::vector<float>{0.0f});
  const Buffer<unsigned long long> longs(std::vector<unsigned long long>{0, 0});
  operations<<<3, 50>>>(ints.data(), floats.data(), longs.data());
  expect_values(ints.values(), std::vector<int>{450, 149, -149}, "ints");
  expect_values(floats.values(), std::vector<float>{75.0f}, "floats");
  unsigned long long parity = 0;
  for (unsigned long long i = 0; i < 150; ++i) parity ^= i;
  expect_values(longs.values(), std::vector<unsigned long long>{~0ull, parity}, "longs");
}

DEVICE_TEST("a lock keeps a counter whole") {
  const Buffer<int> word(std::vector<int>{0}), counter(std::vector<int>{0});
  one_at_a_time<<<8, 96>>>(word.data(), counter.data());
  expect_values(counter.values(), std::vector<int>{24}, "counter");
}

DEVICE_TEST("without the lock it is a race") {
  device_test::expect_finding("race_global", __FILE__, "unlocked");
  const Buffer<int> counter(std::vector<int>{0});
  unlocked<<<1, 96>>>(counter.data());
}

DEVICE_TEST("latches and semaphores") {
  const Buffer<int> out(64);
  waits_for_a_latch<<<1, 64>>>(out.data());
  expect_values(out.values(),
                generate<int>(64, [](std::size_t i) { return static_cast<int>(i < 32 ? i : 2 * (i - 32)); }),
                "latch");
}
