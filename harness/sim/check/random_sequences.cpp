// curand_init() by several threads with the same numbers: each then draws what the others draw.
#include <cstdint>
#include <map>
#include <mutex>
#include <tuple>

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
