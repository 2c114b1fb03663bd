#include "touched.h"

#include <algorithm>
#include <utility>

#include "dependency_waits.h"
#include "sim/engine/arena.h"
#include "sim/engine/host_copies.h"
#include "sim/source/symbols.h"
#include "words.h"

namespace workbook::sim {

void WordRuns::append(const WordRun& run) {
  if (!runs_.empty()) {
    WordRun& last = runs_.back();
    if (last.end == run.begin && last.is_like(run)) {
      last.end = run.end;
      return;
    }
    if (run.begin < last.end) {  // the end of one row and the begin of the next lie in one word
      WordRun shared = last;
      shared.begin = last.end - 1;
      shared.reads |= run.reads, shared.writes |= run.writes;
      if (--last.end == last.begin) runs_.pop_back();
      runs_.push_back(shared);
      WordRun rest = run;
      rest.begin = shared.end;
      if (rest.begin < rest.end) append(rest);
      return;
    }
  }
  runs_.push_back(run);
}

void WordRuns::append_bytes(std::uintptr_t address, std::size_t bytes, bool writes, std::uint32_t pc,
                            bool signal) {
  const auto add = [&](std::uint64_t begin, std::uint64_t end, unsigned mask) {
    if (begin == end) return;
    const auto bits = static_cast<std::uint8_t>(mask);
    if (writes)
      append({begin, end, 0, bits, false, signal, 0, pc});
    else
      append({begin, end, bits, 0, signal, false, pc, 0});
  };
  if (bytes == 0) return;
  const std::uintptr_t end = address + bytes;
  const std::uint64_t first = address / 4, last = (end - 1) / 4;
  const unsigned head = (0xfu << address % 4) & 0xfu, tail = 0xfu >> (3 - (end - 1) % 4);
  if (first == last) return add(first, first + 1, head & tail);
  const std::uint64_t whole = first + (head != 0xf), whole_end = last + (tail == 0xf);
  add(first, whole, head);
  add(whole, whole_end, 0xf);
  add(whole_end, last + 1, tail);
}

void cut_out(std::vector<WordRun>& runs, std::uintptr_t address, std::size_t bytes) {
  const std::uint64_t begin = address / 4, end = (address + bytes + 3) / 4;
  const auto meets = [&](const WordRun& run) { return run.begin < end && begin < run.end; };
  if (std::none_of(runs.begin(), runs.end(), meets)) return;
  std::vector<WordRun> left;
  for (const WordRun& run : runs) {
    WordRun before = run, behind = run;
    before.end = std::min(run.end, begin), behind.begin = std::max(run.begin, end);
    if (!meets(run)) left.push_back(run);
    if (meets(run) && before.begin < before.end) left.push_back(before);
    if (meets(run) && behind.begin < behind.end) left.push_back(behind);
  }
  runs = std::move(left);
}

void WordRuns::forget(std::uintptr_t address, std::size_t bytes) {
  const auto first = from(address / 4);
  if (first != runs_.end() && first->begin <= (address + bytes) / 4) cut_out(runs_, address, bytes);
}

std::vector<WordRun>::const_iterator WordRuns::from(std::uint64_t word) const {
  return std::upper_bound(runs_.begin(), runs_.end(), word,
                          [](std::uint64_t w, const WordRun& run) { return w < run.end; });
}

bool meet(std::uint64_t word, const WordRun& earlier, const WordRun& later, Meeting& meeting) {
  const auto are = [&](bool first_writes, bool second_writes) {
    const unsigned a = first_writes ? earlier.writes : earlier.reads,
                   b = second_writes ? later.writes : later.reads;
    const bool signals = (first_writes ? earlier.signal_writes : earlier.signal_reads) &&
                         (second_writes ? later.signal_writes : later.signal_reads);
    if ((a & b) == 0 || signals) return false;
    meeting = {word, first_writes, second_writes, first_writes ? earlier.write_pc : earlier.read_pc,
               second_writes ? later.write_pc : later.read_pc};
    return true;
  };
  return are(true, false) || are(true, true) || are(false, true);
}

namespace {

/// What the launch did to words, one after another. Neighbours were mostly used by one warp at one place.
class LaunchReader {
 public:
  explicit LaunchReader(Shadow& shadow) : shadow_(shadow) {}

  /// Nothing where the launch has not touched the word.
  bool read(std::uint64_t word, WordRun& use) {
    const Shadow::Record writer = shadow_.writer_now(word);
    Shadow::Readers readers = *shadow_.readers(word) & ~Shadow::kLocked;
    if (!shadow_.are_of_this_launch(readers)) readers = 0;
    if (writer == 0 && readers == 0) return false;
    const bool pair = readers >= Shadow::kPair;
    if (pair || writer / 32 != writer_ || readers / 32 != reader_) {
      writer_ = writer / 32, reader_ = pair ? ~0u : readers / 32;
      use_ = look_up(writer, readers);
    }
    use = use_;
    return true;
  }

