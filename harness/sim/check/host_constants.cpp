#include "host_constants.h"

#include <algorithm>
#include <cstring>

#include "sim/engine/host_copies.h"
#include "sim/source/symbols.h"

namespace workbook::sim {
namespace {

/// Neither code nor what a kernel may have the address of: tables of virtual functions, the device's own.
bool is_constant(std::uintptr_t address) {
  return in_program_image(address) && address < writable_image_begin() && function_of(address + 1) == 0 &&
         !is_virtual_table(address) && find_device_variable(address) == nullptr;
}

}  // namespace

HostConstants& HostConstants::get() {
  static HostConstants& all = *new HostConstants;
  return all;
}

void HostConstants::begin_launch(const Launch& launch) {
  all_.clear();
  const BoundKernel& kernel = *launch.kernel;
  for (std::size_t i = 0; i < kernel.signature->count; ++i) {
    const auto* const argument = static_cast<const char*>(kernel.arguments[i]);
    for (std::size_t at = 0; at + sizeof(std::uintptr_t) <= kernel.signature->parameters[i].bytes;
         at += sizeof(std::uintptr_t)) {
      std::uintptr_t word;
      std::memcpy(&word, argument + at, sizeof word);
      if (is_constant(word)) all_.push_back({word, std::strlen(reinterpret_cast<const char*>(word)) + 1});
    }
  }
}

bool HostConstants::contains(std::uintptr_t address) const {
  return std::any_of(all_.begin(), all_.end(),
                     [&](const Constant& c) { return address - c.begin < c.bytes; });
}

}  // namespace workbook::sim
