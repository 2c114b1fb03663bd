// The words of an access, with what is kept of each, for the checks that look at words.
#pragma once

#include "check.h"
#include "quick.h"
#include "word_records.h"

namespace workbook::sim {

/// Held while one cell is looked at and changed, when other workers may do the same.
class CellLock {
 public:
  CellLock(Cell& cell, bool parallel) : cell_(parallel ? &cell : nullptr) {
    if (cell_ != nullptr)
      while (__atomic_exchange_n(&cell_->lock, 1, __ATOMIC_ACQUIRE) != 0) {
      }
  }
  ~CellLock() {
    if (cell_ != nullptr) __atomic_store_n(&cell_->lock, 0, __ATOMIC_RELEASE);
  }
  CellLock(const CellLock&) = delete;
  CellLock& operator=(const CellLock&) = delete;

 private:
  Cell* cell_;
};

/// Of the writable static data, all of it initialised; one for each 4 bytes.
Cell* image_cells();
inline Cell& image_cell(std::uintptr_t address) {
  return image_cells()[(address - writable_image_begin()) / 4];
}
/// A call has written bytes of a variable of the program.
void mark_image_written(std::uintptr_t address, std::size_t bytes);
/// Whether some byte of a variable of the program has a value.
bool is_image_partly_written(std::uintptr_t address, std::size_t bytes);

/// Whether some byte of the range has been written, in shared or device memory.
bool is_partly_written(const Scene& scene, std::uintptr_t address, std::size_t bytes);

class Words {
 public:
  Words() : shadow_(Arena::get().shadow()) {}
  void begin_launch(const Scene& scene, const Launch& launch) {
    if (scene.modes.check) records_.begin_launch(launch.generation);
    parallel_ = launch.parallel;
  }

  /// Shows `checks` each word of the access.
  template <class Kind, class Checks>
  WORKBOOK_HOT void touch(Checks& checks, Scene& scene, const Access& a) {
    if (a.bytes == 4) return touch_word<Kind>(checks, scene, a, a.offset, 0xf);
    if (a.bytes < 4)  // aligned: within one word
      return touch_word<Kind>(checks, scene, a, a.offset, ((1u << a.bytes) - 1) << a.offset % 4);
    for (std::uint64_t at = a.offset; at < a.offset + a.bytes; at += 4)
      touch_word<Kind>(checks, scene, a, at, 0xf);
  }

  /// What the first lane of the running thread's warp would leave at a place with whole words; 0: nothing.
  Shadow::Record record_of_warp(const Scene& scene, std::uint32_t pc) {
    const SimThread& t = *scene.worker.current;
    return records_.plain_record(t.warp_base, 0, scene.worker.epoch, t.clock, pc);
  }
  /// A plain read of a whole word of device memory that nobody has written in this launch, or a plain write
  /// to one that nobody else has used, where that calls nothing. False: it may be another, and nothing is
  /// noted.
  WORKBOOK_HOT bool pass_simple_read(std::uint64_t word, Shadow::Record mine);
  WORKBOOK_HOT bool pass_simple_write(std::uint64_t word, Shadow::Record mine);
  /// A plain read, or a plain write of a whole word of device memory. `mine`: what the thread leaves there.
  template <class Kind, class Checks>
  WORKBOOK_HOT void touch_device_word_as(Checks& checks, Scene& scene, std::uint64_t offset,
                                         std::uint32_t mask, std::uint32_t pc, Shadow::Record mine) {
    if (Kind::kKind == runs::Access::read ? pass_read(scene, offset / 4, mask, mine)
                                          : pass_write(scene, offset / 4, mine)) [[likely]]
      return;
    judge_device_word<Kind>(checks, scene, offset, mask, pc);
  }

 private:
  template <class Kind, class Checks>
  WORKBOOK_HOT void touch_word(Checks& checks, Scene& scene, const Access& a, std::uint64_t offset,
                               std::uint32_t mask) {
    if constexpr (Kind::kSpace == Space::arena) {
      touch_device_word<Kind>(checks, scene, offset, mask, a.pc_offset());
    } else if constexpr (Kind::kOwn) {
      Cell& cell = scene.shared_cells[offset / 4];
      if (!Kind::kSignal && Kind::kKind == runs::Access::read &&
          note_quick_read(cell, scene.worker, mask, a.pc_offset())) [[likely]]
        return;
      if (!Kind::kSignal && Kind::kKind == runs::Access::write &&
          note_quick_write(cell, scene.worker, mask, a.pc_offset())) [[likely]]
        return;
      show_apart<Kind>(checks, scene, cell, offset, mask, a.pc_offset(), scene);
    } else {
      Cell* const cells = Kind::kSpace == Space::image ? image_cells() : a.owner->shared_cells.data();
      Cell& cell = cells[offset / 4];
      const CellLock lock(cell, scene.worker.launch->parallel);
      show<Kind>(checks, scene, cell, offset, mask, a.pc_offset(), *a.owner);
    }
  }

