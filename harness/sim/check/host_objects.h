// Objects with virtual functions that the host made and that lie in memory of the device: the pointer to
// their table of functions is the host's, and a kernel that calls one of them goes astray.
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

  /// Whether there are any: kernels look only then.
  bool any() const { return any_; }
  /// The host has made an object at `address`, where kernels can reach it.
  void made(std::uintptr_t address, Pc pc);
  /// A kernel has made one there: it is right now.
  void made_on_device(std::uintptr_t address);
  /// Bytes went from one place to the other, by a call of the host.
  void copied(std::uintptr_t to, std::uintptr_t from, std::size_t bytes, Pc pc);
  /// Where the object at `address` came from, if it is one of them.
  std::optional<Pc> find(std::uintptr_t address);

 private:
  std::atomic<bool> any_{false};
  std::mutex mutex_;
  std::map<std::uintptr_t, Pc> objects_;
};

}  // namespace workbook::sim
