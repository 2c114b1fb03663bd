#include "word_records.h"

#include <algorithm>

#include "sim/engine/engine.h"

namespace workbook::sim {

namespace {

/// Shadow::Context::atomic
std::uint8_t signal_bits(unsigned atomic, unsigned narrow) {
  return static_cast<std::uint8_t>(atomic | narrow << 1);
}

}  // namespace

void WordRecords::begin_launch(std::uint32_t generation) {
  generation_ = generation;
  contexts_left_ = pairs_left_ = 0;
  std::fill(std::begin(sites_), std::end(sites_), Site{});
  std::fill(std::begin(plain_), std::end(plain_), Plain{});
  std::fill(std::begin(steps_), std::end(steps_), Step{});
}

void WordRecords::add_context(Site& site, const Now& now) {
  if (contexts_left_ == 0) {
    context_ = shadow_.take_contexts();
    contexts_left_ = context_ == 0 ? 0 : Shadow::kBatch;
  }
  site = {now.base, now.epoch, now.clock, now.pc, now.bits(), 0};
  if (contexts_left_ == 0) return;
  shadow_.context_at(context_) = {generation_, now.base,   now.epoch,
                                  now.clock,   now.pc,     static_cast<std::uint8_t>(now.mask),
                                  now.atomic,  now.beside, now.row};
  site.record = context_ * 32;
  ++context_, --contexts_left_;
}

Shadow::Record WordRecords::add_plain(std::uint32_t base, std::uint32_t epoch, std::uint32_t clock,
                                      std::uint32_t pc) {
  return record({base, 0, epoch, clock, pc, 0xf, 0});
}

Cell WordRecords::load(std::uint64_t word, Shadow::Readers readers) const {
  Cell c{};
  c.init_mask = shadow_.initialised(word) & 0xfu;
  if (const Shadow::Record writer = shadow_.writer_now(word); writer != 0) {
    const Shadow::Context& w = shadow_.context(writer);
    c.w_gen = generation_, c.w_who = w.base + writer % 32, c.w_epoch = w.epoch, c.w_clock = w.clock,
    c.w_pc = w.pc;
    c.w_mask = w.mask & 0xfu;
    c.w_atomic = w.atomic & 1u;
    c.w_narrow = w.atomic >> 1 & 1u;
    c.w_row = w.row & 3u;
  }
  load_readers(c, readers);
  return c;
}

void WordRecords::load_readers(Cell& c, Shadow::Readers readers) const {
  if (!shadow_.are_of_this_launch(readers)) return;
  Shadow::Record latest = readers;
  if (readers >= Shadow::kPair) {
    const Shadow::Pair& pair = shadow_.pair(readers);
    const Shadow::Context& q = shadow_.context(pair.before);
    latest = pair.latest;
    c.others = 1;
    c.q_who = q.base + pair.before % 32, c.q_epoch = q.epoch, c.q_clock = q.clock, c.q_pc = q.pc;
    c.q_mask = q.mask & 0xfu;
  }
  const Shadow::Context& r = shadow_.context(latest);
  c.r_gen = generation_, c.r_who = r.base + latest % 32, c.r_epoch = r.epoch, c.r_clock = r.clock,
  c.r_pc = r.pc;
  c.r_mask = r.mask & 0xfu;
  c.r_atomic = r.atomic & 1u;
  c.r_narrow = r.atomic >> 1 & 1u;
}

namespace {

bool is_plain(const Shadow::Context& c) { return c.mask == 0xf && c.atomic == 0; }

}  // namespace

Shadow::Readers WordRecords::join(Shadow::Readers readers, Shadow::Record mine) {
  const bool is_pair = readers >= Shadow::kPair;
  if (is_plain(shadow_.context(mine)) &&
      is_plain(shadow_.context(is_pair ? shadow_.pair(readers).latest : readers)) &&
      (!is_pair || shadow_.context(shadow_.pair(readers).before).mask == 0xf)) [[likely]]
    return join_plain(readers, mine);
  Cell before{};
  load_readers(before, readers);
  Cell after = before;
  const Shadow::Context& c = shadow_.context(mine);
  const std::uint32_t lane = mine % 32;
  note_reader(after, {generation_, c.base + lane, c.epoch, c.clock, c.pc, c.mask, (c.atomic & 1u) != 0,
                      (c.atomic & 2u) != 0});
  return store_readers(readers, before, after, {c.base, lane, c.epoch, c.clock, c.pc, c.mask, c.atomic});
}

/// What note_reader() makes of plain readers of whole words, without the way over cells.
Shadow::Readers WordRecords::join_plain(Shadow::Readers readers, Shadow::Record mine) {
  const bool is_pair = readers >= Shadow::kPair;
  const Shadow::Pair known = is_pair ? shadow_.pair(readers) : Shadow::Pair{readers, 0};
  const Shadow::Context &now = shadow_.context(mine), &latest = shadow_.context(known.latest);
  const std::uint32_t who = now.base + mine % 32, latest_who = latest.base + known.latest % 32;
  if (who == latest_who) {
    const bool same = latest.epoch == now.epoch && latest.clock == now.clock && latest.pc == now.pc;
    return same ? readers : paired(mine, known.before);
  }
  if (!is_pair) return paired(mine, known.latest);
  const Shadow::Context& before = shadow_.context(known.before);
  const std::uint32_t before_who = before.base + known.before % 32;
  const bool two = latest.epoch == now.epoch && before.epoch == now.epoch && before_who != who;
  if (two && latest_who / kWarpSize != before_who / kWarpSize) return readers;
  return paired(mine, two && latest_who / kWarpSize == who / kWarpSize ? known.before : known.latest);
}

Shadow::Readers WordRecords::store_readers(Shadow::Readers old, const Cell& before, const Cell& after,
                                           const Now& now) {
  const bool was_pair = old >= Shadow::kPair;
  const Shadow::Record old_latest = was_pair ? shadow_.pair(old).latest : old;
  const Shadow::Record old_before = was_pair ? shadow_.pair(old).before : 0;
  const auto same_latest = before.r_gen == after.r_gen && before.r_who == after.r_who &&
                           before.r_epoch == after.r_epoch && before.r_clock == after.r_clock &&
                           before.r_pc == after.r_pc;
  const bool same_flags =
      before.r_mask == after.r_mask && before.r_atomic == after.r_atomic && before.r_narrow == after.r_narrow;
  const bool same_before =
      before.others == after.others &&
      (!after.others ||
       (before.q_who == after.q_who && before.q_epoch == after.q_epoch && before.q_clock == after.q_clock &&
        before.q_pc == after.q_pc && before.q_mask == after.q_mask));
  if (same_latest && same_flags && same_before) return old;
  Shadow::Record latest = old_latest;
  if (!same_latest || !same_flags) {
    Now r = now;
    if (same_latest) r.lane = old_latest % 32, r.base = after.r_who - r.lane;
    r.epoch = after.r_epoch, r.clock = after.r_clock, r.pc = after.r_pc;
    r.mask = after.r_mask, r.atomic = signal_bits(after.r_atomic, after.r_narrow);
    latest = record(r);
  }
  // A reader is put behind the latest one, or stays there.
  const Shadow::Record behind = !after.others ? 0 : same_before ? old_before : old_latest;
  return paired(latest, behind);
}

/// `behind` 0: there is no other reader.
Shadow::Readers WordRecords::paired(Shadow::Record latest, Shadow::Record behind) {
  if (behind == 0 || latest == 0) return latest;
  if (pairs_left_ == 0) {
    pair_ = shadow_.take_pairs();
    pairs_left_ = pair_ == 0 ? 0 : Shadow::kBatch;
    if (pairs_left_ == 0) return latest;
  }
  shadow_.pair_at(pair_) = {latest, behind};
  --pairs_left_;
  return Shadow::kPair | pair_++;
}

std::int8_t WordRecords::beside(std::uint64_t word, const Cell& before, const Cell& after,
                                const Now& now) const {
  if (after.w_mask == 0xf || before.w_gen != after.w_gen || before.w_pc != after.w_pc) return 0;
  const Shadow::Record writer = shadow_.writer_now(word);
  const Shadow::Context& context = shadow_.context(writer);
  if (before.w_who == after.w_who) return before.w_mask == after.w_mask ? context.beside : std::int8_t{0};
  if (context.base != now.base || (before.w_mask | after.w_mask) != 0xf) return 0;
  return static_cast<std::int8_t>(static_cast<int>(writer % 32) - static_cast<int>(now.lane));
}

Shadow::Readers WordRecords::store(std::uint64_t word, Shadow::Readers readers, const Cell& before,
                                   const Cell& after, const Now& now) {
  if (after.init_mask != before.init_mask) shadow_.initialise(word, after.init_mask);
  if (before.w_gen != after.w_gen || before.w_who != after.w_who || before.w_epoch != after.w_epoch ||
      before.w_clock != after.w_clock || before.w_pc != after.w_pc || before.w_mask != after.w_mask ||
      before.w_atomic != after.w_atomic || before.w_narrow != after.w_narrow || before.w_row != after.w_row) {
    // Who writes is the thread that runs, or the last of its row, which is of its warp.
    shadow_.set_writer(word, record({now.base, after.w_who - now.base, after.w_epoch, after.w_clock,
                                     after.w_pc, after.w_mask, signal_bits(after.w_atomic, after.w_narrow),
                                     beside(word, before, after, now), after.w_row}));
  }
  return after.r_gen == 0 ? readers : store_readers(readers, before, after, now);
}

}  // namespace workbook::sim
