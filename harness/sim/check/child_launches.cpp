#include "child_launches.h"

#include <map>
#include <utility>

#include "diagnosis.h"
#include "memory_findings.h"
#include "scene.h"
#include "sim/source/source_blocks.h"
#include "sim/source/source_idioms.h"
#include "sim/source/symbols.h"

namespace workbook::sim {
namespace {

constexpr std::size_t kMostSiblings = 64;  // that one is held against

/// What nothing orders: they are launched by different blocks, into streams of different threads, or one of
/// them into no stream at all.
bool are_beside(const ChildLaunch& a, const ChildLaunch& b) {
  using Stream = ChildLaunch::Stream;
  if (a.stream == Stream::tail || b.stream == Stream::tail) return false;
  if (a.block != b.block || a.stream == Stream::none || b.stream == Stream::none) return true;
  return a.thread != b.thread && (a.stream == Stream::of_thread || b.stream == Stream::of_thread);
}

bool is_behind(const runs::SourceLine& use, const runs::SourceLine& launch) {
  return use.line > launch.line && is_same_file(use, launch) &&
         in_one_function(code_of_file(use.file), launch.line, use.line);
}

/// Of the accesses that two runs share, those that would race: visit(earlier's pc, it writes, later writes).
template <class Visit>
void each_pair(const WordRun& earlier, const WordRun& later, Visit visit) {
  const auto meet_as = [&](bool first_writes, bool second_writes) {
    const unsigned a = first_writes ? earlier.writes : earlier.reads,
                   b = second_writes ? later.writes : later.reads;
    const bool signals = (first_writes ? earlier.signal_writes : earlier.signal_reads) &&
                         (second_writes ? later.signal_writes : later.signal_reads);
    if ((a & b) == 0 || signals) return;
    visit(first_writes ? earlier.write_pc : earlier.read_pc, second_writes ? later.write_pc : later.read_pc,
          first_writes, second_writes);
  };
  meet_as(false, true);
  meet_as(true, true);
  meet_as(true, false);
}

const char* does(bool writes) { return writes ? "writes" : "reads"; }

/// Whether both store, and to the same words.
bool store_alike(const Touched& a, const Touched& b) {
  const auto stores = [](const Touched& touched) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> all;
    for (const WordRun& run : touched.others.all())
      if (run.writes != 0) all.emplace_back(run.begin, run.end);
    return all;
  };
  return !stores(a).empty() && stores(a) == stores(b);
}

}  // namespace

Touched ChildLaunches::touched() { return touched_by_launch(false); }

ChildLaunches::ChildLaunches(std::string parent, Touched touched)
    : parent_(std::move(parent)), touched_(std::move(touched)) {}

void ChildLaunches::judge(const ChildLaunch& child, Touched touched) {
  if (child.stream != ChildLaunch::Stream::tail) judge_parent(child, touched);
  for (const Sibling& earlier : siblings_)
    if (are_beside(earlier.launch, child)) judge_sibling(earlier, child, touched);
  judge_repetition(child, touched);
  if (siblings_.size() < kMostSiblings) siblings_.push_back({child, std::move(touched)});
}

