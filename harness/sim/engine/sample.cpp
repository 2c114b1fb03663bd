#include "sample.h"

#include <algorithm>
#include <cmath>

#include "arena.h"
#include "launch_watch.h"

namespace workbook::sim {
namespace {

constexpr std::uint64_t kMostBlocks = 64;
/// Where most of the grid has no work, it takes more blocks to meet some that have; those without cost
/// little.
constexpr std::uint64_t kMostWithIdle = 1024;
constexpr std::uint64_t kUneven =
    4;  ///< the first block took the others' work: it made so many times more accesses

/// Unique sectors of the whole grid from a sample: what each further block added, up to the tensor's size.
/// One block alone either touched the whole tensor, or its share is taken for its own.
std::int64_t extrapolate(std::int64_t first, std::int64_t all, std::uint64_t sampled, std::uint64_t blocks,
                         std::size_t bytes) {
  const double growth = sampled < 2 ? static_cast<double>(all)
                                    : static_cast<double>(all - first) / static_cast<double>(sampled - 1);
  const double total = static_cast<double>(all) + growth * static_cast<double>(blocks - sampled);
  return std::min<std::int64_t>(std::llround(total), static_cast<std::int64_t>((bytes + 31) / kSectorBytes));
}

}  // namespace

Sample::Sample(const Launch& launch, std::uint64_t accesses)
    : launch_(launch),
      budget_(accesses),
      unit_blocks_(launch.cooperative
                       ? launch.blocks
                       : std::uint64_t{launch.cluster.x} * launch.cluster.y * launch.cluster.z),
      has_run_(launch.blocks / unit_blocks_) {
  units_ = has_run_.size();
  all_ = launch.cooperative;
}

Sample::Spent Sample::spent() const {
  Spent sum;
  LaunchWatch::get().for_each_worker([&](const Worker& w) {
    const WorkerEvents::Work work = w.events->work();
    sum.accesses += work.accesses;
    sum.atomics += work.atomics;
    sum.fences += w.fences;
  });
  return sum;
}

std::vector<Sample::Touched> Sample::touched_sectors() {
  std::vector<Touched> out;
  for (const auto& a : Arena::get().allocations()) out.push_back({a->sectors_read, a->sectors_written});
  return out;
}

void Sample::plan() {
  const Spent now = spent();
  idle_ += now.accesses == accesses_before_;
  accesses_before_ = now.accesses;
  if (ran_ == 1) {
    first_ = now;
    first_touched_ = touched_sectors();
    wanted_ =
        std::clamp<std::uint64_t>(budget_ / std::max<std::uint64_t>(1, first_.accesses), 1, kMostBlocks);
    if (first_.atomics > 0) wanted_ = std::max<std::uint64_t>(2, wanted_);
    all_ = all_ || first_.fences > 0 || wanted_ >= units_;
  } else if (ran_ == 2 && first_.atomics > 0) {
    const std::uint64_t second = now.accesses - first_.accesses;
    all_ = all_ || first_.accesses > kUneven * std::max<std::uint64_t>(1, second);
  }
}

std::optional<std::uint64_t> Sample::next(bool waiting) {
  if (ran_ > 0) plan();
  all_ = all_ || waiting;
  std::uint64_t unit = 0;
  if (ran_ > 0 && all_) {
    while (cursor_ < units_ && has_run_[cursor_]) ++cursor_;
    if (cursor_ == units_) return std::nullopt;
    unit = cursor_;
  } else if (ran_ > 0) {
    if (ran_ - idle_ >= wanted_ || ran_ >= std::min(units_, kMostWithIdle)) return std::nullopt;
    // The golden ratio spreads any number of samples evenly, and no grid width resonates with it.
    const double position = std::fmod(static_cast<double>(ran_) * 0.6180339887498949, 1.0);
    unit = 1 + static_cast<std::uint64_t>(position * static_cast<double>(units_ - 1));
    while (has_run_[unit]) unit = unit + 1 < units_ ? unit + 1 : 1;
  }
  has_run_[unit] = true;
  ++ran_;
  return unit;
}

std::uint64_t Sample::finish() {
  if (ran_ == units_ || first_touched_.empty()) return ran_ * unit_blocks_;
  std::size_t i = 0;
  for (const auto& a : Arena::get().allocations()) {
    a->sectors_read = extrapolate(first_touched_[i].read, a->sectors_read, ran_, units_, a->bytes);
    a->sectors_written = extrapolate(first_touched_[i].written, a->sectors_written, ran_, units_, a->bytes);
    ++i;
  }
  return ran_ * unit_blocks_;
}

}  // namespace workbook::sim
