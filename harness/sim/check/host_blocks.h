// What the program's own host code took from malloc(), calloc(), realloc() and new, so that a copy which goes
// past the end of such a block is told of before it destroys what lies behind.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>

#include "sim/source/pc.h"

namespace workbook::sim {

class HostBlocks {
 public:
  static HostBlocks& get();

  void took(void* block, std::size_t bytes);
  /// Its bytes; nothing where it is not known.
  std::optional<std::size_t> gave_back(void* block);

  /// Keeps a block that the program's own code gives back from being another's for a while. False: whoever
  /// asks has to give it back himself. `release`: how.
  bool keeps(void* block, std::size_t bytes, void (*release)(void*), Pc pc);
  struct Freed {
    std::size_t bytes;
    Pc pc;  ///< of the call that gave it back
  };
  /// The block that `address` lies in, of those that are kept so.
  std::optional<Freed> find_freed(std::uintptr_t address);

  struct Block {
    std::uintptr_t begin;
    std::size_t bytes;
  };
  /// The block that `address` lies in. Nothing where it is of no block, or of one that a library may have
  /// given back meanwhile, which nobody tells.
  std::optional<Block> find(std::uintptr_t address);

 private:
  struct Size {
    std::size_t bytes, usable;
  };
  struct Kept {
    Freed freed;
    void (*release)(void*);
  };
  std::mutex mutex_;
  std::map<std::uintptr_t, Size> blocks_;
  std::map<std::uintptr_t, Kept> kept_;
  std::deque<std::uintptr_t> oldest_;  ///< of those kept
  std::size_t kept_bytes_ = 0;
  std::atomic<std::size_t> count_{0};  ///< theirs: most programs of puzzles take none
};

}  // namespace workbook::sim
