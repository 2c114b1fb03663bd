// The headers of harness/optimizer/device as they stand, without an emitter: they compile, and these
// functions say what they should. Run by check_device.py on the simulator, and compiled by nvcc.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "optimizer/device/block_max.cuh"
#include "optimizer/device/block_sum.cuh"
#include "optimizer/device/cluster_sums.cuh"
#include "optimizer/device/column_pieces.cuh"
#include "optimizer/device/conversions.cuh"
#include "optimizer/device/copy_sixteen.cuh"
#include "optimizer/device/copy_tile.cuh"
#include "optimizer/device/eight.cuh"
#include "optimizer/device/eight_of_row.cuh"
#include "optimizer/device/element_of.cuh"
#include "optimizer/device/float_words.cuh"
#include "optimizer/device/fragments.cuh"
#include "optimizer/device/gelu.cuh"
#include "optimizer/device/group_128.cuh"
#include "optimizer/device/group_256.cuh"
#include "optimizer/device/group_64.cuh"
#include "optimizer/device/group_own_128.cuh"
#include "optimizer/device/group_own_64.cuh"
#include "optimizer/device/group_products.cuh"
#include "optimizer/device/group_turns.cuh"
#include "optimizer/device/group_weights.cuh"
#include "optimizer/device/half.cuh"
#include "optimizer/device/lane_parts.cuh"
#include "optimizer/device/lanes.cuh"
#include "optimizer/device/launch_behind.cuh"
#include "optimizer/device/launch_clusters.cuh"
#include "optimizer/device/over_block.cuh"
#include "optimizer/device/over_rows.cuh"
#include "optimizer/device/own_rows.cuh"
#include "optimizer/device/packs.cuh"
#include "optimizer/device/panels.cuh"
#include "optimizer/device/parts.cuh"
#include "optimizer/device/pieces.cuh"
#include "optimizer/device/products.cuh"
#include "optimizer/device/row_of_block.cuh"
#include "optimizer/device/row_parts.cuh"
#include "optimizer/device/rows.cuh"
#include "optimizer/device/rows_max.cuh"
#include "optimizer/device/rows_sum.cuh"
#include "optimizer/device/shared_rows.cuh"
#include "optimizer/device/sigmoid.cuh"
#include "optimizer/device/sign.cuh"
#include "optimizer/device/silu.cuh"
#include "optimizer/device/slices.cuh"
#include "optimizer/device/softplus.cuh"
#include "optimizer/device/stage_barriers.cuh"
#include "optimizer/device/store_tile.cuh"
#include "optimizer/device/stored_sums.cuh"
#include "optimizer/device/tensor_maps.cuh"
#include "optimizer/device/tile_order.cuh"
#include "optimizer/device/tiles.cuh"
#include "optimizer/device/turned_fragment.cuh"
#include "optimizer/device/turned_left_fragment.cuh"
#include "optimizer/device/two.cuh"
#include "optimizer/device/warp_sums.cuh"
#include "optimizer/device/word_of.cuh"
#include "optimizer/device/words.cuh"

__global__ void reductions(float* results, const float* values) {
  const float own = values[threadIdx.x];
  const float sum = block_sum<64>(own), most = block_max<64>(own);
  float columns[2] = {own, -own}, maxima[2] = {own, -own};
  rows_sum<64, 8>(columns);
  rows_max<64, 8>(maxima);
  if (threadIdx.x == 0) results[0] = sum, results[1] = most;
  if (threadIdx.x < 8) results[2 + threadIdx.x] = columns[0], results[10 + threadIdx.x] = maxima[1];
}

/// Rows of 20 elements, with a store behind.
__global__ void row(half* to, const half* from, const float* parts) {
  float values[8], more[8];
  load_row<32, 4>(values, from, 20);
  load_row_of_parts<32, 4>(more, parts, 20, 3, 20);
  for (int e = 0; e < 8; ++e) values[e] += more[e];
  store_row<32, 4>(to, values, 20);
}

