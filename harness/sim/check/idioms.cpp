#include "idioms.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "diagnosis.h"
#include "sim/source/source_blocks.h"
#include "sim/source/source_idioms.h"

namespace workbook::sim {
namespace {

struct Atomic {
  Idiom idiom;
  Pc pc;
  runs::ThreadId who;
};

struct Atomics {
  std::mutex mutex;
  std::set<Pc> known;
  std::vector<Atomic> fresh;  ///< of this launch
  static Atomics& get() {
    static Atomics& all = *new Atomics;
    return all;
  }
};

void judge_order(const Launch& launch, const Atomic& atomic, const runs::SourceLine& at) {
  const std::string call = ordered_by_bits(code_of_file(at.file), at.line);
  if (call.empty()) return;
  findings().add(runs::FindingClass::bad_api_call, atomic.pc, 0, [&](runs::Finding& f) {
    const bool least = call == "atomicMin";
    f.severity = runs::Severity::warning;
    f.kernel = launch.kernel->name;
    f.who = atomic.who;
    f.message =
        f.kernel + " orders floating-point numbers by their bits, " + call +
        "() of int, and two of them are below 0: there the bits have the other order, those of -3 are greater than "
        "those of -2.";
    f.advice =
        std::string("Where the value is below 0 the other one of the bits as unsigned is right: v >= 0 ? ") +
        call + "((int*)p, __float_as_int(v)) : " + (least ? "atomicMax" : "atomicMin") +
        "((unsigned*)p, __float_as_uint(v)).";
  });
}

void judge_atomic(const Launch& launch, const Atomic& compare) {
  const runs::SourceLine at = source_line(compare.pc);
  if (at.line <= 0) return;
  if (compare.idiom == Idiom::orders_below_zero) return judge_order(launch, compare, at);
  const std::string value = converted_in_compare(code_of_file(at.file), at.line);
  if (value.empty()) return;
  findings().add(runs::FindingClass::bad_api_call, compare.pc, 0, [&](runs::Finding& f) {
    f.severity = runs::Severity::warning;
    f.kernel = launch.kernel->name;
    f.who = compare.who;
    f.message = f.kernel + " gives atomicCAS() the value of " + value +
                ", converted to a whole number, for a word in which the bits of a floating-point number lie.";
    f.advice =
        "Bits go in and out unchanged by __float_as_int() and __int_as_float(), of a double by "
        "__double_as_longlong() and __longlong_as_double().";
  });
}

/// The number of its threads, and how its kernel halves it.
void judge_halving(const Launch& launch, const runs::LaunchCounters& counts) {
  const unsigned int odd = odd_when_halved(launch.block.x);
  if (odd == 0 || launch.kernel->function == nullptr) return;
  static std::set<std::pair<const void*, unsigned int>> seen;  // launches end under a lock
  if (!seen.emplace(launch.kernel->function, launch.block.x).second) return;
  const runs::SourceLine at = source_line(reinterpret_cast<Pc>(launch.kernel->function) + 1);
  if (at.line <= 0) return;
  const HalvingLoop loop = halving_loop(code_of_file(at.file), at.line);
  // In text that the preprocessor has left out nothing is done.
  const bool ran = std::any_of(counts.sites.begin(), counts.sites.end(), [&](const runs::SiteCounters& s) {
    return s.at.file == at.file && s.at.line >= loop.first && s.at.line <= loop.last;
  });
  if (loop.first == 0 || !ran) return;
  runs::Finding f;
  f.klass = runs::FindingClass::bad_launch;
  f.severity = runs::Severity::warning;
  f.kernel = launch.kernel->name;
  f.at = {at.file, loop.first};
  std::string halves;
  for (unsigned int n = launch.block.x; n > 0; n /= 2)
    halves += (halves.empty() ? "" : ", ") + std::to_string(n);
  f.message = f.kernel + " runs with " + std::to_string(launch.block.x) +
              " threads a block, and this loop halves that number (" + halves + "): " + std::to_string(odd) +
              " is odd, so that one of its elements is never added.";
  f.advice =
      "Launch a power of two and fill up with zeros; or halve rounded up, (n + 1) / 2, and add only where there is an "
      "element: if (t + half < n).";
  Diagnosis::get().findings.add_now(std::move(f));
}

}  // namespace

void note_idiom(const Scene& scene, Idiom idiom, Pc pc) {
  static thread_local std::set<Pc> seen;
  const EngineScope scope;
  if (!seen.insert(pc).second) return;
  Atomics& all = Atomics::get();
  const std::lock_guard lock(all.mutex);
  if (all.known.insert(pc).second) all.fresh.push_back({idiom, pc, scene.id_of(*scene.worker.running)});
}

void see_idioms(const Launch& launch, const runs::LaunchCounters& counts) {
  judge_halving(launch, counts);
  for (const Atomic& atomic : std::exchange(Atomics::get().fresh, {})) judge_atomic(launch, atomic);
}

}  // namespace workbook::sim
