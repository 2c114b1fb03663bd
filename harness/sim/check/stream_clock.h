// How far the work of each stream, and of each branch of a graph, is known to have come: stream_order.h.
#pragma once

#include <cstdint>
#include <vector>

namespace workbook::sim {

/// Of each lane the number of its latest work that is known to have ended.
class StreamClock {
 public:
  bool knows(unsigned lane, std::uint32_t number) const { return at(lane) >= number; }
  std::uint32_t at(unsigned lane) const { return lane < at_.size() ? at_[lane] : 0; }
  void join(const StreamClock& other);
  void set(unsigned lane, std::uint32_t number);
  bool knows_all_of(const StreamClock& other) const;

 private:
  std::vector<std::uint32_t> at_;
};

}  // namespace workbook::sim
