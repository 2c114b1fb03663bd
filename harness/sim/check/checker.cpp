#include "checker.h"

#include <algorithm>
#include <utility>

#include "diagnosis.h"
#include "sim/engine/device_heap.h"
#include "sim/engine/fiber.h"
#include "sim/engine/loop_watch.h"
#include "sim/engine/registered.h"

// One call from hook to shadow cell: these run before every load and store of a kernel.
#define WORKBOOK_HOT inline __attribute__((always_inline))

namespace workbook::sim {
namespace {

constexpr std::size_t kLargestStruct = 256;  ///< bytes; longer ranges are copies of arrays

constexpr std::size_t kTraceLimit = 2'000'000;  // events; 24 bytes each before compression

std::size_t shared_bytes(const SharedVariable& v, const Launch& launch) {
  return v.dynamic ? launch.dynamic_shared : v.bytes;
}

/// Of the writable static data, all of it initialised; one for each 4 bytes.
Cell* image_cells() {
  static Cell* const cells = [] {
    const std::size_t words = writable_image_bytes() / 4 + 1;
    auto* first = static_cast<Cell*>(reserve_memory(words * sizeof(Cell)));
    for (std::size_t i = 0; i < words; ++i) first[i].init_mask = 0xf;
    return first;
  }();
  return cells;
}

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

/// What the running thread is in the middle of is not what the others do meanwhile.
[[gnu::noinline]] void wait_for_log(Worker& worker, bool& in_range, bool& copying_struct) {
  const bool range = std::exchange(in_range, false), copying = std::exchange(copying_struct, false);
  worker.wait_for_log();
  in_range = range;
  copying_struct = copying;
}

}  // namespace

Checker::Checker(Worker& worker) : ordering(worker), worker_(worker), shadow_(Arena::get().shadow()) {}

void Checker::begin_launch(const Launch& launch) {
  modes_ = Diagnosis::get().modes;
  if (modes_.check) records_.begin_launch(launch.generation);
  if (modes_.count)
    log.begin_launch(launch.block_threads, [](bool shared, std::uint32_t word) {
      return Diagnosis::get().tensor_at(shared, word);
    });
  attention_ = watching_ = Diagnosis::get().watched.is_on();
  atomics = 0;
  accesses = 0;
  in_cluster_ = !launch.cooperative && launch.cluster.x * launch.cluster.y * launch.cluster.z > 1;
  arrays_.clear();
  shared_span_ = 0;
  const auto& variables = shared_variables();
  if (variables.empty()) return;
  const std::uintptr_t base = thread_local_base();
  shared_low_ = base + variables.front().offset;
  for (const auto& v : variables)
    arrays_.push_back({base + v.offset, base + v.offset + shared_bytes(v, launch), &v});
  const SharedVariable& last = variables.back();
  shared_span_ = base + last.offset + last.bytes - shared_low_;
  // A dynamic array's symbol spans all that a block may ask for; what lies beyond the launch's share is never
  // let through.
  shared_cells_.resize((arrays_.back().end - shared_low_) / 4 + 2);
  array_of_.assign(shared_span_ / 4 + 1, 0);
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    const std::size_t first = (arrays_[i].begin - shared_low_) / 4;
    std::fill(array_of_.begin() + static_cast<std::ptrdiff_t>(first), array_of_.end(),
              static_cast<std::uint16_t>(i));
    if (arrays_[i].begin % 4 != 0) array_of_[first] = kSeveral;
  }
}

void Checker::begin_block() {
  block_damaged = false;
  log.begin_block();
  ordering.block_begin();
  copies_.clear();
  groups_closed_.assign(kMaxThreads, 0);
  block_over_ = false;
}

void Checker::end_block() {
  block_over_ = true;
  if (in_cluster_) report_late_users();
  in_range_ = copying_struct_ = false;  // where a thread was ended within one
  attend(0);
  if (modes_.count) log.flush();
}

