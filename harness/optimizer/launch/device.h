// What emitted kernels call: the headers of device/, which nvcc and the simulator compile as they stand. The
// build puts them into the program (embed_device.cmake).
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace workbook::opt {

struct DeviceFile {
  std::string_view name;  ///< "warp_sums"
  // What it includes: of these files, and of CUDA and C++.
  std::vector<std::string_view> needs, headers;
  std::string_view text;  ///< without its opening and its includes
};
/// By name.
const std::vector<DeviceFile>& device_files();

/// What stands above kernels that use some of these files: each of them once, behind those that it needs.
class DeviceText {
 public:
  /// Throws std::invalid_argument for a name that is none.
  explicit DeviceText(const std::vector<std::string_view>& used);
  const std::string& text() const { return text_; }
  const std::set<std::string_view>& headers() const { return headers_; }

 private:
  void add(std::string_view name, const std::vector<std::string_view>& used);

  std::set<std::string_view> added_, headers_;
  std::string text_;
};

}  // namespace workbook::opt
