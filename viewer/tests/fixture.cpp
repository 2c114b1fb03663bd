#include "fixture.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace workbook::viewer::fixture {
namespace {

using runs::Access;
using runs::Dim3;

constexpr int kB = 4, kS = 4, kH = 8, kO = 16, kRows = kB * kS;
enum Id {
  x,
  gamma_,
  beta,
  weight,
  bias,
  normalized,
  transposed,
  product,
  y,
  tile,
  a_tile,
  b_tile,
  shared_rows
};

// Replays accesses as the simulator would record them.
class Recorder {
 public:
  explicit Recorder(int file) : file_(file) {}
  runs::Trace trace{{"solutions/22_layernorm_linear/kernels.cu", "puzzles/22_layernorm_linear/given.cuh"},
                    {},
                    {},
                    {},
                    {},
                    false,
                    {}};

  void launch(int number, int file) {
    launch_ = number;
    file_ = file;
  }
  void at(int block, int thread, int step = 0) {
    block_ = block;
    thread_ = thread;
    step_ = step;
  }
  void touch(Access access, Id tensor, int element, int line) {
    runs::TraceEvent event;
    event.launch = static_cast<std::uint16_t>(launch_);
    event.tensor = static_cast<std::uint16_t>(tensor);
    event.block = static_cast<std::uint32_t>(block_);
    event.thread = static_cast<std::uint16_t>(thread_);
    event.step = static_cast<std::uint16_t>(step_);
    event.line = static_cast<std::uint16_t>(line);
    event.file = static_cast<std::uint8_t>(file_);
    event.access = access;
    event.element = static_cast<std::uint32_t>(element);
    trace.events.push_back(event);
  }
  void read(Id tensor, int element, int line) { touch(Access::read, tensor, element, line); }
  void write(Id tensor, int element, int line) { touch(Access::write, tensor, element, line); }

