#include "findings.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <optional>
#include <utility>

#include "advice.h"
#include "runs/findings.h"
#include "sim/source/symbols.h"

namespace workbook::sim {
namespace {

thread_local int entered = 0;
std::atomic<bool> last_words{false};

/// Holds the log, and keeps the hooks of this thread silent meanwhile.
class Entered {
 public:
  explicit Entered(std::mutex& mutex) : worker_(this_worker) {
    if (!last_words) lock_.emplace(mutex);
    ++entered;
    if (worker_ != nullptr) current_ = std::exchange(worker_->current, nullptr);
  }
  ~Entered() {
    --entered;
    if (worker_ != nullptr) worker_->current = current_;
  }
  Entered(const Entered&) = delete;
  Entered& operator=(const Entered&) = delete;

 private:
  std::optional<std::lock_guard<std::mutex>> lock_;
  Worker* worker_;
  SimThread* current_ = nullptr;
};

/// Puts the program's line in the place of one of the toolkit's, which the message then names.
void show_caller(runs::Finding& f) {
  if (!f.called_from || !is_of_toolkit(f.at)) return;
  const std::string file = f.at.file.substr(f.at.file.rfind('/') + 1);
  f.message += " It happens in " + file + ":" + std::to_string(f.at.line) + ", which this line uses.";
  f.at = *std::exchange(f.called_from, std::nullopt);
}

/// `first`, with what the other says of the same array, and whether the ragged end explains both.
Overrun joined(Overrun first, const Overrun& other) {
  if (other.array == first.array) {
    first.past = std::max(first.past, other.past);
    first.before = std::max(first.before, other.before);
  }
  first.ragged = first.ragged && other.ragged;
  return first;
}

}  // namespace

std::optional<runs::SourceLine> caller_of(const runs::SourceLine& at, Pc pc, const std::vector<Pc>& stack) {
  if (is_of_program(at)) return std::nullopt;
  for (const SourceFrame& frame : source_frames(pc))
    if (is_of_program(frame.at)) return frame.at;
  for (const Pc call : stack)
    for (const SourceFrame& frame : source_frames(call))
      if (is_of_program(frame.at)) return frame.at;
  return std::nullopt;
}

bool FindingLog::is_entered() { return entered > 0; }
void FindingLog::begin_last_words() { last_words = true; }

void FindingLog::add(runs::FindingClass klass, Pc pc, Pc other_pc,
                     const std::function<void(runs::Finding&)>& describe) {
  add_race(klass, pc, other_pc, {}, describe);
}

void FindingLog::add_race(runs::FindingClass klass, Pc pc, Pc other_pc, const RaceFacts& race,
                          const std::function<void(runs::Finding&)>& describe) {
  const Entered entered_here(mutex_);
  // Millions may be one finding: an entry is made for the first.
  auto place = entries_.find({klass, pc, other_pc});
  const bool fresh = place == entries_.end();
  if (fresh)
    place =
        entries_.try_emplace({klass, pc, other_pc}, Entry{{}, pc, other_pc, entries_.size(), {}, {}, race})
            .first;
  Entry& entry = place->second;
  const std::int64_t count = fresh ? 1 : entry.finding.count + 1;
  // The two that are named are those farthest apart, as what is advised is for them, too.
  const bool wider = !race.same_value && race.reach > entry.race.reach;
  if (fresh || wider || (entry.race.same_value && !race.same_value)) {
    const Pc read = entry.race.read;
    entry.race = race;
    entry.race.read = read;
    entry.finding = {};
    entry.finding.klass = klass;
    entry.stack = calls_around(pc);
    if (this_worker != nullptr && this_worker->launch != nullptr && this_worker->busy)
      entry.launched_at = this_worker->launch->called_at;
    entry.lanes = 0;
    describe(entry.finding);
  }
  entry.finding.count = count;
  if (entry.race.same_value != race.same_value) return;
  entry.race.reach = std::max(entry.race.reach, race.reach);
  if (entry.race.warp_element != 0 && entry.race.warp_element == race.warp_element) entry.lanes |= race.lanes;
}

void FindingLog::add_overrun(runs::FindingClass klass, Pc pc, const Overrun& overrun,
                             const std::function<void(runs::Finding&)>& describe) {
  add(klass, pc, 0, describe);
  const Entered entered_here(mutex_);
  std::optional<Overrun>& all = entries_.at({klass, pc, 0}).overrun;
  all = all ? joined(*all, overrun) : overrun;
}

std::set<Pc> FindingLog::overruns() const {
  const Entered entered_here(mutex_);
  std::set<Pc> all;
  for (const auto& [key, entry] : entries_)
    if (runs::is_out_of_bounds(std::get<0>(key))) all.insert(std::get<1>(key));
  return all;
}

void FindingLog::rechecked(Pc read) {
  const Entered entered_here(mutex_);
  rechecked_.insert(read);
}

void FindingLog::add(runs::Finding finding) {
  const Entered entered_here(mutex_);
  finished_.push_back(std::move(finding));
}

void FindingLog::add_now(runs::Finding finding) {
  const Entered entered_here(mutex_);
  dropped_.push_back({std::move(finding), entries_.size(), true});
}

void FindingLog::add_dropped(runs::Finding finding) {
  const Entered entered_here(mutex_);
  dropped_.push_back({std::move(finding), entries_.size()});
}

void FindingLog::retract(const runs::SourceLine& at) {
  const Entered entered_here(mutex_);
  std::erase_if(dropped_, [&](const DroppedCall& one) {
    return !one.always && one.finding.at.line == at.line && is_same_file(one.finding.at, at);
  });
}

void FindingLog::add_passed_barrier(const PassedBarrier& passed) {
  const Entered entered_here(mutex_);
  passed_.add(passed);
}

/// One line may be compiled to several accesses, of several arrays: it is one finding, of the first of them,
/// which counts what is done to that array in the same way and names the others.
void FindingLog::join_overruns(std::vector<Entry>& entries) {
  std::vector<bool> is_told(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    Entry& first = entries[i];
    if (!first.overrun || is_told[i]) continue;
    std::vector<std::string> named = {first.overrun->does + ' ' + first.overrun->array};
    for (std::size_t k = i + 1; k < entries.size(); ++k) {
      const Entry& other = entries[k];
      if (!other.overrun || !runs::same_place(first.finding, other.finding)) continue;
      is_told[k] = true;
      first.overrun = joined(*first.overrun, *other.overrun);
      const std::string what = other.overrun->does + ' ' + other.overrun->array;
      if (what == named.front()) first.finding.count += other.finding.count;
      if (std::find(named.begin(), named.end(), what) != named.end()) continue;
      named.push_back(what);
      first.finding.message += " The line also " + other.overrun->does + ' ' + other.finding.object +
                               ", which is not there either.";
    }
    first.finding.advice =
        overrun_advice(*first.overrun, first.finding.at, first.finding.kernel) + first.finding.advice;
  }
  std::size_t next = 0;
  std::erase_if(entries, [&](const Entry&) { return is_told[next++]; });
}

/// What orders the threads farthest apart orders all of them.
void FindingLog::advise_races(std::vector<runs::Finding>& findings) {
  for (runs::Finding& finding : findings)
    if (finding.reach != runs::Reach::none && finding.advice.empty()) finding.advice = race_advice(finding);
}

std::vector<runs::Finding> FindingLog::take() {
  const Entered entered_here(mutex_);
  std::vector<Entry> entries;
  for (auto& [key, entry] : entries_)
    if (!rechecked_.contains(entry.race.read)) entries.push_back(std::move(entry));
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.order < b.order; });

  std::vector<runs::Finding> out;
  const auto merge = [&](runs::Finding finding) {
    if (finding.at.line <= 0 && finding.severity == runs::Severity::advice) return;  // a library's own affair
    for (auto& known : out)
      if (runs::same_place(known, finding) && known.severity == finding.severity) {
        known.count += finding.count;
        known.reach = std::max(known.reach, finding.reach);
        return;
      }
    out.push_back(std::move(finding));
  };
  for (auto& entry : entries) entry.finding.at = source_line(entry.pc);
  join_overruns(entries);
  std::size_t next_dropped = 0;
  const auto tell_dropped = [&](std::size_t order) {
    for (; next_dropped < dropped_.size() && dropped_[next_dropped].order <= order; ++next_dropped) {
      const runs::Finding& f = dropped_[next_dropped].finding;
      const auto tells_of_it = [&](const runs::Finding& other) {
        return other.at.line == f.at.line && is_same_file(other.at, f.at) &&
               other.severity == runs::Severity::error;
      };
      if (!dropped_[next_dropped].always &&
          (std::any_of(finished_.begin(), finished_.end(), tells_of_it) ||
           std::any_of(out.begin(), out.end(), tells_of_it) ||
           std::any_of(entries.begin(), entries.end(),
                       [&](const Entry& entry) { return tells_of_it(entry.finding); })))
        continue;
      merge(f);
    }
  };
  std::vector<std::size_t> orders;
  for (const auto& entry : entries) orders.push_back(entry.order);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    Entry& entry = entries[i];
    tell_dropped(orders[i]);
    runs::Finding& f = entry.finding;
    if (entry.other_pc != 0)
      if (const runs::SourceLine other = program_line(entry.other_pc); !f.other || is_of_program(other))
        f.other = other;
    if (auto caller = caller_of(f.at, entry.pc, entry.stack)) f.called_from = std::move(caller);
    const bool nowhere = f.at.line <= 0;  // in a header of the simulator's own
    if (!f.called_from && (nowhere || is_of_toolkit(f.at)) && is_of_program(entry.launched_at))
      f.called_from = entry.launched_at;
    if (nowhere && f.called_from) f.at = *std::exchange(f.called_from, std::nullopt);
    show_caller(f);
    if (f.other && is_of_library(f.kernel) && !is_of_program(*f.other)) f.other.reset();
    if (entry.race.warp_element != 0)
      f.message = std::to_string(std::popcount(entry.lanes)) +
                  " threads of one warp write the same value to " + f.object + ": one is enough.";
    f.reach = entry.race.reach;
    merge(std::move(entry.finding));
  }
  tell_dropped(entries_.size());
  dropped_.clear();
  advise_races(out);
  for (runs::Finding& finding : passed_.take(whole_blocks)) merge(std::move(finding));
  for (auto& finding : finished_) merge(std::move(finding));
  // Use of a block that may not have begun, or have ended, has the same cause as a race there.
  std::erase_if(out, [&](const runs::Finding& f) {
    return f.klass == runs::FindingClass::race_shared && !f.other &&
           std::any_of(out.begin(), out.end(), [&](const runs::Finding& race) {
             return race.klass == f.klass && race.other &&
                    ((race.at.line == f.at.line && race.at.file == f.at.file) ||
                     (race.other->line == f.at.line && race.other->file == f.at.file));
           });
  });
  // What comes while a copy is under way races with it, too.
  std::erase_if(out, [&](const runs::Finding& f) {
    return f.klass == runs::FindingClass::race_shared && f.other &&
           std::any_of(out.begin(), out.end(), [&](const runs::Finding& copy) {
             return copy.klass == runs::FindingClass::copy_not_waited && copy.other &&
                    copy.at.line == f.at.line && copy.at.file == f.at.file &&
                    copy.other->line == f.other->line;
           });
  });
  // Where threads also read what others store, that some of the stores are equal is no comfort.
  std::erase_if(out, [&](const runs::Finding& f) {
    return f.severity == runs::Severity::advice && runs::is_race(f.klass) &&
           std::any_of(out.begin(), out.end(), [&](const runs::Finding& error) {
             return error.severity == runs::Severity::error && error.klass == f.klass &&
                    error.at.file == f.at.file &&
                    (error.at.line == f.at.line || (error.other && error.other->line == f.at.line));
           });
  });
  entries_.clear();
  finished_.clear();
  return out;
}

runs::ThreadId thread_id(const Launch& launch, std::uint32_t gid) {
  const auto at = [](std::uint32_t linear, uint3 extent) {
    const uint3 index = unflatten(linear, extent);
    return runs::Dim3{index.x, index.y, index.z};
  };
  return {at(gid / launch.block_threads, launch.grid), at(gid % launch.block_threads, launch.block)};
}

std::string describe_thread(const runs::ThreadId& id, uint3 grid, uint3 block) {
  const auto coordinates = [](const runs::Dim3& at, uint3 extent) {
    if (extent.y == 1 && extent.z == 1) return std::to_string(at.x);
    const std::string text = "(" + std::to_string(at.x) + "," + std::to_string(at.y);
    return extent.z == 1 ? text + ")" : text + "," + std::to_string(at.z) + ")";
  };
  return "thread " + coordinates(id.thread, block) + " of block " + coordinates(id.block, grid);
}

}  // namespace workbook::sim
