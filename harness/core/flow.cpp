#include "flow.h"

#include <bit>

namespace workbook::core {
namespace {

std::uint64_t block_key(std::uint16_t launch, std::uint32_t block) {
  return (std::uint64_t{launch} << 32) | block;
}

/// Shared memory is another one in each block of each launch.
std::uint64_t cell_key(const runs::TraceEvent& event, std::uint64_t element, bool shared) {
  std::uint64_t key = (std::uint64_t{event.tensor} << 32) | element;
  if (shared) key ^= (block_key(event.launch, event.block) + 1) * 0x9e3779b97f4a7c15ull;
  return key;
}

}  // namespace

void SourceSet::add(const SourceSet& others) {
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= others.words_[i];
}

bool SourceSet::includes(const SourceSet& others) const {
  for (std::size_t i = 0; i < words_.size(); ++i)
    if ((others.words_[i] & ~words_[i]) != 0) return false;
  return true;
}

std::size_t SourceSet::count() const {
  std::size_t count = 0;
  for (const std::uint64_t word : words_) count += static_cast<std::size_t>(std::popcount(word));
  return count;
}

Flow::Flow(const runs::Trace& trace, const std::vector<std::int64_t>& first, std::size_t sources)
    : first_(first), sources_(sources), single_(sources), read_(sources) {
  std::size_t next = 0;
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    while (next < trace.handovers.size() && trace.handovers[next].before <= i)
      next = hand_on(trace.handovers, next);
    follow(trace.events[i], trace.events[i].tensor >= first.size());
  }
}

void Flow::take(Thread& thread, const Set& from) const {
  if (from == nullptr || from == thread.has) return;
  if (thread.has == nullptr || from->includes(*thread.has)) {
    thread.has = from;
  } else if (!thread.has->includes(*from)) {
    SourceSet both = *thread.has;
    both.add(*from);
    thread.has = std::make_shared<const SourceSet>(std::move(both));
  }
}

Flow::Set Flow::of_source(std::size_t source) {
  if (single_[source] == nullptr) {
    SourceSet one(sources_);
    one.add(source);
    single_[source] = std::make_shared<const SourceSet>(std::move(one));
  }
  return single_[source];
}

void Flow::follow(const runs::TraceEvent& event, bool shared) {
  Thread& own = thread(event.launch, event.block, event.thread);
  const std::int64_t first = shared ? -1 : first_[event.tensor];
  for (std::uint32_t k = 0; k < event.count; ++k) {
    const std::uint64_t element = std::uint64_t{event.element} + k;
    const std::uint64_t key = cell_key(event, element, shared);
    const auto known = cells_.find(key);
    const bool is_new = known == cells_.end();
    if (event.access != runs::Access::write) {
      if (is_new && first >= 0) {
        const auto source = static_cast<std::size_t>(first) + element;
        if (source >= sources_) continue;
        take(own, of_source(source));
        read_.add(source);
        read_in_block_.try_emplace(block_key(event.launch, event.block), sources_).first->second.add(source);
      } else if (!is_new) {
        Cell& cell = known->second;
        cell.unread = false;
        own.alone = own.alone && cell.launch == event.launch && cell.block == event.block &&
                    cell.thread == event.thread;
        take(own, cell.from);
      }
    }
    if (event.access == runs::Access::read) continue;
    Cell& cell = is_new ? cells_[key] : known->second;
    Set has = own.has;
    if (shared && cell.from != nullptr) {  // a word of it may hold two elements
      Thread both{cell.from};
      take(both, own.has);
      has = both.has;
    }
    cell = {std::move(has), event.launch, event.block, event.thread, event.tensor, event.element + k};
  }
}

std::size_t Flow::hand_on(const std::vector<runs::Handover>& all, std::size_t begin) {
  const runs::Handover& first = all[begin];
  const auto warp_of = [](const runs::Handover& h) { return h.thread / 32u * 32u; };
  Set before[32];  // all lanes read before one of them has added what it read
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    before[lane] = thread(first.launch, first.block, warp_of(first) + lane).has;
  std::size_t i = begin;
  do {
    Thread& own = thread(first.launch, first.block, all[i].thread);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      if ((all[i].lanes >> lane & 1u) == 0 || warp_of(first) + lane == all[i].thread) continue;
      own.alone = false;
      take(own, before[lane]);
    }
    ++i;
  } while (i < all.size() && all[i].before == first.before && all[i].launch == first.launch &&
           all[i].block == first.block && warp_of(all[i]) == warp_of(first) &&
           all[i].thread > all[i - 1].thread);
  return i;
}

const Flow::Cell* Flow::cell(int tensor, std::size_t element) const {
  const auto found = cells_.find((static_cast<std::uint64_t>(tensor) << 32) | element);
  return found == cells_.end() ? nullptr : &found->second;
}

const Flow::Cell* Flow::left_unread(std::size_t source, int but_for) const {
  const Cell* least = nullptr;  // of the fewest sources: a thread keeps all that it has read
  std::size_t count = 0;
  for (const auto& [key, cell] : cells_) {
    if (!cell.unread || cell.tensor == but_for || cell.from == nullptr || !cell.from->has(source)) continue;
    const std::size_t own = cell.from->count();
    if (least != nullptr && (own > count || (own == count && cell.element > least->element))) continue;
    least = &cell;
    count = own;
  }
  return least;
}

bool Flow::is_read_in_block_of(const Cell& cell, std::size_t source) const {
  const auto found = read_in_block_.find(block_key(cell.launch, cell.block));
  return found != read_in_block_.end() && found->second.has(source);
}

bool Flow::reads_anything(const Cell& cell) const {
  return read_in_block_.count(block_key(cell.launch, cell.block)) > 0;
}

bool Flow::is_of_one_thread(const Cell& cell) const {
  const auto found =
      threads_.find((std::uint64_t{cell.launch} << 48) | (std::uint64_t{cell.block} << 16) | cell.thread);
  return found != threads_.end() && found->second.alone;
}

}  // namespace workbook::core
