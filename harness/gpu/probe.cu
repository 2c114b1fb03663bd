// Measures what the modelled clock (harness/clock/model.h) is calibrated with, and prints it as one JSON
// object:
//   workbook-gpu-probe > probe.json
// Every figure is a median; names carry their units. Run by check.sh.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "gpu/cuda_check.h"
#include "gpu/device.h"
#include "gpu/flush.h"
#include "gpu/handles.h"

namespace {

using namespace workbook::gpu;

constexpr int kSamples = 15;
constexpr int kChain = 4096;   // dependent operations a latency is averaged over
constexpr int kFmaChains = 8;  // independent accumulators a thread: hides the 4-cycle latency of an FMA
constexpr std::size_t kMiB = std::size_t{1} << 20;

__global__ void empty() {}

__global__ void copy_float4(const float4* from, float4* to, std::size_t count) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count;
       i += gridDim.x * blockDim.x)
    to[i] = from[i];
}

/// Reads `count` elements `passes` times; what fits in the L2 (and not in the L1s, by .cg loads) shows its
/// bandwidth.
__global__ void read_float4(const float4* from, std::size_t count, int passes, float* sink) {
  float sum = 0.0f;
  for (int pass = 0; pass < passes; ++pass)
    for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count;
         i += gridDim.x * blockDim.x) {
      const float4 value = __ldcg(from + i);
      sum += value.x + value.y + value.z + value.w;
    }
  if (sum != 0.0f) *sink = sum;
}

__global__ void fma_rate(float* sink, int steps, float a) {
  float accumulator[kFmaChains];
  for (int k = 0; k < kFmaChains; ++k) accumulator[k] = static_cast<float>(k + threadIdx.x);
  for (int step = 0; step < steps; ++step)
#pragma unroll
    for (int k = 0; k < kFmaChains; ++k) accumulator[k] = fmaf(accumulator[k], a, 1.0f);
  float sum = 0.0f;
  for (int k = 0; k < kFmaChains; ++k) sum += accumulator[k];
  if (sum == 0.12345f) *sink = sum;
}

/// Cycles of dependent loads: each element holds the index of the next. `ahead` loads before the timed ones
/// bring the ring into the caches that it fits in.
__global__ void chase(const unsigned* next, int ahead, long long* cycles, unsigned* sink) {
  unsigned at = 0;
  for (int i = 0; i < ahead; ++i) at = next[at];
  const long long begin = clock64();
  for (int i = 0; i < kChain; ++i) at = next[at];
  *cycles = clock64() - begin;
  *sink = at;
}

__global__ void chase_shared(long long* cycles, unsigned* sink) {
  __shared__ unsigned next[32];
  next[threadIdx.x] = (threadIdx.x + 1) % 32;
  __syncthreads();
  unsigned at = threadIdx.x;
  const long long begin = clock64();
  for (int i = 0; i < kChain; ++i) at = next[at];
  if (threadIdx.x == 0) *cycles = clock64() - begin;
  sink[threadIdx.x] = at;
}

__global__ void chain_fma(long long* cycles, float* sink, float a) {
  float value = a;
  const long long begin = clock64();
#pragma unroll 16
  for (int i = 0; i < kChain; ++i) value = fmaf(value, a, a);
  *cycles = clock64() - begin;
  *sink = value;
}

__global__ void chain_barrier(long long* cycles) {
  const long long begin = clock64();
#pragma unroll 16
  for (int i = 0; i < kChain; ++i) __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - begin;
}

