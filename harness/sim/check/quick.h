// What plain accesses to the block's own shared memory mostly are: to words of which no check has anything to
// say. These functions keep the same records as the checks do (races.h, initialised.h, copies.h), in fewer
// instructions, and leave every other word to them.
#pragma once

#include "check.h"
#include "word_records.h"

namespace workbook::sim {

/// A word that its own block has written, and that no other thread has written since the last barrier. False:
/// it is another, and nothing is noted.
WORKBOOK_HOT bool note_quick_read(Cell& c, const Worker& worker, std::uint32_t mask, std::uint32_t pc) {
  const SimThread& t = *worker.current;
  if (c.w_gen != worker.block_serial || c.in_flight != 0 || (c.init_mask & mask) != mask) return false;
  if (c.w_epoch == worker.epoch && (c.w_who != t.linear || c.w_row != 0) && (c.w_mask & mask) != 0)
    return false;
  note_reader(c, {worker.block_serial, t.linear, worker.epoch, t.clock, pc, mask, false});
  return true;
}

/// A word that no other thread has used since the last barrier.
WORKBOOK_HOT bool note_quick_write(Cell& c, const Worker& worker, std::uint32_t mask, std::uint32_t pc) {
  const SimThread& t = *worker.current;
  const std::uint32_t block = worker.block_serial, epoch = worker.epoch, who = t.linear;
  const bool written_now = c.w_gen == block;
  if (written_now && (c.in_flight != 0 || (c.w_epoch == epoch && c.w_who != who))) return false;
  if (c.r_gen == block &&
      ((c.r_epoch == epoch && c.r_who != who) || (c.others && c.q_epoch == epoch && c.q_who != who)))
    return false;
  const bool same = written_now && c.w_who == who && c.w_epoch == epoch && c.w_clock == t.clock;
  if (same && c.w_row != 0) return false;
  c.w_row = 0;
  c.init_mask = static_cast<std::uint8_t>(written_now ? c.init_mask | mask : mask);
  c.w_mask = (same ? c.w_mask | mask : mask) & 0xfu;
  c.w_gen = block, c.w_who = who, c.w_epoch = epoch, c.w_clock = t.clock, c.w_pc = pc;
  c.w_atomic = 0;
  c.w_narrow = 0;
  return true;
}

}  // namespace workbook::sim
