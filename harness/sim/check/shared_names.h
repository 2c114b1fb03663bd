// Kernels that declare several `extern __shared__` arrays: all begin at one address, so that what is stored
// by one name lies over what was stored by another. By which name a line stores, its text says.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "scene.h"

namespace workbook::sim {

class SharedNames {
 public:
  void begin_launch(const std::string& kernel);
  void begin_block() { words_.clear(); }
  /// Whether the kernel has several, so that see() is to be called.
  bool is_on() const { return names_->size() > 1; }
  /// An access of the running thread to shared memory.
  void see(const Scene& scene, std::uintptr_t address, std::uint32_t bytes, runs::Access kind, Pc pc);

 private:
  static constexpr int kUnknown = -1;
  int name_at(Pc pc);
  void report(const Scene& scene, std::uintptr_t address, int name, Pc pc, int other, Pc other_pc) const;

  struct Stored {
    int name = kUnknown;
    Pc pc = 0;  ///< 0: read since
  };
  static const std::vector<std::string> kNone;
  const std::vector<std::string>* names_ = &kNone;
  std::map<Pc, int> name_of_;                         ///< of lines that were met before
  std::unordered_map<std::uintptr_t, Stored> words_;  ///< by address
};

}  // namespace workbook::sim
