// Tells a loop without end from a long one, by work and not by time, in the diagnosing build: the compiler
// puts a call before every basic block of a kernel (-fsanitize-coverage=trace-pc), which counts its steps.
// Where a block has been busy for long the worker looks closely: a thread that comes back to the same place
// with the same registers and the same stack, while nothing has changed in memory, will do so for ever. When
// that is so of every thread that could run, the launch is at an end, however long anybody waits
// (launch_watch.h). A loop that changes something each time ends by a limit on a thread's work.
#pragma once

#include <cstdint>
#include <vector>

#include "launch_watch.h"

extern "C" {
/// Of the calling OS thread: basic blocks until LoopWatch::step() is called next.
extern constinit thread_local std::int64_t workbook_sim_steps_left;
/// The highest address of a basic block that the running thread has passed since its latest access that was
/// logged (access_match.h); 0: none.
extern constinit thread_local std::uintptr_t workbook_sim_reach;
}

namespace workbook::sim {

/// The most work that a thread may do in one launch while no other block comes to its end, in basic blocks
/// that it passes (an access to memory is as much as several); 0: as much as the default, half a billion. A
/// block of threads may do four times as much. That is seconds on an idle machine, and more than any kernel
/// of a puzzle does.
void set_work_limit(std::uint64_t work);

#if defined(__aarch64__)
inline constexpr int kPreservedRegisters = 19;  // x19 to x29, d8 to d15
#else
inline constexpr int kPreservedRegisters = 6;
#endif

/// What a call of the step hook finds; loop_watch.cpp lays it out in assembly.
struct Registers {
  std::uintptr_t sp;                          ///< after the call returns
  std::uintptr_t saved[kPreservedRegisters];  ///< those that a call preserves
  Pc pc;                                      ///< where the call returns to
};

class LoopWatch {
 public:
  explicit LoopWatch(Worker& worker) : worker_(worker), looks_(kMaxThreads), writes_(kMaxThreads) {}

  void begin_block();
  void thread_exited();
  /// The running thread has come to the end of its stride, or, while looking closely, to a basic block.
  void step(const Registers& r);

  /// The running thread is in an empty loop, at the instruction before `pc`: ends its block and the launch.
  [[noreturn]] void end_at_instruction(Pc pc);

  bool close() const { return close_; }
  /// While looking closely: the running thread is about to touch memory.
  void access(std::uintptr_t address, std::uint32_t bytes, bool writes, Pc pc);
  /// Something changed that the accesses do not show.
  void changed();
  /// The most steps of any thread since the last call.
  std::uint64_t take_most_steps();

 private:
  /// The latest place of a thread that it may come back to.
  struct Look {
    std::uint64_t round = 0;  ///< of looks, that this is from
    Pc pc = 0;
    std::uintptr_t sp = 0;
    std::uint64_t registers = 0, stack = 0;
    bool knows_stack = false;  ///< that is long to read: not before the registers are the same again
    std::uint32_t steps = 0, span = 0;
    bool came_back = false;
  };
  struct Write {
    std::uintptr_t address;
    std::uint32_t bytes;
    unsigned char before[16];
  };
  void be_quiet();
  bool is_time_to_look() const;
  void count(SimThread& t);
  void look(const SimThread& t, const Registers& r);
  bool comes_back(Look& look, const SimThread& t, const Registers& r) const;
  void begin_round(std::uint64_t changes);
  void stop_looking();
  void settle_writes(std::uint32_t thread);
  bool all_idle() const;
  void end_block(SimThread& t, const Registers& r);
  [[noreturn]] void finish();

  Worker& worker_;
  std::vector<Look> looks_;                 ///< by thread
  std::vector<std::vector<Write>> writes_;  ///< by thread
  bool any_writes_ = false;                 ///< some thread may have some
  std::uint64_t round_ = 0, round_changes_ = 0;
  std::uint64_t quiet_ = 0;      ///< steps since a thread exited
  std::uint64_t next_look_ = 0;  ///< not before so many quiet ones
  std::uint64_t looked_ = 0;     ///< steps of this look
  std::uint64_t block_steps_ = 0, block_work_ = 0, most_steps_ = 0;
  std::uint64_t counted_accesses_ = 0;         ///< of the launch, that are in block_work_
  std::uint64_t seen_ended_ = 0;               ///< blocks of the launch, when block_work_ began to be counted
  std::uint64_t slice_ = 0, slice_steps_ = 0;  ///< Worker::slices, and steps since it became that
  std::uint64_t slice_accesses_ = 0;
  bool close_ = false, idle_ = false;
  // Once the launch is ending: the loop of one thread.
  bool ending_ = false, recording_ = false, culprit_here_ = false;
  std::uint32_t culprit_ = 0;
  std::uint64_t ending_steps_ = 0;
  std::uintptr_t read_ = 0;  ///< by that thread, last
  EndlessLoop loop_;
};

}  // namespace workbook::sim
