// Random numbers that are drawn more than once: by threads that begin the same sequence with curand_init(),
// and by one thread from copies of one state.
#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

#include "diagnosis.h"
#include "hooks.h"
#include "workbook_sim/engine_api.h"

namespace workbook::sim {
namespace {

/// Of a line: who began a sequence there first in a launch, and which.
struct First {
  const Launch* launch;
  std::uint32_t generation, gid;
  std::tuple<unsigned long long, unsigned long long, unsigned long long> sequence;
};

struct Firsts {
  static Firsts& get() {
    static Firsts& all = *new Firsts;
    return all;
  }
  std::mutex mutex;
  std::map<Pc, First> at;
};

/// Whether another thread of the launch has begun the same there.
bool is_begun(Pc pc, const First& now) {
  Firsts& all = Firsts::get();
  const std::lock_guard lock(all.mutex);
  First& first = all.at.try_emplace(pc, now).first->second;
  if (first.launch != now.launch || first.generation != now.generation) first = now;
  return first.gid != now.gid && first.sequence == now.sequence;
}

/// What the first threads of a grid have drawn, each time that a state was new to its launch, or a copy was.
struct Draws {
  static Draws& get() {
    static Draws& all = *new Draws;
    return all;
  }
  struct Draw {
    std::uint64_t state;
    std::uint32_t generation;
  };
  static constexpr std::uint32_t kThreads = 256;
  static constexpr std::size_t kMost = 8;  ///< states that a thread draws from at one line
  std::mutex mutex;
  std::map<std::pair<Pc, std::uint32_t>, std::vector<Draw>> at;  ///< by line and thread
  std::uint32_t begun = 0;  ///< the latest launch that began sequences: what was drawn before is no matter
};

std::uint64_t hash_of(const unsigned int* words, unsigned int count) {
  std::uint64_t hash = 14695981039346656037ull;  // FNV-1a, a word at a time
  for (unsigned int i = 0; i < count; ++i) hash = (hash ^ words[i]) * 1099511628211ull;
  return hash;
}

void forget_draws(std::uint32_t generation, std::uint32_t gid) {
  Draws& all = Draws::get();
  const std::lock_guard lock(all.mutex);
  all.begun = std::max(all.begun, generation);
  std::erase_if(all.at, [&](const auto& one) { return one.first.second == gid; });
}

/// The launch in which the thread drew from the same state there, 0: none.
std::uint32_t drawn_before(Pc pc, std::uint32_t gid, const Draws::Draw& now) {
  Draws& all = Draws::get();
  const std::lock_guard lock(all.mutex);
  std::vector<Draws::Draw>& known = all.at[{pc, gid}];
  std::erase_if(known, [&](const Draws::Draw& draw) { return draw.generation < all.begun; });
  const auto same = std::find_if(known.begin(), known.end(),
                                 [&](const Draws::Draw& draw) { return draw.state == now.state; });
  if (same != known.end()) return std::exchange(same->generation, now.generation);
  if (known.size() == Draws::kMost) known.erase(known.begin());
  known.push_back(now);
  return 0;
}

}  // namespace
}  // namespace workbook::sim

using namespace workbook;
using namespace workbook::sim;

extern "C" void workbook_sim_random_begins(unsigned long long seed, unsigned long long sequence,
                                           unsigned long long offset) {
  const Pc pc = WORKBOOK_PC;
  const Worker* const worker = this_worker;
  if (!workbook_sim_is_diagnosing() || worker == nullptr || worker->current == nullptr) return;
  const SimThread& thread = *worker->current;
  const EngineScope scope;
  forget_draws(Arena::get().shadow().generation(), worker->gid(thread));
  const First now{
      worker->launch, Arena::get().shadow().generation(), worker->gid(thread), {seed, sequence, offset}};
  if (!is_begun(pc, now)) return;
  const Scene& scene = checker_of(*worker).scene;
  findings().add(runs::FindingClass::bad_api_call, pc, 0, [&](runs::Finding& f) {
    f.severity = runs::Severity::advice;
    f.kernel = scene.kernel();
    f.who = scene.id_of(thread);
    f.message = scene.name(*f.who) +
                " begins the same sequence of random numbers as another thread: both "
                "draw the same numbers.";
    f.advice =
        "Give each thread a sequence of its own, the second argument: curand_init(seed, i, 0, &state) with its "
        "index i in the grid.";
  });
}

extern "C" void workbook_sim_random_draws(const unsigned int* words, unsigned int count,
                                          unsigned int* launch) {
  const Worker* const worker = this_worker;
  if (worker == nullptr || worker->current == nullptr || !workbook_sim_is_diagnosing()) return;
  const std::uint32_t generation = Arena::get().shadow().generation();
  if (std::exchange(*launch, generation) == generation) return;
  const SimThread& thread = *worker->current;
  if (worker->gid(thread) >= Draws::kThreads) return;
  const Pc pc = WORKBOOK_PC;
  const EngineScope scope;
  const std::uint32_t before = drawn_before(pc, worker->gid(thread), {hash_of(words, count), generation});
  if (before == 0) return;
  const Scene& scene = checker_of(*worker).scene;
  findings().add(runs::FindingClass::bad_api_call, pc, 0, [&](runs::Finding& f) {
    f.severity = runs::Severity::advice;
    f.kernel = scene.kernel();
    f.who = scene.id_of(thread);
    f.message = scene.name(*f.who) + " draws the same random numbers here as " +
                (before == generation ? "before" : "in an earlier launch") +
                ": the state that it draws from is what it was then.";
    f.advice =
        "Numbers that are drawn from a copy of a state change the copy alone. Store it back at the end of the "
        "kernel (states[i] = local), and give functions the state's address.";
  });
}
