// The GPUs the modelled clock knows. To add one: a row in gpus.cpp with its sources, nothing else.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace workbook::sim {

struct GpuSpec {
  std::string_view key;   ///< what --gpu takes: "h200"
  std::string_view name;  ///< "H200"
  int sms;                ///< streaming multiprocessors
  double clock_ghz;       ///< boost clock
  double dram_gbps;       ///< 10^9 bytes a second, datasheet
  double l2_mb;           ///< 10^6 bytes
  double fp32_tflops;     ///< datasheet, fused multiply-add counted as two
  int threads_per_sm;     ///< resident, by compute capability
  int blocks_per_sm;
  int shared_kb_per_sm;     ///< usable by blocks
  std::string_view source;  ///< where the figures come from

  int major, minor;         ///< compute capability
  int shared_kb_per_block;  ///< the most that cudaFuncSetAttribute can allow
  double memory_gb;         ///< 10^9 bytes
  int memory_bus_bits;
  double memory_clock_ghz;  ///< two bits a wire and clock
  double link_gbps;         ///< PCIe x16 to the host, one direction: 15.8, 31.5, 63.0 for generations 3, 4, 5
  double fp64_tflops;       ///< datasheet; with tensor cores where they have it
  double tf32_tflops;       ///< tensor cores, dense; fp32_tflops where they have none
  double fp16_tflops;       ///< tensor cores, dense, fp32 accumulation; bfloat16 alike
};

inline constexpr int kRegistersPerSm = 65536;  ///< on every compute capability of the table

const std::vector<GpuSpec>& known_gpus();
/// Null when no GPU has that key; case and spaces do not matter.
const GpuSpec* find_gpu(std::string_view key);

/// The GPU that the host API describes and times: the one chosen last, else that of the environment variable
/// WORKBOOK_SIM_GPU (an unknown name ends the program with the list of names), else the H200.
const GpuSpec& current_gpu();
void choose_gpu(const GpuSpec& gpu);

}  // namespace workbook::sim
