#include "gpus.h"

#include <cctype>

namespace workbook::sim {

// Residency limits: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
const std::vector<GpuSpec>& known_gpus() {
  static const std::vector<GpuSpec> gpus = {
      {"t4", "T4", 40, 1.59, 320, 4.2, 8.1, 1024, 16, 64, "NVIDIA T4 datasheet; Turing whitepaper"},
      {"rtx4090", "RTX 4090", 128, 2.52, 1008, 75.5, 82.6, 1536, 24, 100,
       "NVIDIA Ada whitepaper, appendix A"},
      {"a100", "A100", 108, 1.41, 2039, 41.9, 19.5, 2048, 32, 164,
       "NVIDIA A100 80GB SXM datasheet; GA100 whitepaper"},
      {"h100", "H100", 132, 1.98, 3350, 52.4, 66.9, 2048, 32, 228,
       "NVIDIA H100 SXM datasheet; GH100 whitepaper"},
      {"h200", "H200", 132, 1.98, 4800, 62.9, 66.9, 2048, 32, 228,
       "NVIDIA H200 SXM datasheet; GH100 whitepaper"},
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

}  // namespace workbook::sim
