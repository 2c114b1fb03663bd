#include "group_copies.h"

#include <utility>

#include "diagnosis.h"

namespace workbook::sim {

GroupCopies::Calls& GroupCopies::calls_of(const SimThread& t, const Scene& scene) {
  const EngineScope scope;
  if (threads_.empty()) threads_.resize(scene.worker.launch->block_threads);
  return threads_[t.linear];
}

void GroupCopies::copy(const Scene& scene, Pc pc) {
  Calls& mine = calls_of(*scene.worker.running, scene);
  mine.copied = true;
  if (!mine.waited && copied_at_ == 0) copied_at_ = pc;
}

void GroupCopies::wait(const Scene& scene) {
  const SimThread& t = *scene.worker.running;
  Calls& mine = calls_of(t, scene);
  if (!std::exchange(mine.waited, true) && !mine.copied && copied_at_ != 0) {
    const EngineScope scope;
    findings().add(runs::FindingClass::bad_api_call, copied_at_, 0, [&](runs::Finding& f) {
      f.kernel = scene.kernel();
      f.who = scene.id_of(t);
      f.message = scene.name(*f.who) +
                  " waits and has not called this memcpy_async(), which is a call of the whole block: each "
                  "thread copies its share, and the shares of those that do not call it stay out.";
      f.advice =
          "Let all threads of the group call it, outside of conditions; or give it the group of those that do, as "
          "a tile is.";
    });
  }
}

}  // namespace workbook::sim
