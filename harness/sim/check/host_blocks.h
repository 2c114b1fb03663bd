// What the program's own host code took from malloc(), calloc(), realloc() and new, so that a copy which goes
// past the end of such a block is told of before it destroys what lies behind.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

namespace workbook::sim {

class HostBlocks {
 public:
  static HostBlocks& get();

  void took(void* block, std::size_t bytes);
  /// Its bytes; nothing where it is not known.
  std::optional<std::size_t> gave_back(void* block);

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
  std::mutex mutex_;
  std::map<std::uintptr_t, Size> blocks_;
  std::atomic<std::size_t> count_{0};  ///< theirs: most programs of puzzles take none
};

}  // namespace workbook::sim
