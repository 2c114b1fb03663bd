// Blocks that run at the same time because they wait for each other: all of a cooperative launch, or those of
// one cluster. Each has an OS thread of its own.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "engine.h"

namespace workbook::sim {

class Team {
 public:
  explicit Team(unsigned int size) : tls_bases_(size, 0), workers_(size, nullptr), present_(size) {}

  unsigned int size() const { return static_cast<unsigned int>(tls_bases_.size()); }
  /// Called by the OS thread of each block before any of them starts.
  void join(unsigned int rank, std::uintptr_t tls_base);
  /// Waits until the shared memory of each of them is that of its new block.
  void begin();
  std::uintptr_t tls_base(unsigned int rank) const { return tls_bases_[rank]; }
  Worker& worker(unsigned int rank) const { return *workers_[rank]; }

  /// Waits for every block of the team that has not ended; all that was done before is ordered before all
  /// that comes after.
  void wait(Worker& worker);
  /// The two halves of wait(): the block's last thread arrives; phase(n) is done once all have arrived n
  /// times.
  std::uint64_t arrive(Worker& worker);
  bool is_done(std::uint64_t phase);
  void learn(Worker& worker);
  /// Blocks of the team that had ended when the others came to the latest barrier.
  unsigned int missed();
  /// The block has ended: the others no longer wait for it.
  void leave(Worker& worker);

 private:
  void complete_if_all_came();

  std::vector<std::uintptr_t> tls_bases_;
  std::vector<Worker*> workers_;
  std::mutex mutex_;
  std::condition_variable changed_;
  unsigned int missed_ = 0, present_, arrived_ = 0, joined_ = 0, begun_ = 0;
  std::uint64_t phase_ = 0;
  std::shared_ptr<TeamEpochs> arriving_ = std::make_shared<TeamEpochs>(), complete_;
};

}  // namespace workbook::sim
