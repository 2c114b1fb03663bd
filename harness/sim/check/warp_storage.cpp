#include "warp_storage.h"

#include "checker.h"
#include "diagnosis.h"

namespace workbook::sim {

void WarpStorage::use(Scene& scene, const Races& races, std::uintptr_t storage, unsigned int width, Pc pc) {
  if (!scene.modes.check || scene.in_cluster || !scene.is_shared(storage)) return;
  const SimThread& t = *scene.worker.running;
  const std::uint32_t lane = t.linear % kWarpSize, first = lane / width * width;
  std::array<Use, kWarpSize>* uses = nullptr;
  {
    const EngineScope scope;
    uses = &used_[storage];
  }
  Use& mine = (*uses)[lane];
  const Use* other = nullptr;
  for (std::uint32_t i = 0; i < kWarpSize && other == nullptr; ++i) {
    const Use& its = (*uses)[i];
    const bool together = its.thread / kWarpSize == t.linear / kWarpSize && i >= first && i < first + width;
    // A lane that has used it once more is the caller's own turn.
    if (its.times == 0 || (together && its.times > mine.times) || i == lane) continue;
    if (!races.comes_after(scene, {its.thread, its.epoch, its.clock, 0})) other = &its;
  }
  if (other != nullptr && !scene.block_damaged) {
    const EngineScope scope;
    findings().add(runs::FindingClass::race_shared, pc, pc_at(other->pc), [&](runs::Finding& f) {
      f.severity = runs::Severity::advice;
      f.kernel = scene.kernel();
      f.who = scene.id_of(t);
      f.other_who = scene.id_of(scene.worker.thread(other->thread));
      f.object = scene.shared_element(storage);
      f.message = scene.name(*f.who) + " uses the temporary storage " + f.object + ", which " +
                  scene.name(*f.other_who) + " has used, with nothing that orders the two.";
      f.advice =
          "CUB asks for a __syncwarp() before the storage of a warp's collective is used again, and for a storage of "
          "its own for each warp that works at the same time. Today's shuffles need neither.";
    });
  }
  mine = {mine.times + 1, t.linear, scene.worker.epoch, t.clock,
          static_cast<std::uint32_t>(pc - program_base())};
}

}  // namespace workbook::sim
