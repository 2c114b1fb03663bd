// The work of streams, what it accesses, and which of it meets with nothing that orders the two.
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
thread_local StreamClock learned;  // by a function that the calling thread has run

bool is_word_of_arena(std::uint64_t word) { return Arena::contains(word * 4); }

}  // namespace

HostFunction* StreamOrder::enter(HostFunction* function) {
  const Locked lock(*this);
  has_functions_ = true;
  ++functions_;
  watch();
  return std::exchange(inside_, function);
}

void StreamOrder::leave(HostFunction& function, HostFunction* outer) {
  const Locked lock(*this);
  inside_ = outer;
  --functions_;
  noted = function.tells_others ? Touched{} : function.uses.touched();
  learned = std::move(function.clock);
}

void StreamOrder::note_use(std::uintptr_t start, std::size_t width, std::size_t height, std::size_t pitch,
                           bool writes, Pc pc) {
  if (!is_on()) return;
  if (pitch == width) width *= height, height = 1;
  WordRuns& runs = writes ? noted.others : noted.reads;
  for (std::size_t row = 0; row < height; ++row, start += pitch)
    runs.append_bytes(start, width, writes, offset_in_program(pc));
}

bool StreamOrder::has_noted() const { return noted.size() > 0; }

void StreamOrder::forget_noted() { noted = {}; }

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
  if (!threads_.all_know(work->lane, work->number)) settle(*work);
}

void StreamOrder::begin_launch(bool dependent) {
  const Locked lock(*this);
  if (const auto work = std::exchange(unasked_, nullptr);
      work != nullptr && dependent && !threads_.all_know(work->lane, work->number)) {
    work->is_settled = true;
    work->touched = touched_by_launch(false);
    keep(work);
  }
  settle();
  watch();
}

void StreamOrder::give(unsigned lane, StreamWork work) {
  if (!is_on()) return;
  const Locked lock(*this);
  Branch* const branch = followed();
  StreamClock clock = branch != nullptr ? branch->clock : begin(lane);
  clock.join(std::exchange(learned, {}));
  if (branch != nullptr) lane = branch->lane;
  work.lane = lane;
  work.number = ++lanes_[lane].given;
  work.thread = threads_.number();
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
        !threads_.clock().knows(work.lane, primary->number))
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
      const bool known = threads_.all_know(static_cast<unsigned>(i), work->number);
      if (known && work->is_settled) kept_ -= work->touched.size();
      return known;
    });
  if (latest_ != nullptr && threads_.all_know(latest_->lane, latest_->number)) latest_ = nullptr;
  watch();
}

/// What is pending has changed.
void StreamOrder::watch() {
  bool any = functions_ > 0;
  std::uint64_t begin = std::numeric_limits<std::uint64_t>::max(), end = 0;
  for (const Lane& lane : lanes_)
    for (const std::shared_ptr<StreamWork>& work : lane.pending) {
      any = true;
      begin = std::min(begin, work->outside_begin), end = std::max(end, work->outside_end);
    }
  watch_bytes_ = 0;
  watch_begin_ = functions_ > 0 ? 0 : begin * 4;
  watch_bytes_ = functions_ > 0 ? ~std::size_t{0} : begin < end ? (end - begin) * 4 : 0;
  version_ = any ? ++versions_ : 0;
}

}  // namespace workbook::sim
