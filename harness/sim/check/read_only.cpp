#include "read_only.h"

#include <algorithm>
#include <cstring>

#include "checker.h"
#include "diagnosis.h"
#include "sim/engine/arena.h"
#include "sim/source/pc.h"
#include "sim/source/source_blocks.h"
#include "workbook_sim/cache_hints.h"

namespace workbook::sim {
namespace {

/// A finding where the launch has written what lies at `offset`. `how`: the running thread reads it.
void judge(const Scene& scene, std::uint64_t offset, const std::string& how, const char* advice, Pc pc) {
  const Shadow& shadow = Arena::get().shadow();
  const Shadow::Record record = shadow.writer_now(offset / 4);
  if (record == 0) return;
  const EngineScope scope;
  const Shadow::Context& writer = shadow.context(record);
  findings().add(runs::FindingClass::race_global, pc, pc_at(writer.pc), [&](runs::Finding& f) {
    f.kernel = scene.kernel();
    f.who = scene.id_of(*scene.worker.running);
    f.other_who = scene.id_of(writer.base + record % kWarpSize);
    f.object = scene.name_of({offset, Space::arena, &scene});
    f.message = scene.name(*f.who) + " reads " + f.object + " by " + how + ", and " +
                scene.name(*f.other_who) +
                " writes it in the same launch: the read-only cache may still hold what was there before.";
    f.advice = advice;
  });
}

void report_shared(const Scene& scene, std::uintptr_t address, Pc pc) {
  const EngineScope scope;
  findings().add(runs::FindingClass::oob_global, pc, 0, [&](runs::Finding& f) {
    f.kernel = scene.kernel();
    f.who = scene.id_of(*scene.worker.running);
    f.object = scene.shared_element(address);
    f.message = scene.name(*f.who) + " reads " + f.object +
                ", which lies in shared memory, by __ldg() or ld.global.nc: these find global memory alone.";
    f.advice = "Read shared memory plainly.";
  });
}

/// The array that an argument points into; null: it is no such pointer.
const Allocation* pointed_to(const BoundKernel& kernel, std::size_t parameter) {
  if (kernel.signature->parameters[parameter].bytes != sizeof(std::uintptr_t)) return nullptr;
  std::uintptr_t word;
  std::memcpy(&word, kernel.arguments[parameter], sizeof word);
  const std::uint64_t offset = word - Arena::base();
  return offset < kArenaBytes ? Arena::get().find(offset) : nullptr;
}

}  // namespace

void ReadOnlyParameters::begin_launch(const Launch& launch) {
  all_.clear();
  const BoundKernel& kernel = *launch.kernel;
  if (!kernel.signature->is_list || kernel.function == nullptr) return;
  std::vector<const Allocation*> arrays;
  for (std::size_t i = 0; i < kernel.signature->count; ++i) arrays.push_back(pointed_to(kernel, i));
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    if (arrays[i] == nullptr || std::count(arrays.begin(), arrays.end(), arrays[i]) < 2) continue;
    const auto [text, fresh] = written_.try_emplace(kernel.function);
    if (fresh)
      if (const runs::SourceLine at = source_line(reinterpret_cast<Pc>(kernel.function) + 1); at.line > 0)
        text->second = written_parameters(code_of_file(at.file), at.line, launch.kernel->name);
    if (text->second.size() != arrays.size()) return;
    if (text->second[i].read_only)
      all_.push_back({text->second[i].name, arrays[i]->offset, arrays[i]->offset + arrays[i]->bytes});
  }
}

void ReadOnlyParameters::see(const Scene& scene, std::uint64_t offset, Pc pc) const {
  for (const Parameter& parameter : all_) {
    if (offset < parameter.begin || offset >= parameter.end ||
        Arena::get().shadow().writer_now(offset / 4) == 0)
      continue;
    const EngineScope scope;
    const std::string& name = parameter.name;
    if (const runs::SourceLine at = source_line(pc);
        !line_holds(at, name + "[") && !line_holds(at, "*" + name) && !line_holds(at, "*(" + name))
      continue;
    judge(
        scene, offset, "its parameter " + name + ", which is const and __restrict__",
        "const and __restrict__ together promise that nothing writes there while the kernel runs, and nvcc may "
        "load it through the cache for such data: leave __restrict__ out where another pointer leads to the "
        "same array.",
        pc);
  }
}

}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" void workbook_sim_read_only(const void* address) {
  Worker* const worker = this_worker;
  if (worker == nullptr || worker->current == nullptr || !worker->events) return;
  const std::uint64_t offset = reinterpret_cast<std::uintptr_t>(address) - Arena::base();
  const Scene& scene = checker_of(*worker).scene;
  if (!scene.modes.check) return;
  if (scene.is_shared(reinterpret_cast<std::uintptr_t>(address)))
    return report_shared(scene, reinterpret_cast<std::uintptr_t>(address), WORKBOOK_PC);
  if (offset >= kArenaBytes) return;
  judge(
      scene, offset, "__ldg() or ld.global.nc",
      "These are for data that the whole launch only reads, and no barrier changes that: read what the launch "
      "writes plainly.",
      WORKBOOK_PC);
}
