// What a function of the host's that a stream calls uses of memory, in the order in which it comes there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "touched.h"

namespace workbook::sim {

class FunctionUses {
 public:
  /// Bytes that are read or written at `pc`, an offset from the program's begin.
  void note(std::uintptr_t address, std::size_t bytes, bool writes, bool signal, std::uint32_t pc);
  /// The function has given the memory back: what comes there next is another's.
  void forget(std::uintptr_t address, std::size_t bytes);
  Touched touched() const { return {in_order(reads_), in_order(others_)}; }

 private:
  static WordRuns in_order(std::vector<WordRun> runs);

  std::vector<WordRun> reads_, others_;
};

}  // namespace workbook::sim
