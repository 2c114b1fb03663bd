// One worker's hand on the shadow of device memory: finds the numbers of contexts and pairs again, and turns
// what is kept of a word into a Cell and back.
#pragma once

#include <cstdint>

#include "cell.h"
#include "sim/engine/arena.h"
#include "sim/engine/engine.h"
#include "sim/engine/shadow.h"

namespace workbook::sim {

/// Remembers two readers of a word, of different warps where there are such: a write must be ordered after
/// both.
struct Reader {
  std::uint32_t gen, who, epoch, clock, pc, mask;
  bool signal, narrow = false;
};
[[gnu::always_inline]] inline void note_reader(Cell& c, const Reader& now) {
  const bool read_now = c.r_gen == now.gen;
  std::uint32_t mask = now.mask;
  if (read_now && c.r_who != now.who) {
    const bool two = c.others && c.r_epoch == now.epoch && c.q_epoch == now.epoch && c.q_who != now.who;
    if (two && c.r_who / kWarpSize != c.q_who / kWarpSize && (mask & ~(c.r_mask & c.q_mask)) == 0) {
      c.r_atomic &= now.signal;
      c.r_narrow |= now.narrow;
      return;
    }
    if (!two || c.r_who / kWarpSize != now.who / kWarpSize) {
      c.others = 1;
      c.q_who = c.r_who, c.q_epoch = c.r_epoch, c.q_clock = c.r_clock, c.q_pc = c.r_pc;
      c.q_mask = c.r_mask;
    }
  } else if (!read_now) {
    c.others = 0;
  } else if (c.r_epoch == now.epoch) {
    mask |= c.r_mask;
  }
  c.r_mask = mask & 0xfu;
  c.r_atomic = now.signal && (!read_now || !c.others || c.r_atomic);
  c.r_narrow = now.narrow;
  c.r_gen = now.gen, c.r_who = now.who, c.r_epoch = now.epoch, c.r_clock = now.clock, c.r_pc = now.pc;
}

class WordRecords {
 public:
  WordRecords() : shadow_(Arena::get().shadow()) {}
  void begin_launch(std::uint32_t generation);

  /// What a thread does now. `base`: the grid's number of the first lane of its warp.
  struct Now {
    std::uint32_t base, lane, epoch, clock, pc, mask;
    std::uint8_t atomic;     ///< Shadow::Context
    std::int8_t beside = 0;  ///< likewise
    std::uint8_t row = 0;
    [[gnu::always_inline]] std::uint32_t bits() const {
      return static_cast<std::uint32_t>(beside) << 8 | row << 6u | mask << 2 | atomic;
    }
  };
  [[gnu::always_inline]] Shadow::Record record(const Now& now) {
    const std::uint32_t bits = now.bits();
    Site& site = sites_[((now.pc * 0x9e3779b1u) >> 20 ^ now.base / 32 ^ now.epoch ^ bits << 5) % kSites];
    if (site.base != now.base || site.pc != now.pc || site.epoch != now.epoch || site.clock != now.clock ||
        site.bits != bits) [[unlikely]]
      add_context(site, now);
    return site.record == 0 ? 0 : site.record | now.lane;
  }
  /// The same for a plain access to whole words.
  [[gnu::always_inline]] Shadow::Record plain_record(std::uint32_t base, std::uint32_t lane,
                                                     std::uint32_t epoch, std::uint32_t clock,
                                                     std::uint32_t pc) {
    Plain& plain = plain_[(pc * 0x9e3779b1u) >> 24];
    const std::uint64_t where = std::uint64_t{pc} << 32 | base, when = std::uint64_t{epoch} << 32 | clock;
    if (plain.where != where || plain.when != when) [[unlikely]]
      plain = {where, when, add_plain(base, epoch, clock, pc)};
    return plain.record == 0 ? 0 : plain.record | lane;
  }
  /// Who has read a word after `mine` read it, too.
  [[gnu::always_inline]] Shadow::Readers joined(Shadow::Readers readers, Shadow::Record mine) {
    if (readers == mine || mine == 0) return readers;
    Step& step = steps_[(readers * 0x9e3779b1u ^ mine * 0x85ebca77u) >> 22];
    if (step.readers != readers || step.mine != mine) [[unlikely]]
      step = {readers, mine, join(readers, mine)};
    return step.result;
  }
  /// The same where it is known; 0: it is not.
  [[gnu::always_inline]] Shadow::Readers known_to_join(Shadow::Readers readers, Shadow::Record mine) const {
    if (readers == mine) return readers;
    const Step& step = steps_[(readers * 0x9e3779b1u ^ mine * 0x85ebca77u) >> 22];
    return step.readers == readers && step.mine == mine ? step.result : 0;
  }
  /// Whether the record is of this thread.
  [[gnu::always_inline]] bool is_of(Shadow::Record record, std::uint32_t base, std::uint32_t lane) const {
    return record % 32 == lane && shadow_.context(record).base == base;
  }

  /// All that is known of the word in this launch.
  Cell load(std::uint64_t word, Shadow::Readers readers) const;
  /// Keeps what became of it by the thread of `now`, but for its readers, which are returned.
  Shadow::Readers store(std::uint64_t word, Shadow::Readers readers, const Cell& before, const Cell& after,
                        const Now& now);

 private:
  static constexpr std::size_t kSites = 1024, kSteps = 1024, kPlain = 256;
  struct Site {
    std::uint32_t base = ~0u, epoch = 0, clock = 0, pc = 0, bits = 0;
    Shadow::Record record = 0;  ///< of lane 0
  };
  struct Step {
    Shadow::Readers readers = 0;
    Shadow::Record mine = 0;
    Shadow::Readers result = 0;
  };
  /// What a line of the program does with whole words: found by less than a site is.
  struct Plain {
    std::uint64_t where = ~std::uint64_t{0}, when = 0;
    Shadow::Record record = 0;  ///< of lane 0
  };
  void add_context(Site& site, const Now& now);
  Shadow::Record add_plain(std::uint32_t base, std::uint32_t epoch, std::uint32_t clock, std::uint32_t pc);
  std::int8_t beside(std::uint64_t word, const Cell& before, const Cell& after, const Now& now) const;
  Shadow::Readers join(Shadow::Readers readers, Shadow::Record mine);
  Shadow::Readers join_plain(Shadow::Readers readers, Shadow::Record mine);
  Shadow::Readers paired(Shadow::Record latest, Shadow::Record behind);
  void load_readers(Cell& cell, Shadow::Readers readers) const;
  Shadow::Readers store_readers(Shadow::Readers old, const Cell& before, const Cell& after, const Now& now);

  Shadow& shadow_;
  std::uint32_t generation_ = 0;
  std::uint32_t context_ = 0, contexts_left_ = 0, pair_ = 0, pairs_left_ = 0;
  Plain plain_[kPlain];
  Site sites_[kSites];
  Step steps_[kSteps];
};

}  // namespace workbook::sim