 private:
  int launch_ = 0, file_ = 0, block_ = 0, thread_ = 0, step_ = 0;
};

// Blocks of a grid (B,S) are numbered x first, while a position is b * S + s.
int position_of(int block) { return block % kB * kS + block / kB; }

void layernorm(Recorder& r) {
  for (int block = 0; block < kRows; ++block)
    for (int h = 0; h < kH; ++h) {
      r.at(block, h);
      const int row = position_of(block) * kH;
      for (int k = 0; k < kH; ++k) {
        r.read(x, row + k, 24);
        r.read(x, row + k, 25);
        r.read(x, row + k, 25);
      }
      r.read(x, row + h, 31);
      r.read(gamma_, h, 31);
      r.read(beta, h, 31);
      r.write(normalized, row + h, 31);
    }
}

void transpose(Recorder& r) {
  for (int step = 0; step < 2; ++step)
    for (int j = 0; j < 32; ++j)
      for (int lane = 0; lane < 32; ++lane) {
        r.at(0, j % 8 * 32 + lane, step);
        if (step == 0 && j < kO && lane < kH) {
          r.read(weight, j * kH + lane, 22);
          r.write(tile, j * 33 + lane, 22);
        } else if (step == 1 && j < kH && lane < kO) {
          r.read(tile, lane * 33 + j, 26);
          r.write(transposed, j * kO + lane, 26);
        }
      }
}

void matmul(Recorder& r) {
  for (int step = 0; step < 3; ++step)
    for (int ty = 0; ty < 16; ++ty)
      for (int tx = 0; tx < 16; ++tx) {
        r.at(0, ty * 16 + tx, step);
        if (step == 0) {
          if (tx < kH) r.read(normalized, ty * kH + tx, 43);
          r.write(a_tile, ty * 16 + tx, 43);
          if (ty < kH) r.read(transposed, ty * kO + tx, 44);
          r.write(b_tile, ty * 16 + tx, 44);
        } else if (step == 1) {
          for (int k = 0; k < 16; ++k) {
            r.read(a_tile, ty * 16 + k, 46);
            r.read(b_tile, k * 16 + tx, 46);
          }
        } else {
          r.write(product, ty * kO + tx, 49);
        }
      }
}

void add_bias(Recorder& r) {
  for (int block = 0; block < kRows; ++block)
    for (int o = 0; o < kO; ++o) {
      r.at(block, o);
      r.read(product, block * kO + o, 60);
      r.read(bias, o, 60);
      r.write(y, block * kO + o, 60);
    }
}

void minimal_fused(Recorder& r) {
  for (int block = 0; block < kRows; ++block) {
    r.at(block, 0);
    const int position = position_of(block);
    for (int h = 0; h < kH; ++h) {
      r.read(x, position * kH + h, 47);
      r.read(x, position * kH + h, 48);
      r.read(x, position * kH + h, 48);
    }
    for (int o = 0; o < kO; ++o) {
      r.read(bias, o, 57);
      for (int h = 0; h < kH; ++h) {
        r.read(x, position * kH + h, 60);
        r.read(gamma_, h, 60);
        r.read(beta, h, 60);
        r.read(weight, o * kH + h, 61);
      }
      r.write(y, position * kO + o, 63);
    }
  }
}

void block_fused(Recorder& r) {
  for (int block = 0; block < kRows / 8; ++block)
    for (int thread = 0; thread < 256; ++thread) {
      const int warp = thread / 32, lane = thread % 32, position = block * 8 + warp;
      r.at(block, thread);
      if (lane < kH) {
        r.read(x, position * kH + lane, 101);
        r.write(shared_rows, warp * kH + lane, 101);
        for (const int line : {102, 107, 109}) r.read(shared_rows, warp * kH + lane, line);
        r.read(gamma_, lane, 109);
        r.read(beta, lane, 109);
        r.write(shared_rows, warp * kH + lane, 109);
      }
      r.at(block, thread, 1);
      if (warp * 4 >= kO) continue;
      for (int j = 0; j < 4 && lane < kH; ++j) r.read(weight, (warp * 4 + j) * kH + lane, 118);
      for (int row = 0; row < 8 && lane < kH; ++row) r.read(shared_rows, row * kH + lane, 120);
      r.read(bias, warp * 4 + lane % 4, 131);
      r.write(y, (block * 8 + lane / 4) * kO + warp * 4 + lane % 4, 131);
    }
}

runs::TensorInfo tensor(Id id, const char* name, runs::TensorRole role, std::vector<std::int64_t> shape) {
  runs::TensorInfo info;
  info.id = id;
  info.name = name;
  info.role = role;
  info.space = role == runs::TensorRole::shared ? runs::TensorSpace::shared : runs::TensorSpace::global;
  info.bytes = 4;
  for (const std::int64_t extent : shape) info.bytes *= extent;
  info.shape = std::move(shape);
  return info;
}

std::vector<runs::TensorInfo> tensors(std::int64_t b, std::int64_t s, std::int64_t h, std::int64_t o,
                                      const std::string& variant) {
  std::vector<runs::TensorInfo> list = {tensor(x, "x", runs::TensorRole::input, {b, s, h}),
                                        tensor(gamma_, "gamma", runs::TensorRole::input, {h}),
                                        tensor(beta, "beta", runs::TensorRole::input, {h}),
                                        tensor(weight, "weight", runs::TensorRole::input, {o, h}),
                                        tensor(bias, "bias", runs::TensorRole::input, {o})};
  if (variant == "unfused")
    for (auto& each : {tensor(normalized, "normalized", runs::TensorRole::intermediate, {b, s, h}),
                       tensor(transposed, "weight_transposed", runs::TensorRole::intermediate, {h, o}),
                       tensor(product, "product", runs::TensorRole::intermediate, {b, s, o})})
      list.push_back(each);
  list.push_back(tensor(y, "y", runs::TensorRole::output, {b, s, o}));
  if (variant == "unfused")
    for (auto& each : {tensor(tile, "tile", runs::TensorRole::shared, {32, 33}),
                       tensor(a_tile, "a_tile", runs::TensorRole::shared, {16, 16}),
                       tensor(b_tile, "b_tile", runs::TensorRole::shared, {16, 16})})
      list.push_back(each);
  if (variant == "fused-block")
    list.push_back(tensor(shared_rows, "shared_rows", runs::TensorRole::shared, {8 * h}));
  return list;
}

struct Plan {
  const char* kernel;
  Dim3 grid, block;
  double us;  // modelled, launch included
  std::vector<Id> reads;
  Id writes;
  double flops;
};

runs::LaunchRecord launch(const Plan& plan, const std::vector<runs::TensorInfo>& infos, double launch_us,
                          Times times, int seed) {
  runs::LaunchRecord record;
  record.kernel = plan.kernel;
  record.grid = plan.grid;
  record.block = plan.block;
  runs::LaunchCounters counters;
  counters.flops = plan.flops;
  for (const runs::TensorInfo& info : infos) {
    const bool reads = std::count(plan.reads.begin(), plan.reads.end(), info.id) > 0,
               writes = plan.writes == info.id;
    if (!reads && !writes) continue;
    const std::int64_t sectors = (info.bytes + 31) / 32 * 32;
    counters.traffic.push_back({info.id, reads ? sectors : 0, writes ? sectors : 0});
    counters.dram_bytes_read += reads ? sectors : 0;
    counters.dram_bytes_written += writes ? sectors : 0;
  }
  record.counters = counters;
  if (times == Times::modelled) {
    runs::ModelledTime time;
    time.gpu = "H200";
    time.launch_us = launch_us;
    time.total_us = plan.us;
    time.bound = plan.us < 2 * launch_us ? runs::BoundBy::launch : runs::BoundBy::dram;
    record.modelled = time;
  } else {
    for (int i = 0; i < 25; ++i)
      record.warm_us.push_back(plan.us * (1.0 + 0.04 * std::sin(seed + 1.7 * i) + (i % 9 == 0 ? 0.12 : 0.0)));
  }
  return record;
}

runs::Benchmark benchmark(const std::string& name, runs::Sizes sizes, const std::string& variant,
                          const std::vector<Plan>& plans, Times times) {
  runs::Benchmark result;
  result.name = name;
  result.sizes = std::move(sizes);
  result.tensors = tensors(result.sizes[0].second, result.sizes[1].second, result.sizes[2].second,
                           result.sizes[3].second, variant);
  double total = 0;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    result.launches.push_back(launch(plans[i], result.tensors, 0.87, times, static_cast<int>(i)));
    total += plans[i].us;
  }
  if (times == Times::modelled)
    result.modelled_total_us = total;
  else
    for (int i = 0; i < 25; ++i) result.graph_warm_us.push_back(total * (1.06 + 0.03 * std::sin(2.1 * i)));
  return result;
}

