#include "copies.h"

#include <algorithm>
#include <cstring>

#include "checker.h"

namespace workbook::sim {

void Copies::begin(Scene& scene, Copy copy) {
  const EngineScope scope;
  copy.thread = scene.worker.running->linear;
  copy.number = groups_closed_[copy.thread];
  copy.epoch = scene.worker.epoch, copy.clock = scene.worker.running->clock;
  if (!scene.is_shared(copy.to)) return end(scene, copy);
  std::memset(reinterpret_cast<void*>(copy.to), 0xff, copy.length());
  for (std::uintptr_t at = copy.to; at < copy.to + copy.length(); at += 4)
    scene.shared_cells[(at - scene.shared_low) / 4].in_flight |= kWriteInFlight;
  copies_.push_back(copy);
}

void Copies::end_block(Scene& scene) {
  for (const Copy& copy : copies_)
    for (std::uintptr_t at = copy.to; at < copy.to + copy.length(); at += 4)
      scene.shared_cells[(at - scene.shared_low) / 4].in_flight = 0;
  copies_.clear();
}

void Copies::end(Scene& scene, const Copy& copy) {
  const std::uintptr_t begin = copy.to + copy.zeros_before;
  std::memset(reinterpret_cast<void*>(copy.to), 0, copy.zeros_before);
  std::memcpy(reinterpret_cast<void*>(begin), reinterpret_cast<const void*>(copy.from), copy.bytes);
  std::memset(reinterpret_cast<void*>(begin + copy.bytes), 0, copy.zero_bytes);
  if (!scene.is_shared(copy.to)) return;
  // The data arrives on behalf of the thread that waited for it, or that let others go on who do.
  const SimThread& now = copy.completed_by == nullptr ? *scene.worker.running : *copy.completed_by;
  const std::uint32_t epoch = copy.completed_by == nullptr ? scene.worker.epoch : copy.epoch,
                      clock = copy.completed_by == nullptr ? now.clock : copy.clock;
  for (std::uintptr_t at = copy.to; at < copy.to + copy.length(); at += 4) {
    Cell& c = scene.shared_cells[(at - scene.shared_low) / 4];
    c.in_flight &= kReadInFlight;
    c.w_who = scene.in_cluster ? scene.worker.gid(now) : now.linear, c.w_epoch = epoch, c.w_clock = clock;
  }
}

template <class Test>
void Copies::end_copies(Scene& scene, Test test) {
  const EngineScope scope;
  std::erase_if(copies_, [&](const Copy& copy) {
    if (!test(copy)) return false;
    end(scene, copy);
    return true;
  });
}

bool Copies::is_uncommitted(const Scene& scene, std::uint64_t offset) const {
  const std::uintptr_t at = scene.shared_low + offset;
  const auto found = std::find_if(copies_.begin(), copies_.end(),
                                  [&](const Copy& c) { return at >= c.to && at < c.to + c.length(); });
  return found != copies_.end() && found->group == nullptr && found->number == groups_closed_[found->thread];
}

void Copies::wait_for_groups(Scene& scene, AccessLog& log, unsigned int pending) {
  const std::uint32_t thread = scene.worker.current->linear, closed = groups_closed_[thread];
  latest_pending_ = pending;
  const auto is_waited_for = [&](const Copy& c) {
    return c.group == nullptr && c.thread == thread && c.number + pending < closed;
  };
  if (scene.modes.count && std::any_of(copies_.begin(), copies_.end(), is_waited_for))
    log.append_wait(thread, pending);
  end_copies(scene, is_waited_for);
}

void Copies::bind(const Scene& scene, const void* group) {
  for (Copy& c : copies_)
    if (c.group == nullptr && c.thread == scene.worker.current->linear) c.group = group;
}

void Copies::add_stage(const void* group) {
  const EngineScope scope;
  if (std::find(stages_.begin(), stages_.end(), group) == stages_.end()) stages_.push_back(group);
}

void Copies::complete_group(Scene& scene, AccessLog& log, const void* group) {
  // A stage of a pipeline is complete for all threads that copied into it.
  if (scene.modes.count && std::find(stages_.begin(), stages_.end(), group) == stages_.end())
    log_stage(log, group);
  for (Copy& c : copies_) {
    if (c.group != group || c.completed_by != nullptr) continue;
    c.completed_by = scene.worker.running, c.epoch = scene.worker.epoch, c.clock = c.completed_by->clock;
    ++completed_;
  }
}

void Copies::complete_elsewhere(const Scene& scene, const void* group) {
  for (Copy& c : copies_) {
    if (c.group != group || c.completed_by != nullptr) continue;
    c.completed_by = &scene.worker.thread(c.thread);
    ++completed_;
  }
}

void Copies::arrive_group(Scene& scene, const void* group) {
  if (completed_ == 0) return;
  end_copies(scene, [&](const Copy& c) {
    const bool arrives = c.group == group && c.completed_by != nullptr;
    completed_ -= arrives;
    return arrives;
  });
}

void Copies::log_stage(AccessLog& log, const void* group) const {
  const EngineScope scope;
  std::vector<const void*> others;
  std::vector<std::uint32_t> threads;
  for (const Copy& c : copies_) {
    if (c.group == group)
      threads.push_back(c.thread);
    else if (c.group != nullptr && std::find(others.begin(), others.end(), c.group) == others.end())
      others.push_back(c.group);
  }
  std::sort(threads.begin(), threads.end());
  threads.erase(std::unique(threads.begin(), threads.end()), threads.end());
  for (const std::uint32_t thread : threads)
    log.append_wait(thread, static_cast<std::uint32_t>(others.size()));
}

void Copies::report_store_over_bulk_read(const Scene& scene, Pc pc, const Target& target, Pc copy) {
  findings().add(runs::FindingClass::copy_not_waited, pc, copy, [&](runs::Finding& f) {
    f.kernel = scene.kernel();
    f.who = scene.id_of(*scene.worker.running);
    f.object = scene.name_of(target);
    f.message = scene.name(*f.who) + " writes " + f.object + " while a bulk copy may still read it.";
    f.advice =
        "Whoever began the copy waits for it, behind its commit_group: cp_async_bulk_wait_group_read(n32_t<0>()) "
        "(cp.async.bulk.wait_group.read 0). Then the block meets at a barrier, and then the memory may be filled "
        "again.";
  });
}

void Copies::report_store_over_product(const Scene& scene, Pc pc, const Target& target, Pc product) {
  findings().add(runs::FindingClass::copy_not_waited, pc, product, [&](runs::Finding& f) {
    f.kernel = scene.kernel();
    f.who = scene.id_of(*scene.worker.running);
    f.object = scene.name_of(target);
    f.message = scene.name(*f.who) + " writes " + f.object +
                " while a product of a warp group (wgmma) may still read it.";
    f.advice =
        "Products read their tiles until their warp group has waited for them: behind wgmma.commit_group, "
        "wgmma.wait_group 0, or n where the latest n groups read other tiles. Then whoever fills the tile "
        "again has to be told: by a barrier of the block, or an arrival at an mbarrier.";
  });
}

void Copies::report(Scene& scene, runs::Access kind, std::uint32_t pc, const Target& target,
                    std::uint32_t copy) const {
  if (scene.block_damaged) return;
  ++scene.unordered;
  const Copies& its = checker_of(target.owner->worker).checks;
  const EngineScope scope;
  const std::uintptr_t address = target.owner->shared_low + target.offset;
  if (const Pc reader = checker_of(target.owner->worker).bulk.reader_of(address); reader != 0)
    return report_store_over_bulk_read(scene, pc_at(pc), target, reader);
  if (const Pc product = checker_of(target.owner->worker).products.reader_of(address); product != 0)
    return report_store_over_product(scene, pc_at(pc), target, product);
  findings().add(runs::FindingClass::copy_not_waited, pc_at(pc), pc_at(copy), [&](runs::Finding& f) {
    f.kernel = scene.kernel();
    f.who = scene.id_of(*scene.worker.running);
    f.object = scene.name_of(target);
    f.message = scene.name(*f.who) + (kind == runs::Access::read ? " reads " : " writes ") + f.object +
                " while an asynchronous copy into it is under way";
    if (its.is_uncommitted(*target.owner, target.offset)) {
      f.message += " that is not committed.";
      f.advice =
          "A wait counts groups that are closed: __pipeline_commit() (cp.async.commit_group) closes one, "
          "behind its copies and before the wait.";
      return;
    }
    f.message += '.';
    if (kind == runs::Access::write) {
      f.advice =
          "Wait for the copy first (wait_group, pipeline or barrier wait), and let all read what it brought. "
          "Where buffers take turns: with n of them no more than n copies are under way.";
      return;
    }
    const unsigned int left = its.latest_pending_;
    f.advice =
        left == 0
            ? "Wait for the copy first (wait_group, pipeline or barrier wait), and then for the block."
            : "The latest wait lets the last " +
                  (left == 1 ? std::string("group") : std::to_string(left) + " groups") +
                  " go on, and this copy is among them: let fewer go on (0 waits for all). Each call of "
                  "__pipeline_commit() counts as a group, also one without a copy.";
  });
}

}  // namespace workbook::sim