bool Checker::is_partly_written(std::uintptr_t address, std::size_t bytes) const {
  if (is_shared(address) && is_shared(address + bytes - 1)) {
    const std::uint64_t offset = address - shared_low_;
    const Cell* const cells = shared_cells_.data();
    return std::any_of(cells + offset / 4, cells + (offset + bytes + 3) / 4,
                       [&](const Cell& c) { return c.init_mask != 0 && c.w_gen == worker_.block_serial; });
  }
  if (!Arena::contains(address) || !Arena::contains(address + bytes)) return false;
  const std::uint64_t offset = address - Arena::base();
  for (std::uint64_t word = offset / 4; word < (offset + bytes + 3) / 4; ++word)
    if (Arena::get().shadow().initialised(word) != 0) return true;
  return false;
}

void Checker::access_range(std::uintptr_t address, std::size_t bytes, bool writes, Pc pc) {
  // A struct of 12 bytes is three accesses, however it lies: its members are aligned to 4.
  std::uint32_t widest = 16;
  while (widest > 4 && bytes % widest != 0) widest /= 2;
  // A struct that is copied whole is read with the padding between its members, and with members that nobody
  // has set yet: the copy is no use of theirs.
  copying_struct_ = !writes && modes_.check && bytes <= kLargestStruct && is_partly_written(address, bytes);
  if (attention_) attend(address);
  in_range_ = true;
  while (bytes > 0) {
    std::uint32_t piece = widest;
    while (piece > bytes || address % piece != 0) piece /= 2;
    if (writes)
      access<runs::Access::write>(address, piece, pc);
    else
      access<runs::Access::read>(address, piece, pc);
    address += piece;
    bytes -= piece;
  }
  in_range_ = copying_struct_ = false;
}

template <runs::Access kKind, bool kSignal>
WORKBOOK_HOT void Checker::global_access(std::uint64_t offset, std::uint32_t bytes, Pc pc) {
  Arena& arena = Arena::get();
  if (offset >= kArenaBytes) [[unlikely]]
    return heap_access<kKind, kSignal>(offset, bytes, pc);
  Allocation* const a = arena.find(offset);
  const bool inside = a != nullptr && offset >= a->offset && offset + bytes <= a->offset + a->bytes;
  if (!inside) {
    report_global_bounds(offset, bytes, kKind, pc);  // goes on: what lies around an allocation is nobody's
    return;
  }
  if (offset % bytes != 0) {
    report_misaligned([&] { return describe_element(*a, offset); }, bytes, pc);
    if (bytes == 16) kill();  // this machine's own vector instructions would trap
  }
  const std::uint32_t pc_offset = static_cast<std::uint32_t>(pc - program_base());
  if (modes_.count) {
    // A sector the launch itself wrote is still in the L2 when it is read again.
    constexpr std::uint8_t kBit = kKind == runs::Access::read ? 1 : 2;
    std::uint8_t& flags = arena.sector_flags()[offset / kSectorBytes];
    std::uint8_t before = __atomic_load_n(&flags, __ATOMIC_RELAXED);
    if ((before & kBit) == 0) {
      before = worker_.launch->parallel ? __atomic_fetch_or(&flags, kBit, __ATOMIC_RELAXED)
                                        : std::exchange(flags, static_cast<std::uint8_t>(before | kBit));
      const bool reads = kKind != runs::Access::write && before == 0;
      const bool writes = kKind != runs::Access::read && (before & 2) == 0;
      if (reads) __atomic_fetch_add(&a->sectors_read, 1, __ATOMIC_RELAXED);
      if (writes) __atomic_fetch_add(&a->sectors_written, 1, __ATOMIC_RELAXED);
    }
    if (kKind == runs::Access::atomic) ++atomics;
    if (log.append(worker_.current->linear, {pc_offset, false, kKind, bytes},
                   static_cast<std::uint32_t>(offset / 4)))
      wait_for_log(worker_, in_range_, copying_struct_);
  }
  if (modes_.check) touch_device_words<kKind, kSignal>(offset, bytes, pc_offset);
  if (modes_.trace && a->id >= 0)
    trace_event(a->id, (offset - a->offset) / a->element_bytes,
                std::max<std::uint32_t>(1, bytes / static_cast<std::uint32_t>(a->element_bytes)), kKind,
                pc_offset);
}