__global__ void chain_shuffle(long long* cycles, float* sink) {
  float value = static_cast<float>(threadIdx.x);
  const long long begin = clock64();
#pragma unroll 16
  for (int i = 0; i < kChain; ++i) value = __shfl_xor_sync(0xffffffffu, value, 1);
  if (threadIdx.x == 0) *cycles = clock64() - begin;
  sink[threadIdx.x] = value;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

class Bench {
 public:
  Bench() : stream_(make_stream()), start_(make_event()), stop_(make_event()) {}

  cudaStream_t stream() const { return stream_.get(); }

  /// Median microseconds of what `enqueue` puts on the stream.
  double time_us(const std::function<void()>& enqueue) const {
    std::vector<double> samples;
    for (int sample = -2; sample < kSamples; ++sample) {
      WORKBOOK_CUDA(cudaEventRecord(start_.get(), stream()));
      enqueue();
      WORKBOOK_CUDA(cudaEventRecord(stop_.get(), stream()));
      WORKBOOK_CUDA(cudaGetLastError());
      WORKBOOK_CUDA(cudaEventSynchronize(stop_.get()));
      float elapsed_ms = 0.0f;
      WORKBOOK_CUDA(cudaEventElapsedTime(&elapsed_ms, start_.get(), stop_.get()));
      if (sample >= 0) samples.push_back(1000.0 * static_cast<double>(elapsed_ms));
    }
    return median(samples);
  }

  /// Median microseconds of one of `calls` calls captured in a graph.
  double graph_us(int calls, const std::function<void()>& enqueue) const {
    cudaGraph_t graph = nullptr;
    WORKBOOK_CUDA(cudaStreamBeginCapture(stream(), cudaStreamCaptureModeThreadLocal));
    for (int call = 0; call < calls; ++call) enqueue();
    WORKBOOK_CUDA(cudaStreamEndCapture(stream(), &graph));
    const Graph owner(graph);
    cudaGraphExec_t exec = nullptr;
    WORKBOOK_CUDA(cudaGraphInstantiate(&exec, graph, 0));
    const GraphExec exec_owner(exec);
    return time_us([&] { WORKBOOK_CUDA(cudaGraphLaunch(exec, stream())); }) / calls;
  }

 private:
  Stream stream_;
  Event start_, stop_;
};

class Json {
 public:
  Json() { std::printf("{"); }
  void text(const char* name, const std::string& value) { begin(name), std::printf("\"%s\"", value.c_str()); }
  void number(const char* name, double value) { begin(name), std::printf("%.6g", value); }
  void end() { std::printf("\n}\n"); }

 private:
  void begin(const char* name) {
    std::printf("%s\n  \"%s\": ", first_ ? "" : ",", name);
    first_ = false;
  }
  bool first_ = true;
};

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  WORKBOOK_CUDA(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

void facts(Json& out, const Device& device) {
  cudaDeviceProp properties{};
  WORKBOOK_CUDA(cudaGetDeviceProperties(&properties, device.ordinal));
  int driver = 0;
  WORKBOOK_CUDA(cudaDriverGetVersion(&driver));
  out.text("device", device.name);
  out.number("capability", device.capability);
  out.number("driver_cuda", driver);
  out.number("sms", properties.multiProcessorCount);
  out.number("sm_clock_mhz", attribute(cudaDevAttrClockRate, device.ordinal) / 1000.0);
  out.number("memory_clock_mhz", attribute(cudaDevAttrMemoryClockRate, device.ordinal) / 1000.0);
  out.number("memory_bus_bits", properties.memoryBusWidth);
  out.number("memory_bytes", static_cast<double>(properties.totalGlobalMem));
  out.number("l2_bytes", properties.l2CacheSize);
  out.number("shared_bytes_sm", static_cast<double>(properties.sharedMemPerMultiprocessor));
  out.number("shared_bytes_block_optin", static_cast<double>(properties.sharedMemPerBlockOptin));
  out.number("registers_sm", properties.regsPerMultiprocessor);
  out.number("threads_sm", properties.maxThreadsPerMultiProcessor);
  out.number("blocks_sm", properties.maxBlocksPerMultiProcessor);
}

void bandwidths(Json& out, const Bench& bench, int sms) {
  const std::size_t bytes = 1024 * kMiB;
  const DeviceMemory from = make_memory(bytes), to = make_memory(bytes);
  WORKBOOK_CUDA(cudaMemset(from.get(), 0, bytes));
  WORKBOOK_CUDA(cudaMemset(to.get(), 0, bytes));
  WORKBOOK_CUDA(cudaDeviceSynchronize());
  const auto* source = static_cast<const float4*>(from.get());
  auto* target = static_cast<float4*>(to.get());
  auto* sink = static_cast<float*>(to.get());
  const int blocks = sms * 8;

  const auto gb_s = [](double moved_bytes, double us) { return moved_bytes / us / 1000.0; };
  const double both = 2.0 * static_cast<double>(bytes);
  out.number(
      "copy_memcpy_gb_s", gb_s(both, bench.time_us([&] {
        WORKBOOK_CUDA(cudaMemcpyAsync(to.get(), from.get(), bytes, cudaMemcpyDeviceToDevice, bench.stream()));
      })));
  out.number("copy_kernel_gb_s", gb_s(both, bench.time_us([&] {
               copy_float4<<<blocks, 256, 0, bench.stream()>>>(source, target, bytes / sizeof(float4));
             })));
  out.number("read_dram_gb_s", gb_s(both / 2, bench.time_us([&] {
               read_float4<<<blocks, 256, 0, bench.stream()>>>(source, bytes / sizeof(float4), 1, sink);
             })));
  for (const std::size_t mib : {4, 16, 24, 32}) {
    constexpr int kPasses = 50;
    const double us = bench.time_us([&] {
      read_float4<<<blocks, 256, 0, bench.stream()>>>(source, mib * kMiB / sizeof(float4), kPasses, sink);
    });
    const std::string name = "read_l2_" + std::to_string(mib) + "mib_gb_s";
    out.number(name.c_str(), gb_s(static_cast<double>(mib * kMiB) * kPasses, us));
  }
  constexpr int kSteps = 4096;
  const int fma_blocks = sms * 8;
  const double flops = 2.0 * kFmaChains * kSteps * 256.0 * fma_blocks;
  out.number("fp32_tflop_s", flops / 1e6 / bench.time_us([&] {
    fma_rate<<<fma_blocks, 256, 0, bench.stream()>>>(sink, kSteps, 0.999f);
  }));
}

void launches(Json& out, const Bench& bench) {
  out.number("graph_of_one_empty_us", bench.graph_us(1, [&] { empty<<<1, 32, 0, bench.stream()>>>(); }));
  out.number("host_launched_empty_us", bench.time_us([&] {
    for (int i = 0; i < 200; ++i) empty<<<1, 32, 0, bench.stream()>>>();
  }) / 200);
  // How time grows with the grid: the rate at which blocks start and retire.
  for (const int threads : {1, 32, 256, 1024})
    for (const int blocks : {1, 132, 1056, 4096, 32768}) {
      const std::string name =
          "graph_empty_" + std::to_string(blocks) + "x" + std::to_string(threads) + "_us";
      out.number(name.c_str(), bench.graph_us(50, [&] { empty<<<blocks, threads, 0, bench.stream()>>>(); }));
    }
}

/// A ring through `bytes` of memory in steps of `stride` bytes.
void upload_ring(void* memory, std::size_t bytes, std::size_t stride) {
  const std::size_t step = stride / sizeof(unsigned), count = bytes / sizeof(unsigned);
  std::vector<unsigned> next(count, 0);
  for (std::size_t i = 0; i < count; i += step) next[i] = static_cast<unsigned>((i + step) % count);
  WORKBOOK_CUDA(cudaMemcpy(memory, next.data(), bytes, cudaMemcpyHostToDevice));
}

void latencies(Json& out, const Bench& bench) {
  const CacheFlush flush;
  const DeviceMemory memory = make_memory(64 * kMiB), result = make_memory(4096);
  auto* cycles = static_cast<long long*>(result.get());
  auto* sink = static_cast<char*>(result.get()) + 256;
  const auto cycles_each = [&](const std::function<void()>& enqueue) {
    bench.time_us(enqueue);
    long long total = 0;
    WORKBOOK_CUDA(cudaMemcpy(&total, cycles, sizeof(total), cudaMemcpyDeviceToHost));
    return static_cast<double>(total) / kChain;
  };
  const auto ring = [&](const char* name, std::size_t bytes, std::size_t stride, bool cached) {
    upload_ring(memory.get(), bytes, stride);
    out.number(name, cycles_each([&] {
                 if (!cached) flush.enqueue(bench.stream());
                 chase<<<1, 1, 0, bench.stream()>>>(static_cast<const unsigned*>(memory.get()),
                                                    cached ? kChain : 0, cycles,
                                                    reinterpret_cast<unsigned*>(sink));
               }));
  };
  ring("latency_l1_cycles", kMiB / 128, 32, true);
  ring("latency_l2_cycles", 2 * kMiB, 512, true);  // 4096 lines: more than an L1 has
  ring("latency_dram_cycles", 64 * kMiB, 16384, false);
  out.number("latency_shared_cycles", cycles_each([&] {
               chase_shared<<<1, 32, 0, bench.stream()>>>(cycles, reinterpret_cast<unsigned*>(sink));
             }));
  out.number("latency_fma_cycles", cycles_each([&] {
               chain_fma<<<1, 1, 0, bench.stream()>>>(cycles, reinterpret_cast<float*>(sink), 0.5f);
             }));
  out.number("latency_shuffle_cycles", cycles_each([&] {
               chain_shuffle<<<1, 32, 0, bench.stream()>>>(cycles, reinterpret_cast<float*>(sink));
             }));
  for (const int threads : {32, 256, 1024}) {
    const std::string name = "barrier_" + std::to_string(threads) + "_cycles";
    out.number(name.c_str(), cycles_each([&] { chain_barrier<<<1, threads, 0, bench.stream()>>>(cycles); }));
  }
}

}  // namespace

int main() {
  try {
    const Device device = choose_device();
    const Bench bench;
    Json out;
    facts(out, device);
    launches(out, bench);
    bandwidths(out, bench, attribute(cudaDevAttrMultiProcessorCount, device.ordinal));
    latencies(out, bench);
    out.end();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "workbook-gpu-probe: %s\n", error.what());
    return 1;
  }
}
