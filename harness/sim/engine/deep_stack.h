// Functions of kernels that call themselves too often: a page of each stack that cannot be used until
// somebody comes so far, and what led there. In words only; the thread goes on.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/source/pc.h"

namespace workbook::sim {

class DeepStack {
 public:
  static DeepStack& get();

  /// cudaLimitStackSize, for stacks made from here on. Nobody is watched before it is called.
  void set_limit(std::size_t bytes);
  /// A stack of so many bytes has been made, the first, second, ... of the process.
  void watch(std::size_t number, std::byte* stack, std::size_t bytes);
  /// A thread has touched `address`; true: that was such a page, and it can be used now. For a signal
  /// handler: `sp` is where its stack ends.
  bool reached(std::uintptr_t address, std::uintptr_t sp);

  /// The call that the deepest stack seen first is full of; 0: none.
  struct Found {
    Pc pc = 0;
    const char* kernel = "";
    std::size_t limit = 0;
  };
  const Found& found() const { return found_; }

  /// Frames of this machine are larger than a GPU's: only so many times the limit is too much for certain,
  /// ...
  static constexpr std::size_t kCertain = 8;
  /// ... of which the calls of one function by itself have to be the half.
  static constexpr std::size_t kOwnCalls = kCertain / 2;

 private:
  void look(std::uintptr_t sp, std::uintptr_t end);

  std::size_t limit_ = 0;
  Found found_;
};

}  // namespace workbook::sim
