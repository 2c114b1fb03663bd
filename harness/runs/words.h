// The words that records have for a few things, and the values that the code has for these words. All that
// reads or writes such a word goes by kWords, and a record with a word that does not stand there is refused.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace workbook::runs {

/// Of a value of `Enum`, in the order of its declaration; only enums of words have any.
template <class Enum>
inline constexpr std::array<const char*, 0> kWords{};

template <class Enum>
concept Worded = kWords<Enum>
.size() > 0;

template <Worded Enum>
constexpr const char* word_of(Enum value) {
  return kWords<Enum>[static_cast<std::size_t>(value)];
}

template <Worded Enum>
constexpr std::optional<Enum> from_word(std::string_view word) {
  const auto found = std::find(kWords<Enum>.begin(), kWords<Enum>.end(), word);
  if (found == kWords<Enum>.end()) return std::nullopt;
  return static_cast<Enum>(found - kWords<Enum>.begin());
}

/// How bad a finding is: the lower, the more severe.
enum class Severity { error, warning, advice };
template <>
inline constexpr std::array kWords<Severity> = {"error", "warning", "advice"};

/// What a finding is about: of the simulator, but for `canary` (the GPU backend), `launch_failed` (both),
/// `double_arithmetic` (the compiler) and `unwritten` (a call from Python). `none`: not said yet.
enum class FindingClass {
  none,
  oob_global,
  oob_shared,
  oob_local,
  use_after_free,
  double_free,
  misaligned,
  uninit_global,
  uninit_shared,
  uninit_local,
  race_global,
  race_shared,
  stream_race,
  copy_not_waited,
  divergent_barrier,
  barrier_count,
  barrier_phase,
  barrier_exit,
  barrier_deadlock,
  bad_warp_mask,
  infinite_loop,
  host_deref,
  bad_launch,
  bad_api_call,
  leak,
  uncoalesced,
  bank_conflict,
  asserted,
  canary,
  launch_failed,
  double_arithmetic,
  unwritten
};
template <>
inline constexpr std::array kWords<FindingClass> = {"",
                                                    "oob_global",
                                                    "oob_shared",
                                                    "oob_local",
                                                    "use_after_free",
                                                    "double_free",
                                                    "misaligned",
                                                    "uninit_global",
                                                    "uninit_shared",
                                                    "uninit_local",
                                                    "race_global",
                                                    "race_shared",
                                                    "stream_race",
                                                    "copy_not_waited",
                                                    "divergent_barrier",
                                                    "barrier_count",
                                                    "barrier_phase",
                                                    "barrier_exit",
                                                    "barrier_deadlock",
                                                    "bad_warp_mask",
                                                    "infinite_loop",
                                                    "host_deref",
                                                    "bad_launch",
                                                    "bad_api_call",
                                                    "leak",
                                                    "uncoalesced",
                                                    "bank_conflict",
                                                    "assert",
                                                    "canary",
                                                    "launch_failed",
                                                    "double_arithmetic",
                                                    "unwritten"};

constexpr bool is_out_of_bounds(FindingClass klass) {
  return klass == FindingClass::oob_global || klass == FindingClass::oob_shared ||
         klass == FindingClass::oob_local;
}
constexpr bool is_uninitialised(FindingClass klass) {
  return klass == FindingClass::uninit_global || klass == FindingClass::uninit_shared ||
         klass == FindingClass::uninit_local;
}
/// Of barriers that are objects: whoever misuses one leaves others waiting.
constexpr bool is_of_phases(FindingClass klass) {
  return klass == FindingClass::barrier_count || klass == FindingClass::barrier_phase ||
         klass == FindingClass::barrier_exit || klass == FindingClass::barrier_deadlock;
}
constexpr bool is_race(FindingClass klass) {
  return klass == FindingClass::race_global || klass == FindingClass::race_shared;
}

/// What holds the two threads of a race farthest apart, the narrowest first: what orders the wider keeps the
/// narrower in order, too. `none`: of what is no race, and in older records.
enum class Reach { none, warp, block, cluster, grid };
template <>
inline constexpr std::array kWords<Reach> = {"", "warp", "block", "cluster", "grid"};

/// Where a tensor lies, and what it is to the variant; `none`: not said.
enum class TensorSpace { global, shared };
template <>
inline constexpr std::array kWords<TensorSpace> = {"global", "shared"};

enum class TensorRole { none, input, intermediate, output, shared };
template <>
inline constexpr std::array kWords<TensorRole> = {"", "input", "intermediate", "output", "shared"};

/// Whose kernels a run is of: these two, or a mutant's name.
inline constexpr const char *kLearner = "learner", *kSolution = "solution";
inline bool is_learner(std::string_view origin) { return origin == kLearner; }
inline bool is_solution(std::string_view origin) { return origin == kSolution; }

/// What ran the kernels; `none`: nothing did.
enum class Backend { none, sim, cuda };
template <>
inline constexpr std::array kWords<Backend> = {"", "sim", "cuda"};

/// What a child program is started for; `none`: all that its build is for.
enum class PhaseKind { none, check, large, bench, sweep, call };
template <>
inline constexpr std::array kWords<PhaseKind> = {"", "check", "large", "bench", "sweep", "call"};

/// What bounds a modelled time; `none`: nothing was modelled.
enum class BoundBy {
  none,
  dram,
  l2,
  arithmetic,
  atomics,
  dispatch,
  latency,
  launch,
  load_store,
  tensor_cores
};
template <>
inline constexpr std::array kWords<BoundBy> = {"",         "DRAM",    "L2",     "arithmetic", "atomics",
                                               "dispatch", "latency", "launch", "load/store", "tensor cores"};

/// What a site of a kernel does, apart for each memory; an atomic may be of either.
enum class SiteKind { atomic, global_load, global_store, shared_load, shared_store };
template <>
inline constexpr std::array kWords<SiteKind> = {"atomic", "global load", "global store", "shared load",
                                                "shared store"};

constexpr bool is_global(SiteKind kind) {
  return kind == SiteKind::global_load || kind == SiteKind::global_store;
}
constexpr bool is_shared(SiteKind kind) {
  return kind == SiteKind::shared_load || kind == SiteKind::shared_store;
}

/// What a program's host called; `kernel` is one of a graph, the last three are NVTX's.
enum class CallKind {
  launch,
  graph,
  kernel,
  copy,
  set,
  event,
  elapsed,
  wait,
  clock,
  allocate,
  push,
  pop,
  mark
};
template <>
inline constexpr std::array kWords<CallKind> = {"launch", "graph",   "kernel", "copy",  "set",
                                                "event",  "elapsed", "wait",   "clock", "allocate",
                                                "push",   "pop",     "mark"};

/// What came of a run; none where nothing was judged, as in the report of one phase.
enum class Verdict {
  none,
  correct,
  wrong,
  finding,
  over_budget,
  not_filled,
  does_not_compile,
  crashed,
  timed_out,
  harness_error
};
template <>
inline constexpr std::array kWords<Verdict> = {
    "",           "correct",          "wrong",   "finding",   "over_budget",
    "not_filled", "does_not_compile", "crashed", "timed_out", "harness_error"};

}  // namespace workbook::runs
