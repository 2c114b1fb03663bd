// Which words a piece of work has read and written, as runs of neighbours that were used alike: what tells
// whether two pieces of work met. Of a kernel that is read off the shadow when it has ended, and only where
// somebody may ask.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace workbook::sim {

/// Aligned words of 4 bytes, counted from address 0.
struct WordRun {
  std::uint64_t begin = 0, end = 0;
  std::uint8_t reads = 0, writes = 0;                ///< bytes of each word
  bool signal_reads = false, signal_writes = false;  ///< only by atomics and the like, which may meet
  std::uint32_t read_pc = 0, write_pc = 0;           ///< offsets from the program's begin

  bool is_like(const WordRun& other) const {
    return reads == other.reads && writes == other.writes && signal_reads == other.signal_reads &&
           signal_writes == other.signal_writes && read_pc == other.read_pc && write_pc == other.write_pc;
  }
  bool operator==(const WordRun& other) const {
    return begin == other.begin && end == other.end && is_like(other);
  }
};

/// Takes the words of these bytes out of the runs.
void cut_out(std::vector<WordRun>& runs, std::uintptr_t address, std::size_t bytes);

/// Runs in the order of their addresses, none over another.
class WordRuns {
 public:
  /// Not before what was added last, but for a word that both share.
  void append(const WordRun& run);
  /// Those of the bytes [address, address + bytes), which are read or written at `pc`.
  void append_bytes(std::uintptr_t address, std::size_t bytes, bool writes, std::uint32_t pc,
                    bool signal = false);
  /// The first run that does not end before `word`.
  std::vector<WordRun>::const_iterator from(std::uint64_t word) const;
  const std::vector<WordRun>& all() const { return runs_; }
  /// Nothing of these bytes is used any more.
  void forget(std::uintptr_t address, std::size_t bytes);
  bool operator==(const WordRuns& other) const { return runs_ == other.runs_; }

 private:
  std::vector<WordRun> runs_;
};

/// Of a copy what it reads and what it writes may overlap: two lists.
struct Touched {
  WordRuns reads, others;
  std::size_t size() const { return reads.all().size() + others.all().size(); }
  bool operator==(const Touched& other) const { return reads == other.reads && others == other.others; }
};

/// What the latest launch has done to device memory; with `host_visible`, only where the host may look, too.
Touched touched_by_launch(bool host_visible);

/// The same of what its threads did before they waited for the launch before it (dependency_waits.h).
Touched touched_before_wait();

/// Two uses of a word of which one is a write.
struct Meeting {
  std::uint64_t word;
  bool earlier_writes, later_writes;
  std::uint32_t earlier_pc, later_pc;
};

/// Whether the two uses of the word would be a race if nothing ordered them, and which.
bool meet(std::uint64_t word, const WordRun& earlier, const WordRun& later, Meeting& meeting);

/// Calls visit(meeting) for the first word of each pair of runs that meet, until it says false.
template <class Visit>
bool each_meeting(const WordRuns& earlier, const WordRuns& later, Visit visit) {
  const bool few_earlier = earlier.all().size() < later.all().size();
  const WordRuns &few = few_earlier ? earlier : later, &many = few_earlier ? later : earlier;
  for (const WordRun& run : few.all())
    for (auto other = many.from(run.begin); other != many.all().end() && other->begin < run.end; ++other) {
      Meeting meeting{};
      const std::uint64_t word = run.begin > other->begin ? run.begin : other->begin;
      if (meet(word, few_earlier ? run : *other, few_earlier ? *other : run, meeting) && !visit(meeting))
        return false;
    }
  return true;
}
template <class Visit>
void each_meeting(const Touched& earlier, const Touched& later, Visit visit) {
  each_meeting(earlier.others, later.others, visit) && each_meeting(earlier.others, later.reads, visit) &&
      each_meeting(earlier.reads, later.others, visit);
}

}  // namespace workbook::sim
