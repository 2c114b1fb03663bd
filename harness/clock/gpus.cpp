#include "gpus.h"

#include <cctype>
#include <cstdio>
#include <cstdlib>

namespace workbook::sim {

// Residency limits: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
const std::vector<GpuSpec>& known_gpus() {
  static const std::vector<GpuSpec> gpus = {
      {.key = "t4",
       .name = "T4",
       .sms = 40,
       .clock_ghz = 1.59,
       .dram_gbps = 320,
       .l2_mb = 4.2,
       .fp32_tflops = 8.1,
       .threads_per_sm = 1024,
       .blocks_per_sm = 16,
       .shared_kb_per_sm = 64,
       .source = "NVIDIA T4 datasheet; Turing whitepaper",
       .major = 7,
       .minor = 5,
       .shared_kb_per_block = 64,
       .memory_gb = 16,
       .memory_bus_bits = 256,
       .memory_clock_ghz = 5.0,
       .link_gbps = 15.8,
       .fp64_tflops = 0.25,
       .tf32_tflops = 8.1,
       .fp16_tflops = 65},
      {.key = "rtx4090",
       .name = "RTX 4090",
       .sms = 128,
       .clock_ghz = 2.52,
       .dram_gbps = 1008,
       .l2_mb = 75.5,
       .fp32_tflops = 82.6,
       .threads_per_sm = 1536,
       .blocks_per_sm = 24,
       .shared_kb_per_sm = 100,
       .source = "NVIDIA Ada whitepaper, appendix A",
       .major = 8,
       .minor = 9,
       .shared_kb_per_block = 99,
       .memory_gb = 24,
       .memory_bus_bits = 384,
       .memory_clock_ghz = 10.5,
       .link_gbps = 31.5,
       .fp64_tflops = 1.3,
       .tf32_tflops = 82.6,
       .fp16_tflops = 165.2},
      {.key = "a100",
       .name = "A100",
       .sms = 108,
       .clock_ghz = 1.41,
       .dram_gbps = 2039,
       .l2_mb = 41.9,
       .fp32_tflops = 19.5,
       .threads_per_sm = 2048,
       .blocks_per_sm = 32,
       .shared_kb_per_sm = 164,
       .source = "NVIDIA A100 80GB SXM datasheet; GA100 whitepaper",
       .major = 8,
       .minor = 0,
       .shared_kb_per_block = 163,
       .memory_gb = 80,
       .memory_bus_bits = 5120,
       .memory_clock_ghz = 1.593,
       .link_gbps = 31.5,
       .fp64_tflops = 19.5,
       .tf32_tflops = 156,
       .fp16_tflops = 312},
      {.key = "h100",
       .name = "H100",
       .sms = 132,
       .clock_ghz = 1.98,
       .dram_gbps = 3350,
       .l2_mb = 52.4,
       .fp32_tflops = 66.9,
       .threads_per_sm = 2048,
       .blocks_per_sm = 32,
       .shared_kb_per_sm = 228,
       .source = "NVIDIA H100 SXM datasheet; GH100 whitepaper",
       .major = 9,
       .minor = 0,
       .shared_kb_per_block = 227,
       .memory_gb = 80,
       .memory_bus_bits = 5120,
       .memory_clock_ghz = 2.619,
       .link_gbps = 63.0,
       .fp64_tflops = 67,
       .tf32_tflops = 494.5,
       .fp16_tflops = 989.4},
      {.key = "h200",
       .name = "H200",
       .sms = 132,
       .clock_ghz = 1.98,
       .dram_gbps = 4800,
       .l2_mb = 62.9,
       .fp32_tflops = 66.9,
       .threads_per_sm = 2048,
       .blocks_per_sm = 32,
       .shared_kb_per_sm = 228,
       .source = "NVIDIA H200 SXM datasheet; GH100 whitepaper",
       .major = 9,
       .minor = 0,
       .shared_kb_per_block = 227,
       .memory_gb = 141,
       .memory_bus_bits = 6144,
       .memory_clock_ghz = 3.201,
       .link_gbps = 63.0,
       .fp64_tflops = 67,
       .tf32_tflops = 494.5,
       .fp16_tflops = 989.4},
  };
  return gpus;
}

const GpuSpec* find_gpu(std::string_view key) {
  std::string plain;
  for (const char c : key)
    if (std::isalnum(static_cast<unsigned char>(c)))
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const auto& gpu : known_gpus())
    if (gpu.key == plain) return &gpu;
  return nullptr;
}

namespace {

const GpuSpec& gpu_of_environment() {
  const char* name = std::getenv("WORKBOOK_SIM_GPU");
  if (name == nullptr || *name == '\0') return *find_gpu("h200");
  if (const GpuSpec* gpu = find_gpu(name); gpu != nullptr) return *gpu;
  std::fprintf(stderr, "WORKBOOK_SIM_GPU names no GPU of the simulator: '%s'. There are:", name);
  for (const auto& gpu : known_gpus()) std::fprintf(stderr, " %s", std::string(gpu.key).c_str());
  std::fputc('\n', stderr);
  std::exit(2);
}

const GpuSpec* chosen = nullptr;

}  // namespace

const GpuSpec& current_gpu() {
  if (chosen == nullptr) chosen = &gpu_of_environment();
  return *chosen;
}

void choose_gpu(const GpuSpec& gpu) { chosen = &gpu; }

}  // namespace workbook::sim
