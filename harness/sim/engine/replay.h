// Runs a launch again, with other numbers where a kernel finds values that nobody set (workbook_sim/unset.h):
// what it leaves in memory is then the same, but for what depends on them. So registers, branches and
// addresses need no shadow, and what is copied and never used is no word of memory that differs.
//
// Before the launch the process forks; the copy waits, holding all as it was, and forks for each time that
// the launch is to run again. The blocks run in the same order each time. Where even the same numbers leave
// something else (a clock, memory of the host's that another thread writes), nothing is said.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine.h"
#include "unset_words.h"

namespace workbook::sim {

/// A word that depends on a value that nobody set: the bytes that are stored with those that do. Of device
/// memory, or of a variable of the program.
struct UnsetWord {
  std::uint64_t word;  ///< counted from the arena's begin; of a variable its address / 4
  std::uint32_t mask;
  Pc store;     ///< 0: not known, as for variables
  bool always;  ///< stored whatever the value is; else the value says whether it is
};

class Replay {
 public:
  /// Where programs are to be looked at so. Off at first: a puzzle's kernels are run often, and judged by
  /// what comes out.
  static void turn_on();

  /// Right before `run` runs the launch for the first time; null where it is not to be run again.
  static std::unique_ptr<Replay> prepare(const Launch& launch, std::function<void()> run);
  ~Replay();
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;

  /// After a launch that came to its end, with work of so many accesses: tells events.h what depends on what.
  void compare(const Launch& launch, std::uint64_t work);

 private:
  Replay() = default;
  [[noreturn]] void wait(const std::function<void()>& run);
  [[noreturn]] void run_again(unsigned int first, unsigned int end, const std::function<void()>& run);
  bool ask(unsigned int first, unsigned int end);
  std::vector<UnsetWord> differences() const;
  Pc stray() const;
  std::optional<unsigned int> find_place(const std::function<bool()>& is_there);

  std::vector<std::uint32_t> pages_;  ///< that the launch has written
  pid_t copy_ = -1;
  int questions_ = -1, answers_ = -1;  ///< pipes
  std::uint8_t* room_ = nullptr;       ///< shared with the copies: what a launch that ran again has left
};

}  // namespace workbook::sim
