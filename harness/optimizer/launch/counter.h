// What counting a launch's requests has in common, whichever form it has.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "optimizer/launch/banks.h"
#include "optimizer/launch/sector_set.h"
#include "optimizer/plan/places.h"
#include "runs/record.h"

namespace workbook::opt {

class LaunchCounter {
 public:
  LaunchCounter(const Program& program, const Plan& plan, const Launch& launch, const Kernel& kernel,
                const Extents& extents);
  virtual ~LaunchCounter() = default;
  LaunchCounter(const LaunchCounter&) = delete;
  LaunchCounter& operator=(const LaunchCounter&) = delete;
  runs::LaunchRecord run();

 protected:
  static constexpr std::int64_t kLanes = 32, kSector = 32, kLine = 128, kTogether = 4;
  static constexpr std::int64_t kWalkedTurns = 2, kWalkedRequests = 8;
  static constexpr double kL1Bytes = 128 * 1024;

  virtual void count() = 0;
  /// In how many parts a tensor lies that the launch reads.
  std::int64_t parts_of(int node) const;
  /// Elements of a tensor; of one part, where it lies in such.
  std::int64_t size_of_tensor(int node) const;
  runs::SiteCounters& site(int node, runs::SiteKind kind);

  template <class Word>
  void shared(int node, runs::SiteKind kind, std::int64_t size, Word word, std::int64_t repeats = 1) {
    runs::SiteCounters& at = site(node, kind);
    // A nest's later requests lie in the banks as its first ones do: so many are looked at, each for `alike`.
    const std::int64_t requests = divided(size, kLanes), alike = divided(requests, kWalkedRequests);
    for (std::int64_t request = 0; request < requests; request += alike) {
      const std::int64_t first = request * kLanes,
                         times = weight_ * repeats * std::min(alike, requests - request);
      const std::int64_t lanes = std::min(kLanes, size - first);
      Banks banks;
      for (std::int64_t lane = 0; lane < lanes; ++lane) banks.ask(word(first + lane));
      at.requests += times;
      at.bank_passes += times * banks.passes();
      at.bytes += times * 4 * lanes;
    }
  }
  /// Whether any request had to go beyond the L1.
  template <class Element>
  bool global(int node, bool store, std::int64_t size, Element element, std::int64_t width = 1) {
    if (is_placed(plan_, node)) return false;
    runs::SiteCounters& at = site(node, store ? runs::SiteKind::global_store : runs::SiteKind::global_load);
    const std::int64_t item = item_bytes(storage_of(program_, plan_, node));
    bool any_missed = false;
    std::vector<std::int64_t> sectors, lines;
    for (std::int64_t first = 0; first < size; first += kLanes) {
      sectors.clear(), lines.clear();
      const auto note = [](std::vector<std::int64_t>& list, std::int64_t& most, std::int64_t value) {
        if (value == most) return;
        if (value < most && std::find(list.begin(), list.end(), value) != list.end()) return;
        most = std::max(most, value);
        list.push_back(value);
      };
      std::int64_t last_sector = -1, most_sector = -1, most_line = -1;
      std::int64_t lanes = 0, hits = 0;
      for (std::int64_t i = first; i < std::min(size, first + kLanes); ++i) {
        const std::int64_t place = element(i);
        if (place < 0) continue;
        ++lanes;
        for (std::int64_t byte = place * item; byte < (place + width) * item;
             byte += std::min(kSector, item * width))
          if (byte / kSector != last_sector) note(sectors, most_sector, last_sector = byte / kSector);
      }
      if (lanes == 0) continue;
      for (const std::int64_t sector : sectors) {
        note(lines, most_line, sector * kSector / kLine);
        if (store) continue;
        const bool fresh = held_.insert(sector * kMaxNodes + node);
        held_bytes_ += fresh ? static_cast<double>(kSector) : 0.0;
        hits += fresh ? 0 : 1;
      }
      const auto touched = static_cast<std::int64_t>(sectors.size());
      at.requests += weight_;
      at.sectors += weight_ * touched;
      at.ideal_sectors += weight_ * std::min(touched, divided(lanes * width * item, kSector));
      at.lines += weight_ * static_cast<std::int64_t>(lines.size());
      at.bytes += weight_ * lanes * width * item;
      at.l1_sectors += weight_ * hits;
      if (!store && hits < touched) {
        at.misses += weight_;
        any_missed = true;
      }
    }
    return any_missed;
  }
  /// Loads of `sites` places in `rounds` of a loop; of the blocks some are the first to want the data.
  void waits(std::int64_t rounds, std::size_t sites, std::int64_t warps, double first) {
    const std::int64_t chained = (sites > 1 ? rounds : divided(rounds, kTogether)) * warps * weight_;
    counters_->chained_misses += chained;
    counters_->chained_dram_misses += std::llround(first * static_cast<double>(chained));
  }
  double first_of(int node) const {
    double others = 1.0;
    for (const int index : launch_.axes)
      if (!has(shapes_[slot(node)], index) && !(index == launch_.split && launch_.is_split(graph_, node)))
        others *= kernel_.cuts[slot(index)].grid;
    return 1.0 / others;
  }

  const Program& program_;
  const Plan& plan_;
  const Graph& graph_;
  const Launch& launch_;
  const Kernel& kernel_;
  const Extents& extents_;
  Extents tiles_;
  std::vector<IndexSet> shapes_;
  std::vector<std::vector<std::uint8_t>> dims_;  ///< of each node's tensor in global memory
  std::int64_t threads_;
  runs::LaunchRecord record_;
  std::optional<runs::LaunchCounters> counters_;
  std::int64_t blocks_ = 1, weight_ = 1;  ///< weight: blocks and turns that the one walked stands for
  SectorSet held_;                        ///< that the block's L1 has
  double held_bytes_ = 0.0;
  std::optional<std::int64_t> chained_shared_;  ///< where a path knows it better than run() does

 private:
  std::int64_t bytes_of(int node, std::int64_t parts) const;
  runs::TensorTraffic& traffic(int node);
};

}  // namespace workbook::opt
