// Launches that were cut before, by all that their cuts and prices depend on: equal graphs are made of much
// the same launches. Shared by threads; whoever wants what another one is at work on waits for it.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>

#include "optimizer/plan/plan.h"

namespace workbook::opt {

/// What a launch of the plan is, the numbers of its nodes aside: what it reads (with the parts that this lies
/// in), computes and writes. Extents, GPU and the output's type are the same for all launches of a memo.
using LaunchSignature = std::vector<std::int64_t>;
LaunchSignature signature_of(const Plan& plan, const Launch& launch, std::uint64_t nodes,
                             const std::vector<IndexSet>& shapes);

class LaunchMemo {
 public:
  struct Cuts {
    std::vector<Kernel> kernels;  ///< whatever nodes they name
    std::int64_t priced = 0;      ///< launches with their cuts
    bool stopped = false;         ///< before all cuts were tried
  };

  /// What `cut` gave for this signature, now or before; `again`: where it was stopped then, it is called
  /// anew. A copy: another thread may be the one that calls anew.
  template <class Cut>
  Cuts of(const LaunchSignature& signature, bool again, Cut cut) {
    std::unique_lock lock(mutex_);
    const auto [known, fresh] = known_.try_emplace(signature);
    Entry& entry = known->second;
    if (!fresh) {
      done_.wait(lock, [&] { return entry.done; });
      if (!again || !entry.cuts.stopped) return entry.cuts;
      entry.done = false;
    }
    lock.unlock();
    Cuts made = cut();
    lock.lock();
    entry.cuts = std::move(made);
    entry.done = true;
    done_.notify_all();
    return entry.cuts;
  }

  /// Whether of() would give all cuts without a call.
  bool has_all(const LaunchSignature& signature) {
    const std::lock_guard lock(mutex_);
    const auto known = known_.find(signature);
    return known != known_.end() && known->second.done && !known->second.cuts.stopped;
  }

 private:
  struct Entry {
    Cuts cuts;
    bool done = false;
  };
  std::mutex mutex_;
  std::condition_variable done_;
  std::map<LaunchSignature, Entry> known_;
};

}  // namespace workbook::opt
