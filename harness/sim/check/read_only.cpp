// __ldg(): a load through the cache that no store of the same launch reaches.
#include "checker.h"
#include "diagnosis.h"
#include "sim/engine/arena.h"
#include "sim/source/pc.h"
#include "workbook_sim/cache_hints.h"

using namespace workbook::sim;

extern "C" void workbook_sim_read_only(const void* address) {
  Worker* const worker = this_worker;
  if (worker == nullptr || worker->current == nullptr || !worker->events) return;
  const std::uint64_t offset = reinterpret_cast<std::uintptr_t>(address) - Arena::base();
  const Scene& scene = checker_of(*worker).scene;
  if (offset >= kArenaBytes || !scene.modes.check) return;
  const Shadow& shadow = Arena::get().shadow();
  const Shadow::Record record = shadow.writer_now(offset / 4);
  if (record == 0) return;
  const Pc pc = WORKBOOK_PC;
  const EngineScope scope;
  const Shadow::Context& writer = shadow.context(record);
  findings().add(
      workbook::runs::FindingClass::race_global, pc, pc_at(writer.pc), [&](workbook::runs::Finding& f) {
        f.kernel = scene.kernel();
        f.who = scene.id_of(*worker->running);
        f.other_who = scene.id_of(writer.base + record % kWarpSize);
        f.object = scene.name_of({offset, Space::arena, &scene});
        f.message =
            scene.name(*f.who) + " reads " + f.object + " by __ldg() or ld.global.nc, and " +
            scene.name(*f.other_who) +
            " writes it in the same launch: the read-only cache may still hold what was there before.";
        f.advice =
            "These are for data that the whole launch only reads, and no barrier changes that: read what the launch "
            "writes plainly.";
      });
}
