#include "stream_clock.h"

#include <algorithm>

namespace workbook::sim {

void StreamClock::join(const StreamClock& other) {
  if (at_.size() < other.at_.size()) at_.resize(other.at_.size(), 0);
  for (std::size_t i = 0; i < other.at_.size(); ++i) at_[i] = std::max(at_[i], other.at_[i]);
}

void StreamClock::set(unsigned lane, std::uint32_t number) {
  if (at_.size() <= lane) at_.resize(lane + 1, 0);
  at_[lane] = number;
}

bool StreamClock::knows_all_of(const StreamClock& other) const {
  for (unsigned lane = 0; lane < other.at_.size(); ++lane)
    if (!knows(lane, other.at_[lane])) return false;
  return true;
}

}  // namespace workbook::sim
