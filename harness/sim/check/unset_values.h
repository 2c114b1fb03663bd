// Words of device memory that depend on a value which nobody set in the kernel that wrote them: a variable
// declared without one, what a collective gives where it defines no result (engine/replay.h). Storing one
// is no finding, as padding and unused members are stored with the rest; a kernel that reads it is, and so is
// the host that reads a copy, both told at the store.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "sim/engine/replay.h"
#include "sim/source/pc.h"

namespace workbook::sim {

class UnsetValues {
 public:
  static UnsetValues& get();

  /// From now on the words count as uninitialised.
  void add(const std::string& kernel, const std::vector<UnsetWord>& words, std::optional<unsigned int> place);

  /// Whether what is missing at `offset` of the arena, or at the address of a variable, is such a value; then
  /// there is a finding. `use`: who reads it, "The host reads it at line 30".
  bool tell(std::uint64_t offset, const std::function<std::string()>& use);

  /// A call has given variables of the program a value.
  void overwritten(std::uintptr_t address, std::size_t bytes);

 private:
  struct Cause {
    std::string kernel;
    std::optional<unsigned int> place;
  };
  struct Word {
    std::uint32_t
        writer;  ///< Shadow::Record: where it is another now, others have written it, or it was freed
    std::size_t cause;
    Pc store;
    bool always;
    std::uint32_t generation;  ///< of the launch that stored a variable; 0: it is none
  };
  void add_variable(std::uintptr_t address, std::size_t cause);
  static bool is_valid(std::uint64_t offset, const Word& word);

  std::mutex mutex_;
  std::vector<Cause> causes_;
  std::map<std::uint64_t, Word> words_;  ///< by number
};

}  // namespace workbook::sim
