// Kernels of different character, to check the simulator's counters and its modelled clock against a GPU.
// An ordinary CUDA program; counters.py runs it under Nsight Compute, alone, and on the simulator.
//
//   nvcc -std=c++20 -O3 -arch=sm_90 kernels.cu -o kernels
//   kernels [--elements N] [--columns N] [--matmul N] [--list | --time [--rounds N]] [CASE...]
//
// Runs every case once and prints, as tab-separated lines, "launch CASE KERNEL FLOPS" for each launch in
// order and "check CASE SUM" for each case. With --time it prints times instead (timing.cuh); --list
// prints the names of the cases.
#include "cases.cuh"
#include "elementwise.cuh"
#include "matrix.cuh"
#include "memory.cuh"
#include "rows.cuh"
#include "timing.cuh"

namespace {

// ---- Memory

void copy(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  copy_kernel<<<blocks_of(s.elements), kBlock, 0, stream>>>(w.out, w.a, s.elements);
}
void copy_float4(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  copy_float4_kernel<<<blocks_of(s.elements / 4), kBlock, 0, stream>>>(
      reinterpret_cast<float4*>(w.out), reinterpret_cast<const float4*>(w.a), s.elements / 4);
}
void copy_strided(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  copy_strided_kernel<<<blocks_of(s.elements), kBlock, 0, stream>>>(w.out, w.a, s.elements);
}
void copy_crowded(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  constexpr int kCrowd = 100 * 1024;  // two blocks an SM, where there is room for eight
  CHECK(cudaFuncSetAttribute(copy_crowded_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kCrowd));
  copy_crowded_kernel<<<blocks_of(s.elements), kBlock, kCrowd, stream>>>(w.out, w.a, s.elements);
}
void saxpy(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  saxpy_kernel<<<blocks_of(s.elements), kBlock, 0, stream>>>(w.out, w.a, 2.0f, s.elements);
}
void energy_aos(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  const int count = s.elements / 8;
  energy_aos_kernel<<<blocks_of(count), kBlock, 0, stream>>>(w.out, reinterpret_cast<const Particle*>(w.a),
                                                             count);
}
void energy_soa(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  const int count = s.elements / 8;
  energy_soa_kernel<<<blocks_of(count), kBlock, 0, stream>>>(w.out, w.a, count);
}
void gather(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  gather_kernel<<<blocks_of(s.elements), kBlock, 0, stream>>>(w.out, w.a, w.index, s.elements);
}
void stencil(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  stencil_kernel<<<blocks_of(s.elements, kStencilBlock), kStencilBlock, 0, stream>>>(w.out, w.a, s.elements);
}
void tiny(const Workspace& w, const Sizes&, cudaStream_t stream) {
  tiny_kernel<<<1, 32, 0, stream>>>(w.out, w.a);
}
void fma(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  fma_kernel<<<blocks_of(s.elements), kBlock, 0, stream>>>(w.out, w.a, s.elements);
}

// ---- Matrices

void transpose_naive(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  transpose_naive_kernel<<<tiles_of(s.side(), kTile), dim3(kTile, kTileRows), 0, stream>>>(w.out, w.a,
                                                                                           s.side());
}
void transpose_conflicts(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  transpose_tiled_kernel<0>
      <<<tiles_of(s.side(), kTile), dim3(kTile, kTileRows), 0, stream>>>(w.out, w.a, s.side());
}
void transpose_padded(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  transpose_tiled_kernel<1>
      <<<tiles_of(s.side(), kTile), dim3(kTile, kTileRows), 0, stream>>>(w.out, w.a, s.side());
}
void matmul_naive(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  matmul_naive_kernel<<<tiles_of(s.matmul, kMatmulTile), dim3(kMatmulTile, kMatmulTile), 0, stream>>>(
      w.out, w.a, w.b, s.matmul);
}
void matmul_tiled(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  matmul_tiled_kernel<<<tiles_of(s.matmul, kMatmulTile), dim3(kMatmulTile, kMatmulTile), 0, stream>>>(
      w.out, w.a, w.b, s.matmul);
}
void bias_relu(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  bias_relu_kernel<<<tiles_of(s.matmul, kMatmulTile), dim3(kMatmulTile, kMatmulTile), 0, stream>>>(
      w.out, w.small[0], s.matmul);
}
void matmul_bias_relu(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  matmul_bias_relu_kernel<<<tiles_of(s.matmul, kMatmulTile), dim3(kMatmulTile, kMatmulTile), 0, stream>>>(
      w.out, w.a, w.b, w.small[0], s.matmul);
}

// ---- Sums and counts

void reduce_shared(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  reduce_shared_kernel<<<blocks_of(s.elements, kReduceBlock), kReduceBlock, 0, stream>>>(w.out, w.a,
                                                                                         s.elements);
}
void reduce_shuffle(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  reduce_shuffle_kernel<<<blocks_of(s.elements, kReduceBlock), kReduceBlock, 0, stream>>>(w.out, w.a,
                                                                                          s.elements);
}
void histogram_global(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  histogram_global_kernel<<<blocks_of(s.elements), kBlock, 0, stream>>>(w.bins, w.index, s.elements);
}
void histogram_shared(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  histogram_shared_kernel<<<blocks_of(s.elements, kReduceBlock * kPerThread), kReduceBlock, 0, stream>>>(
      w.bins, w.index, s.elements);
}
void count_positive(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  count_positive_kernel<<<blocks_of(s.elements), kBlock, 0, stream>>>(w.bins, w.a, s.elements);
}
void squared_difference(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  squared_difference_kernel<<<blocks_of(s.elements), kBlock, 0, stream>>>(w.between[0], w.a, w.b, s.elements);
}
void reduce_differences(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  reduce_shared_kernel<<<blocks_of(s.elements, kReduceBlock), kReduceBlock, 0, stream>>>(w.out, w.between[0],
                                                                                         s.elements);
}
void squared_error(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  squared_error_kernel<<<blocks_of(s.elements, kReduceBlock), kReduceBlock, 0, stream>>>(w.out, w.a, w.b,
                                                                                         s.elements);
}

// ---- Rows

void softmax(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  softmax_kernel<<<s.rows(), kRowBlock, 0, stream>>>(w.out, w.a, s.columns);
}
void row_maximum(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  row_maximum_kernel<<<s.rows(), kRowBlock, 0, stream>>>(w.small[2], w.a, s.columns);
}
void row_exponential(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  row_exponential_kernel<<<s.rows(), kRowBlock, 0, stream>>>(w.between[0], w.small[3], w.a, w.small[2],
                                                             s.columns);
}
void row_divide(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  row_divide_kernel<<<s.rows(), kRowBlock, 0, stream>>>(w.out, w.between[0], w.small[3], s.columns);
}
void softmax_online(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  softmax_online_kernel<<<s.rows(), kRowBlock, 0, stream>>>(w.out, w.a, s.columns);
}
void layernorm(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  layernorm_row_kernel<false>
      <<<s.rows(), kRowBlock, 0, stream>>>(w.out, w.a, nullptr, w.small[0], w.small[1], s.columns);
}
void layernorm_of_sum(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  layernorm_row_kernel<false>
      <<<s.rows(), kRowBlock, 0, stream>>>(w.out, w.between[0], nullptr, w.small[0], w.small[1], s.columns);
}
void layernorm_residual(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  layernorm_row_kernel<true>
      <<<s.rows(), kRowBlock, 0, stream>>>(w.out, w.a, w.b, w.small[0], w.small[1], s.columns);
}

// ---- Chains

void add(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  add_kernel<<<blocks_of(s.elements), kBlock, 0, stream>>>(w.between[0], w.a, w.b, s.elements);
}
void relu(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  relu_kernel<<<blocks_of(s.elements), kBlock, 0, stream>>>(w.between[1], w.between[0], s.elements);
}
void scale(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  scale_kernel<<<blocks_of(s.elements), kBlock, 0, stream>>>(w.out, w.between[1], 3.0f, s.elements);
}
void add_relu_scale(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  add_relu_scale_kernel<<<blocks_of(s.elements), kBlock, 0, stream>>>(w.out, w.a, w.b, 3.0f, s.elements);
}
void cube(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  cube_kernel<<<blocks_of(s.elements), kBlock, 0, stream>>>(w.between[0], w.a, s.elements);
}
void gelu_inner(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  gelu_inner_kernel<<<blocks_of(s.elements), kBlock, 0, stream>>>(w.between[1], w.a, w.between[0],
                                                                  s.elements);
}
void gelu_tanh(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  tanh_kernel<<<blocks_of(s.elements), kBlock, 0, stream>>>(w.between[0], w.between[1], s.elements);
}
void gelu_gate(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  gelu_gate_kernel<<<blocks_of(s.elements), kBlock, 0, stream>>>(w.out, w.a, w.between[0], s.elements);
}
void gelu(const Workspace& w, const Sizes& s, cudaStream_t stream) {
  gelu_kernel<<<blocks_of(s.elements), kBlock, 0, stream>>>(w.out, w.a, s.elements);
}

}  // namespace

