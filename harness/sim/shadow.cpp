// Races and uninitialised reads, from the shadow cell of every 4-byte word. Two accesses are ordered when a
// block-wide barrier, a __syncwarp or a fence with an atomic lies between them; the order in which the
// simulator happens to run threads never counts.
#include <algorithm>

#include "diagnosis.h"
#include "symbols.h"

namespace workbook::sim {

bool Diagnosis::ordered(const Worker& worker, std::uint32_t gid, std::uint32_t epoch,
                        std::uint32_t clock) const {
  const SimThread& now = *worker.current;
  const std::uint32_t block = gid / launch_->block_threads;
  if (block == worker.block_linear()) {
    if (epoch < worker.epoch) return true;
    const std::uint32_t before = gid % launch_->block_threads;
    if (before / kWarpSize != now.linear / kWarpSize) return false;
    return worker.clocks[now.linear][before % kWarpSize] >= clock;
  }
  const auto known = acquired_.find(block);
  if (known == acquired_.end()) return false;
  return std::any_of(known->second.begin(), known->second.end(),
                     [&](const Release& r) { return epoch < r.epoch || (epoch == r.epoch && gid == r.gid); });
}

void Diagnosis::touch_words(Worker& worker, const Target& target, std::uint32_t bytes, runs::Access kind,
                            std::uint32_t site) {
  const std::uint32_t gid = worker.gid(*worker.current);
  const std::uint32_t clock = worker.current->clock;
  const std::uint32_t gen = launch_->generation;
  const bool atomic = kind == runs::Access::atomic;
  const bool writes = kind != runs::Access::read;
  const std::uint64_t end = target.offset + bytes;
  for (std::uint64_t word = target.offset & ~std::uint64_t{3}; word < end; word += 4) {
    const auto from = static_cast<unsigned>(word < target.offset ? target.offset - word : 0);
    const auto to = static_cast<unsigned>(std::min<std::uint64_t>(4, end - word));
    const auto mask = static_cast<std::uint8_t>((0xfu << from) & (0xfu >> (4 - to)));
    Cell& c = target.cells[word / 4];

    const bool written_now = c.w_gen == gen && (c.w_mask & mask) != 0;
    if (written_now && c.w_gid != gid && !(atomic && c.w_atomic) &&
        !ordered(worker, c.w_gid, c.w_epoch, c.w_clock))
      report_race(worker, {c.w_gid, c.w_site, true}, kind, site, target);
    if (kind != runs::Access::write && (c.init_mask & mask) != mask) {
      report_uninitialised(worker, site, target);
      c.init_mask = static_cast<std::uint8_t>(c.init_mask | mask);  // one finding a word is enough
    }
    if (writes) {
      if (c.r_gen == gen && (c.r_mask & mask) != 0) {
        if (c.r_gid != gid && !(atomic && c.r_atomic) && !ordered(worker, c.r_gid, c.r_epoch, c.r_clock))
          report_race(worker, {c.r_gid, c.r_site, false}, kind, site, target);
        else if (c.others && c.q_gid != gid && !(atomic && c.r_atomic) &&
                 !ordered(worker, c.q_gid, c.r_epoch, c.q_clock))
          report_race(worker, {c.q_gid, c.q_site, false}, kind, site, target);
      }
      const bool same = c.w_gen == gen && c.w_gid == gid && c.w_epoch == worker.epoch;
      c.w_mask = static_cast<std::uint8_t>(same ? c.w_mask | mask : mask);
      c.w_gen = gen, c.w_gid = gid, c.w_epoch = worker.epoch, c.w_clock = clock, c.w_site = site;
      c.w_atomic = atomic;
      c.init_mask = static_cast<std::uint8_t>(c.init_mask | mask);
    }
    if (kind == runs::Access::read) {
      const bool same_interval = c.r_gen == gen && c.r_epoch == worker.epoch;
      if (same_interval && c.r_gid != gid) {
        c.others = 1;
        c.q_gid = c.r_gid, c.q_clock = c.r_clock, c.q_site = c.r_site;
      } else if (!same_interval) {
        c.others = 0;
      }
      c.r_mask = static_cast<std::uint8_t>(same_interval ? c.r_mask | mask : mask);
      c.r_gen = gen, c.r_gid = gid, c.r_epoch = worker.epoch, c.r_clock = clock, c.r_site = site;
      c.r_atomic = 0;
    }
  }
}

namespace {

std::string name_of(const Allocation* allocation, std::uint64_t offset, const SharedVariable* variable,
                    std::uint64_t variable_offset) {
  if (allocation != nullptr) return describe_element(*allocation, offset);
  return variable->name + "[" + std::to_string(variable_offset / 4) + "]";
}

const char* did(runs::Access kind) { return kind == runs::Access::read ? "reads" : "writes"; }

}  // namespace

void Diagnosis::report_race(Worker& worker, const Party& before, runs::Access kind, std::uint32_t site,
                            const Target& target) {
  if (block_damaged_) return;
  const std::uint32_t gid = worker.gid(*worker.current);
  EngineScope scope;
  const bool shared = target.variable != nullptr;
  findings.add(
      shared ? "race_shared" : "race_global", sites_[site].pc, sites_[before.site].pc, [&](runs::Finding& f) {
        f.kernel = launch_->kernel->name;
        f.who = thread_id(gid);
        f.other_who = thread_id(before.gid);
        f.object = name_of(target.allocation, target.offset, target.variable, target.variable_offset);
        const bool same_block = gid / launch_->block_threads == before.gid / launch_->block_threads;
        f.message = name(*f.other_who) + (before.wrote ? " writes " : " reads ") + f.object + " and " +
                    name(*f.who) + " " + did(kind) + " it, with nothing that orders the two.";
        if (same_block)
          f.advice = "Put __syncthreads() between the two lines, or give each thread its own element.";
        else
          f.advice =
              "Blocks of one launch run in any order: give each block its own elements, use an "
              "atomic, or split the work into two launches.";
      });
}

void Diagnosis::report_uninitialised(Worker& worker, std::uint32_t site, const Target& target) {
  if (block_damaged_) return;
  const std::uint32_t gid = worker.gid(*worker.current);
  EngineScope scope;
  const bool shared = target.variable != nullptr;
  findings.add(shared ? "uninit_shared" : "uninit_global", sites_[site].pc, 0, [&](runs::Finding& f) {
    f.kernel = launch_->kernel->name;
    f.who = thread_id(gid);
    f.object = name_of(target.allocation, target.offset, target.variable, target.variable_offset);
    f.message = name(*f.who) + " reads " + f.object + ", which nothing has written" +
                (shared ? " in this block." : ".");
    f.advice = shared
                   ? "Is the store guarded so that some threads skip it, or does it come after the read? A "
                     "__syncthreads() must lie between the store and the read."
                   : "Which launch should have written it? Check that one's index and guard first.";
  });
}

void Diagnosis::acquire(std::uintptr_t address) {
  const auto found = released_.find(address);
  if (found == released_.end()) return;
  for (const Release& r : found->second) acquired_[r.block].push_back(r);
}

void Diagnosis::release(Worker& worker, std::uintptr_t address) {
  if (!block_fenced_) return;
  released_[address].push_back(
      {static_cast<std::uint32_t>(worker.block_linear()), worker.gid(*worker.current), worker.epoch});
}

}  // namespace workbook::sim
