// The work of streams, its accesses and the host's, and which of them meet with nothing that orders them.
#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "scene.h"
#include "sim/engine/arena.h"
#include "sim/engine/host_copies.h"
#include "stream_order.h"

namespace workbook::sim {
namespace {

constexpr std::size_t kMostRuns = std::size_t{1} << 22;  // that are kept; what is older is forgotten
constexpr std::size_t kMostWorks = 4096;                 // of a lane, likewise
constexpr std::size_t kMostPlaces = 16;                  // pairs of lines that two pieces of work meet at

thread_local Touched noted;
thread_local HostFunction* inside = nullptr;
thread_local bool is_judging = false;

/// The host's own code may come here while the order is looked at: by containers that the linker took from
/// the program.
class Judging {
 public:
  Judging() { is_judging = true; }
  ~Judging() { is_judging = false; }
  Judging(const Judging&) = delete;
  Judging& operator=(const Judging&) = delete;
};

/// Words that the host may use as long as nothing changes.
struct Free {
  std::uint64_t version = 0, begin = 0, end = 0;
  bool holds(std::uint64_t now, std::uint64_t first, std::uint64_t last) const {
    return version == now && first >= begin && last < end;
  }
};

std::uint32_t offset_of(Pc pc) { return static_cast<std::uint32_t>(pc - program_base()); }

bool is_word_of_arena(std::uint64_t word) { return Arena::contains(word * 4); }

/// Narrows `free` to the words around [first, last] that the runs leave alone: for who reads, those that
/// nobody writes.
void narrow(Free& free, const WordRuns& runs, std::uint64_t first, std::uint64_t last, bool writes) {
  constexpr int kFarthest = 8;
  const auto matters = [&](const WordRun& run) { return writes || run.writes != 0; };
  const auto here = runs.from(first), end = runs.all().end();
  auto next = here;
  for (int steps = 0; next != end && !matters(*next) && steps < kFarthest; ++steps) ++next;
  if (next != end) free.end = next->begin <= last ? 0 : std::min(free.end, next->begin);
  auto before = here;
  for (int steps = 1; before != runs.all().begin(); ++steps) {
    --before;
    if (!matters(*before) && steps < kFarthest) continue;
    free.begin = std::max(free.begin, before->end);
    break;
  }
}

}  // namespace

HostFunction* StreamOrder::enter(HostFunction* function) { return std::exchange(inside, function); }

void StreamOrder::note_use(std::uintptr_t start, std::size_t width, std::size_t height, std::size_t pitch,
                           bool writes, Pc pc) {
  if (!is_on()) return;
  if (pitch == width) width *= height, height = 1;
  WordRuns& runs = writes ? noted.others : noted.reads;
  for (std::size_t row = 0; row < height; ++row, start += pitch)
    runs.append_bytes(start, width, writes, offset_of(pc));
}

void StreamOrder::note_uses(Touched touched) { noted = std::move(touched); }

bool StreamOrder::has_noted() const { return noted.size() > 0; }

void StreamOrder::forget_noted() { noted = {}; }

template <class Visit>
void StreamOrder::each_unknown(const StreamClock& clock, Visit visit) {
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane)
    for (const std::shared_ptr<StreamWork>& work : lanes_[lane].pending)
      if (!clock.knows(static_cast<unsigned>(lane), work->number)) visit(*work);
}

void StreamOrder::settle(StreamWork& work) {
  work.is_settled = true;
  work.touched = touched_by_launch(!has_several_streams());
  kept_ += work.touched.size();
  forget_older_like(work);
}

/// What the lane has done before in the same way is no news: whoever does not know of this does not know of
/// more.
void StreamOrder::forget_older_like(const StreamWork& work) {
  std::vector<std::shared_ptr<StreamWork>>& pending = lanes_[work.lane].pending;
  const auto is_older_like = [&](const std::shared_ptr<StreamWork>& before) {
    const bool older = before->number < work.number && before->is_settled && before->kind == work.kind &&
                       before->touched == work.touched;
    if (older) kept_ -= before->touched.size();
    return older;
  };
  std::erase_if(pending, is_older_like);
}