/// When its threads did what is known by the line alone: what stands behind the launch comes after it.
void ChildLaunches::judge_parent(const ChildLaunch& child, const Touched& touched) const {
  std::map<std::uint32_t, bool> behind;  // by pc of the parent
  const auto comes_behind = [&](std::uint32_t pc) {
    const auto [place, fresh] = behind.try_emplace(pc, false);
    if (fresh && pc != 0) place->second = is_behind(source_line(pc_at(pc)), child.at);
    return place->second;
  };
  for (const WordRun& run : touched.others.all())
    for (auto own = touched_.others.from(run.begin);
         own != touched_.others.all().end() && own->begin < run.end; ++own)
      each_pair(*own, run, [&](std::uint32_t parent_pc, std::uint32_t child_pc, bool writes, bool child_writes) {
        if (!comes_behind(parent_pc)) return;
        findings().add(runs::FindingClass::race_global, pc_at(parent_pc), pc_at(child_pc), [&](runs::Finding& f) {
          f.kernel = parent_;
          f.object = object_at(std::max(own->begin, run.begin), false);
          f.message = parent_ + " " + does(writes) + " " + f.object + " behind the launch at line " +
                      std::to_string(child.at.line) + ", and " + child.kernel +
                      ", which is launched there, " + does(child_writes) +
                      " it, with nothing that orders the two.";
          f.advice =
              "A kernel does not wait for those that it launches: they end before it counts as ended, and no sooner. "
              "Put what needs their results into a kernel of its own, launched into cudaStreamTailLaunch or by the "
              "host.";
        });
      });
}

void ChildLaunches::judge_repetition(const ChildLaunch& child, const Touched& touched) {
  const auto again = [&](const Sibling& last) {
    return last.launch.block == child.block && last.launch.thread != child.thread &&
           last.launch.at.line == child.at.line && is_same_file(last.launch.at, child.at) &&
           last.launch.kernel == child.kernel && store_alike(last.touched, touched);
  };
  alike_ = !siblings_.empty() && again(siblings_.back()) ? alike_ + 1 : 0;
  if (alike_ != kWarpSize - 1) return;
  runs::Finding f;
  f.klass = runs::FindingClass::bad_launch;
  f.severity = runs::Severity::warning;
  f.kernel = parent_;
  f.at = child.at;
  f.message = std::to_string(kWarpSize) + " threads of block " + std::to_string(child.block) + " of " +
              parent_ + " and more launch " + child.kernel +
              " here, one after another, and all of these store to the same "
              "elements.";
  f.advice =
      "Each thread that comes to a launch makes one: let one thread of the block do it, if (threadIdx.x == 0).";
  findings().add_now(std::move(f));
}

void ChildLaunches::judge_sibling(const Sibling& earlier, const ChildLaunch& child,
                                  const Touched& touched) const {
  each_meeting(earlier.touched, touched, [&](const Meeting& meeting) {
    if (meeting.earlier_pc == 0 || meeting.later_pc == 0) return true;
    findings().add(
        runs::FindingClass::race_global, pc_at(meeting.later_pc), pc_at(meeting.earlier_pc),
        [&](runs::Finding& f) {
          f.kernel = child.kernel;
          f.object = object_at(meeting.word, false);
          using Stream = ChildLaunch::Stream;
          const bool same_block = earlier.launch.block == child.block,
                     same_thread = same_block && earlier.launch.thread == child.thread;
          const auto launched_by = [&](const ChildLaunch& one) {
            return one.kernel + ", launched " +
                   (same_thread  ? "by the same thread"
                    : same_block ? std::string("by another thread")
                                 : "by block " + std::to_string(one.block)) +
                   " of " + parent_ + " at line " + std::to_string(one.at.line) +
                   (one.stream == Stream::none ? " into cudaStreamFireAndForget," : ",");
          };
          const bool forgotten = earlier.launch.stream == Stream::none || child.stream == Stream::none;
          f.message = launched_by(child) + " " + does(meeting.later_writes) + " " + f.object + ", which " +
                      launched_by(earlier.launch) + " " + does(meeting.earlier_writes) +
                      ", with nothing that orders the two.";
          if (forgotten)
            f.advice =
                "cudaStreamFireAndForget is no stream: what is launched there begins at once, and nothing waits for it "
                "but the end of the kernel that launches it. Launch both into one stream.";
          else
            f.advice =
                "What one block launches into its default stream runs one after another; launches of several blocks or "
                "streams run beside each other. Let one thread of the grid launch (threadIdx.x == 0 && blockIdx.x == 0), "
                "or give each launch memory of its own.";
        });
    return true;
  });
}

}  // namespace workbook::sim