std::vector<Case> all_cases(const Sizes& s) {
  const int n = s.elements, m = s.matmul * s.matmul, sums = static_cast<int>(blocks_of(n, kReduceBlock));
  const double all = n, product = 2.0 * m * s.matmul;
  const Launch tiled{"matmul_tiled_kernel", matmul_tiled, product};
  return {
      {"copy", {{"copy_kernel", copy}}, n},
      {"copy_float4", {{"copy_float4_kernel", copy_float4}}, n},
      {"copy_strided", {{"copy_strided_kernel", copy_strided}}, n},
      {"copy_crowded", {{"copy_crowded_kernel", copy_crowded}}, n},
      {"saxpy", {{"saxpy_kernel", saxpy, 2 * all}}, n},
      {"energy_aos", {{"energy_aos_kernel", energy_aos, all / 2}}, n / 8},
      {"energy_soa", {{"energy_soa_kernel", energy_soa, all / 2}}, n / 8},
      {"gather", {{"gather_kernel", gather}}, n},
      {"stencil", {{"stencil_kernel", stencil, 5 * all}}, n},
      {"tiny", {{"tiny_kernel", tiny, 32}}, 32},
      {"fma", {{"fma_kernel", fma, 8.0 * kFmaSteps * all}}, n},
      {"transpose_naive", {{"transpose_naive_kernel", transpose_naive}}, n},
      {"transpose_conflicts", {{"transpose_tiled_kernel<0>", transpose_conflicts}}, n},
      {"transpose_padded", {{"transpose_tiled_kernel<1>", transpose_padded}}, n},
      {"matmul_naive", {{"matmul_naive_kernel", matmul_naive, product}}, m},
      {"matmul_tiled", {tiled}, m},
      {"reduce_shared", {{"reduce_shared_kernel", reduce_shared, all}}, sums},
      {"reduce_shuffle", {{"reduce_shuffle_kernel", reduce_shuffle, 5 * all}}, sums},
      {"histogram_global", {{"histogram_global_kernel", histogram_global}}, 0, kBins},
      {"histogram_shared", {{"histogram_shared_kernel", histogram_shared}}, 0, kBins},
      {"count_positive", {{"count_positive_kernel", count_positive, all}}, 0, 1},
      {"softmax", {{"softmax_kernel", softmax, 33 * all}}, n},
      {"layernorm", {{"layernorm_row_kernel<false>", layernorm, 8 * all}}, n},
      {"gelu_unfused",
       {{"cube_kernel", cube, 2 * all},
        {"gelu_inner_kernel", gelu_inner, 3 * all},
        {"tanh_kernel", gelu_tanh, 20 * all},
        {"gelu_gate_kernel", gelu_gate, 3 * all}},
       n},
      {"gelu_fused", {{"gelu_kernel", gelu, 28 * all}}, n},
      {"add_relu_scale_unfused",
       {{"add_kernel", add, all}, {"relu_kernel", relu, all}, {"scale_kernel", scale, all}},
       n},
      {"add_relu_scale_fused", {{"add_relu_scale_kernel", add_relu_scale, 3 * all}}, n},
      {"layernorm_residual_unfused",
       {{"add_kernel", add, all}, {"layernorm_row_kernel<false>", layernorm_of_sum, 8 * all}},
       n},
      {"layernorm_residual_fused", {{"layernorm_row_kernel<true>", layernorm_residual, 9 * all}}, n},
      {"softmax_unfused",
       {{"row_maximum_kernel", row_maximum, all},
        {"row_exponential_kernel", row_exponential, 12 * all},
        {"row_divide_kernel", row_divide, 10 * all}},
       n},
      {"softmax_fused", {{"softmax_online_kernel", softmax_online, 33 * all}}, n},
      {"squared_error_unfused",
       {{"squared_difference_kernel", squared_difference, 2 * all},
        {"reduce_shared_kernel", reduce_differences, all}},
       sums},
      {"squared_error_fused", {{"squared_error_kernel", squared_error, 3 * all}}, sums},
      {"bias_relu_unfused", {tiled, {"bias_relu_kernel", bias_relu, 2.0 * m}}, m},
      {"bias_relu_fused", {{"matmul_bias_relu_kernel", matmul_bias_relu, product + 2.0 * m}}, m},
  };
}

