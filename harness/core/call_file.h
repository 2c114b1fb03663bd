// What a call of a variant is given, as a file: harness/python writes it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace workbook::core {

/// As JSON: {"sizes": {"N": 8}, "tensors": {"x": {"file": 5, "given": true}, ...}}.
struct CallFile {
  struct Array {
    int file = -1;       ///< a descriptor that the program was started with; negative: none
    bool given = false;  ///< whether it holds what the caller filled
  };
  std::map<std::string, std::int64_t, std::less<>> sizes;
  std::map<std::string, Array, std::less<>> tensors;
};

/// Throws std::runtime_error where it cannot be read, or lacks a part.
CallFile read_call_file(const std::string& path);

}  // namespace workbook::core