  /// Not inlined where most words never come.
  template <class Kind, class Checks>
  [[gnu::noinline]] static void show_apart(Checks& checks, Scene& scene, Cell& cell, std::uint64_t offset,
                                           std::uint32_t mask, std::uint32_t pc, Scene& owner) {
    show<Kind>(checks, scene, cell, offset, mask, pc, owner);
  }
  template <class Kind, class Checks>
  WORKBOOK_HOT static void show(Checks& checks, Scene& scene, Cell& cell, std::uint64_t offset,
                                std::uint32_t mask, std::uint32_t pc, Scene& owner) {
    const Worker& worker = scene.worker;
    const std::uint32_t who = Kind::kOwn ? worker.current->linear : worker.gid(*worker.current);
    const std::uint32_t gen = Kind::kPerBlock ? owner.worker.block_serial : worker.launch->generation;
    const bool written_now = cell.w_gen == gen;
    const std::uint32_t init = !Kind::kPerBlock || written_now ? cell.init_mask : 0;
    checks.template touch<Kind>(scene, {cell, offset, mask, pc, who, gen, written_now, init, owner});
  }

  template <class Kind, class Checks>
  WORKBOOK_HOT void touch_device_word(Checks& checks, Scene& scene, std::uint64_t offset, std::uint32_t mask,
                                      std::uint32_t pc) {
    if (Kind::kSignal || Kind::kKind == runs::Access::atomic ||
        (Kind::kKind == runs::Access::write && mask != 0xf))
      return judge_device_word<Kind>(checks, scene, offset, mask, pc);
    touch_device_word_as<Kind>(checks, scene, offset, mask, pc, record_now(scene, mask, pc));
  }
  bool pass_read(const Scene& scene, std::uint64_t word, std::uint32_t mask, Shadow::Record mine);
  bool pass_write(const Scene& scene, std::uint64_t word, Shadow::Record mine);
  template <class Kind, class Checks>
  [[gnu::noinline]] void judge_device_word(Checks& checks, Scene& scene, std::uint64_t offset,
                                           std::uint32_t mask, std::uint32_t pc);
  WORKBOOK_HOT Shadow::Record record_now(const Scene& scene, std::uint32_t mask, std::uint32_t pc) {
    const Worker& worker = scene.worker;
    const SimThread& t = *worker.current;
    const std::uint32_t lane = t.linear % kWarpSize;
    if (mask == 0xf) return records_.plain_record(t.warp_base, lane, worker.epoch, t.clock, pc);
    return records_.record({t.warp_base, lane, worker.epoch, t.clock, pc, mask, 0});
  }
  /// Whether another thread than the running one made the record.
  WORKBOOK_HOT bool is_others(const Scene& scene, Shadow::Record record) const {
    const SimThread& t = *scene.worker.current;
    return !records_.is_of(record, t.warp_base, t.linear % kWarpSize);
  }

  /// Whether it was made by a thread of the running block, before the block's latest barrier.
  WORKBOOK_HOT bool is_before_barrier(const Scene& scene, Shadow::Record record) const {
    const Shadow::Context& c = shadow_.context(record);
    return c.base - scene.first_thread < scene.worker.launch->block_threads && c.epoch < scene.worker.epoch;
  }
  /// Whether what the record tells of comes before what the running thread, which `mine` is of, does now.
  WORKBOOK_HOT bool is_ordered(const Scene& scene, Shadow::Record record, Shadow::Record mine) const {
    return records_.is_of(record, shadow_.context(mine).base, mine % kWarpSize) ||
           is_before_barrier(scene, record);
  }
  /// The same of all readers that are kept.
  WORKBOOK_HOT bool are_ordered(const Scene& scene, Shadow::Readers readers, Shadow::Record mine) const {
    if (!shadow_.are_of_this_launch(readers)) return true;
    if (readers < Shadow::kPair) return is_ordered(scene, readers, mine);
    const Shadow::Pair& pair = shadow_.pair(readers);
    return is_ordered(scene, pair.latest, mine) && is_ordered(scene, pair.before, mine);
  }

