// Puts a loop without end into words.
#include <algorithm>
#include <map>
#include <utility>

#include "checker.h"
#include "diagnosis.h"
#include "sim/engine/arena.h"
#include "sim/engine/launch.h"
#include "sim/engine/launch_watch.h"
#include "sim/source/source_text.h"
#include "sim/source/symbols.h"
#include "unset_copies.h"

namespace workbook::sim {
namespace {

constexpr const char* kWhatEndsIt =
    "What should end this loop? A condition that no thread makes true, an index that does not advance, or a "
    "plain variable where only an atomic or volatile one is read again.";

constexpr const char* kWhatLetsOthersBegin =
    "Let a block wait only for blocks that have begun before it: give each its number from a counter "
    "(atomicAdd), and let it wait for lower ones. Or launch no more blocks than run at once, which "
    "cudaOccupancyMaxActiveBlocksPerMultiprocessor() tells and cudaLaunchCooperativeKernel() makes sure of.";

/// The lines of a loop in the function that it stands in, first and last.
struct Lines {
  runs::SourceLine head;
  int last = 0;
};

/// Outermost first.
std::vector<SourceFrame> frames_of(Pc pc) {
  std::vector<SourceFrame> frames = source_frames(pc);
  std::reverse(frames.begin(), frames.end());
  return frames;
}

/// The loop stands in the innermost function that all of its basic blocks belong to: those of functions it
/// calls have their stack below its own, and those of inlined ones a frame more.
Lines lines_of(const std::vector<StepPlace>& round) {
  std::uintptr_t top = 0;
  for (const StepPlace& place : round) top = std::max(top, place.sp);
  std::map<Pc, std::vector<SourceFrame>> places;
  for (const StepPlace& place : round)
    if (place.sp == top && !places.contains(place.pc)) places.emplace(place.pc, frames_of(place.pc));
  std::erase_if(places, [](const auto& p) { return p.second.empty(); });
  Lines out;
  if (places.empty()) return out;
  const std::vector<SourceFrame>& any = places.begin()->second;
  std::size_t level = any.size() - 1;
  for (const auto& [pc, frames] : places) {
    level = std::min(level, frames.size() - 1);
    for (std::size_t i = 0; i < level; ++i)
      if (frames[i].at.line != any[i].at.line || frames[i + 1].function != any[i + 1].function) level = i;
  }
  for (const auto& [pc, frames] : places) {
    const runs::SourceLine& at = frames[level].at;
    if (out.head.line == 0 || at.line < out.head.line) out.head = at;
    out.last = std::max(out.last, at.line);
  }
  out.head = loop_head(out.head);
  return out;
}

/// Memory that the host can write while a kernel runs.
bool is_of_the_host(std::uintptr_t address) {
  if (!Arena::contains(address)) return false;
  const Allocation* const a = Arena::get().find(Arena::get().offset_of(address));
  return a != nullptr && a->kind != MemoryKind::device;
}

/// A launch that was cut off might have written any of it.
void excuse_device_memory() {
  Arena& arena = Arena::get();
  for (const auto& a : arena.allocations())
    if (a->live) arena.mark_initialised(a->offset, a->bytes);
}

std::string sentence(const EndlessLoop& loop, std::uint64_t resident, const Lines& lines,
                     const std::string& who) {
  const std::string where =
      lines.last > lines.head.line
          ? "the loop of lines " + std::to_string(lines.head.line) + " to " + std::to_string(lines.last)
          : "this loop";
  if (loop.why == EndlessLoop::Why::too_much_work)
    return who + " is still in " + where + " when its block has gone " + std::to_string(loop.steps) +
           " steps: far more than the work of such a launch, and as far as the workbook follows it.";
  if (loop.why == EndlessLoop::Why::time_over)
    return who + " is in " + where + " when the time that the program was given is over" +
           (loop.read.empty() ? "." : ": it read " + loop.read + " last.") +
           (loop.waiting > 1 ? " " + std::to_string(loop.waiting) + " blocks of the launch had not ended."
                             : "");
  std::string text = who + " goes round " + where + " for ever: ";
  if (loop.read.empty()) {
    text += "nothing that it tests changes any more.";
  } else {
    const int line = source_line(loop.read_pc).line;
    text += "it reads " + loop.read + (line > 0 ? " (line " + std::to_string(line) + ")" : "") +
            " again and again, and no thread that can still run changes it.";
  }
  if (loop.waiting > 1) text += " " + std::to_string(loop.waiting) + " blocks of the launch wait like that.";
  if (loop.not_begun > 0)
    text +=
        " " + std::to_string(loop.not_begun) + " more have not begun: " +
        (loop.waiting < resident
             ? "the GPU may hold " + std::to_string(resident) +
                   " at once, but the workbook does not let more than those wait beside each other, and ends "
                   "the launch here."
             : "the GPU holds " + std::to_string(resident) +
                   " such blocks at once, and those that wait keep them out.");
  return text;
}

}  // namespace

std::string Checker::name_at(std::uintptr_t address) const {
  if (Arena::contains(address)) {
    const std::uint64_t offset = Arena::get().offset_of(address);
    const Allocation* const a = Arena::get().find(offset);
    return a == nullptr ? "" : describe_element(*a, offset);
  }
  if (is_shared(address)) {
    const std::uintptr_t offset = address - thread_local_base();
    const SharedVariable* found = nullptr;
    for (const SharedVariable& v : shared_variables())
      if (v.offset <= offset) found = &v;
    return found == nullptr ? "" : describe_shared(*found, offset - found->offset);
  }
  return in_program_image(address) ? program_variable(address) : "";
}

void see_endless_loops(const Launch& launch, const std::vector<EndlessLoop>& loops) {
  if (launch_is_aborted()) UnsetCopies::excuse();
  if (LaunchWatch::get().ending()) excuse_device_memory();
  if (loops.empty()) return;
  const EndlessLoop& loop = loops.front();
  if (loop.barrier) return Diagnosis::get().findings.add_now(*loop.barrier);
  const Lines lines = lines_of(loop.round);
  const auto gid = static_cast<std::uint32_t>(loop.block * launch.block_threads + loop.thread);
  runs::Finding f;
  f.klass = runs::FindingClass::infinite_loop;
  f.kernel = launch.kernel->name;
  f.who = thread_id(launch, gid);
  f.at = lines.head;
  if (loop.not_begun > 0 && loop.waiting < launch.resident) f.severity = runs::Severity::warning;
  f.message = sentence(loop, launch.resident, lines, describe_thread(*f.who, launch.grid, launch.block));
  f.advice = loop.not_begun > 0 ? kWhatLetsOthersBegin : kWhatEndsIt;
  if (loop.why == EndlessLoop::Why::nothing_changes && is_of_the_host(loop.read_address)) {
    f.severity = runs::Severity::warning;
    f.message +=
        " The host could, behind the launch: on a GPU it goes on meanwhile. The workbook runs a kernel to its end "
        "first, and cannot follow this.";
    f.advice =
        "Where the host sets it before the launch, look there. A kernel that waits for the host has to read with "
        "volatile or cuda::atomic, and fence (__threadfence_system()) before it reads what came with that.";
  }
  Diagnosis::get().findings.add_now(std::move(f));
}

void see_stuck_block(const Worker& worker, Pc pc) {
  const Launch& launch = *worker.launch;
  Diagnosis::get().findings.add(runs::FindingClass::infinite_loop, pc, 0, [&](runs::Finding& f) {
    f.kernel = launch.kernel->name;
    f.who = thread_id(launch, worker.gid(*worker.running));
    f.message =
        describe_thread(*f.who, launch.grid, launch.block) +
        " goes round here for ever, as it seems: no thread of its block got any further for very long, "
        "which is as far as the workbook waits for a build that it does not look into.";
    f.advice = kWhatEndsIt;
  });
}

}  // namespace workbook::sim