void StreamOrder::settle() {
  if (latest_ == nullptr) return;
  const std::shared_ptr<StreamWork> work = std::exchange(latest_, nullptr);
  if (!host_.knows(work->lane, work->number)) settle(*work);
}

void StreamOrder::begin_launch(bool dependent) {
  const std::lock_guard lock(mutex_);
  const Judging judging;
  if (const auto work = std::exchange(unasked_, nullptr);
      work != nullptr && dependent && !host_.knows(work->lane, work->number)) {
    work->is_settled = true;
    work->touched = touched_by_launch(false);
    keep(work);
  }
  settle();
  watch();
}

void StreamOrder::give(unsigned lane, StreamWork work) {
  if (!is_on()) return;
  const std::lock_guard lock(mutex_);
  const Judging judging;
  Branch* const branch = followed();
  StreamClock clock = branch != nullptr ? branch->clock : begin(lane);
  if (branch != nullptr) lane = branch->lane;
  work.lane = lane;
  work.number = ++lanes_[lane].given;
  work.before = clock;
  work.touched = std::exchange(noted, {});
  auto kept = std::make_shared<StreamWork>(std::move(work));
  if (kept->kind == StreamWork::Kind::kernel) {
    const bool at_once = has_managed_variables();  // at whose addresses the host asks only once this is known
    const bool later = !at_once && (has_several_streams() || branch != nullptr || has_host_memory_);
    kept->is_settled = !later;
    latest_ = later ? kept : nullptr;
    unasked_ = later || at_once ? nullptr : kept;
    if (at_once) kept->touched = touched_by_launch(!has_several_streams());
    if (kept->dependent && branch == nullptr) judge_early(*kept);
  }
  judge(*kept, clock);
  clock.set(lane, kept->number);
  if (branch != nullptr)
    branch->clock = std::move(clock);
  else
    lanes_[lane].done = std::move(clock);
  if (kept->kind != StreamWork::Kind::release && (kept->touched.size() > 0 || !kept->is_settled))
    keep(std::move(kept));
}

void StreamOrder::judge(const StreamWork& work, const StreamClock& clock) {
  bool any = false;
  each_unknown(clock, [&](const StreamWork&) { any = true; });
  if (!any) return;
  settle();
  const Later later{&work, nullptr, work.pc, &lanes_[work.lane].waits};
  each_unknown(clock, [&](const StreamWork& earlier) { report_all(earlier, work.touched, later); });
}

void StreamOrder::report_all(const StreamWork& earlier, const Touched& touched, const Later& later) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> places;
  each_meeting(earlier.touched, touched, [&](const Meeting& meeting) {
    if (places.insert({meeting.earlier_pc, meeting.later_pc}).second) report(earlier, later, meeting);
    return places.size() < kMostPlaces;
  });
}

/// What a kernel does before it waits may meet what the kernel before it in its stream still does.
void StreamOrder::judge_early(const StreamWork& work) {
  const Lane& lane = lanes_[work.lane];
  for (const std::shared_ptr<StreamWork>& primary : lane.pending)
    if (primary->kind == StreamWork::Kind::kernel && primary->number + 1 == work.number &&
        !host_.knows(work.lane, primary->number))
      report_all(*primary, touched_before_wait(), {&work, nullptr, work.pc, &lane.waits});
}

void StreamOrder::keep(std::shared_ptr<StreamWork> work) {
  if (work->is_settled) forget_older_like(*work);
  for (const WordRuns* runs : {&work->touched.reads, &work->touched.others})
    for (const WordRun& run : runs->all()) {
      if (is_word_of_arena(run.begin)) continue;
      work->outside_begin = std::min(work->outside_begin, run.begin);
      work->outside_end = std::max(work->outside_end, run.end);
    }
  kept_ += work->touched.size();
  lanes_[work->lane].pending.push_back(std::move(work));
  for (Lane& lane : lanes_)
    while (!lane.pending.empty() && lane.pending.front()->is_settled &&
           (kept_ > kMostRuns || lane.pending.size() > kMostWorks)) {
      kept_ -= lane.pending.front()->touched.size();
      lane.pending.erase(lane.pending.begin());
    }
  watch();
}

