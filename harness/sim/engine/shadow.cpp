#include "shadow.h"

#include <algorithm>
#include <cstring>

#include "arena.h"

namespace workbook::sim {
namespace {

// Of past launches contexts only say who wrote a word last: so many are kept for that.
constexpr std::uint32_t kKeptContexts = std::uint32_t{1} << 22;

template <class T>
T* reserve_array(std::size_t count) {
  return static_cast<T*>(reserve_memory(count * sizeof(T)));
}

}  // namespace

Shadow::Shadow(std::size_t bytes)
    : words_(bytes / 4),
      list_(reserve_array<std::uint32_t>(4 * (bytes / kPageBytes))),
      most_listed_(4 * (bytes / kPageBytes)) {
  pages_ = reserve_array<Page>(bytes / kPageBytes);
  nibbles_ = reserve_array<std::uint8_t>(words_ / 2);
  readers_ = reserve_array<std::uint32_t>(words_);
  writers_ = reserve_array<std::uint32_t>(words_);
  contexts_ = reserve_array<Context>(kMostContexts);
  pairs_ = reserve_array<Pair>(kMostPairs);
  first_record_ = 32 * kBatch;
  first_pair_ = kPair + kBatch;
}

void Shadow::begin_launch(std::uint32_t generation) {
  generation_ = generation;
  listed_ = 0;
  if (next_pair_ > kKeptContexts) drop_memory(pairs_, next_pair_ * sizeof(Pair));
  if (next_context_ > kKeptContexts) drop_memory(contexts_, next_context_ * sizeof(Context));
  if (next_context_ > kMostContexts / 2 || next_pair_ > kMostPairs / 2) {
    drop_memory(readers_, words_ * sizeof *readers_);
    drop_memory(writers_, words_ * sizeof *writers_);
    drop_memory(contexts_, next_context_ * sizeof(Context));
    next_context_ = next_pair_ = kBatch;
  }
  first_record_ = 32 * next_context_;
  first_pair_ = kPair + next_pair_;
}

Shadow::LatestUse Shadow::latest_use(std::uint64_t offset, std::size_t bytes) const {
  LatestUse latest;
  for (std::uint64_t page = offset / kPageBytes; page * kPageBytes < offset + bytes; ++page) {
    latest.read = std::max(latest.read, pages_[page].read);
    latest.written = std::max(latest.written, pages_[page].written);
  }
  return latest;
}

std::vector<std::uint32_t> Shadow::touched_pages() const {
  std::vector<std::uint32_t> pages(list_, list_ + std::min<std::size_t>(listed_, most_listed_));
  std::sort(pages.begin(), pages.end());
  pages.erase(std::unique(pages.begin(), pages.end()), pages.end());
  return pages;
}

void Shadow::forget(std::uint64_t offset, std::size_t bytes) {
  const std::uint64_t word = offset / 4, end = word + bytes / 4;
  drop_memory(readers_ + word, (end - word) * sizeof *readers_);
  drop_memory(writers_ + word, (end - word) * sizeof *writers_);
  const std::uint64_t first_page = (offset + kPageBytes - 1) / kPageBytes,
                      end_page = (offset + bytes) / kPageBytes;
  for (std::uint64_t page = first_page; page < end_page; ++page) pages_[page] = {};
  drop_memory(nibbles_ + word / 2, end / 2 - word / 2);
  if (end % 2 != 0) nibbles_[end / 2] &= 0xf0;
}

void Shadow::mark_words(std::uint64_t offset, std::uint64_t end) {
  for (std::uint64_t word = offset / 4; word * 4 < end; ++word) {
    const std::uint64_t at = word * 4;
    const auto from = static_cast<unsigned>(at < offset ? offset - at : 0);
    const auto to = static_cast<unsigned>(std::min<std::uint64_t>(4, end - at));
    initialise(word, (0xfu << from) & (0xfu >> (4 - to)) & 0xfu);
  }
}

void Shadow::mark_initialised(std::uint64_t offset, std::size_t bytes) {
  const std::uint64_t end = offset + bytes;
  const std::uint64_t first_page = (offset + kPageBytes - 1) / kPageBytes, end_page = end / kPageBytes;
  if (first_page >= end_page) return mark_words(offset, end);
  mark_words(offset, first_page * kPageBytes);
  for (std::uint64_t page = first_page; page < end_page; ++page) pages_[page].state = kWhole;
  mark_words(end_page * kPageBytes, end);
}

void Shadow::mark_uninitialised(std::uint64_t word, std::uint32_t mask) {
  const std::uint64_t page = word / kPageWords;
  if (pages_[page].state == kUntouched) return;
  if (pages_[page].state == kWhole) std::memset(nibbles_ + page * kPageWords / 2, 0xff, kPageWords / 2);
  pages_[page].state = kMixed;
  nibbles_[word / 2] &= static_cast<std::uint8_t>(~(mask << 4 * (word % 2)));
}

std::optional<std::uint64_t> Shadow::first_uninitialised(std::uint64_t offset, std::size_t bytes) const {
  for (const std::uint64_t end = offset + bytes; offset < end;) {
    if (pages_[offset / kPageBytes].state == kWhole) {
      offset = (offset / kPageBytes + 1) * kPageBytes;
      continue;
    }
    if (const std::uint64_t word = offset / 4; offset % 64 == 0 && offset + 64 <= end) {  // 16 words at once
      std::uint64_t sixteen = 0;
      std::memcpy(&sixteen, nibbles_ + word / 2, sizeof sixteen);
      if (pages_[offset / kPageBytes].state == kMixed && sixteen == ~std::uint64_t{0}) {
        offset += 64;
        continue;
      }
    }
    const std::uint64_t word_end = std::min((offset / 4 + 1) * 4, end);
    const unsigned wanted = (0xfu << (offset % 4)) & (0xfu >> (3 - (word_end - 1) % 4));
    const unsigned missing = wanted & ~initialised(offset / 4);
    if (missing != 0) return offset / 4 * 4 + static_cast<std::uint64_t>(__builtin_ctz(missing));
    offset = word_end;
  }
  return std::nullopt;
}

}  // namespace workbook::sim
