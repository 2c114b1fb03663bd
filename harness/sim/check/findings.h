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
#include <string_view>
#include <tuple>
#include <vector>

#include "runs/record.h"
#include "sim/engine/engine.h"

namespace workbook::sim {

/// How far an access lies outside of its array.
struct Overrun {
  std::int64_t past = 0, before = 0;  ///< elements behind the last one, or before the first; the most seen
  bool ragged = true;  ///< by threads of a last block alone, of which the array has no element: ragged_end()
};

class FindingLog {
 public:
  /// Whether the calling thread is in one of the functions below. What it reads and writes there, in the
  /// symbol tables and in containers whose code the linker took from the program, is no access of the
  /// program's: it must not come back here.
  static bool is_entered();

  /// Counts a finding of class `klass` at `pc` (and `other_pc`); `describe` fills in the words the first
  /// time.
  void add(const char* klass, Pc pc, Pc other_pc, const std::function<void(runs::Finding&)>& describe);
  /// The same for a plain read at `read` that races with atomics only: dropped when it was `rechecked`.
  /// `same_value`: no more than advice, until a race at these lines comes that is none; that one's words
  /// stay. `warp_element` names the element and the warp where both threads are of one; 0: they are not.
  void add_race(const char* klass, Pc pc, Pc other_pc, Pc read, bool same_value, std::uint64_t warp_element,
                const std::function<void(runs::Finding&)>& describe);
  /// The same for an access out of bounds: what to try depends on all that there are at the line, and stands
  /// before the words that `describe` leaves in the advice.
  void add_overrun(const char* klass, Pc pc, const Overrun& overrun,
                   const std::function<void(runs::Finding&)>& describe);
  /// What a thread read plainly at `read` it put to an atomic on the same element next, as every loop around
  /// atomicCAS() does, and `if (x > *most) atomicMax(most, x)`: such a read may be out of date.
  void rechecked(Pc read);
  /// One whose lines and words are known already.
  void add(runs::Finding finding);
  struct NamedThread {
    runs::ThreadId id;
    std::string name;
  };
  /// Threads ended without coming to a barrier that others wait at; what that means is decided when the
  /// findings are taken, from the line of their last access.
  void add_passed_barrier(const char* kernel, Pc barrier, Pc last_access, NamedThread waiting,
                          NamedThread gone, std::uint32_t gone_count);

  /// All findings with their source lines, one for each class and pair of lines, in order of first
  /// appearance.
  std::vector<runs::Finding> take();

 private:
  struct Entry {
    runs::Finding finding;
    Pc pc, other_pc;
    std::size_t order;
    std::vector<Pc> stack = {};      ///< of the first time, where `pc` is part of it
    Pc read = 0;                     ///< of add_race()
    bool same_value = false;         ///< of add_race(): so far
    std::uint64_t warp_element = 0;  ///< of its first
    int lanes = 1;                   ///< that stored the same value there, with the first
    std::optional<Overrun> overrun = {};
  };
  struct Passed {
    std::string kernel;
    Pc barrier, last_access;
    NamedThread waiting, gone;
    std::uint32_t gone_count;
    std::int64_t count;
  };
  static void advise_overruns(std::vector<Entry>& entries);

  mutable std::mutex mutex_;
  std::map<std::tuple<std::string_view, Pc, Pc>, Entry> entries_;  ///< class names are literals
  std::set<Pc> rechecked_;
  std::vector<runs::Finding> finished_;
  std::map<std::pair<Pc, Pc>, Passed> passed_;
};

/// The innermost line of a .cu file from which the code at `at`, in a header, was called: `pc` is there,
/// `stack` what calls_around() said of it. Nothing where `at` is in a .cu file, or nothing is known.
std::optional<runs::SourceLine> caller_of(const runs::SourceLine& at, Pc pc, const std::vector<Pc>& stack);

/// Where the thread with this number in the whole grid is.
runs::ThreadId thread_id(const Launch& launch, std::uint32_t gid);

/// "thread 3 of block (0,2)": as many coordinates as the grid and the block have dimensions in use.
std::string describe_thread(const runs::ThreadId& id, uint3 grid, uint3 block);

}  // namespace workbook::sim
