#include "bulk_copies.h"

#include <algorithm>

#include "checker.h"
#include "diagnosis.h"

namespace workbook::sim {
namespace {

Cell& cell_at(Scene& scene, std::uintptr_t shared) {
  return scene.shared_cells[(shared - scene.shared_low) / 4];
}

template <class T>
T& of_thread(std::vector<T>& by_thread, std::uint32_t thread) {
  if (by_thread.size() <= thread) by_thread.resize(thread + 1);
  return by_thread[thread];
}

}  // namespace

void BulkCopies::begin_block() {
  fences_.clear();
  stores_.clear();
  groups_closed_.clear();
  latest_fence_ = 0;
}

void BulkCopies::fence(const Scene& scene) {
  const EngineScope scope;
  SimThread& t = *scene.worker.running;
  latest_fence_ = scene.worker.epoch + 1;
  of_thread(fences_, t.linear)
      .push_back({scene.worker.epoch, t.clock++, scene.ordering.has_learned(t.linear)});
}

bool BulkCopies::is_fenced(Scene& scene, const Races& races, const Cell& c) const {
  if (latest_fence_ > c.w_epoch + 1) return true;  // behind a barrier that the write came before
  const auto known = [&](const Fence& f) { return races.comes_after(scene, {c.w_who, f.epoch, f.clock, 0}); };
  if (c.w_who < fences_.size()) {
    const std::vector<Fence>& own = fences_[c.w_who];
    const auto first =
        std::partition_point(own.begin(), own.end(), [&](const Fence& f) { return f.clock < c.w_clock; });
    if (first != own.end() && known(*first)) return true;
  }
  // The thread that copies may have fenced itself, when it knew of the write.
  const std::uint32_t me = scene.worker.running->linear;
  if (me >= fences_.size() || me == c.w_who) return false;
  const std::vector<Fence>& mine = fences_[me];
  const auto from =
      std::partition_point(mine.begin(), mine.end(), [&](const Fence& f) { return f.epoch < c.w_epoch; });
  return std::any_of(from, mine.end(), [&](const Fence& f) {
    return f.epoch == c.w_epoch && (f.had_learned || me / kWarpSize == c.w_who / kWarpSize);
  });
}

void BulkCopies::see(Scene& scene, const Races& races, std::uintptr_t shared, std::size_t bytes, By by,
                     Pc pc) {
  if (!scene.is_shared(shared) || !scene.modes.check || scene.in_cluster) return;
  const auto at = static_cast<std::uint32_t>(pc - program_base());
  if (by == By::write && std::find(loads_.begin(), loads_.end(), at) == loads_.end()) {
    const EngineScope scope;
    loads_.push_back(at);
  }
  for (std::uintptr_t word = shared; word < shared + bytes; word += 4) {
    if (!scene.is_shared(word)) return;
    const Cell& c = cell_at(scene, word);
    if (c.w_gen != scene.worker.block_serial) continue;
    if (std::find(loads_.begin(), loads_.end(), c.w_pc) != loads_.end()) continue;
    if (!races.comes_after(scene, {c.w_who, c.w_epoch, c.w_clock, 0})) continue;  // told as a race
    if (is_fenced(scene, races, c)) continue;
    return report(scene, c, word, by, pc);
  }
}

void BulkCopies::report(Scene& scene, const Cell& c, std::uintptr_t at, By by, Pc pc) {
  if (scene.block_damaged) return;
  const EngineScope scope;
  findings().add(runs::FindingClass::race_shared, pc, pc_at(c.w_pc), [&](runs::Finding& f) {
    f.kernel = scene.kernel();
    f.who = scene.id_of(*scene.worker.running);
    f.other_who = scene.id_of(scene.worker.thread(c.w_who));
    f.object = scene.shared_element(at);
    const bool product = by == By::product;
    f.message = (product ? "the product (wgmma) of " : "the bulk copy of ") + scene.name(*f.who) +
                (by == By::write ? " writes " : " reads ") + f.object + ", which " +
                scene.name(*f.other_who) + " writes before, with no fence.proxy.async between the two. " +
                (product ? "Products of warp groups" : "Bulk copies") +
                " are the async proxy's, and no barrier shows it what threads have stored.";
    f.advice =
        "Each thread that stores calls cuda::ptx::fence_proxy_async(cuda::ptx::space_shared), or asm "
        "\"fence.proxy.async.shared::cta;\", behind its stores and before the barrier that lets " +
        std::string(product ? "the product begin; behind cp.async, once that was waited for."
                            : "the copy begin.");
  });
}

void BulkCopies::begin_store(Scene& scene, std::uintptr_t from, std::size_t bytes, Pc pc) {
  if (!scene.is_shared(from) || !scene.modes.check || scene.in_cluster) return;
  const EngineScope scope;
  const std::uint32_t thread = scene.worker.running->linear;
  stores_.push_back({from, bytes, pc, thread, of_thread(groups_closed_, thread)});
  for (std::uintptr_t at = from; at < from + bytes && scene.is_shared(at); at += 4)
    cell_at(scene, at).in_flight |= kReadInFlight;
}

void BulkCopies::close_group(const Scene& scene) {
  const EngineScope scope;
  ++of_thread(groups_closed_, scene.worker.running->linear);
}

void BulkCopies::wait_for_groups(Scene& scene, unsigned int pending) {
  if (stores_.empty()) return;
  const EngineScope scope;
  const std::uint32_t thread = scene.worker.running->linear, closed = of_thread(groups_closed_, thread);
  std::vector<Store> over;
  std::erase_if(stores_, [&](const Store& s) {
    if (s.thread != thread || s.group + pending >= closed) return false;
    over.push_back(s);
    return true;
  });
  for (const Store& s : over) end(scene, s);
}

/// The reads of the copy are over when its thread has waited, and others have to come after that.
void BulkCopies::end(Scene& scene, const Store& s) {
  const SimThread& t = *scene.worker.running;
  for (std::uintptr_t at = s.from; at < s.from + s.bytes && scene.is_shared(at); at += 4) {
    if (reader_of(at) != 0) continue;
    Cell& c = cell_at(scene, at);
    c.in_flight &= static_cast<std::uint8_t>(~kReadInFlight);
    note_reader(c, {scene.worker.block_serial, t.linear, scene.worker.epoch, t.clock,
                    static_cast<std::uint32_t>(s.pc - program_base()), 0xf, false});
  }
}

Pc BulkCopies::reader_of(std::uintptr_t shared) const {
  const auto found = std::find_if(stores_.begin(), stores_.end(), [&](const Store& s) {
    return shared / 4 * 4 >= s.from && shared < s.from + s.bytes;
  });
  return found == stores_.end() ? 0 : found->pc;
}

void BulkCopies::end_block(Scene& scene) {
  for (const Store& s : stores_)
    for (std::uintptr_t at = s.from; at < s.from + s.bytes && scene.is_shared(at); at += 4)
      cell_at(scene, at).in_flight = 0;
  if (stores_.empty() || scene.block_damaged || Diagnosis::get().crashed) return stores_.clear();
  const EngineScope scope;
  const Store s = stores_.front();
  const bool committed = s.thread < groups_closed_.size() && s.group < groups_closed_[s.thread];
  findings().add(runs::FindingClass::copy_not_waited, s.pc, 0, [&](runs::Finding& f) {
    f.kernel = scene.kernel();
    f.who = scene.id_of(scene.worker.thread(s.thread));
    f.object = scene.shared_element(s.from);
    f.message = scene.name(*f.who) + " begins a bulk copy that reads " + f.object + ", and " +
                (committed ? "does not wait for it" : "neither commits it to a group nor waits for it") +
                ": its block may end meanwhile, and its shared memory with it.";
    f.advice =
        "Behind the copy: cp_async_bulk_commit_group(), and before the thread ends "
        "cp_async_bulk_wait_group_read(n32_t<0>()) (cp.async.bulk.wait_group.read 0).";
  });
  stores_.clear();
}

}  // namespace workbook::sim
