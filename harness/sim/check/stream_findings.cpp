// The words of what streams and the host do at the same time: both lines, and what is missing between them.
#include <algorithm>
#include <set>

#include "memory_findings.h"
#include "scene.h"
#include "sim/engine/arena.h"
#include "sim/source/source_text.h"
#include "sim/source/symbols.h"
#include "stream_order.h"

namespace workbook::sim {
namespace {

using WorkKind = StreamWork::Kind;

std::string place_text(const runs::SourceLine& at) {
  return at.line > 0 ? "line " + std::to_string(at.line) : "its call";
}
std::string place_text(Pc pc) { return place_text(pc == 0 ? runs::SourceLine{} : program_line(pc)); }

/// Where the program gives the work.
std::string given_at(const StreamWork& work) {
  return work.pc != 0 ? place_text(work.pc) : place_text(work.at);
}

std::string who(const StreamWork& work) {
  switch (work.kind) {
    case WorkKind::kernel:
      return "kernel " + work.name;
    case WorkKind::host_function:
      return work.name.starts_with("cudaGraph") ? "the function of a node of the graph"
                                                : "the function that " + work.name + " calls";
    default:
      return work.name;
  }
}

const char* does(const StreamWork& work, bool writes) {
  if (work.kind == WorkKind::allocation) return "allocates";
  if (work.kind == WorkKind::release) return "frees";
  return writes ? "writes" : "reads";
}

}  // namespace

std::string StreamOrder::stream_name(unsigned number) const {
  const Lane& lane = lanes_[number];
  if (number == kLegacy) return "the default stream";
  if (number == kPerThread) return "the default stream of the thread";
  if (lane.branch) return "a branch of the graph";
  std::size_t before = 0;  // on the same line
  std::set<Pc> others;
  for (const Lane& other : lanes_)
    if (other.made_at != 0 && other.made_at < lane.made_at && others.insert(other.made_at).second &&
        place_text(other.made_at) == place_text(lane.made_at))
      ++before;
  const std::string name = lane.made_at == 0 ? "" : made_stream(lane.made_at, before);
  const std::size_t open = name.find('[');
  const bool counted =
      open != std::string::npos && name.find_first_not_of("0123456789]", open + 1) != std::string::npos;
  if (name.empty()) return "the stream made at " + place_text(lane.made_at);
  if (counted) return "stream " + name.substr(0, open) + "[" + std::to_string(lane.number) + "]";
  const auto made_there = std::count_if(lanes_.begin(), lanes_.end(), [&](const Lane& other) {
    return other.made_at == lane.made_at && other.live && !other.branch;
  });
  // A loop that makes several under one name: counted from 1.
  return "stream " + name + (made_there > 1 ? " (number " + std::to_string(lane.number + 1) + ")" : "");
}

void StreamOrder::report(const StreamWork& earlier, const Later& later, const Meeting& meeting) {
  const Pc other = meeting.earlier_pc == 0 ? 0 : pc_at(meeting.earlier_pc);
  const bool own_line = later.work != nullptr && meeting.later_pc != 0;
  findings().add(runs::FindingClass::stream_race, own_line ? pc_at(meeting.later_pc) : later.pc, other,
                 [&](runs::Finding& f) {
                   const bool frees = later.work == nullptr ? later.call != nullptr && meeting.later_writes
                                                            : later.work->kind == WorkKind::release;
                   const auto work_clause = [&](const StreamWork& work, bool writes) {
                     return who(work) + ", on " + stream_name(work.lane) + ", " + does(work, writes) + " ";
                   };
                   f.kernel = later.work != nullptr && later.work->kind == WorkKind::kernel ? later.work->name
                              : earlier.kind == WorkKind::kernel                            ? earlier.name
                                                                                            : "";
                   // Where a library's own kernel has the access, the line that launches it.
                   if (is_of_program(earlier.at)) f.other = earlier.at;
                   if (own_line && !is_of_program(program_line(pc_at(meeting.later_pc))) &&
                       is_of_program(later.work->at))
                     f.called_from = later.work->at;
                   f.object = object_at(meeting.word, frees);
                   f.message =
                       (later.work != nullptr ? work_clause(*later.work, meeting.later_writes)
                        : later.call != nullptr
                            ? std::string(later.call) + (frees ? " frees " : " reads ")
                            : std::string("the host ") + (meeting.later_writes ? "writes " : "reads ")) +
                       f.object + ", which " + who(earlier) + ", on " + stream_name(earlier.lane) + ", " +
                       does(earlier, meeting.earlier_writes) + ", with nothing that orders the two.";
                   f.advice = thread_advice(earlier, later) + event_advice(earlier, later) +
                              advice(earlier, later, meeting);
                 });
}

std::string StreamOrder::advice(const StreamWork& earlier, const Later& later, const Meeting& meeting) const {
  const std::string stream = stream_name(earlier.lane), given = given_at(earlier);
  const bool named = earlier.lane > kPerThread && !lanes_[earlier.lane].branch;
  if (later.work == nullptr) {
    const bool staged = later.call != nullptr && !meeting.later_writes;
    const std::string before =
        staged                   ? "before that call"
        : later.call != nullptr  ? "before the memory is freed"
        : !meeting.later_writes  ? "before the host reads"
        : meeting.earlier_writes ? "before the host writes"
                                 : "before the host fills the memory again, or fill another buffer meanwhile";
    const std::string runs =
        earlier.kind == WorkKind::host_function
            ? "Such a function runs when all that its stream was given before has ended. "
            : "";
    const std::string early = staged
                                  ? std::string("Memory that is not pinned ") + later.call +
                                        " puts aside when it is called, and not when its turn in the stream "
                                        "comes: take memory from cudaMallocHost(), or wait. "
                                  : "";
    return early + runs + "What " + given + " gives to " + stream +
           " may still be under way: wait for it, by " +
           (named ? "cudaStreamSynchronize() on the stream, " : "cudaDeviceSynchronize(), ") +
           "or by cudaEventSynchronize() on an event recorded behind " + given + ", " + before + ".";
  }
  const std::string waits = stream_name(later.work->lane), from = given_at(*later.work);
  if (lanes_[earlier.lane].branch || lanes_[later.work->lane].branch)
    return "No path of the graph leads from the one to the other: add a dependency, or, where it is captured, "
           "let the one stream wait for an event of the other.";
  if (earlier.kind == WorkKind::allocation)
    return "The memory is there when " + stream + " has come to " + given + ": record an event on " + stream +
           " behind it, and let " + waits + " wait for that before " + from + ".";
  if (later.work->dependent && later.work->lane == earlier.lane)
    return who(*later.work) + " is launched at " + from +
           " with programmatic stream serialization: it may begin before " + who(earlier) +
           " has ended. Call cudaGridDependencySynchronize() (griddepcontrol.wait) before the first access to "
           "what the two share.";
  std::string why = "Streams run beside each other. ";
  const auto is_free = [&](unsigned lane) { return lane > kPerThread && !lanes_[lane].blocking; };
  if (earlier.lane == kLegacy && is_free(later.work->lane))
    why = "A stream made with cudaStreamNonBlocking does not wait for the default stream. ";
  else if (later.work->lane == kLegacy && is_free(earlier.lane))
    why = "The default stream does not wait for a stream made with cudaStreamNonBlocking. ";
  return why + "Record an event on " + stream + " behind " + given + " (cudaEventRecord) and let " + waits +
         " wait for it before " + from + " (cudaStreamWaitEvent), or give both to one stream.";
}

std::string StreamOrder::thread_advice(const StreamWork& earlier, const Later& later) {
  const unsigned now = later.work != nullptr ? later.work->thread : threads_.number();
  if (now == earlier.thread) return "";
  return "Two threads of the host are at work here, and nothing orders them: what one of them has waited for, the "
         "other does not know of. Join the first one, or let the threads synchronise (a mutex, an atomic, a future), "
         "before the other goes on. ";
}

std::string StreamOrder::event_advice(const StreamWork& earlier, const Later& later) const {
  const char* call = later.work != nullptr ? "cudaStreamWaitEvent" : "cudaEventSynchronize";
  for (auto wait = later.waits->rbegin(); wait != later.waits->rend(); ++wait) {
    const std::string at = std::string(call) + " at " + place_text(wait->pc);
    if (wait->records.empty())
      return at + " waits for nothing: no cudaEventRecord() had recorded its event by then. ";
    const EventRecord& latest = wait->records.back();
    if (latest.clock.knows(earlier.lane, earlier.number)) continue;
    for (std::size_t i = 0; i + 1 < wait->records.size(); ++i)
      if (wait->records[i].clock.knows(earlier.lane, earlier.number))
        return at + " waits for what its event was recorded for last, at " + place_text(latest.pc) +
               ", and not for what " + place_text(wait->records[i].pc) +
               " recorded it for: take an event for each. ";
    if (latest.lane == earlier.lane)
      return at + " waits for an event that was recorded at " + place_text(latest.pc) + ", before " +
             given_at(earlier) + ": record it behind that. ";
  }
  return "";
}

}  // namespace workbook::sim
