#include "races.h"

#include <utility>

#include "checker.h"

namespace workbook::sim {

void Races::note_racing_store(Scene& scene, const Party& before, std::uint32_t pc, std::uint32_t mask,
                              const Target& target) {
  if (scene.block_damaged) return;
  ++told_;
  const EngineScope scope;
  const std::uintptr_t low = is_shared_memory(target.space) ? target.owner->shared_low
                             : target.space == Space::arena ? Arena::base()
                                                            : writable_image_begin();
  const std::uintptr_t word = low + target.offset / 4 * 4;
  racing_stores_.push_back({before, pc, scene.worker.running->linear, target, word, mask,
                            __atomic_load_n(reinterpret_cast<const std::uint32_t*>(word), __ATOMIC_RELAXED)});
  scene.attention = true;
}

void Races::report_racing_stores(Scene& scene, bool made) {
  SimThread* const current = std::exchange(scene.worker.current, nullptr);
  for (const RacingStore& s : racing_stores_) {
    const std::uint32_t changed =
        s.was ^ __atomic_load_n(reinterpret_cast<const std::uint32_t*>(s.address), __ATOMIC_RELAXED);
    std::uint32_t stored = 0;
    for (std::uint32_t byte = 0; byte < 4; ++byte)
      if (s.mask >> byte & 1u) stored |= 0xffu << 8 * byte;
    report(scene, s.before, runs::Access::write, s.pc, s.target, scene.worker.thread(s.thread),
           made && (changed & stored) == 0);
  }
  racing_stores_.clear();
  scene.worker.current = current;
}

void Races::note_recheck(Scene& scene, std::uint32_t read) {
  scene.worker.rechecks = true;
  if (rechecked_ == read) return;
  rechecked_ = read;
  const EngineScope scope;
  findings().rechecked(pc_at(read));
}

void Races::note_remote_use(Scene& scene, Access access) {
  Worker& owner = access.owner->worker;
  Races& its = checker_of(owner).checks;
  const SimThread& now = *scene.worker.current;
  const std::uint32_t who = scene.worker.gid(now), pc = access.pc_offset();
  RemoteUse& use = its.remote_uses_[scene.worker.block_linear() % kMostOfCluster];
  use.who = who, use.epoch = scene.worker.epoch, use.clock = now.clock, use.pc = pc;
  use.offset = static_cast<std::uint32_t>(access.offset);
  use.serial = owner.block_serial;
  // Where the race itself is told, one cause is enough.
  if (told_ != told_before_) return;
  const auto block = static_cast<std::uint32_t>(owner.block_linear());
  if (!scene.ordering.knows_of(block))
    report_no_block(scene, who, pc, access.offset, false);
  else if (its.block_over_)
    report_no_block(*access.owner, who, pc, access.offset, true);
}

void Races::report_late_users(const Scene& scene) {
  for (const RemoteUse& use : remote_uses_) {
    if (use.serial != scene.worker.block_serial) continue;
    if (!is_known(scene, false, use.who, use.epoch, use.clock, true))
      report_no_block(scene, use.who, use.pc, use.offset, true);
  }
}

bool Races::is_known(const Scene& scene, bool own, std::uint32_t who, std::uint32_t epoch,
                     std::uint32_t clock, bool seen) {
  const SimThread& now = *scene.worker.running;
  std::uint32_t before = who;
  if (!own) {
    const std::uint32_t block = who / scene.worker.launch->block_threads;
    before = who % scene.worker.launch->block_threads;
    if (block != scene.worker.block_linear())
      return scene.ordering.knows_block(block, before, epoch, clock, seen);
  }
  if (epoch < scene.worker.epoch) return true;
  if (before / kWarpSize == now.linear / kWarpSize &&
      scene.worker.clocks[now.linear][before % kWarpSize] >= clock)
    return true;
  return scene.ordering.knows_thread(before, clock, seen);
}

bool Races::ordered(Scene& scene, bool own, std::uint32_t who, std::uint32_t epoch, std::uint32_t clock,
                    bool seen) {
  if (is_known(scene, own, who, epoch, clock, seen)) return true;
  SimThread& now = *scene.worker.current;
  if (now.syncs_pending == 0) return false;
  const EngineScope scope;
  scene.ordering.catch_up(now);
  return is_known(scene, own, who, epoch, clock, seen);
}

bool Races::is_unfenced_of_this_block(const Scene& scene, const Cell& c) {
  const std::uint32_t threads = scene.worker.launch->block_threads;
  return c.w_who / threads == scene.worker.block_linear() &&
         scene.worker.thread(c.w_who % threads).clock == c.w_clock;
}

}  // namespace workbook::sim