/// 16 x 16 by 16 x 16, both in shared memory.
__global__ void product(float* to, const Half* left, const Half* right) {
  __shared__ alignas(32) Half tiles[2][16][16 + kPad];
  __shared__ alignas(32) float result[16][16 + kPad];
  copy_tile<32, 16, 16>(tiles[0][0], left, 16, 16, 16);
  copy_tile<32, 16, 16>(tiles[1][0], right, 16, 16, 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncwarp();
  unsigned words[1][4], rights[1][4];
  load_lefts<false>(words, tiles[0][0], 16 + kPad);
  load_rights<false>(rights, tiles[1][0], 16 + kPad);
  float sums[1][2][4] = {};
  multiply_slice(sums, words, rights);
  store_sums(result[0], sums[0], 16 + kPad);
  __syncwarp();
  for (int i = threadIdx.x; i < 256; i += 32) to[i] = result[i / 16][i % 16];
}

/// kDown times 64 rows by kColumns columns, a sum of 64: by one group of warps.
template <bool kLeftTurned, bool kRightTurned, int kDown, int kColumns>
__global__ void product_of_group(float* to, const Half* left, const Half* right) {
  extern __shared__ __align__(1024) Half tiles[];
  Half* const rights = tiles + 64 * kDown * 64;
  __shared__ StageBarrier full;
  if (threadIdx.x == 0) begin_barrier(&full, 128);
  __syncthreads();
  constexpr int kRows = 64 * kDown;
  copy_panels<kLeftTurned ? 64 : kRows, kLeftTurned ? kRows : 64>(tiles, left, kLeftTurned ? kRows : 64, 4096,
                                                                  4096);
  copy_panels<kRightTurned ? kColumns : 64, kRightTurned ? 64 : kColumns>(
      rights, right, kRightTurned ? 64 : kColumns, 4096, 4096);
  show_stores();
  arrive(&full);
  wait_for(&full, 0);
  float sums[kDown][kColumns / 8][4] = {};
  hold_sums(sums);
  begin_products();
  add_panels<kLeftTurned, kRightTurned, kRows, kColumns, 64>(sums, tiles, rights, 0);
  end_products();
  wait_for_products<0>();
  hold_sums(sums);
  // The same once more, of words in registers.
  if constexpr (!kLeftTurned && kDown == 1 && kColumns <= 128) {
    unsigned words[1][4][4];
    for (int k = 0; k < 64; k += 16)
      load_of_panels<false, false, 64>(words[0][k / 16], tiles, static_cast<int>(threadIdx.x) / 32 * 16, k);
    begin_products();
    add_panels<kRightTurned, kColumns, 64>(sums, words, rights);
    end_products();
    wait_for_products<0>();
    hold_sums(sums);
  }
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int i = 0; i < kDown * kColumns / 8 * 4; ++i) {
    const int down = i / (kColumns / 2), part = i / 4 % (kColumns / 8), e = i % 4;
    const int row = 64 * down + 16 * warp + lane / 4 + e / 2 * 8, column = 8 * part + lane % 4 * 2 + e % 2;
    to[row * kColumns + column] = sums[down][part][e];
  }
}

/// 64 x 64 of a matrix of 65 rows of 128, from row 2 and column 64 on: by its map, or by threads.
__global__ void tile_of_map(float* to, const Half* from, const __grid_constant__ TensorMap map) {
  __shared__ alignas(1024) Half tile[64 * 64];
  __shared__ StageBarrier full;
  if (threadIdx.x == 0) {
    begin_barrier(&full, kByGroups ? 1 : 128);
    show_stores();
  }
  __syncthreads();
  if (!kByGroups) {
    copy_panels<64, 64>(tile, from + 2 * 128 + 64, 128, 63, 64);
    arrive(&full);
  } else if (threadIdx.x == 0) {
    arrive_and_expect(&full, sizeof(tile));
    copy_panels<64, 64>(tile, map, &full, 64, 2, 0, 0);
  }
  wait_for(&full, 0);
  for (int i = threadIdx.x; i < 64 * 64; i += 128) to[i] = to_float(tile[in_panels<64>(i / 64, i % 64)]);
}