void StreamOrder::prune() {
  for (std::size_t i = 0; i < lanes_.size(); ++i)
    std::erase_if(lanes_[i].pending, [&](const std::shared_ptr<StreamWork>& work) {
      const bool known = host_.knows(static_cast<unsigned>(i), work->number);
      if (known && work->is_settled) kept_ -= work->touched.size();
      return known;
    });
  if (latest_ != nullptr && host_.knows(latest_->lane, latest_->number)) latest_ = nullptr;
  watch();
}

/// What is pending has changed.
void StreamOrder::watch() {
  bool any = false;
  std::uint64_t begin = std::numeric_limits<std::uint64_t>::max(), end = 0;
  for (const Lane& lane : lanes_)
    for (const std::shared_ptr<StreamWork>& work : lane.pending) {
      any = true;
      begin = std::min(begin, work->outside_begin), end = std::max(end, work->outside_end);
    }
  watch_bytes_ = 0;
  watch_begin_ = begin * 4;
  watch_bytes_ = begin < end ? (end - begin) * 4 : 0;
  version_ = any ? ++versions_ : 0;
}

void StreamOrder::see_host(std::uintptr_t address, std::size_t bytes, bool writes, bool signal, Pc pc) {
  const std::uint64_t version = version_.load(std::memory_order_relaxed);
  if (version == 0 || bytes == 0 || is_judging) return;
  thread_local Free free_to_read, free_to_write;
  const std::uint64_t first = address / 4, last = (address + bytes - 1) / 4;
  if (inside == nullptr && (writes ? free_to_write : free_to_read).holds(version, first, last)) return;
  const std::lock_guard lock(mutex_);
  const Judging judging;
  if (latest_ != nullptr) {
    settle();
    watch();
  }
  Touched use;
  (writes ? use.others : use.reads).append_bytes(address, bytes, writes, offset_of(pc), signal);
  const StreamClock clock = inside != nullptr ? inside->clock : host_;
  Free free{version_, 0, std::numeric_limits<std::uint64_t>::max()};
  const StreamWork* seen = nullptr;
  each_unknown(clock, [&](const StreamWork& earlier) {
    narrow(free, earlier.touched.reads, first, last, writes);
    narrow(free, earlier.touched.others, first, last, writes);
    const auto run = earlier.touched.others.from(first);
    if (signal && !writes && run != earlier.touched.others.all().end() && run->begin <= last &&
        run->signal_writes)
      seen = &earlier;
    each_meeting(earlier.touched, use, [&](const Meeting& meeting) {
      report(earlier, {nullptr, nullptr, pc, &host_waits_}, meeting);
      return false;
    });
  });
  if (inside != nullptr) {
    WordRuns& runs = writes ? inside->touched.others : inside->touched.reads;
    // Few such functions walk through memory backwards; what they do there is not kept.
    if (runs.all().empty() || runs.all().back().end <= first)
      runs.append_bytes(address, bytes, writes, offset_of(pc), signal);
    return;
  }
  if (seen != nullptr) {  // it has waited by looking
    host_.join(seen->before);
    host_.set(seen->lane, seen->number);
    prune();
    return;
  }
  (writes ? free_to_write : free_to_read) = free;
}

void StreamOrder::see_release(std::uintptr_t address, std::size_t bytes, const char* call, Pc pc) {
  if (!is_on() || version_ == 0) return;
  const std::lock_guard lock(mutex_);
  const Judging judging;
  settle();
  watch();
  Touched use;
  use.others.append_bytes(address, bytes, true, offset_of(pc));
  each_unknown(host_, [&](const StreamWork& earlier) {
    each_meeting(earlier.touched, use, [&](const Meeting& meeting) {
      report(earlier, {nullptr, call, pc, &host_waits_}, meeting);
      return false;
    });
  });
}

}  // namespace workbook::sim
