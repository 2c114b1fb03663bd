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
};

const std::vector<GpuSpec>& known_gpus();
/// Null when no GPU has that key; case and spaces do not matter.
const GpuSpec* find_gpu(std::string_view key);

}  // namespace workbook::sim
