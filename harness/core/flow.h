// Where the data of an element can have come from: a trace followed from the inputs on, through registers,
// shared memory, shuffles and intermediate tensors. For dependence.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "runs/trace.h"

namespace workbook::core {

/// Of all input elements, one after another, those that are meant.
class SourceSet {
 public:
  explicit SourceSet(std::size_t size = 0) : words_((size + 63) / 64, 0) {}
  bool has(std::size_t i) const { return (words_[i / 64] >> i % 64 & 1u) != 0; }
  void add(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << i % 64; }
  void add(const SourceSet& others);
  bool includes(const SourceSet& others) const;
  std::size_t count() const;

 private:
  std::vector<std::uint64_t> words_;
};

/// A thread keeps what it has read to its end, so a set may be too large; what goes by other ways than the
/// trace shows (a thread that does not store because of what it read) is missing.
class Flow {
 public:
  /// `first`: by tensor id the number of its first element among the sources, or -1 where it is none.
  /// `sources`: how many there are.
  Flow(const runs::Trace& trace, const std::vector<std::int64_t>& first, std::size_t sources);

  struct Cell {
    std::shared_ptr<const SourceSet> from;
    std::uint16_t launch = 0;
    std::uint32_t block = 0;
    std::uint16_t thread = 0;  ///< who stored it last
    std::uint16_t tensor = 0;
    std::uint32_t element = 0;
    bool unread = true;  ///< since then
  };
  /// Of a tensor in device memory; null: no kernel has stored it.
  const Cell* cell(int tensor, std::size_t element) const;

  /// What was stored last that the source went into, and that no thread has read, but for this tensor; null:
  /// nothing was.
  const Cell* left_unread(std::size_t source, int but_for) const;

  bool is_read(std::size_t source) const { return read_.has(source); }
  /// By a thread of the block that stored the cell, in the same launch.
  bool is_read_in_block_of(const Cell& cell, std::size_t source) const;
  bool reads_anything(const Cell& cell) const;
  /// The thread that stored it has taken nothing over from another one.
  bool is_of_one_thread(const Cell& cell) const;

 private:
  using Set = std::shared_ptr<const SourceSet>;
  struct Thread {
    Set has;
    bool alone = true;
  };
  void take(Thread& thread, const Set& from) const;
  Set of_source(std::size_t source);
  void follow(const runs::TraceEvent& event, bool shared);
  /// One operation of a warp, whose handovers begin there; returns where the next one's do.
  std::size_t hand_on(const std::vector<runs::Handover>& all, std::size_t begin);
  Thread& thread(std::uint16_t launch, std::uint32_t block, std::uint32_t thread) {
    return threads_[(std::uint64_t{launch} << 48) | (std::uint64_t{block} << 16) | thread];
  }

  const std::vector<std::int64_t>& first_;
  std::size_t sources_;
  std::unordered_map<std::uint64_t, Thread> threads_;
  std::unordered_map<std::uint64_t, Cell> cells_;
  std::unordered_map<std::uint64_t, SourceSet> read_in_block_;
  std::vector<Set> single_;
  SourceSet read_;
};

}  // namespace workbook::core
