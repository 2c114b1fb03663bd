// Warp-level functions: shuffles of every type and width, votes, matches, reductions.
#include <cstdint>

#include "device_test.h"

using device_test::Buffer;
using device_test::expect_values;
using device_test::generate;

namespace {

constexpr unsigned kAll = 0xffffffffu;

template <class T>
__global__ void rotate(T* data) {
  const int lane = static_cast<int>(threadIdx.x);
  data[lane] = __shfl_sync(kAll, data[lane], lane + 1);
}

__global__ void segments(int* out, int width) {
  const int lane = static_cast<int>(threadIdx.x);
  out[lane] = __shfl_up_sync(kAll, lane, 3, width);
  out[32 + lane] = __shfl_down_sync(kAll, lane, 3, width);
  out[64 + lane] = __shfl_xor_sync(kAll, lane, 5, width);
  out[96 + lane] = __shfl_sync(kAll, lane, 2, width);
}

// A byte and a bool travel as int, as on a GPU.
__global__ void small_types(int* out) {
  const unsigned lane = threadIdx.x;
  out[lane] =
      __shfl_xor_sync(kAll, static_cast<signed char>(lane), 1) + 100 * __shfl_sync(kAll, lane == 5, 5);
}

__global__ void votes(unsigned* out) {
  const unsigned lane = threadIdx.x;
  const unsigned odd = __ballot_sync(kAll, lane % 2);
  out[lane] = odd;
  out[32 + lane] = static_cast<unsigned>(__all_sync(kAll, lane < 32)) +
                   2u * static_cast<unsigned>(__any_sync(kAll, lane == 9)) +
                   4u * static_cast<unsigned>(__all_sync(kAll, lane < 31));
  if (lane < 8) out[64 + lane] = __ballot_sync(0xffu, lane > 3);
}

__global__ void matches(unsigned* out) {
  const unsigned lane = threadIdx.x;
  out[lane] = __match_any_sync(kAll, lane / 4);
  int same = -1;
  out[32 + lane] = __match_all_sync(kAll, static_cast<unsigned long long>(lane / 32), &same);
  out[64 + lane] = static_cast<unsigned>(same);
  out[96 + lane] = __match_all_sync(kAll, static_cast<double>(lane / 31), &same);
  out[128 + lane] = static_cast<unsigned>(same);
}

__global__ void reductions(unsigned* out) {
  const unsigned lane = threadIdx.x;
  const int value = static_cast<int>(lane) - 16;
  if (lane < 20) {
    const unsigned mask = 0xfffffu;
    out[lane] = __reduce_add_sync(mask, lane);
    out[32 + lane] = static_cast<unsigned>(__reduce_min_sync(mask, value));
    out[64 + lane] = static_cast<unsigned>(__reduce_max_sync(mask, value));
    out[96 + lane] = __reduce_max_sync(mask, static_cast<unsigned>(value));
    out[128 + lane] = __reduce_and_sync(mask, lane | 0x100u);
    out[160 + lane] = __reduce_or_sync(mask, lane);
    out[192 + lane] = __reduce_xor_sync(mask, lane);
  }
}

template <class T>
void check_rotation(const char* name) {
  const auto value = [](std::size_t i) { return static_cast<T>(i * 3 + 1); };
  const Buffer<T> data(generate<T>(32, value));
  rotate<<<1, 32>>>(data.data());
  expect_values(data.values(), generate<T>(32, [&](std::size_t i) { return value((i + 1) % 32); }), name);
}

}  // namespace

DEVICE_TEST("shuffles move numbers of 32 and 64 bits") {
  check_rotation<int>("int");
  check_rotation<unsigned>("unsigned");
  check_rotation<long>("long");
  check_rotation<unsigned long long>("unsigned long long");
  check_rotation<float>("float");
  check_rotation<double>("double");
  const Buffer<int> small(32);
  small_types<<<1, 32>>>(small.data());
  expect_values(small.values(),
                generate<int>(32, [](std::size_t i) { return static_cast<int>(i ^ 1) + 100; }), "small");
}

DEVICE_TEST("shuffles keep within segments of the width") {
  for (const int width : {4, 8, 16, 32}) {
    const Buffer<int> out(128);
    segments<<<1, 32>>>(out.data(), width);
    std::vector<int> want;
    for (int i = 0; i < 32; ++i) want.push_back(i % width >= 3 ? i - 3 : i);
    for (int i = 0; i < 32; ++i) want.push_back(i % width + 3 < width ? i + 3 : i);
    for (int i = 0; i < 32; ++i) want.push_back((i ^ 5) / width <= i / width ? i ^ 5 : i);
    for (int i = 0; i < 32; ++i) want.push_back(i / width * width + 2);
    expect_values(out.values(), want, "width " + std::to_string(width));
  }
}

DEVICE_TEST("votes and matches") {
  const Buffer<unsigned> out(std::vector<unsigned>(72));
  votes<<<1, 32>>>(out.data());
  expect_values(
      out.values(),
      generate<unsigned>(72, [](std::size_t i) { return i < 32   ? 0xaaaaaaaau
                                                        : i < 64 ? 3u
                                                                 : 0xf0u; }),
      "votes");
  const Buffer<unsigned> same(160);
  matches<<<1, 32>>>(same.data());
  expect_values(same.values(),
                generate<unsigned>(160,
                                   [](std::size_t i) {
                                     if (i < 32) return 0xfu << i / 4 * 4;
                                     return i < 64 ? kAll : i < 96 ? 1u : 0u;
                                   }),
                "matches");
}

DEVICE_TEST("reductions over a part of the warp") {
  const Buffer<unsigned> out(std::vector<unsigned>(224));
  reductions<<<1, 32>>>(out.data());
  const std::vector<unsigned> all = {190, static_cast<unsigned>(-16), 3, ~0u, 0x100, 31, 0};
  expect_values(out.values(),
                generate<unsigned>(224, [&](std::size_t i) { return i % 32 < 20 ? all[i / 32] : 0u; }),
                "reductions");
}
