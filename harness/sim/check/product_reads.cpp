#include "product_reads.h"

#include <algorithm>

#include "checker.h"
#include "diagnosis.h"

namespace workbook::sim {
namespace {

constexpr std::uint32_t kGroupThreads = kGroupWarps * kWarpSize;

void mark(Scene& scene, std::uintptr_t chunk, bool reads) {
  for (std::uintptr_t at = chunk; at < chunk + ProductReads::kChunk && scene.is_shared(at); at += 4) {
    std::uint8_t& flags = scene.shared_cells[(at - scene.shared_low) / 4].in_flight;
    flags = static_cast<std::uint8_t>(reads ? flags | kReadInFlight : flags & ~kReadInFlight);
  }
}

}  // namespace

void ProductReads::begin_block() {
  products_.clear();
  closed_.assign(kMaxThreads, 0);
  if (threads_with_sums_ > 0) sums_.clear();
  threads_with_sums_ = 0;
}

void ProductReads::begin_sums(const Scene& scene, void* const* registers, std::size_t count, Pc pc) {
  if (!scene.modes.check) return;
  const EngineScope scope;
  sums_.resize(kMaxThreads);
  const std::uint32_t thread = scene.worker.running->linear;
  std::vector<Sums>& all = sums_[thread];
  if (all.empty()) ++threads_with_sums_;
  std::vector<std::uintptr_t> places(count);
  for (std::size_t i = 0; i < count; ++i) places[i] = reinterpret_cast<std::uintptr_t>(registers[i]);
  std::sort(places.begin(), places.end());
  // Products that add to the same sums follow each other without a wait.
  std::erase_if(all, [&](const Sums& before) { return before.registers == places; });
  all.push_back({std::move(places), closed_[thread], pc});
}

void ProductReads::see_own(const Scene& scene, std::uintptr_t address, std::uint32_t bytes, runs::Access kind,
                           Pc pc) const {
  for (const Sums& sums : sums_[scene.worker.running->linear]) {
    const auto next = std::upper_bound(sums.registers.begin(), sums.registers.end(), address - 4);
    if (next == sums.registers.end() || *next >= address + bytes) continue;
    const EngineScope scope;
    findings().add(runs::FindingClass::copy_not_waited, pc, sums.pc, [&](runs::Finding& f) {
      f.kernel = scene.kernel();
      f.who = scene.id_of(*scene.worker.running);
      f.message =
          scene.name(*f.who) + " " + verb(kind) +
          " a sum of its warp group's product (wgmma) while that is under way: the registers are the product's "
          "until it is waited for.";
      f.advice =
          sums.group < closed_[scene.worker.running->linear]
              ? "The latest wait lets the last group go on, and this product is in it: before the sums are used, "
                "wgmma.wait_group.sync.aligned with fewer that may go on; 0 waits for all."
              : "Behind the products: wgmma.commit_group.sync.aligned, and before the sums are used "
                "wgmma.wait_group.sync.aligned 0.";
    });
    return;
  }
}

void ProductReads::begin(Scene& scene, std::uint32_t first, const std::vector<std::uintptr_t>& chunks,
                         Pc pc) {
  scene.ordering.meet_group(first, kGroupThreads);
  if (!scene.modes.check || scene.in_cluster) return;
  readers_.resize(scene.shared_span / kChunk + 1);
  products_.push_back({first, closed_[first], pc, {}});
  for (const std::uintptr_t chunk : chunks) {
    if (!scene.is_shared(chunk)) continue;
    products_.back().chunks.push_back(chunk);
    if (readers_[(chunk - scene.shared_low) / kChunk]++ == 0) mark(scene, chunk, true);
  }
}

void ProductReads::close_group(const Scene& scene) { ++closed_[scene.worker.running->linear]; }

void ProductReads::wait_for_groups(Scene& scene, unsigned int pending) {
  const std::uint32_t thread = scene.worker.running->linear, closed = closed_[thread];
  if (threads_with_sums_ > 0 && !sums_[thread].empty()) {
    std::erase_if(sums_[thread], [&](const Sums& sums) { return sums.group + pending < closed; });
    if (sums_[thread].empty()) --threads_with_sums_;
  }
  if (products_.empty()) return;
  const EngineScope scope;
  std::erase_if(products_, [&](const Product& p) {
    if (p.first != thread / kGroupThreads * kGroupThreads || p.group + pending >= closed) return false;
    end(scene, p);
    return true;
  });
}

void ProductReads::end(Scene& scene, const Product& p) {
  for (const std::uintptr_t chunk : p.chunks)
    if (--readers_[(chunk - scene.shared_low) / kChunk] == 0) mark(scene, chunk, false);
}

Pc ProductReads::reader_of(std::uintptr_t shared) const {
  const auto found = std::find_if(products_.begin(), products_.end(), [&](const Product& p) {
    return std::find(p.chunks.begin(), p.chunks.end(), shared / kChunk * kChunk) != p.chunks.end();
  });
  return found == products_.end() ? 0 : found->pc;
}

void ProductReads::end_block(Scene& scene) {
  const EngineScope scope;
  for (const Product& p : products_) end(scene, p);
  if (products_.empty() || scene.block_damaged || Diagnosis::get().crashed) return products_.clear();
  const Product& p = products_.front();
  const bool committed = p.group < closed_[p.first];
  findings().add(runs::FindingClass::copy_not_waited, p.pc, 0, [&](runs::Finding& f) {
    f.kernel = scene.kernel();
    f.who = scene.id_of(scene.worker.thread(p.first));
    f.message = "the warp group of " + scene.name(*f.who) + " begins a product (wgmma), and " +
                (committed ? "does not wait for it" : "neither commits it to a group nor waits for it") +
                ": its sums are not there before that, and its tiles may not be used for anything else.";
    f.advice =
        "Behind the products: wgmma.commit_group.sync.aligned, and before the sums are used "
        "wgmma.wait_group.sync.aligned 0.";
  });
  products_.clear();
}

}  // namespace workbook::sim