template <runs::Access kKind, bool kSignal>
void Checker::heap_access(std::uint64_t offset, std::uint32_t bytes, Pc pc) {
  const DeviceHeap::Chunk* const chunk = DeviceHeap::get().find(offset);
  const bool inside = chunk != nullptr && chunk->live && offset >= chunk->offset &&
                      offset + bytes <= chunk->offset + chunk->bytes;
  if (!inside) return report_global_bounds(offset, bytes, kKind, pc);
  if (offset % bytes != 0) {
    report_misaligned([&] { return describe_element(DeviceHeap::described(*chunk), offset, bytes); }, bytes,
                      pc);
    if (bytes == 16) kill();
  }
  const std::uint32_t pc_offset = static_cast<std::uint32_t>(pc - program_base());
  if (modes_.count) {
    if (kKind == runs::Access::atomic) ++atomics;
    if (log.append(worker_.current->linear, {pc_offset, false, kKind, bytes},
                   static_cast<std::uint32_t>(offset / 4)))
      wait_for_log(worker_, in_range_, copying_struct_);
  }
  if (modes_.check) touch_device_words<kKind, kSignal>(offset, bytes, pc_offset);
}

const Checker::SharedArray* Checker::search_shared_array(std::uintptr_t address) const {
  const auto after = std::upper_bound(arrays_.begin(), arrays_.end(), address,
                                      [](std::uintptr_t at, const SharedArray& a) { return at < a.begin; });
  return after == arrays_.begin() ? nullptr : &*(after - 1);
}

template <runs::Access kKind, bool kSignal>
WORKBOOK_HOT void Checker::shared_access(std::uintptr_t address, std::uint32_t bytes, Pc pc) {
  const SharedArray* array = shared_array(address);
  if (array == nullptr || address + bytes > array->end) {
    report_shared_bounds(address, bytes, kKind, pc);
    // Beyond the launch's share of dynamic memory nothing lies; beyond a static array something does.
    if (kKind != runs::Access::read && (array == nullptr || !array->variable->dynamic)) kill();
    return;
  }
  if (address % bytes != 0) {
    report_misaligned([&] { return shared_element(address); }, bytes, pc);
    if (bytes == 16) kill();
  }
  const std::uint32_t pc_offset = static_cast<std::uint32_t>(pc - program_base());
  const std::uintptr_t offset = address - shared_low_;
  if (modes_.count) {
    if (kKind == runs::Access::atomic) ++atomics;
    if (log.append(worker_.current->linear, {pc_offset, true, kKind, bytes},
                   static_cast<std::uint32_t>(offset / 4)))
      wait_for_log(worker_, in_range_, copying_struct_);
  }
  if (modes_.check && in_cluster_)
    touch_words<kKind, kSignal, Space::cluster>(shared_cells_.data(), offset, bytes, pc_offset, *this);
  else if (modes_.check)
    touch_words<kKind, kSignal, Space::shared>(shared_cells_.data(), offset, bytes, pc_offset, *this);
  if (modes_.trace)
    trace_event(Diagnosis::get().first_shared_id + static_cast<int>(array - arrays_.data()),
                (address - array->begin) / 4, std::max<std::uint32_t>(1, bytes / 4), kKind, pc_offset);
}

