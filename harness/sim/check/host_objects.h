// Objects with virtual functions that one side made and the other may call: the pointer to their table of
// functions is worth something on the side that made them alone. What the host made lies in memory of the
// device, or of both; what a kernel made lies in memory of both, or was copied to the host.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

#include "sim/source/pc.h"

namespace workbook::sim {

class HostObjects {
 public:
  static HostObjects& get();

  /// Whether the host has made any: kernels look only then.
  bool any() const { return any_; }
  /// Whether kernels have made some that the host can reach: its own reads are looked at only then.
  static bool any_of_kernels() { return any_of_kernels_.load(std::memory_order_relaxed); }

  /// The host has made an object at `address`, wherever that is.
  void made(std::uintptr_t address, Pc pc);
  /// A kernel has made one there: it is right for kernels now.
  void made_on_device(std::uintptr_t address, Pc pc);
  /// Bytes went from one place to the other, by a call of the host.
  void copied(std::uintptr_t to, std::uintptr_t from, std::size_t bytes, Pc pc);
  /// Where the object at `address` came from, if it is one that the host made and a kernel may reach.
  std::optional<Pc> find(std::uintptr_t address);
  /// The host reads 8 bytes: a finding where they are the table of an object that a kernel made.
  void read_on_host(std::uintptr_t address, Pc pc);

 private:
  using Objects = std::map<std::uintptr_t, Pc>;  ///< by address; what made it, or copied it there
  static std::atomic<bool> any_of_kernels_;
  std::atomic<bool> any_{false};
  std::mutex mutex_;
  Objects objects_, of_kernels_;
};

}  // namespace workbook::sim
