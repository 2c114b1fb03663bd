// The sizes of one case by name, such as {{"B", 4}, {"H", 8}}: what a declaration, a reference and a launch
// share.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace workbook {

class Dims {
 public:
  Dims() = default;
  Dims(std::initializer_list<std::pair<std::string_view, std::int64_t>> sizes) {
    for (const auto& [name, size] : sizes) sizes_.emplace_back(std::string(name), size);
  }

  /// The size called `name`; throws std::out_of_range naming it when there is none. The curriculum's
  /// sizes fit an int, which is what kernels take.
  int operator[](std::string_view name) const {
    if (const std::int64_t* size = find(name)) return static_cast<int>(*size);
    throw std::out_of_range("no dimension is called '" + std::string(name) + "'");
  }

  void add(std::string_view name, std::int64_t size) { sizes_.emplace_back(std::string(name), size); }

  /// Replaces the size called `name`; throws std::out_of_range when there is none (`--size H=64`).
  void set(std::string_view name, std::int64_t value) {
    for (auto& [key, size] : sizes_)
      if (key == name) {
        size = value;
        return;
      }
    throw std::out_of_range("no dimension is called '" + std::string(name) + "'");
  }

  bool has(std::string_view name) const { return find(name) != nullptr; }
  const std::vector<std::pair<std::string, std::int64_t>>& items() const { return sizes_; }

 private:
  const std::int64_t* find(std::string_view name) const {
    for (const auto& [key, size] : sizes_)
      if (key == name) return &size;
    return nullptr;
  }

  std::vector<std::pair<std::string, std::int64_t>> sizes_;  ///< in declaration order
};

}  // namespace workbook