/// 16 x 32 by 32 x 64, in registers. kTurned: of what is right columns lie together.
template <bool kTurned, bool kWhole>
__global__ void product_in_registers(float* to, const Half* left, const Half* right) {
  __shared__ alignas(32) float result[16][64 + kPad];
  Eight lefts[2], rights[8];
  float sums[8][4] = {};
  load_row_pieces<kWhole, false>(lefts, left, 32, 16, 32);
  if constexpr (kTurned) {
    load_row_pieces<kWhole, true>(rights, right, 32, 64, 32);
    multiply_eights(sums, lefts, rights);
    store_sums(result[0], sums, 64 + kPad);
  } else {
    load_column_pieces<kWhole>(rights, right, 64, 32, 64);
    turn_eights(rights);
    multiply_eights(sums, lefts, rights);
    store_sums_of_columns(result[0], sums, 64 + kPad);
  }
  __syncwarp();
  for (int i = threadIdx.x; i < 16 * 64; i += 32) to[i] = result[i / 64][i % 64];
}

template <class T>
struct Managed {
  explicit Managed(int size) {
    if (cudaMallocManaged(&data, size * sizeof(T)) != cudaSuccess) std::exit(2);
  }
  ~Managed() { cudaFree(data); }
  T& operator[](int i) { return data[i]; }
  T* data = nullptr;
};

int wrong = 0;
void expect(const char* what, float value, float right) {
  if (value == right) return;
  std::printf("%s: %g instead of %g\n", what, value, right);
  ++wrong;
}
/// Within 2e-6 of it, of its size or of 1.
void near(const char* what, float value, double right) {
  if (std::abs(static_cast<double>(value) - right) > 2e-6 * std::max(1.0, std::abs(right)))
    expect(what, value, static_cast<float>(right));
}

__global__ void activations(float* results, const float* values) {
  const float x = values[threadIdx.x];
  results[threadIdx.x] = sigmoid(x);
  results[64 + threadIdx.x] = silu(x);
  results[128 + threadIdx.x] = gelu(x);
}
/// Of a launch that may begin before the one that makes them has ended.
__global__ void doubled(float* results) {
  wait_for_launches();
  for (int i = threadIdx.x; i < 192; i += 64) results[i] *= 2.0f;
}

void check_activations() {
  Managed<float> values(64), results(192);
  for (int i = 0; i < 64; ++i) values[i] = static_cast<float>(i - 32) * 3.0f;
  activations<<<1, 64>>>(results.data, values.data);
  launch_behind(doubled, 1, 64, 0, nullptr, results.data);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; ++i) {
    const double x = static_cast<double>(values[i]), s = 1.0 / (1.0 + std::exp(-x));
    const double g = 0.5 * x * (1.0 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
    near("sigmoid", results[i], 2.0 * s);
    near("silu", results[64 + i], 2.0 * x * s);
    near("gelu", results[128 + i], 2.0 * g);
  }
}

template <bool kTurned, bool kWhole>
void check_registers() {
  Managed<Half> left(16 * 32), right(32 * 64);
  Managed<float> sums(16 * 64);
  for (int i = 0; i < 16 * 32; ++i) left[i] = Half(static_cast<float>(i % 7));
  for (int i = 0; i < 32 * 64; ++i)
    right[kTurned ? i % 64 * 32 + i / 64 : i] = Half(static_cast<float>(i % 5));
  product_in_registers<kTurned, kWhole><<<1, 32>>>(sums.data, left.data, right.data);
  cudaDeviceSynchronize();
  for (int i = 0; i < 16 * 64; ++i) {
    float sum = 0.0f;
    for (int k = 0; k < 32; ++k) sum += static_cast<float>((i / 64 * 32 + k) % 7 * ((k * 64 + i % 64) % 5));
    expect("a product in registers", sums[i], sum);
  }
}

void check_map() {
  Managed<Half> from(65 * 128);
  Managed<float> to(64 * 64);
  for (int i = 0; i < 65 * 128; ++i) from[i] = Half(static_cast<float>(i % 97));
  TensorMap map{};
  const bool made = make_map(&map, from.data, 64, {128, 65, 1, 1}, {128, 8, 8});
  int device = 0, major = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  if (major >= 9) expect("a map", made ? 1.0f : 0.0f, 1.0f);
  expect("a map of rows of 127", make_map(&map, from.data, 64, {127, 65, 1, 1}, {127, 8, 8}) ? 1.0f : 0.0f,
         0.0f);
  make_map(&map, from.data, 64, {128, 65, 1, 1}, {128, 8, 8});
  tile_of_map<<<1, 128>>>(to.data, from.data, map);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64 * 64; ++i) {
    const int row = 2 + i / 64, column = 64 + i % 64;
    expect("a tile of a map", to[i], row < 65 ? static_cast<float>((row * 128 + column) % 97) : 0.0f);
  }
}