/// Variables of the program: __device__ and __constant__ ones, and constants of the compiler's own.
template <runs::Access kKind, bool kSignal>
inline void Checker::image_access(std::uintptr_t address, std::uint32_t bytes, Pc pc) {
  Cell* const cells = image_cells();
  if (address < writable_image_begin()) {
    if (kKind == runs::Access::read) return;  // a literal, a table of functions
    report_wild(address, kKind, pc);
    kill();
  }
  if (!in_program_variable(address, bytes)) {
    report_image_bounds(address, bytes, kKind, pc);
    if (kKind != runs::Access::read) kill();
    return;
  }
  if (kKind == runs::Access::atomic) ++atomics;
  if (modes_.check)
    touch_words<kKind, kSignal, Space::image>(cells, address - writable_image_begin(), bytes,
                                              static_cast<std::uint32_t>(pc - program_base()), *this);
}

template <runs::Access kKind, bool kSignal>
void Checker::remote_access(Checker& owner, std::uintptr_t address, std::uint32_t bytes, Pc pc) {
  // Its arrays lie as those of this block do.
  const std::uintptr_t offset = address - owner.shared_low_, here = shared_low_ + offset;
  const SharedArray* array = shared_array(here);
  if (array == nullptr || here + bytes > array->end) {
    report_shared_bounds(here, bytes, kKind, pc);
    if (kKind != runs::Access::read) kill();
    return;
  }
  if (address % bytes != 0) {
    report_misaligned([&] { return shared_element(here); }, bytes, pc);
    if (bytes == 16) kill();
  }
  const std::uint32_t pc_offset = static_cast<std::uint32_t>(pc - program_base());
  const SimThread& now = *worker_.current;
  if (modes_.count) {
    if (kKind == runs::Access::atomic) ++atomics;
    if (log.append(now.linear, {pc_offset, true, kKind, bytes}, static_cast<std::uint32_t>(offset / 4)))
      wait_for_log(worker_, in_range_, copying_struct_);
  }
  if (!modes_.check) return;
  const std::uint32_t who = worker_.gid(now);
  const std::uint64_t told = races_told_;
  touch_words<kKind, kSignal, Space::cluster>(owner.shared_cells_.data(), offset, bytes, pc_offset, owner);
  RemoteUse& use = owner.remote_uses_[worker_.block_linear() % kMostOfCluster];
  use.who = who, use.epoch = worker_.epoch, use.clock = now.clock, use.pc = pc_offset;
  use.offset = static_cast<std::uint32_t>(offset);
  use.serial = owner.worker_.block_serial;
  // Where the race itself is told, one cause is enough.
  if (races_told_ != told) return;
  const auto block = static_cast<std::uint32_t>(owner.worker_.block_linear());
  if (!ordering.knows_of(block))
    report_no_block(who, pc_offset, offset, false);
  else if (owner.block_over_)
    owner.report_no_block(who, pc_offset, offset, true);
}

void Checker::report_late_users() {
  for (const RemoteUse& use : remote_uses_) {
    if (use.serial != worker_.block_serial) continue;
    if (!is_known(false, use.who, use.epoch, use.clock)) report_no_block(use.who, use.pc, use.offset, true);
  }
}

bool Checker::is_known(bool own, std::uint32_t who, std::uint32_t epoch, std::uint32_t clock) const {
  const SimThread& now = *worker_.running;
  std::uint32_t before = who;
  if (!own) {
    const std::uint32_t block = who / worker_.launch->block_threads;
    before = who % worker_.launch->block_threads;
    if (block != worker_.block_linear()) return ordering.knows_block(block, before, epoch, clock);
  }
  if (epoch < worker_.epoch) return true;
  if (before / kWarpSize == now.linear / kWarpSize && worker_.clocks[now.linear][before % kWarpSize] >= clock)
    return true;
  return ordering.knows_thread(before, clock);
}

bool Checker::ordered(bool own, std::uint32_t who, std::uint32_t epoch, std::uint32_t clock) {
  if (is_known(own, who, epoch, clock)) return true;
  SimThread& now = *worker_.current;
  if (now.syncs_pending == 0) return false;
  const EngineScope scope;
  ordering.catch_up(now);
  return is_known(own, who, epoch, clock);
}

