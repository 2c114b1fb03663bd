// Atomics: every type that has them, against sums and extremes computed on the host.
#include <climits>

#include "device_test.h"

using device_test::Buffer;
using device_test::expect;
using device_test::expect_values;

namespace {

constexpr int kBlocks = 7, kThreads = 50;  // a ragged warp in every block

template <class T>
__global__ void add(T* sum) {
  atomicAdd(sum, static_cast<T>(blockIdx.x * blockDim.x + threadIdx.x));
  atomicAdd_block(sum + 1 + blockIdx.x, 1);
  atomicAdd_system(sum + 10, static_cast<T>(2));
}

template <class T>
__global__ void extremes(T* low, T* high) {
  const T mine = static_cast<T>((threadIdx.x * 37 + blockIdx.x * 11) % 101) - static_cast<T>(50);
  atomicMin(low, mine);
  atomicMax(high, mine);
}

template <class T>
__global__ void bits(T* words) {
  const T bit = T{1} << (threadIdx.x % 31);
  atomicOr(&words[0], bit);
  atomicAnd(&words[1], ~bit);
  atomicXor(&words[2], bit);
}

__global__ void counters(unsigned int* words) {
  atomicInc(&words[0], 99);
  atomicDec(&words[1], 99);
  atomicSub(&words[2], 1u);
}

__global__ void exchange(int* words, float* taken) {
  const int old = atomicExch(&words[0], static_cast<int>(threadIdx.x) + 1);
  if (old >= 0) words[old + 1] = 1;  // each value is handed out once
  atomicExch(taken, 5.0f);
}

// The double addition of the days before atomicAdd(double*), by compare and swap.
__global__ void add_by_cas(double* sum) {
  auto* word = reinterpret_cast<unsigned long long*>(sum);
  unsigned long long seen = 0, assumed;
  do {
    assumed = seen;
    seen = atomicCAS(word, assumed, __double_as_longlong(__longlong_as_double(assumed) + 0.5));
  } while (seen != assumed);
}

__global__ void cas_of_halfwords(unsigned short* words) {
  unsigned short seen = atomicCAS(&words[0], static_cast<unsigned short>(0), static_cast<unsigned short>(0));
  for (;;) {
    const unsigned short found = atomicCAS(&words[0], seen, static_cast<unsigned short>(seen + 1));
    if (found == seen) return;
    seen = found;
  }
}

__global__ void add_vectors(float2* two, float4* four) {
  atomicAdd(two, make_float2(1.0f, 2.0f));
  atomicAdd(four, make_float4(1.0f, 2.0f, 3.0f, 4.0f));
}

__global__ void histogram_in_shared(int* counts, const int* values, int n) {
  __shared__ int bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  __syncthreads();
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) atomicAdd(&bins[values[i]], 1);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}

template <class T>
void check_add(const char* name) {
  const Buffer<T> sum(std::vector<T>(11, T{}));
  add<<<kBlocks, kThreads>>>(sum.data());
  std::vector<T> want = {static_cast<T>(kBlocks * kThreads * (kBlocks * kThreads - 1) / 2)};
  for (int b = 0; b < kBlocks; ++b) want.push_back(kThreads);
  want.insert(want.end(), {T{}, T{}, static_cast<T>(2 * kBlocks * kThreads)});
  expect_values(sum.values(), want, name);
}

template <class T>
void check_extremes(const char* name) {
  T least = static_cast<T>(100), most = static_cast<T>(-50);
  if constexpr (std::is_unsigned_v<T>) most = 0;
  const Buffer<T> low(std::vector<T>{least}), high(std::vector<T>{most});
  for (unsigned b = 0; b < kBlocks; ++b)
    for (unsigned t = 0; t < kThreads; ++t) {
      const T mine = static_cast<T>((t * 37 + b * 11) % 101) - static_cast<T>(50);
      least = mine < least ? mine : least;
      most = mine > most ? mine : most;
    }
  extremes<<<kBlocks, kThreads>>>(low.data(), high.data());
  expect_values(low.values(), std::vector<T>{least}, name);
  expect_values(high.values(), std::vector<T>{most}, name);
}

template <class T>
void check_bits(const char* name) {
  const Buffer<T> words(std::vector<T>{0, static_cast<T>(-1), 0});
  bits<<<1, 31>>>(words.data());
  const T all = static_cast<T>((1ull << 31) - 1);
  expect_values(words.values(), std::vector<T>{all, static_cast<T>(~all), all}, name);
}

}  // namespace

DEVICE_TEST("atomicAdd on all its types and scopes") {
  check_add<int>("int");
  check_add<unsigned int>("unsigned int");
  check_add<unsigned long long>("unsigned long long");
  check_add<float>("float");
  check_add<double>("double");
}

DEVICE_TEST("atomicMin and atomicMax") {
  check_extremes<int>("int");
  check_extremes<long long>("long long");
  check_extremes<unsigned int>("unsigned int");
  check_extremes<unsigned long long>("unsigned long long");
}

DEVICE_TEST("atomic bits, counters and exchanges") {
  check_bits<int>("int");
  check_bits<unsigned int>("unsigned int");
  check_bits<unsigned long long>("unsigned long long");
  const Buffer<unsigned int> words(std::vector<unsigned int>{0, 0, 1000});
  counters<<<kBlocks, kThreads>>>(words.data());
  expect_values(words.values(), std::vector<unsigned int>{350 % 100, (100 - 350 % 100) % 100, 650},
                "counters");
  std::vector<int> start(66, 0);
  start[0] = -1;
  const Buffer<int> tickets(start);
  const Buffer<float> taken(std::vector<float>{0.0f});
  exchange<<<1, 64>>>(tickets.data(), taken.data());
  int handed = 0;
  const std::vector<int> got = tickets.values();
  for (std::size_t i = 1; i < got.size(); ++i) handed += got[i];
  expect(handed == 63, "63 of 64 values were handed on, the last one stays");
}

DEVICE_TEST("compare and swap of 16, 32 and 64 bits") {
  const Buffer<double> sum(std::vector<double>{0.0});
  add_by_cas<<<kBlocks, kThreads>>>(sum.data());
  expect_values(sum.values(), std::vector<double>{0.5 * kBlocks * kThreads}, "double by compare and swap");
  const Buffer<unsigned short> words(std::vector<unsigned short>{0, 7});
  cas_of_halfwords<<<kBlocks, kThreads>>>(words.data());
  expect_values(words.values(), std::vector<unsigned short>{kBlocks * kThreads, 7}, "halfwords");
}

DEVICE_TEST("atomicAdd of vectors and in shared memory") {
  const Buffer<float2> two(std::vector<float2>{{0, 0}});
  const Buffer<float4> four(std::vector<float4>{{0, 0, 0, 0}});
  add_vectors<<<kBlocks, kThreads>>>(two.data(), four.data());
  expect(two.values()[0].y == 700.0f && four.values()[0].w == 1400.0f, "vectors");
  std::vector<int> values, want(16, 0);
  for (int i = 0; i < 1000; ++i) {
    values.push_back(i * i % 16);
    ++want[static_cast<std::size_t>(i * i % 16)];
  }
  const Buffer<int> input(values), counts(std::vector<int>(16, 0));
  histogram_in_shared<<<16, 64>>>(counts.data(), input.data(), 1000);
  expect_values(counts.values(), want, "histogram");
}
