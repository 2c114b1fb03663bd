// Kernels that kernels launch run beside their parents and beside each other, as far as nothing orders them;
// here they run one after another. What two of them do to the same memory is told from what each has touched.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runs/record.h"
#include "touched.h"

namespace workbook::sim {

struct ChildLaunch {
  enum class Stream : std::uint8_t { of_block, of_thread, tail, none };
  std::string kernel;
  runs::SourceLine at;
  std::uint64_t block = 0;   ///< of the parent, that launches it
  std::uint64_t thread = 0;  ///< likewise, in the parent's grid
  Stream stream = Stream::of_block;
};

/// A grid that has ended, and its children.
class ChildLaunches {
 public:
  /// Of the launch that has just ended; only where accesses are judged.
  static Touched touched();

  ChildLaunches(std::string parent, Touched touched);
  /// `touched`: by the child, which has just ended.
  void judge(const ChildLaunch& child, Touched touched);

 private:
  struct Sibling {
    ChildLaunch launch;
    Touched touched;
  };
  void judge_parent(const ChildLaunch& child, const Touched& touched) const;
  void judge_sibling(const Sibling& earlier, const ChildLaunch& child, const Touched& touched) const;
  /// A warning where a whole warp launches what one thread should.
  void judge_repetition(const ChildLaunch& child, const Touched& touched);

  std::string parent_;
  Touched touched_;
  std::vector<Sibling> siblings_;
  std::uint32_t alike_ =
      0;  ///< launches before the latest by other threads of its block that stored where it did
};

}  // namespace workbook::sim
