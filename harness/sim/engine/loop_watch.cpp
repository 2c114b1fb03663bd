#include "loop_watch.h"

#include <time.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "arena.h"
#include "fiber.h"
#include "launch.h"
#include "progress.h"
#include "sim/source/symbols.h"

constinit thread_local std::int64_t workbook_sim_steps_left = 4096;
constinit thread_local std::uintptr_t workbook_sim_reach = 0;

// Called before every basic block, so it notes how far the thread came, counts down and returns; at 0 it
// hands over what the caller's state consists of. Registers that a call does not preserve hold nothing that
// the caller still needs. The .cfi lines let a signal that arrives in here find the caller's line.
#if defined(__x86_64__)
asm(R"(
  .text
  .globl __sanitizer_cov_trace_pc
  .type __sanitizer_cov_trace_pc, @function
__sanitizer_cov_trace_pc:
  .cfi_startproc
  movq workbook_sim_reach@gottpoff(%rip), %rdx
  movq (%rsp), %rcx
  cmpq %fs:(%rdx), %rcx
  jbe 2f
  movq %rcx, %fs:(%rdx)
2:
  movq workbook_sim_steps_left@gottpoff(%rip), %rax
  decq %fs:(%rax)
  jle 1f
  ret
1:
  leaq 8(%rsp), %rax
  pushq %rbp
  .cfi_adjust_cfa_offset 8
  pushq %rbx
  .cfi_adjust_cfa_offset 8
  pushq %r12
  .cfi_adjust_cfa_offset 8
  pushq %r13
  .cfi_adjust_cfa_offset 8
  pushq %r14
  .cfi_adjust_cfa_offset 8
  pushq %r15
  .cfi_adjust_cfa_offset 8
  pushq %rax
  .cfi_adjust_cfa_offset 8
  movq %rsp, %rdi
  call workbook_sim_step
  addq $8, %rsp
  .cfi_adjust_cfa_offset -8
  popq %r15
  .cfi_adjust_cfa_offset -8
  popq %r14
  .cfi_adjust_cfa_offset -8
  popq %r13
  .cfi_adjust_cfa_offset -8
  popq %r12
  .cfi_adjust_cfa_offset -8
  popq %rbx
  .cfi_adjust_cfa_offset -8
  popq %rbp
  .cfi_adjust_cfa_offset -8
  ret
  .cfi_endproc
  .size __sanitizer_cov_trace_pc, . - __sanitizer_cov_trace_pc
)");
#elif defined(__aarch64__)
asm(R"(
  .text
  .globl __sanitizer_cov_trace_pc
  .type __sanitizer_cov_trace_pc, %function
__sanitizer_cov_trace_pc:
  .cfi_startproc
  adrp x9, :gottprel:workbook_sim_steps_left
  ldr x9, [x9, :gottprel_lo12:workbook_sim_steps_left]
  mrs x10, tpidr_el0
  adrp x12, :gottprel:workbook_sim_reach
  ldr x12, [x12, :gottprel_lo12:workbook_sim_reach]
  ldr x13, [x10, x12]
  cmp x30, x13
  csel x13, x30, x13, hi
  str x13, [x10, x12]
  ldr x11, [x10, x9]
  subs x11, x11, #1
  str x11, [x10, x9]
  b.le 1f
  ret
1:
  mov x9, sp
  sub sp, sp, #176
  .cfi_def_cfa_offset 176
  .cfi_offset 30, -16
  stp x9, x19, [sp]
  stp x20, x21, [sp, #16]
  stp x22, x23, [sp, #32]
  stp x24, x25, [sp, #48]
  stp x26, x27, [sp, #64]
  stp x28, x29, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  str x30, [sp, #160]
  mov x0, sp
  bl workbook_sim_step
  ldr x30, [sp, #160]
  add sp, sp, #176
  .cfi_restore 30
  .cfi_def_cfa_offset 0
  ret
  .cfi_endproc
  .size __sanitizer_cov_trace_pc, . - __sanitizer_cov_trace_pc
)");
#else
#error "say how this machine's basic blocks are counted"
#endif

extern "C" void workbook_sim_step(const workbook::sim::Registers* registers) {
  using namespace workbook::sim;
  workbook_sim_steps_left = 4096;  // engine code may pass basic blocks of the learner's object
  if (this_worker == nullptr || this_worker->current == nullptr || !this_worker->loops) return;
  this_worker->loops->step(*registers);
}

namespace workbook::sim {
namespace {

constexpr std::uint64_t kStride = 4096;
constexpr std::uint64_t kFirstLook = 1 << 16, kFirstLookOfThread = 1 << 12;
constexpr std::uint64_t kLeastLook = 1 << 14, kLookOfThread = 512;  // steps
constexpr std::uint32_t kFirstSpan = 64;
constexpr std::uint64_t kSlice = 1 << 16, kCloseSlice = 512;
constexpr std::uint64_t kRecorded = 8192, kMostEndingSteps = 1 << 20;
constexpr std::uint64_t kDefaultLimit = std::uint64_t{1} << 29;
constexpr std::uint64_t kThreadsAtWork = 4;  ///< limit of a block, in limits of a thread
constexpr std::uint64_t kWorkOfAccess =
    16;  ///< an access is checked and counted: as dear as so many basic blocks

std::atomic<std::uint64_t> work_limit{kDefaultLimit};

/// Its algorithms come to their end, and one thread runs each of them, however long that takes.
bool is_of_thrust(const Launch& launch) {
  return launch.kernel->name != nullptr && std::string_view(launch.kernel->name).starts_with("thrust::");
}

/// For tests that no verdict depends on speed: WORKBOOK_SIM_SLOW=4 makes kernels take four times as long.
void slow_down() {
  static const double factor = [] {
    const char* const text = std::getenv("WORKBOOK_SIM_SLOW");
    return text == nullptr ? 1.0 : std::atof(text);
  }();
  if (factor <= 1.0) return;
  const auto now = [] {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  };
  static thread_local double last = now();
  const double until = now() + (factor - 1.0) * (now() - last);
  while (now() < until) {
  }
  last = now();
}

void mix(std::uint64_t& hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  hash ^= hash >> 29;
}

std::uint64_t hash_of(const Registers& r) {
  std::uint64_t hash = r.pc;
  for (const std::uintptr_t word : r.saved) mix(hash, word);
  return hash;
}

std::uint64_t hash_of_stack(const SimThread& t, const Registers& r) {
  std::uint64_t hash = 0;
  const auto top = reinterpret_cast<std::uintptr_t>(t.fiber->stack) + t.fiber->bytes;
  for (std::uintptr_t at = r.sp; at + 8 <= top; at += 8) {
    std::uint64_t word;
    std::memcpy(&word, reinterpret_cast<const void*>(at), sizeof word);
    mix(hash, word);
  }
  return hash;
}

bool is_readable(const Worker& worker, std::uintptr_t address) {
  return Arena::contains(address) || worker.events->is_shared(address) ||
         (in_program_image(address) && address >= writable_image_begin());
}

}  // namespace

void set_work_limit(std::uint64_t work) { work_limit = work == 0 ? kDefaultLimit : work; }

void LoopWatch::begin_block() {
  stop_looking();
  block_steps_ = block_work_ = 0;
  be_quiet();
  slice_steps_ = 0;
  ending_ = recording_ = culprit_here_ = false;
  loop_ = {};
  read_ = 0;
}

void LoopWatch::thread_exited() {
  most_steps_ = std::max(most_steps_, worker_.running->steps);
  be_quiet();
  if (close_) changed(), stop_looking();
}

void LoopWatch::be_quiet() {
  quiet_ = 0;
  next_look_ = kFirstLook;
}

/// A look is dear, and all threads of a block pass a few thousand steps in many a right kernel. Where one
/// thread of each block waits for other blocks it is cheap, and blocks that have not begun are waited for.
bool LoopWatch::is_time_to_look() const {
  return quiet_ >= std::max(next_look_, kFirstLookOfThread * worker_.could_run());
}

std::uint64_t LoopWatch::take_most_steps() { return std::exchange(most_steps_, 0); }

void LoopWatch::stop_looking() {
  close_ = idle_ = false;
  if (std::exchange(any_writes_, false))
    for (std::vector<Write>& writes : writes_) writes.clear();
}

void LoopWatch::changed() {
  if (close_) LaunchWatch::get().changed();
}

void LoopWatch::begin_round(std::uint64_t changes) {
  ++round_;
  round_changes_ = changes;
  idle_ = false;
}

void LoopWatch::step(const Registers& r) {
  bool idle = false, came_back = false, gives_way = false;
  slow_down();
  {
    SimThread& t = *worker_.current;
    const EngineScope scope;
    count(t);
    LaunchWatch& launch = LaunchWatch::get();
    if (launch.ending()) {
      close_ = true;
      end_block(t, r);
    } else if (close_) {
      look(t, r);
    } else if (is_time_to_look()) {
      close_ = true;
      looked_ = 0;
      launch.changed();  // what this worker's threads did so far nobody has seen
      begin_round(launch.changes());
    }
    idle = idle_;
    came_back = close_ && !launch.ending() && looks_[t.linear].round == round_ && looks_[t.linear].came_back;
    gives_way = culprit_here_ && t.linear != culprit_;  // whose loop is to be seen
  }
  workbook_sim_steps_left = close_ ? 1 : static_cast<std::int64_t>(kStride);
  if (!came_back && !gives_way && slice_steps_ <= (close_ ? kCloseSlice : kSlice)) return;
  slice_steps_ = 0;
  // A thread that touches no memory waits for nobody.
  const std::uint64_t accesses = worker_.events->work().accesses;
  if (!came_back && !gives_way && std::exchange(slice_accesses_, accesses) == accesses) return;
  worker_.preempt(idle);
}

void LoopWatch::count(SimThread& t) {
  const std::uint64_t passed = close_ ? 1 : kStride;
  const std::uint64_t ended = LaunchWatch::get().ended();
  if (ended != seen_ended_) seen_ended_ = ended, block_work_ = 0;
  if (t.seen_ended != ended) t.seen_ended = ended, t.limited_work = 0;
  const std::uint64_t accesses = worker_.events->work().accesses;
  const std::uint64_t before = std::exchange(counted_accesses_, accesses);
  const std::uint64_t work = passed + kWorkOfAccess * (accesses < before ? accesses : accesses - before);
  quiet_ += passed;
  t.steps += passed;
  if (!idle_) {  // else it waits for other blocks, and how often it looks is luck
    note_progress(passed);
    block_steps_ += passed;
    block_work_ += work;
    t.limited_work += work;
  }
  const std::uint64_t slice = worker_.slices.load(std::memory_order_relaxed);
  slice_steps_ = slice == slice_ ? slice_steps_ + passed : 0;
  slice_ = slice;
  if (t.limited_work <= work_limit && block_work_ <= kThreadsAtWork * work_limit) return;
  if (is_of_thrust(*worker_.launch)) return;
  if (LaunchWatch::get().end(EndlessLoop::Why::too_much_work)) culprit_here_ = true, culprit_ = t.linear;
}

void LoopWatch::look(const SimThread& t, const Registers& r) {
  settle_writes(t.linear);
  LaunchWatch& launch = LaunchWatch::get();
  if (launch.changes() != round_changes_) begin_round(launch.changes());
  if (!idle_ && ++looked_ > std::max(kLeastLook + kLookOfThread * worker_.could_run(), quiet_ / 256)) {
    next_look_ = 2 * quiet_;
    return stop_looking();
  }
  Look& look = looks_[t.linear];
  const auto from_here = [&](std::uint32_t span) {
    look = {.round = round_, .pc = r.pc, .sp = r.sp, .registers = hash_of(r), .span = span};
  };
  if (look.round != round_) return from_here(kFirstSpan);
  if (!look.came_back) {
    look.came_back = comes_back(look, t, r);
    if (!look.came_back && ++look.steps > look.span) from_here(2 * look.span);
    if (!look.came_back || !all_idle()) return;
    idle_ = true;
  }
  if (!idle_) return;
  launch.idle(worker_, round_changes_, worker_.begin_another_block());
}

/// Whether no thread of the block can do anything but go round: the others wait and have not run since.
bool LoopWatch::all_idle() const {
  for (std::uint32_t i = 0; i < worker_.launch->block_threads; ++i) {
    const SimThread& t = worker_.thread(i);
    if (!worker_.has_begun(i)) return false;
    if (t.status == Status::exited) continue;
    const Look& look = looks_[i];
    if (look.round == round_ ? !look.came_back : !worker_.waits(t)) return false;
  }
  return true;
}

bool LoopWatch::comes_back(Look& look, const SimThread& t, const Registers& r) const {
  if (look.pc != r.pc || look.sp != r.sp || look.registers != hash_of(r)) return false;
  const std::uint64_t stack = hash_of_stack(t, r);
  const bool same = look.knows_stack && look.stack == stack;
  look.stack = stack;
  look.knows_stack = true;
  return same;
}

void LoopWatch::access(std::uintptr_t address, std::uint32_t bytes, bool writes, Pc pc) {
  if (on_fiber_stack(address)) return;  // part of the thread's state
  const std::uint32_t thread = worker_.current->linear;
  const EngineScope scope;
  if (recording_ && thread == culprit_ && (!writes || read_ == 0)) read_ = address, loop_.read_pc = pc;
  if (!writes) return;
  if (!is_readable(worker_, address) || bytes > sizeof Write::before) return changed();
  any_writes_ = true;
  Write& write = writes_[thread].emplace_back(Write{address, bytes, {}});
  std::memcpy(write.before, reinterpret_cast<const void*>(address), bytes);
}

/// Writes that the thread has made by now: did they change anything?
void LoopWatch::settle_writes(std::uint32_t thread) {
  std::vector<Write>& writes = writes_[thread];
  for (const Write& w : writes)
    if (std::memcmp(w.before, reinterpret_cast<const void*>(w.address), w.bytes) != 0) changed();
  writes.clear();
}

/// One more round of the loop of one thread, to know its lines; then the block ends.
void LoopWatch::end_block(SimThread& t, const Registers& r) {
  const EndlessLoop::Why why = LaunchWatch::get().why();
  const bool cyclic = why == EndlessLoop::Why::nothing_changes;
  if (!ending_) {
    ending_ = true;
    ending_steps_ = 0;
    const auto begin = looks_.begin(), end = begin + worker_.launch->block_threads;
    const auto first =
        std::find_if(begin, end, [&](const Look& l) { return l.round == round_ && l.came_back; });
    if (cyclic && idle_ && first != end) {
      culprit_here_ = true;
      culprit_ = static_cast<std::uint32_t>(first - begin);
    }
    if (why == EndlessLoop::Why::time_over && LaunchWatch::get().is_first()) {
      culprit_here_ = true;
      culprit_ = t.linear;
    }
  }
  if (!culprit_here_ || ++ending_steps_ > kMostEndingSteps) return finish();
  if (t.linear != culprit_) return;
  const bool back = cyclic && comes_back(looks_[culprit_], t, r);
  if (recording_) loop_.round.push_back({r.pc, r.sp});
  if (recording_ && (back || loop_.round.size() == kRecorded)) return finish();
  recording_ = recording_ || back || !cyclic;
}

void LoopWatch::end_at_instruction(Pc pc) {
  const SimThread& t = *worker_.current;
  const EngineScope scope;
  culprit_here_ = LaunchWatch::get().end(EndlessLoop::Why::one_instruction);
  culprit_ = t.linear;
  loop_.round = {{pc, 0}};
  finish();
}

void LoopWatch::finish() {
  if (culprit_here_) {
    loop_.why = LaunchWatch::get().why();
    loop_.block = worker_.block_linear();
    loop_.thread = culprit_;
    loop_.steps = block_steps_;
    if (loop_.why == EndlessLoop::Why::nothing_changes) loop_.barrier = worker_.events->why_stuck();
    if (read_ != 0) loop_.read = worker_.events->name_at(read_), loop_.read_address = read_;
    LaunchWatch::get().add(std::move(loop_));
  }
  most_steps_ = std::max(most_steps_, worker_.running->steps);
  close_ = false;
  workbook_sim_steps_left = kStride;
  abort_launch(cudaErrorLaunchTimeout);
  worker_.kill_block();
}

}  // namespace workbook::sim
