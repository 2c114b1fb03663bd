// Findings while the program runs: kept by return address, turned into lines and words when they are taken.
// Workers add to one log at the same time.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "passed_barriers.h"
#include "runs/record.h"
#include "sim/engine/engine.h"

namespace workbook::sim {

/// An access outside of its array, and how far.
struct Overrun {
  std::string does, array;            ///< "reads", "a"
  std::int64_t past = 0, before = 0;  ///< elements behind the last one, or before the first; the most seen
  bool ragged = true;  ///< by threads of a last block alone, of which the array has no element: ragged_end()
};

/// What is known of two accesses that race.
struct RaceFacts {
  Pc read = 0;  ///< a plain read that races with atomics only: dropped where it was `rechecked`
  /// No more than advice, until a race at these lines comes that is none; that one's words stay.
  bool same_value = false;
  std::uint64_t warp_element = 0;  ///< the element and the warp where both are of one; 0: they are not
  std::uint32_t lanes = 0;         ///< these two, in their warp
  runs::Reach reach = runs::Reach::none;
};

class FindingLog {
 public:
  /// Whether the calling thread is in one of the functions below. What it reads and writes there, in the
  /// symbol tables and in containers whose code the linker took from the program, is no access of the
  /// program's: it must not come back here.
  static bool is_entered();
  /// The calling thread was interrupted, perhaps in one of them, for good: they wait for no lock any more.
  static void begin_last_words();

  /// Counts a finding of class `klass` at `pc` (and `other_pc`); `describe` fills in the words the first
  /// time.
  void add(runs::FindingClass klass, Pc pc, Pc other_pc, const std::function<void(runs::Finding&)>& describe);
  /// The same for a race. What to try depends on all that there are at the two lines: `describe` leaves the
  /// advice empty where it is no more than that.
  void add_race(runs::FindingClass klass, Pc pc, Pc other_pc, const RaceFacts& race,
                const std::function<void(runs::Finding&)>& describe);
  /// The same for an access out of bounds: what to try depends on all that there are at the line, and stands
  /// before the words that `describe` leaves in the advice.
  void add_overrun(runs::FindingClass klass, Pc pc, const Overrun& overrun,
                   const std::function<void(runs::Finding&)>& describe);
  /// What a thread read plainly at `read` it put to an atomic on the same element next, as every loop around
  /// atomicCAS() does, `if (x > *most) atomicMax(most, x)` and `if (!seen[i] && atomicExch(&seen[i], 1) ==
  /// 0)`: such a read may be out of date. Not so before an atomicExch() of a value that is computed:
  /// kReplaces.
  void rechecked(Pc read);
  /// One whose lines and words are known already.
  void add(runs::Finding finding);
  /// The same: its place among the others is that of now.
  void add_now(runs::Finding finding);
  /// The same for a call that failed: nothing is said of it where another finding tells of an error of that
  /// line.
  void add_dropped(runs::Finding finding);
  /// The program has looked at the error of the call at that line.
  void retract(const runs::SourceLine& at);
  /// Where accesses lie outside of every array, of all that is known so far.
  std::set<Pc> overruns() const;
  void add_passed_barrier(const PassedBarrier& passed);
  /// Whether threads that ended before a barrier make it an error: passed_barriers.h.
  bool whole_blocks = false;

  /// All findings with their source lines, one for each class and pair of lines, in order of first
  /// appearance.
  std::vector<runs::Finding> take();

 private:
  struct Entry {
    runs::Finding finding;
    Pc pc, other_pc;
    std::size_t order;
    std::vector<Pc> stack = {};         ///< of the first time, where `pc` is part of it
    runs::SourceLine launched_at = {};  ///< of a kernel's finding: the program's line
    RaceFacts race = {};                ///< so far; of the first its element, of all the widest reach
    std::uint32_t lanes = 0;            ///< that stored the same value there
    std::optional<Overrun> overrun = {};
  };
  static void join_overruns(std::vector<Entry>& entries);
  static void advise_races(std::vector<runs::Finding>& findings);

  mutable std::mutex mutex_;
  std::map<std::tuple<runs::FindingClass, Pc, Pc>, Entry> entries_;
  std::set<Pc> rechecked_;
  std::vector<runs::Finding> finished_;
  struct DroppedCall {
    runs::Finding finding;
    std::size_t order;    ///< before the entry of that order
    bool always = false;  ///< it is no such call
  };
  std::vector<DroppedCall> dropped_;
  PassedBarriers passed_;
};

/// The innermost line of a .cu file from which the code at `at`, in a header, was called: `pc` is there,
/// `stack` what calls_around() said of it. Nothing where `at` is in a .cu file, or nothing is known.
std::optional<runs::SourceLine> caller_of(const runs::SourceLine& at, Pc pc, const std::vector<Pc>& stack);

/// Where the thread with this number in the whole grid is.
runs::ThreadId thread_id(const Launch& launch, std::uint32_t gid);

/// "thread 3 of block (0,2)": as many coordinates as the grid and the block have dimensions in use.
std::string describe_thread(const runs::ThreadId& id, uint3 grid, uint3 block);

}  // namespace workbook::sim
