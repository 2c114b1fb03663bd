// The host's copies of the device's variables: what host code has under their names. Kernels never see them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace workbook::sim {

struct HostCopy {
  std::string name;
  std::uintptr_t variable = 0;  ///< the device's
  std::size_t bytes = 0;
  bool constant = false;    ///< `__constant__`
  std::uintptr_t copy = 0;  ///< 0: the host has not named it yet
};

inline constexpr std::size_t kHostCopySpan = std::size_t{4} << 30;
extern std::uintptr_t host_copies_begin;  ///< no address of a program before the first copy is made

inline bool is_host_copy(std::uintptr_t address) { return address - host_copies_begin < kHostCopySpan; }

/// The copy that `address` lies in, or behind; null: none.
const HostCopy* find_host_copy(std::uintptr_t address);

/// "taps[3]", of an address in the copy: elements of 4 bytes, as of variables whose type nobody knows.
std::string describe(const HostCopy& copy, std::uintptr_t address);

}  // namespace workbook::sim
