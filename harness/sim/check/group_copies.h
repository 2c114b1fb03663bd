// cooperative_groups::memcpy_async() of a whole block: a call of all its threads, each of which copies its
// share of the bytes.
#pragma once

#include <vector>

#include "check.h"

namespace workbook::sim {

class GroupCopies {
 public:
  void begin_block() { threads_.clear(), copied_at_ = 0; }
  /// The running thread calls it.
  void copy(const Scene& scene, Pc pc);
  /// The running thread has waited for it with the others. The first time that tells whether all have called
  /// it: those that run ahead call it again only then.
  void wait(const Scene& scene);

 private:
  struct Calls {
    bool copied = false, waited = false;
  };
  Calls& calls_of(const SimThread& t, const Scene& scene);

  std::vector<Calls> threads_;
  Pc copied_at_ = 0;  ///< where one has called it that had not waited yet
};

}  // namespace workbook::sim