runs::StoredRun stored(const std::string& variant, int id, Times times, const std::vector<Plan>& teaching,
                       const std::vector<Plan>& real, runs::Trace trace) {
  runs::StoredRun run;
  run.record.id = id;
  run.record.started_at = "2026-01-05T09:3" + std::to_string(id % 10) + ":00Z";
  run.record.puzzle = 22;
  run.record.puzzle_name = "22_layernorm_linear";
  run.record.puzzle_title = "LayerNorm + Linear";
  run.record.variant = variant;
  run.record.origin = "solution";
  run.record.backend = times == Times::modelled ? runs::Backend::sim : runs::Backend::cuda;
  run.record.device = times == Times::modelled ? "H200 (modelled)" : "NVIDIA H200";
  run.record.verdict = runs::Verdict::correct;
  run.record.benchmarks.push_back(
      benchmark("teaching", {{"B", kB}, {"S", kS}, {"H", kH}, {"O", kO}}, variant, teaching, times));
  run.record.benchmarks.push_back(
      benchmark("real", {{"B", 8}, {"S", 512}, {"H", 768}, {"O", 3072}}, variant, real, times));
  if (times == Times::modelled) run.trace = std::move(trace);
  return run;
}

}  // namespace

runs::StoredRun unfused(Times times) {
  Recorder recorder(0);
  int number = 0;
  for (const auto kernel : {layernorm, transpose, matmul, add_bias}) {
    recorder.launch(number, number == 0 ? 0 : 1);
    kernel(recorder);
    ++number;
  }
  const std::vector<Id> norm{x, gamma_, beta};
  return stored(
      "unfused", 1, times,
      {{"layernorm_kernel", {4, 4, 1}, {8, 1, 1}, 2.41, norm, normalized, 640},
       {"transpose_kernel", {1, 1, 1}, {32, 8, 1}, 2.05, {weight}, transposed, 0},
       {"matmul_tiled_kernel", {1, 1, 1}, {16, 16, 1}, 2.92, {normalized, transposed}, product, 4096},
       {"add_bias_kernel", {16, 1, 1}, {16, 1, 1}, 1.98, {product, bias}, y, 256}},
      {{"layernorm_kernel", {8, 512, 1}, {768, 1, 1}, 341.0, norm, normalized, 3e7},
       {"transpose_kernel", {24, 96, 1}, {32, 8, 1}, 7.2, {weight}, transposed, 0},
       {"matmul_tiled_kernel",
        {192, 256, 1},
        {16, 16, 1},
        2154.0,
        {normalized, transposed},
        product,
        1.93e10},
       {"add_bias_kernel", {4096, 12, 1}, {256, 1, 1}, 29.0, {product, bias}, y, 1.3e7}},
      recorder.trace);
}

runs::StoredRun fused(Times times) {
  Recorder recorder(0);
  minimal_fused(recorder);
  const std::vector<Id> all_inputs{x, gamma_, beta, weight, bias};
  return stored(
      "fused", 2, times, {{"minimal_fused_kernel", {4, 4, 1}, {1, 1, 1}, 5.1, all_inputs, y, 17000}},
      {{"minimal_fused_kernel", {8, 512, 1}, {1, 1, 1}, 48100.0, all_inputs, y, 6.8e10}}, recorder.trace);
}

runs::StoredRun fused_block(Times times) {
  Recorder recorder(0);
  block_fused(recorder);
  const std::vector<Id> all_inputs{x, gamma_, beta, weight, bias};
  return stored(
      "fused-block", 3, times, {{"fused_block_kernel", {2, 1, 1}, {256, 1, 1}, 2.7, all_inputs, y, 5000}},
      {{"fused_block_kernel", {512, 1, 1}, {256, 1, 1}, 1262.0, all_inputs, y, 1.94e10}}, recorder.trace);
}

std::vector<runs::StoredRun> all() { return {unfused(), fused(), fused_block()}; }

}  // namespace workbook::viewer::fixture
