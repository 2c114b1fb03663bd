// What a copy has brought to the host and nobody had written: no word as long as the host does not read it,
// and where it copies it further. A read of such bytes is a finding, at the copy.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "sim/engine/arena.h"
#include "sim/source/pc.h"

namespace workbook::sim {

class UnsetCopies {
 public:
  static UnsetCopies& get();

  /// `call` has copied bytes of device memory, from `offset` of the arena on, to the host.
  void copied(std::uintptr_t to, std::uint64_t offset, std::size_t bytes, const char* call, Pc pc);
  /// The same call has copied the first `bytes` of an array whose size is that many elements: what it leaves
  /// out at the host is old, where kernels have written all of the array and nothing else comes there.
  void copied_part(std::uintptr_t to, const Allocation& from, std::size_t bytes, const char* call, Pc pc);
  /// Bytes that both sides may use hold what UnsetValues knows of at `offset`.
  void depends(std::uintptr_t address, std::size_t bytes, std::uint64_t offset);
  /// The host wrote the bytes, or gave them back.
  void written(std::uintptr_t address, std::size_t bytes);
  /// The host copied them.
  void moved(std::uintptr_t to, std::uintptr_t from, std::size_t bytes);
  /// The host reads them at `pc`. Where some of them are set, they are padding of the others.
  void read(std::uintptr_t address, std::size_t bytes, Pc pc);

  /// A kernel was ended, or did not run, and that is told: what it has not written follows from it.
  static void excuse(bool excused = true) { excused_ = excused; }

  /// Whether some byte of the range may be unset.
  static bool concerns(std::uintptr_t address, std::size_t bytes) {
    return any_.load(std::memory_order_relaxed) && address < end_.load(std::memory_order_relaxed) &&
           address + bytes > begin_.load(std::memory_order_relaxed);
  }

 private:
  struct Unset {
    std::uintptr_t end;
    std::string object;  ///< the first of them
    std::string call;    ///< empty: there was none
    Pc pc;
    std::uint64_t offset;  ///< of the arena: where the copy took it from
    /// Of copied_part(): the size of an element, and what was copied of how much; else 0.
    std::size_t element = 0, copied = 0, all = 0;
  };
  using Ranges = std::map<std::uintptr_t, Unset>;  ///< by their begin, none over another
  Ranges::iterator first_behind(std::uintptr_t address);
  static void tell_part(const Unset& what, Pc pc);
  void clear(std::uintptr_t address, std::size_t bytes);
  void watch();

  static std::atomic<bool> any_, excused_;
  static std::atomic<std::uintptr_t> begin_, end_;
  std::mutex mutex_;
  Ranges unset_;
};

}  // namespace workbook::sim