bool Checker::is_unfenced_of_this_block(const Cell& c) const {
  const std::uint32_t threads = worker_.launch->block_threads;
  return c.w_who / threads == worker_.block_linear() && worker_.thread(c.w_who % threads).clock == c.w_clock;
}

template <runs::Access kKind, bool kSignal>
WORKBOOK_HOT void Checker::touch_device_words(std::uint64_t offset, std::uint32_t bytes, std::uint32_t pc) {
  if (bytes == 4) return touch_device_word<kKind, kSignal>(offset, 0xf, pc);
  if (bytes < 4)  // aligned: within one word
    return touch_device_word<kKind, kSignal>(offset, ((1u << bytes) - 1) << offset % 4, pc);
  for (std::uint64_t at = offset; at < offset + bytes; at += 4)
    touch_device_word<kKind, kSignal>(at, 0xf, pc);
}

template <runs::Access kKind, bool kSignal>
WORKBOOK_HOT void Checker::touch_device_word(std::uint64_t offset, std::uint32_t mask, std::uint32_t pc) {
  Shadow& shadow = shadow_;
  const std::uint64_t word = offset / 4;
  const SimThread& t = *worker_.current;
  const std::uint32_t lane = t.linear % kWarpSize;
  const WordRecords::Now now{worker_.gid(t) - lane, lane, worker_.epoch, t.clock, pc, mask, kSignal};
  const bool parallel = worker_.launch->parallel;
  Shadow::Readers* const readers = shadow.readers(word);
  const auto is_others = [&](Shadow::Record record) { return !records_.is_of(record, now.base, lane); };
  // What most accesses are: a read of a word that nobody else has written.
  if (kKind == runs::Access::read && !kSignal) {
    Shadow::Readers before = __atomic_load_n(readers, __ATOMIC_ACQUIRE);
    const Shadow::Record writer = shadow.writer_now(word);
    if ((before & Shadow::kLocked) == 0 && (writer == 0 || !is_others(writer)) &&
        (shadow.initialised(word) & mask) == mask) [[likely]] {
      const Shadow::Record mine = records_.record(now);
      const Shadow::Readers after = shadow.are_of_this_launch(before) ? records_.joined(before, mine) : mine;
      if (after == before) return;
      if (!parallel) {
        *readers = after;
        return;
      }
      // Where another worker writes it meanwhile, one of the two sees the other.
      if (__atomic_compare_exchange_n(readers, &before, after, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED) &&
          shadow.writer_now(word) == writer)
        return;
    }
  }
  const Shadow::Readers known = parallel ? Shadow::lock(readers) : *readers;
  Shadow::Readers left = known;
  const Shadow::Record writer = shadow.writer_now(word);
  const bool alone = (writer == 0 || (mask == 0xf && !is_others(writer))) &&
                     (!shadow.are_of_this_launch(known) || (known < Shadow::kPair && !is_others(known)));
  if (kKind == runs::Access::write && !kSignal && alone) {
    shadow.set_writer(word, records_.record(now));
    shadow.initialise(word, mask);
  } else if (kKind == runs::Access::atomic && t.fence_clock == 0 && mask == 0xf && writer != 0 &&
             shadow.context(writer).atomic && shadow.context(writer).mask == 0xf &&
             !shadow.are_of_this_launch(known) && shadow.initialised(word) == 0xf) {
    shadow.set_writer(word, records_.record(now));  // one atomic after another
  } else {
    const Cell before = records_.load(word, known);
    Cell cell = before;
    touch_word<kKind, kSignal, Space::arena>(cell, offset, mask, pc, *this);
    left = records_.store(word, known, before, cell, now);
  }
  if (parallel)
    __atomic_store_n(readers, left, __ATOMIC_RELEASE);
  else
    *readers = left;
}