  Shadow& shadow_;
  WordRecords records_;
  bool parallel_ = false;  ///< Launch::parallel
};

WORKBOOK_HOT bool Words::pass_simple_read(std::uint64_t word, Shadow::Record mine) {
  const Shadow& shadow = shadow_;
  Shadow::Readers* const readers = shadow_.readers(word);
  Shadow::Readers before = __atomic_load_n(readers, __ATOMIC_ACQUIRE);
  if ((before & Shadow::kLocked) != 0 || shadow.writer_now(word) != 0 || !shadow.is_settled_for_reading(word))
      [[unlikely]]
    return false;
  Shadow::Readers after = mine;
  if (shadow.are_of_this_launch(before)) {
    after = records_.known_to_join(before, mine);
    if (after == before) return true;
    if (after == 0) [[unlikely]]
      return false;
  }
  if (!parallel_) {
    *readers = after;
    return true;
  }
  return __atomic_compare_exchange_n(readers, &before, after, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED) &&
         shadow.writer_now(word) == 0;
}

WORKBOOK_HOT bool Words::pass_simple_write(std::uint64_t word, Shadow::Record mine) {
  if (!shadow_.is_settled_for_writing(word)) return false;
  Shadow::Readers* const readers = shadow_.readers(word);
  const Shadow::Readers known = parallel_ ? Shadow::lock(readers) : *readers;
  const Shadow::Record writer = shadow_.writer_now(word);
  const auto is_mine = [&](Shadow::Record record) {
    return records_.is_of(record, shadow_.context(mine).base, mine % kWarpSize);
  };
  const bool alone = (writer == 0 || is_mine(writer)) &&
                     (!shadow_.are_of_this_launch(known) || (known < Shadow::kPair && is_mine(known)));
  if (alone) [[likely]]
    shadow_.set_writer_of_settled(word, mine);
  if (parallel_) __atomic_store_n(readers, known, __ATOMIC_RELEASE);
  return alone;
}

/// What most accesses are: a read of a word that nobody else has written, but for threads of the block before
/// its latest barrier. False: it may be another.
WORKBOOK_HOT bool Words::pass_read(const Scene& scene, std::uint64_t word, std::uint32_t mask,
                                   Shadow::Record mine) {
  Shadow& shadow = shadow_;
  Shadow::Readers* const readers = shadow.readers(word);
  Shadow::Readers before = __atomic_load_n(readers, __ATOMIC_ACQUIRE);
  const Shadow::Record writer = shadow.writer_now(word);
  if ((before & Shadow::kLocked) != 0 ||
      (writer != 0 && is_others(scene, writer) && !is_before_barrier(scene, writer)) ||
      (shadow.initialised(word) & mask) != mask) [[unlikely]]
    return false;
  Shadow::Readers after = mine;
  if (shadow.are_of_this_launch(before)) {
    after = records_.joined(before, mine);
    if (after == before) return true;
  } else {
    shadow.note_read(word);
  }
  if (!parallel_) {
    *readers = after;
    return true;
  }
  // Where another worker writes it meanwhile, one of the two sees the other.
  return __atomic_compare_exchange_n(readers, &before, after, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED) &&
         shadow.writer_now(word) == writer;
}

/// Likewise: a write to a word that no other thread has used in this launch, or since that barrier.
WORKBOOK_HOT bool Words::pass_write(const Scene& scene, std::uint64_t word, Shadow::Record mine) {
  Shadow& shadow = shadow_;
  const bool parallel = parallel_;
  Shadow::Readers* const readers = shadow.readers(word);
  const Shadow::Readers known = parallel ? Shadow::lock(readers) : *readers;
  const Shadow::Record writer = shadow.writer_now(word);
  const bool alone =
      mine != 0 && (writer == 0 || is_ordered(scene, writer, mine)) && are_ordered(scene, known, mine);
  if (alone) [[likely]] {
    shadow.set_writer(word, mine);
    shadow.initialise(word, 0xf);
  }
  if (parallel) __atomic_store_n(readers, known, __ATOMIC_RELEASE);
  return alone;
}

template <class Kind, class Checks>
void Words::judge_device_word(Checks& checks, Scene& scene, std::uint64_t offset, std::uint32_t mask,
                              std::uint32_t pc) {
  Shadow& shadow = shadow_;
  const std::uint64_t word = offset / 4;
  const Worker& worker = scene.worker;
  const SimThread& t = *worker.current;
  const std::uint32_t lane = t.linear % kWarpSize;
  const WordRecords::Now now{
      worker.gid(t) - lane, lane, worker.epoch, t.clock, pc, mask, static_cast<std::uint8_t>(Kind::kSignal)};
  const bool parallel = worker.launch->parallel;
  Shadow::Readers* const readers = shadow.readers(word);
  const Shadow::Readers known = parallel ? Shadow::lock(readers) : *readers;
  Shadow::Readers left = known;
  const Shadow::Record writer = shadow.writer_now(word);
  const bool alone =
      (writer == 0 || (mask == 0xf && !is_others(scene, writer))) &&
      (!shadow.are_of_this_launch(known) || (known < Shadow::kPair && !is_others(scene, known)));
  if (Kind::kKind == runs::Access::write && !Kind::kSignal && alone) {
    shadow.set_writer(word, records_.record(now));
    shadow.initialise(word, mask);
  } else if (Kind::kKind == runs::Access::atomic && t.fence_clock == 0 && mask == 0xf && writer != 0 &&
             shadow.context(writer).atomic == 1 && !t.narrow && !t.loads &&
             shadow.context(writer).mask == 0xf && !shadow.are_of_this_launch(known) &&
             shadow.initialised(word) == 0xf) {
    shadow.set_writer(word, records_.record(now));  // one atomic after another
  } else {
    const Cell before = records_.load(word, known);
    Cell cell = before;
    show<Kind>(checks, scene, cell, offset, mask, pc, scene);
    left = records_.store(word, known, before, cell, now);
    if (left != known) shadow.note_read(word);
  }
  if (parallel)
    __atomic_store_n(readers, left, __ATOMIC_RELEASE);
  else
    *readers = left;
}

}  // namespace workbook::sim
