#include "phase_barriers.h"

#include <algorithm>
#include <utility>

#include "sim/include/workbook_sim/sync/barrier_word.h"
#include "sim/source/source_blocks.h"

namespace workbook::sim {

using runs::FindingClass;

namespace {

constexpr const char* kTurnTheParity =
    "Phases have parities 0, 1, 0, 1: wait for the other one in each round, or with the token of the latest "
    "arrive().";

std::string number_of(std::uint64_t n, const char* what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

std::string line_text(Pc pc) {
  const int line = source_line(pc).line;
  return line > 0 ? " (line " + std::to_string(line) + ")" : "";
}

std::string thread_name(const Scene& scene, std::uint32_t thread) {
  return scene.name(scene.id_of(scene.worker.thread(thread)));
}

/// Those that bar.sync counts, and those of tiles of several warps, are no variables of the program.
std::string barrier_name(const Scene& scene, std::uintptr_t address) {
  const SharedArray* const array = scene.shared_array(address);
  return array == nullptr || address >= array->end ? "a barrier of some of the block's threads"
                                                   : scene.shared_element(address);
}

/// What to look at where a thread waits in line `at`, for a phase that nobody ends.
std::string advice_of_deadlock(const runs::SourceLine& at, std::int64_t phase) {
  if (line_holds(at, "producer_acquire("))
    return "A pipeline with n stages fills n of them, and then waits until all threads have given one back: "
           "consumer_release(), once for each consumer_wait(), before the next producer_acquire().";
  if (line_holds(at, "consumer_wait("))
    return "consumer_wait() waits for the oldest stage that was committed: each stage needs producer_commit() by all "
           "threads, behind its copies, and there are no more waits than commits.";
  if (phase > 0) return "Who should arrive in this phase, and does it come there before it waits itself?";
  return "Who should arrive, and does it come there before it waits itself? In the first round wait_parity(true) "
         "passes at once, for the phase before the first counts as ended; wait_parity(false) needs arrivals.";
}

bool has_ended(const Scene& scene, std::uint32_t thread) {
  const SimThread& t = scene.worker.thread(thread);
  return scene.worker.has_begun(thread) && t.status == Status::exited && !t.killed;
}

}  // namespace

PhaseBarriers::Barrier* PhaseBarriers::find(std::uintptr_t barrier) {
  const auto found = barriers_.find(barrier);
  return found == barriers_.end() ? nullptr : &found->second;
}

void PhaseBarriers::start(const Scene& scene, std::uintptr_t barrier, std::uint64_t expected, Pc pc) {
  if (!scene.is_shared(barrier)) return;
  Barrier& fresh = barriers_[barrier] = {};
  fresh.expected = expected;
  fresh.started_at = pc;
  const SimThread& t = *scene.worker.running;
  fresh.start = {t.linear, scene.worker.epoch, t.clock, static_cast<std::uint32_t>(pc - program_base())};
}

void PhaseBarriers::arrive(const Scene& scene, std::uintptr_t barrier, std::uint64_t arrivals,
                           std::uint64_t drops, Pc pc) {
  Barrier* const at = find(barrier);
  if (at == nullptr || arrivals == 0) return;
  Visitor& visitor = at->visitors[scene.worker.running->linear];
  visitor.arrivals += arrivals;
  visitor.arrived_in = at->phase;
  visitor.arrives_at = pc;
  at->came += arrivals;
  const SimThread& t = *scene.worker.running;
  at->latest =
      BarrierStart{t.linear, scene.worker.epoch, t.clock, static_cast<std::uint32_t>(pc - program_base())};
  at->expected -= std::min(drops, at->expected);
}

void PhaseBarriers::end_phase(std::uintptr_t barrier) {
  if (Barrier* const at = find(barrier); at != nullptr) ++at->phase, at->came = 0, at->ended = at->latest;
}

bool PhaseBarriers::has_ended_elsewhere(std::uintptr_t barrier) {
  const Barrier* const at = find(barrier);
  if (at == nullptr) return false;
  return (at->phase % 2 != 0) != (load_barrier(reinterpret_cast<const void*>(barrier)).parity != 0);
}

void PhaseBarriers::wait(const Scene& scene, std::uintptr_t barrier, Pc pc) {
  Barrier* const at = find(barrier);
  if (at == nullptr) return;
  Visitor& visitor = at->visitors[scene.worker.running->linear];
  visitor.waits_for = at->phase;
  visitor.waits_at = pc;
}

void PhaseBarriers::pass(const Scene& scene, std::uintptr_t barrier, Pc pc) {
  Barrier* const at = find(barrier);
  if (at == nullptr) return;
  Visitor& visitor = at->visitors[scene.worker.running->linear];
  const bool waited = visitor.waits_for.has_value();
  const std::int64_t phase = waited ? *visitor.waits_for : at->phase - 1;
  if (!waited && phase == visitor.passed && visitor.passed_again_at == 0)
    visitor.passed_again_at = pc, visitor.passed_again = phase;
  visitor.passed = phase;
  visitor.waits_for.reset();
}

/// More threads arrive than the phase waits for. They may take turns, so that it tells only what went wrong
/// where something did.
bool PhaseBarriers::ends_too_early(const Barrier& barrier) {
  std::uint64_t threads = 0;
  for (const auto& [thread, visitor] : barrier.visitors) threads += visitor.arrivals > 0;
  return threads > barrier.expected;
}

runs::Finding PhaseBarriers::finding_at(const Scene& scene, FindingClass klass, const Wait& wait) {
  runs::Finding f;
  f.klass = klass;
  f.kernel = scene.kernel();
  f.object = barrier_name(scene, wait.address);
  f.who = scene.id_of(scene.worker.thread(wait.thread));
  f.at = source_line(wait.visitor.waits_at);
  return f;
}

runs::Finding PhaseBarriers::counts_too_few(const Scene& scene, std::uintptr_t address,
                                            const Barrier& barrier) {
  const auto arriving = std::count_if(barrier.visitors.begin(), barrier.visitors.end(),
                                      [](const auto& v) { return v.second.arrivals > 0; });
  runs::Finding f;
  f.klass = FindingClass::barrier_count;
  f.kernel = scene.kernel();
  f.object = barrier_name(scene, address);
  f.at = source_line(barrier.started_at);
  f.message = "the count of " + f.object + " is too small: init() lets a phase end with " +
              number_of(barrier.expected, "arrival") + ", and " +
              number_of(static_cast<std::uint64_t>(arriving), "thread") +
              " arrive at it. So a phase ends before all of them have come.";
  f.advice = "Give init() the number of arrivals of a phase: of all threads that call arrive(), once each.";
  return f;
}

/// A thread that waits at another barrier: it cannot come to this one before its own wait ends.
std::optional<PhaseBarriers::Wait> PhaseBarriers::waits_elsewhere(const Wait& wait) const {
  for (const auto& [address, barrier] : barriers_)
    for (const auto& [thread, visitor] : barrier.visitors)
      if (address != wait.address && visitor.waits_for) return Wait{address, barrier, thread, visitor};
  return std::nullopt;
}

/// A phase to which arrivals are missing.
PhaseBarriers::Cause PhaseBarriers::too_few(const Scene& scene, const Wait& wait) const {
  const Barrier& barrier = wait.barrier;
  const std::uint64_t due = barrier.expected - std::min(barrier.came, barrier.expected);
  std::uint64_t arriving = 0, here = 0, ended = 0, never_came = 0;
  std::optional<std::uint32_t> first_ended, first_stranger;
  for (std::uint32_t thread = 0; thread < scene.worker.launch->block_threads; ++thread) {
    const auto known = barrier.visitors.find(thread);
    const Visitor* const visitor =
        known == barrier.visitors.end() || known->second.arrivals == 0 ? nullptr : &known->second;
    arriving += visitor != nullptr;
    here += visitor != nullptr && visitor->arrived_in == barrier.phase;
    if (!has_ended(scene, thread)) continue;
    if (visitor == nullptr) {
      ++never_came;
      if (!first_stranger) first_stranger = thread;
    } else if (visitor->arrived_in != barrier.phase) {
      ++ended;
      if (!first_ended) first_ended = thread;
    }
  }
  const std::string needs = thread_name(scene, wait.thread) + " waits for " +
                            barrier_name(scene, wait.address) + " for ever: its phase " +
                            std::to_string(barrier.phase) + " needs " +
                            number_of(barrier.expected, "arrival") + ", and " +
                            (barrier.came == 0 ? std::string("none") : std::to_string(barrier.came)) +
                            (barrier.came < 2 ? " has come" : " have come");
  if (ended > 0 || (never_came >= due && due > 0)) {
    Cause cause{kExit, finding_at(scene, FindingClass::barrier_exit, wait)};
    const std::uint32_t gone = ended > 0 ? *first_ended : *first_stranger;
    cause.finding.other_who = scene.id_of(scene.worker.thread(gone));
    cause.finding.message = needs + "; " + thread_name(scene, gone);
    if (ended > 0) {
      const Visitor& visitor = barrier.visitors.at(gone);
      cause.finding.other = source_line(visitor.arrives_at);
      cause.finding.message += ", which has arrived " + number_of(visitor.arrivals, "time") + ", has ended";
      if (ended > 1) cause.finding.message += ", and so have " + std::to_string(ended - 1) + " more of them";
    } else {
      cause.finding.message += " has ended and never arrived";
      if (never_came > 1) cause.finding.message += ", like " + std::to_string(never_came - 1) + " more";
    }
    cause.finding.message += '.';
    cause.finding.advice =
        "Who is counted has to arrive in every phase that somebody waits for: let it go through its loop as often "
        "as those who wait, and arrive where it has nothing else to do, too; or leave by arrive_and_drop().";
    return cause;
  }
  if (due == 0) {
    const std::int64_t bytes = load_barrier(reinterpret_cast<const void*>(wait.address)).bytes_due;
    Cause cause{kExit, finding_at(scene, FindingClass::barrier_count, wait)};
    cause.finding.message = thread_name(scene, wait.thread) + " waits for " +
                            barrier_name(scene, wait.address) + " for ever: all arrivals of its phase " +
                            std::to_string(barrier.phase) + " have come, and bulk copies have brought " +
                            number_of(static_cast<std::uint64_t>(bytes < 0 ? -bytes : bytes), "byte") +
                            (bytes < 0 ? " more than were announced." : " less than were announced.");
    cause.finding.advice =
        "What barrier_arrive_tx(), barrier_expect_tx() or mbarrier's expect_tx announces is the number of bytes of all "
        "copies of the phase, not of elements: count * sizeof(element).";
    return cause;
  }
  if (arriving > 0 && here == arriving) {
    Cause cause{kCountedTooMany, finding_at(scene, FindingClass::barrier_count, wait)};
    cause.finding.other = source_line(barrier.started_at);
    cause.finding.message =
        needs + " from the " + number_of(arriving, "thread") +
        (arriving == 1 ? " that arrives" : " that arrive") +
        " at it. Either it was given too large a count, or threads that it counts do not arrive.";
    cause.finding.advice =
        "Its count is the number of arrivals of a phase: who calls arrive() or count_down() is counted, who only "
        "waits is not.";
    return cause;
  }
  Cause cause{kDeadlock, finding_at(scene, FindingClass::barrier_deadlock, wait)};
  cause.finding.message = needs;
  if (arriving == 0) cause.finding.message += ": no thread has ever arrived at it";
  cause.finding.message += '.';
  if (const std::optional<Wait> other = waits_elsewhere(wait)) {
    cause.finding.other = source_line(other->visitor.waits_at);
    cause.finding.other_who = scene.id_of(scene.worker.thread(other->thread));
    cause.finding.message += " " + thread_name(scene, other->thread) + " waits as well, for phase " +
                             std::to_string(*other->visitor.waits_for) + " of " +
                             barrier_name(scene, other->address) + line_text(other->visitor.waits_at) + '.';
  }
  cause.finding.advice = advice_of_deadlock(cause.finding.at, barrier.phase);
  return cause;
}

std::optional<PhaseBarriers::Cause> PhaseBarriers::cause(const Scene& scene, const Wait& wait) const {
  const auto& [address, barrier, thread, visitor] = wait;
  if (ends_too_early(barrier)) return Cause{kCountedTooFew, counts_too_few(scene, address, barrier)};
  const std::int64_t wanted = *visitor.waits_for;
  if (wanted < barrier.phase && (barrier.phase - wanted) % 2 != 0)
    return std::nullopt;  // the phase has ended, and the thread is about to go on
  const bool had_seen_one = visitor.passed != kNever && wanted > visitor.passed + 1;
  if (had_seen_one && wanted == barrier.phase && (wanted - visitor.passed) % 2 == 0) {
    Cause cause{kTwice, finding_at(scene, FindingClass::barrier_phase, wait)};
    cause.finding.message =
        thread_name(scene, thread) + " waits for the same parity of " + barrier_name(scene, address) +
        " twice: it has seen phase " + std::to_string(visitor.passed) + " end, phase " +
        std::to_string(visitor.passed + 1) + " has ended since, and now it waits for phase " +
        std::to_string(wanted) + ", which does not.";
    cause.finding.advice = kTurnTheParity;
    return cause;
  }
  if (wanted == barrier.phase && !had_seen_one) return too_few(scene, wait);
  Cause cause{kOverrun, finding_at(scene, FindingClass::barrier_phase, wait)};
  cause.finding.message = thread_name(scene, thread) + " waits for phase " +
                          std::to_string(had_seen_one ? visitor.passed + 1 : wanted) + " of " +
                          barrier_name(scene, address) + " and has missed its end: phase " +
                          std::to_string(barrier.phase - 1) +
                          " has ended as well, and the parity is the old one again.";
  cause.finding.advice =
      "Who arrives there has run ahead: it has to wait, for another barrier, until the round before was seen by all. "
      "Or it arrives more than once a round.";
  return cause;
}

std::optional<runs::Finding> PhaseBarriers::why_stuck(const Scene& scene) const {
  std::optional<Cause> best;
  for (const auto& [address, barrier] : barriers_) {
    const auto first = std::find_if(barrier.visitors.begin(), barrier.visitors.end(),
                                    [](const auto& v) { return v.second.waits_for.has_value(); });
    if (first == barrier.visitors.end()) continue;
    auto found = cause(scene, {address, barrier, first->first, first->second});
    if (found && (!best || found->rank < best->rank)) best = std::move(found);
  }
  if (!best) return std::nullopt;
  // Who did not wait in a round has let the others run ahead.
  if (best->rank == kOverrun)
    if (auto why = why_unordered(scene)) return why;
  return std::move(best->finding);
}

std::optional<runs::Finding> PhaseBarriers::why_hasty(const Scene& scene) const {
  for (const auto& [address, barrier] : barriers_)
    if (barrier.hasty && ends_too_early(barrier)) return counts_too_few(scene, address, barrier);
  return std::nullopt;
}

std::optional<runs::Finding> PhaseBarriers::why_unordered(const Scene& scene) const {
  for (const auto& [address, barrier] : barriers_) {
    if (ends_too_early(barrier)) return counts_too_few(scene, address, barrier);
    for (const auto& [thread, visitor] : barrier.visitors) {
      if (visitor.passed_again_at == 0) continue;
      runs::Finding f = finding_at(scene, FindingClass::barrier_phase, {address, barrier, thread, visitor});
      f.at = source_line(visitor.passed_again_at);
      f.message =
          thread_name(scene, thread) + " waits for phase " + std::to_string(visitor.passed_again) + " of " +
          f.object +
          " twice: it has waited for its end before, so that this wait passes at once, whatever the next "
          "phase is to bring.";
      f.advice = kTurnTheParity;
      return f;
    }
  }
  return std::nullopt;
}

}  // namespace workbook::sim