template <runs::Access kKind, bool kSignal, Checker::Space kSpace>
WORKBOOK_HOT void Checker::touch_words(Cell* cells, std::uint64_t offset, std::uint32_t bytes,
                                       std::uint32_t pc, Checker& owner) {
  const auto touch = [&](std::uint64_t at, std::uint32_t mask) __attribute__((always_inline)) {
    Cell& cell = cells[at / 4];
    const CellLock lock(cell, kSpace != Space::shared && worker_.launch->parallel);
    touch_word<kKind, kSignal, kSpace>(cell, at, mask, pc, owner);
  };
  if (bytes == 4) return touch(offset, 0xf);
  if (bytes < 4) return touch(offset, ((1u << bytes) - 1) << offset % 4);  // aligned: within one word
  for (std::uint64_t at = offset; at < offset + bytes; at += 4) touch(at, 0xf);
}

template <runs::Access kKind, bool kSignal, Checker::Space kSpace>
WORKBOOK_HOT void Checker::touch_word(Cell& c, std::uint64_t offset, std::uint32_t mask, std::uint32_t pc,
                                      Checker& owner) {
  constexpr bool kOwn = kSpace == Space::shared, kPerBlock = is_shared_memory(kSpace);
  const SimThread& now = *worker_.current;
  const std::uint32_t who = kOwn ? now.linear : worker_.gid(now);
  const std::uint32_t gen = kPerBlock ? owner.worker_.block_serial : worker_.launch->generation;
  const std::uint32_t epoch = worker_.epoch;
  const Target target{offset, kSpace, &owner};

  const bool written_now = c.w_gen == gen;
  // Shared memory is undefined again in every block.
  const std::uint32_t init = !kPerBlock || written_now ? c.init_mask : 0;
  if (written_now) [[unlikely]] {
    if (c.in_flight) report_in_flight(kKind, pc, target, c.w_pc);
    if ((c.w_epoch == epoch || !kOwn) && c.w_who != who && (c.w_mask & mask) != 0 &&
        !(kSignal && c.w_atomic) && !ordered(kOwn, c.w_who, c.w_epoch, c.w_clock)) {
      const Party before{c.w_who, c.w_pc, true, c.w_atomic != 0};
      if (kKind == runs::Access::write && !kSignal && !before.atomic)
        note_racing_store(before, pc, mask, target);
      else
        report_race(before, kKind, pc, target);
    }
  }
  if (kKind != runs::Access::write && (init & mask) != mask) [[unlikely]] {
    if (!copying_struct_) report_uninitialised(pc, target);
    if (!kPerBlock) c.init_mask = (c.init_mask | mask) & 0xfu;  // one finding a word is enough
  }
  if (kKind == runs::Access::atomic && c.r_gen == gen && c.r_who == who && c.r_epoch == epoch &&
      !c.r_atomic && rechecked_ != c.r_pc) {
    rechecked_ = c.r_pc;
    const EngineScope scope;
    Diagnosis::get().findings.rechecked(program_base() + c.r_pc);
  }
  if (kKind == runs::Access::read) return note_reader(c, {gen, who, epoch, now.clock, pc, mask, kSignal});
  if (c.r_gen == gen && !(kSignal && c.r_atomic)) {
    const bool latest =
        (c.r_mask & mask) != 0 && c.r_who != who && !ordered(kOwn, c.r_who, c.r_epoch, c.r_clock);
    const bool before =
        c.others && (c.q_mask & mask) != 0 && c.q_who != who && !ordered(kOwn, c.q_who, c.q_epoch, c.q_clock);
    if (latest || before) [[unlikely]]
      report_race({latest ? c.r_who : c.q_who, latest ? c.r_pc : c.q_pc, false, false,
                   before ? std::optional(c.q_who) : std::nullopt},
                  kKind, pc, target);
  }
  const bool same = written_now && c.w_who == who && c.w_epoch == epoch && c.w_clock == now.clock;
  // A plain write stays one, whatever atomics its own block makes of it, until the writer has fenced: other
  // blocks' atomics on the word race with it.
  if (!kOwn && kSignal && written_now && !c.w_atomic && !same && is_unfenced_of_this_block(c)) {
    c.init_mask = (init | mask) & 0xfu;
    return;
  }
  c.w_mask = (same ? c.w_mask | mask : mask) & 0xfu;
  // A store that publishes belongs to what it publishes: who acquired that may write the flag plainly.
  const std::uint32_t clock = kSignal && now.fence_clock != 0 ? now.fence_clock : now.clock;
  c.w_gen = gen, c.w_who = who, c.w_epoch = epoch, c.w_clock = clock;
  if (!(same && kSignal && !c.w_atomic)) c.w_pc = pc;
  c.w_atomic = kSignal && (!same || c.w_atomic);  // a plain write stays one until something orders it
  c.init_mask = (init | mask) & 0xfu;
}

