#include "initialised.h"

#include "sim/source/source_text.h"

namespace workbook::sim {

void Initialised::report(Scene& scene, std::uint32_t pc, const Target& target) {
  if (scene.block_damaged) return;
  const EngineScope scope;
  // Whether that block has written it yet, before anything says that it has begun, is luck.
  if (target.owner != &scene &&
      !scene.ordering.knows_of(static_cast<std::uint32_t>(target.owner->worker.block_linear())))
    return;
  if (target.space == Space::arena && target.offset < kArenaBytes) {
    const Allocation* a = Arena::get().find(target.offset);
    if (a != nullptr && a->on_host()) return;  // the host may have written it where no hook saw it
  }
  const bool shared = is_shared_memory(target.space);
  findings().add(
      shared ? runs::FindingClass::uninit_shared : runs::FindingClass::uninit_global, pc_at(pc), 0,
      [&](runs::Finding& f) {
        f.kernel = scene.kernel();
        f.who = scene.id_of(*scene.worker.running);
        f.object = scene.name_of(target);
        f.message = scene.name(*f.who) + " reads " + f.object + ", which nothing has written" +
                    (shared ? " in this block." : ".");
        f.advice =
            shared && loads_fragment(pc_at(pc))
                ? "Is the pitch of this load the distance between two rows as they were stored, in elements and "
                  "with their padding? Did __syncthreads() or __syncwarp() come after the store?"
            : shared ? "Is the store guarded so that some threads skip it, or does it come after the read? A "
                       "__syncthreads() must lie between the store and the read."
            : target.space == Space::arena && target.offset >= kArenaBytes
                ? "What malloc() and new give holds anything: store to it first."
            : updates_element(pc_at(pc))
                ? "What `+=` adds to must be there before. Where this line is the first to store the element, store with "
                  "`=`; else, which launch or copy should have written it?"
                : "Which launch or copy should have written it? Check that one's index, guard and size first.";
      });
}

}  // namespace workbook::sim
