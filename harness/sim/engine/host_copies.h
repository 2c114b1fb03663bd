// The host's copies of the device's variables: what host code has under their names. Kernels never see them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace workbook::sim {

enum class VariableKind : int { device, constant, unset_constant, managed };

struct HostCopy {
  std::string name;
  std::uintptr_t variable = 0;  ///< the device's
  std::size_t bytes = 0;
  VariableKind kind = VariableKind::device;
  bool is_constant() const { return kind == VariableKind::constant || kind == VariableKind::unset_constant; }
  std::uintptr_t copy = 0;  ///< 0: the host has not named it yet
};

inline constexpr std::size_t kHostCopySpan = std::size_t{4} << 30;
extern std::uintptr_t host_copies_begin;  ///< no address of a program before the first copy is made

inline bool is_host_copy(std::uintptr_t address) { return address - host_copies_begin < kHostCopySpan; }

/// The copy that `address` lies in, or behind; null: none.
const HostCopy* find_host_copy(std::uintptr_t address);

/// The device's variable that holds the address itself, which cudaGetSymbolAddress() tells; null: none.
const HostCopy* find_device_variable(std::uintptr_t address);
/// All of them, by address.
void for_each_device_variable(const std::function<void(const HostCopy&)>& visit);
/// Whether some are `__managed__`.
bool has_managed_variables();

/// "taps[3]", of an address in the copy: elements of 4 bytes, as of variables whose type nobody knows.
std::string describe(const HostCopy& copy, std::uintptr_t address);

}  // namespace workbook::sim
