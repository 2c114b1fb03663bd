#include "optimizer/launch/device.h"

#include <algorithm>
#include <stdexcept>

namespace workbook::opt {
namespace {

/// Files that give the same names: the second instead of the first, wherever it is used.
constexpr std::pair<std::string_view, std::string_view> kInstead[] = {{"half", "bfloat16"},
                                                                      {"row_of_block", "row_of_warp"}};

}  // namespace

DeviceText::DeviceText(const std::vector<std::string_view>& used) {
  for (const std::string_view name : used)
    if (std::none_of(std::begin(kInstead), std::end(kInstead),
                     [&](const auto& pair) { return pair.second == name; }))
      add(name, used);
}

void DeviceText::add(std::string_view name, const std::vector<std::string_view>& used) {
  for (const auto& [usual, other] : kInstead)
    if (name == usual && std::find(used.begin(), used.end(), other) != used.end()) name = other;
  const auto file = std::find_if(device_files().begin(), device_files().end(),
                                 [&](const DeviceFile& each) { return each.name == name; });
  if (file == device_files().end())
    throw std::invalid_argument("there is no device/" + std::string(name) + ".cuh");
  if (!added_.insert(file->name).second) return;
  for (const std::string_view needed : file->needs) add(needed, used);
  headers_.insert(file->headers.begin(), file->headers.end());
  text_ += file->text;
}

}  // namespace workbook::opt
