// What the host does beside the work of streams, in code of its own and in functions that streams call.
#include <algorithm>
#include <limits>

#include "scene.h"
#include "stream_order.h"

namespace workbook::sim {
namespace {

/// Words that the host may use as long as nothing changes.
struct Free {
  std::uint64_t version = 0, begin = 0, end = 0;
  bool holds(std::uint64_t now, std::uint64_t first, std::uint64_t last) const {
    return version == now && first >= begin && last < end;
  }
};

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

thread_local HostFunction* StreamOrder::inside_ = nullptr;
thread_local bool StreamOrder::is_locked_ = false;

StreamOrder::Locked::Locked(const StreamOrder& order) : order_(order) {
  is_locked_ = true;
  order_.mutex_.lock();
}

StreamOrder::Locked::~Locked() {
  order_.mutex_.unlock();
  is_locked_ = false;
}

void StreamOrder::see_host(std::uintptr_t address, std::size_t bytes, bool writes, bool signal, Pc pc) {
  const std::uint64_t version = version_.load(std::memory_order_relaxed);
  if (version == 0 || bytes == 0 || is_locked_) return;
  if (inside_ != nullptr) return see_function(address, bytes, writes, signal, pc);
  thread_local Free free_to_read, free_to_write;
  const std::uint64_t first = address / 4, last = (address + bytes - 1) / 4;
  if ((writes ? free_to_write : free_to_read).holds(version, first, last)) return;
  const Locked lock(*this);
  if (latest_ != nullptr) {
    settle();
    watch();
  }
  Touched use;
  (writes ? use.others : use.reads).append_bytes(address, bytes, writes, offset_in_program(pc), signal);
  Free free{version_, 0, std::numeric_limits<std::uint64_t>::max()};
  StreamClock& host = threads_.clock();
  each_unknown(host, [&](const StreamWork& earlier) {
    narrow(free, earlier.touched.reads, first, last, writes);
    narrow(free, earlier.touched.others, first, last, writes);
  });
  judge_host(use, nullptr, pc);
  const StreamClock seen = signal && !writes ? signalled(host, first, last) : StreamClock{};
  if (!host.knows_all_of(seen)) {  // it has waited by looking
    host.join(seen);
    prune();
    return;
  }
  (writes ? free_to_write : free_to_read) = free;
}

void StreamOrder::judge_host(const Touched& use, const char* call, Pc pc) {
  each_unknown(threads_.clock(), [&](const StreamWork& earlier) {
    if (call != nullptr && earlier.kind == StreamWork::Kind::allocation) return;  // what uses it is told
    each_meeting(earlier.touched, use, [&](const Meeting& meeting) {
      report(earlier, {nullptr, call, pc, &host_waits_}, meeting);
      return false;
    });
  });
}

/// What is known from signals in these words, of work that has not ended for whoever has the clock.
StreamClock StreamOrder::signalled(const StreamClock& clock, std::uint64_t first, std::uint64_t last) {
  StreamClock seen;
  each_unknown(clock, [&](const StreamWork& earlier) {
    const WordRuns& runs = earlier.touched.others;
    const auto run = runs.from(first);
    if (run == runs.all().end() || run->begin > last || !run->signal_writes) return;
    seen.join(earlier.before);
    seen.set(earlier.lane, std::max(seen.at(earlier.lane), earlier.number));
  });
  return seen;
}

void StreamOrder::see_function(std::uintptr_t address, std::size_t bytes, bool writes, bool signal, Pc pc) {
  const auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  if (address > frame && address < reinterpret_cast<std::uintptr_t>(inside_)) return;  // variables of its own
  const Locked lock(*this);
  inside_->uses.note(address, bytes, writes, signal, offset_in_program(pc));
  if (!signal || writes) return;
  settle();
  watch();
  inside_->clock.join(signalled(inside_->clock, address / 4, (address + bytes - 1) / 4));
}

void StreamOrder::tell_others() {
  const Locked lock(*this);
  inside_->tells_others = true;
  threads_.clock().join(inside_->clock);
  threads_.tell(inside_->clock);
  prune();
}

void StreamOrder::join_thread(pthread_t thread) {
  if (is_locked_ || !is_on()) return;
  const Locked lock(*this);
  threads_.joined(thread);
  prune();
}

void StreamOrder::synchronise_thread(bool tells) {
  if (is_locked_ || !is_on()) return;
  const Locked lock(*this);
  threads_.synchronise(tells);
}

void StreamOrder::forget_memory(std::uintptr_t address, std::size_t bytes) {
  if (is_locked_ || !is_on()) return;
  const Locked lock(*this);
  if (inside_ != nullptr) return inside_->uses.forget(address, bytes);
  for (Lane& lane : lanes_)
    for (const std::shared_ptr<StreamWork>& work : lane.pending) {
      if (work->kind != StreamWork::Kind::host_function) continue;
      kept_ -= work->touched.size();
      work->touched.reads.forget(address, bytes);
      work->touched.others.forget(address, bytes);
      kept_ += work->touched.size();
    }
}

void StreamOrder::see_release(std::uintptr_t address, std::size_t bytes, const char* call, Pc pc) {
  see_call(address, bytes, true, call, pc);
}

void StreamOrder::see_staging(std::uintptr_t address, std::size_t bytes, const char* call, Pc pc) {
  see_call(address, bytes, false, call, pc);
}

void StreamOrder::see_call(std::uintptr_t address, std::size_t bytes, bool writes, const char* call, Pc pc) {
  if (!is_on() || version_ == 0 || is_locked_ || inside_ != nullptr) return;
  const Locked lock(*this);
  settle();
  watch();
  Touched use;
  (writes ? use.others : use.reads).append_bytes(address, bytes, writes, offset_in_program(pc));
  judge_host(use, call, pc);
}

}  // namespace workbook::sim