 private:
  WordRun look_up(Shadow::Record writer, Shadow::Readers readers) const {
    WordRun use;
    if (writer != 0) {
      const Shadow::Context& context = shadow_.context(writer);
      use.writes = context.beside != 0 ? 0xf : context.mask;
      use.signal_writes = (context.atomic & 1u) != 0;
      use.write_pc = context.pc;
    }
    if (readers == 0) return use;
    const bool pair = readers >= Shadow::kPair;
    const Shadow::Context& latest = shadow_.context(pair ? shadow_.pair(readers).latest : readers);
    use.reads = latest.mask;
    use.signal_reads = (latest.atomic & 1u) != 0;
    use.read_pc = latest.pc;
    if (pair) use.reads |= shadow_.context(shadow_.pair(readers).before).mask;
    return use;
  }

  Shadow& shadow_;
  std::uint32_t writer_ = ~0u, reader_ = ~0u;
  WordRun use_;
};

/// What the launch did to the device's variables, which lie before all memory from cudaMalloc.
void append_variables(WordRuns& runs, std::uint32_t generation, bool host_visible) {
  constexpr std::size_t kMostBytes = std::size_t{16} << 20;
  for_each_device_variable([&](const HostCopy& variable) {
    if (host_visible && variable.kind != VariableKind::managed) return;
    if (variable.variable - writable_image_begin() >= writable_image_bytes() || variable.bytes > kMostBytes)
      return;
    const std::uintptr_t end = variable.variable + variable.bytes;
    for (std::uint64_t word = variable.variable / 4; word * 4 < end; ++word) {
      const Cell& cell = image_cells()[(word * 4 - writable_image_begin()) / 4];
      WordRun run;
      run.begin = word, run.end = word + 1;
      if (cell.w_gen == generation)
        run.writes = cell.w_mask, run.signal_writes = cell.w_atomic, run.write_pc = cell.w_pc;
      if (cell.r_gen == generation)
        run.reads = cell.r_mask, run.signal_reads = cell.r_atomic, run.read_pc = cell.r_pc;
      if (run.reads != 0 || run.writes != 0) runs.append(run);
    }
  });
}

}  // namespace

Touched touched_before_wait() {
  Touched touched;
  Shadow& shadow = Arena::get().shadow();
  const DependencyWaits& waits = DependencyWaits::get();
  const auto is_before = [&](Shadow::Record record) {
    if (record == 0) return false;
    const Shadow::Context& c = shadow.context(record);
    return waits.is_before(c.base + record % 32, c.epoch, c.clock);
  };
  for (const std::uint32_t page : shadow.touched_pages()) {
    const std::uint64_t first = std::uint64_t{page} * Shadow::kPageWords;
    for (std::uint64_t word = first; word < first + Shadow::kPageWords; ++word) {
      WordRun run;
      if (const Shadow::Record writer = shadow.writer_now(word); is_before(writer)) {
        const Shadow::Context& context = shadow.context(writer);
        run.writes = context.mask, run.write_pc = context.pc;
        run.signal_writes = (context.atomic & 1u) != 0;
      }
      Shadow::Readers readers = *shadow.readers(word) & ~Shadow::kLocked;
      if (!shadow.are_of_this_launch(readers)) readers = 0;
      const bool pair = readers >= Shadow::kPair;
      for (const Shadow::Record reader :
           {pair ? shadow.pair(readers).latest : readers, pair ? shadow.pair(readers).before : 0}) {
        if (!is_before(reader)) continue;
        const Shadow::Context& context = shadow.context(reader);
        run.reads |= context.mask, run.read_pc = context.pc;
        run.signal_reads = (context.atomic & 1u) != 0;
      }
      if (run.reads == 0 && run.writes == 0) continue;
      run.begin = Arena::base() / 4 + word;
      run.end = run.begin + 1;
      touched.others.append(run);
    }
  }
  return touched;
}

DependencyWaits& DependencyWaits::get() {
  static DependencyWaits& all = *new DependencyWaits;
  return all;
}

Touched touched_by_launch(bool host_visible) {
  Touched touched;
  Arena& arena = Arena::get();
  Shadow& shadow = arena.shadow();
  LaunchReader reader(shadow);
  append_variables(touched.others, shadow.generation(), host_visible);
  for (const std::uint32_t page : shadow.touched_pages()) {
    if (host_visible) {
      const Allocation* a = arena.find(std::uint64_t{page} * Shadow::kPageBytes);
      if (a == nullptr || !a->on_host()) continue;
    }
    const std::uint64_t first = std::uint64_t{page} * Shadow::kPageWords;
    for (std::uint64_t word = first; word < first + Shadow::kPageWords; ++word) {
      WordRun run;
      if (!reader.read(word, run)) continue;
      run.begin = Arena::base() / 4 + word;
      run.end = run.begin + 1;
      touched.others.append(run);
    }
  }
  return touched;
}

}  // namespace workbook::sim
