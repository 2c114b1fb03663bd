// For comparing backends (harness/gpu/check.sh): with WORKBOOK_DUMP=DIR in the environment, the arrays of every
// checked execution are written to DIR/<backend>/<variant>/<case>.<tensor>.f32 as they lie in memory.
#pragma once

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "core/backend.h"

namespace workbook::core {

/// Does nothing where WORKBOOK_DUMP is not set. Throws std::runtime_error when a file cannot be written.
inline void dump_if_asked(const std::string& backend, const std::string& variant, const Workload& workload,
                          const Execution& execution) {
  const char* root = std::getenv("WORKBOOK_DUMP");
  if (root == nullptr || *root == '\0') return;
  std::string name = workload.name;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  const std::filesystem::path folder = std::filesystem::path(root) / backend / variant;
  std::filesystem::create_directories(folder);
  for (const auto& info : workload.tensors) {
    const auto& values = execution.values[static_cast<std::size_t>(info.id)];
    if (values.empty()) continue;
    const auto path = folder / (name + "." + info.name + ".f32");
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(values.size() * sizeof(values[0])));
    if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
  }
}

}  // namespace workbook::core