namespace {

/// Runs the case once and prints its launches and its checksum.
void run_once(const Case& one, const Sizes& sizes, const Workspace& workspace) {
  workspace.clear(sizes);
  for (const Launch& launch : one.launches) {
    launch.enqueue(workspace, sizes, nullptr);
    CHECK(cudaGetLastError());
    std::printf("launch\t%s\t%s\t%.0f\n", one.name.c_str(), launch.kernel.c_str(), launch.flops);
  }
  CHECK(cudaDeviceSynchronize());
  double sum = 0.0;
  std::vector<float> values(static_cast<size_t>(one.floats));
  CHECK(cudaMemcpy(values.data(), workspace.out, values.size() * sizeof(float), cudaMemcpyDeviceToHost));
  for (const float value : values) sum += static_cast<double>(value) * static_cast<double>(value);
  std::vector<unsigned> counts(static_cast<size_t>(one.bins));
  CHECK(cudaMemcpy(counts.data(), workspace.bins, counts.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < counts.size(); ++i) sum += static_cast<double>(i + 1) * counts[i];
  std::printf("check\t%s\t%.9g\n", one.name.c_str(), sum);
}

}  // namespace

int main(int argc, char** argv) {
  Sizes sizes;
  bool timed = false, listed = false;
  int rounds = 15;
  std::vector<std::string> wanted;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    int* number = nullptr;
    if (word == "--elements") number = &sizes.elements;
    if (word == "--columns") number = &sizes.columns;
    if (word == "--matmul") number = &sizes.matmul;
    if (word == "--rounds") number = &rounds;
    if (word == "--time")
      timed = true;
    else if (word == "--list")
      listed = true;
    else if (number != nullptr && i + 1 < argc)
      *number = std::atoi(argv[++i]);
    else if (word[0] != '-')
      wanted.push_back(word);
    else
      return std::fprintf(stderr, "kernels: what is %s?\n", word.c_str()), 2;
  }
  if (sizes.side() * sizes.side() != sizes.elements || sizes.elements < 1 << 16 ||
      sizes.columns < kRowBlock || sizes.columns > kMostPerThread * kRowBlock ||
      sizes.elements % sizes.columns != 0 || sizes.rows() > kSmall || sizes.matmul % kMatmulTile != 0 ||
      sizes.matmul > sizes.side())
    return std::fprintf(stderr, "kernels: these sizes do not fit; see workspace.cuh\n"), 2;

  std::vector<Case> cases = all_cases(sizes);
  if (!wanted.empty())
    std::erase_if(cases, [&](const Case& one) {
      return std::find(wanted.begin(), wanted.end(), one.name) == wanted.end();
    });
  if (listed) {
    for (const Case& one : cases) std::printf("%s\n", one.name.c_str());
    return 0;
  }
  if (timed) {
    time_cases(cases, sizes, rounds);
    return 0;
  }
  const Workspace workspace(sizes);
  workspace.fill(sizes);
  for (const Case& one : cases) run_once(one, sizes, workspace);
  return 0;
}