template <bool kLeftTurned, bool kRightTurned, int kDown, int kColumns>
void check_group() {
  constexpr int kRows = 64 * kDown, kBytes = 64 * (kRows + kColumns) * static_cast<int>(sizeof(Half));
  Managed<Half> left(kRows * 64), right(64 * kColumns);
  Managed<float> sums(kRows * kColumns);
  const auto of_left = [](int row, int k) { return kLeftTurned ? k * kRows + row : row * 64 + k; };
  const auto of_right = [](int k, int column) {
    return kRightTurned ? column * 64 + k : k * kColumns + column;
  };
  for (int i = 0; i < kRows * 64; ++i) left[i] = Half(static_cast<float>(i % 7));
  for (int i = 0; i < 64 * kColumns; ++i) right[i] = Half(static_cast<float>(i % 5));
  const auto kernel = product_of_group<kLeftTurned, kRightTurned, kDown, kColumns>;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes);
  kernel<<<1, 128, kBytes>>>(sums.data, left.data, right.data);
  cudaDeviceSynchronize();
  for (int i = 0; i < kRows * kColumns; ++i) {
    float sum = 0.0f;
    for (int k = 0; k < 64; ++k)
      sum += static_cast<float>(of_left(i / kColumns, k) % 7 * (of_right(k, i % kColumns) % 5));
    if (!kLeftTurned && kDown == 1 && kColumns <= 128) sum *= 2;
    expect("a product of a group of warps", sums[i], sum);
  }
}

int main() {
  Managed<float> values(64), results(18);
  for (int i = 0; i < 64; ++i) values[i] = static_cast<float>(i);
  reductions<<<1, 64>>>(results.data, values.data);
  cudaDeviceSynchronize();
  expect("block_sum", results[0], 2016.0f);
  expect("block_max", results[1], 63.0f);
  for (int lane = 0; lane < 8; ++lane) {
    expect("rows_sum", results[2 + lane], static_cast<float>(8 * lane + 224));
    expect("rows_max", results[10 + lane], static_cast<float>(-lane));
  }

  Managed<half> from(20), to(20);
  Managed<float> parts(60);
  for (int i = 0; i < 20; ++i) from[i] = __float2half(static_cast<float>(i));
  for (int i = 0; i < 60; ++i) parts[i] = static_cast<float>(i / 20 + 1);
  row<<<1, 32>>>(to.data, from.data, parts.data);
  cudaDeviceSynchronize();
  for (int i = 0; i < 20; ++i) expect("a row and its parts", __half2float(to[i]), static_cast<float>(i + 6));

  Managed<Half> left(256), right(256);
  Managed<float> sums(256);
  for (int i = 0; i < 256; ++i) {
    left[i] = Half(static_cast<float>(i % 7));
    right[i] = Half(static_cast<float>(i % 5));
  }
  product<<<1, 32>>>(sums.data, left.data, right.data);
  cudaDeviceSynchronize();
  for (int i = 0; i < 256; ++i) {
    float sum = 0.0f;
    for (int k = 0; k < 16; ++k) sum += static_cast<float>((i / 16 * 16 + k) % 7 * ((k * 16 + i % 16) % 5));
    expect("a product of words", sums[i], sum);
  }

  check_map();
  check_group<false, false, 1, 64>();
  check_group<false, true, 1, 128>();
  check_group<false, true, 2, 128>();
  check_group<true, false, 1, 256>();
  check_group<true, true, 2, 64>();
  check_activations();
  check_registers<false, false>();
  check_registers<false, true>();
  check_registers<true, false>();
  check_registers<true, true>();
  return wrong == 0 ? 0 : 1;
}