void Checker::kill() {
  in_range_ = copying_struct_ = false;
  block_damaged = true;
  worker_.kill_current();
}

void Checker::see_store(std::uintptr_t address, std::uint32_t bytes, Pc pc) const {
  const EngineScope scope;
  Diagnosis::get().watched.see(address, bytes, pc);
}

void Checker::trace_event(int tensor, std::uint64_t element, std::uint32_t count, runs::Access kind,
                          std::uint32_t pc_offset) {
  if (trace.size() >= kTraceLimit) {
    trace_truncated = true;
    return;
  }
  runs::TraceEvent e;
  e.launch = static_cast<std::uint16_t>(Diagnosis::get().trace_launch());
  e.tensor = static_cast<std::uint16_t>(tensor);
  e.block = static_cast<std::uint32_t>(worker_.block_linear());
  e.thread = static_cast<std::uint16_t>(worker_.current->linear);
  e.step = static_cast<std::uint16_t>(std::min<std::uint32_t>(worker_.current->barriers, 0xffff));
  e.access = kind;
  e.element = static_cast<std::uint32_t>(element);
  e.count = count;
  EngineScope scope;
  trace.push_back({e, pc_offset});
}

template <runs::Access kKind, bool kSignal>
void Checker::access(std::uintptr_t address, std::uint32_t bytes, Pc pc) {
  worker_.current->last_pc = pc;
  access_bytes_ = bytes;
  if (attention_) [[unlikely]] {
    attend(address);
    if (watching_ && kKind != runs::Access::read) see_store(address, bytes, pc);
  }
  ++accesses;
  if (worker_.loops->close()) [[unlikely]]
    worker_.loops->access(address, bytes, kKind != runs::Access::read, pc);
  if (address - shared_low_ < shared_span_) return shared_access<kKind, kSignal>(address, bytes, pc);
  if (Arena::contains(address)) return global_access<kKind, kSignal>(address - Arena::base(), bytes, pc);
  // Its own variables. Others' stacks take up much of the address space: a wild index that lands there is
  // one.
  if (is_on_stack_of(*worker_.current->fiber, address)) return;
  if (in_program_image(address)) return image_access<kKind, kSignal>(address, bytes, pc);
  if (worker_.launch->kernel->is_argument(address)) return;
  if (worker_.team != nullptr)
    if (Worker* const owner = Diagnosis::get().owner_of_team_shared(worker_, address); owner != nullptr) {
      remote_access<kKind, kSignal>(checker_of(*owner), address, bytes, pc);
      return;
    }
  if (is_registered(address)) return;
  if (is_near_shared(address))
    report_shared_bounds(address, bytes, kKind, pc);
  else
    report_wild(address, kKind, pc);
  kill();
}

template void Checker::access<runs::Access::read, false>(std::uintptr_t, std::uint32_t, Pc);
template void Checker::access<runs::Access::read, true>(std::uintptr_t, std::uint32_t, Pc);
template void Checker::access<runs::Access::write, false>(std::uintptr_t, std::uint32_t, Pc);
template void Checker::access<runs::Access::write, true>(std::uintptr_t, std::uint32_t, Pc);
template void Checker::access<runs::Access::atomic, true>(std::uintptr_t, std::uint32_t, Pc);

}  // namespace workbook::sim
