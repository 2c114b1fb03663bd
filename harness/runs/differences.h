// What the slower of two variants does more of, among what its bound depends on: sectors, requests, waits,
// barriers, blocks; or what it has fewer of: warps that run at the same time. For the sentence that says why
// one is faster (timing.h).
#pragma once

#include <string>
#include <vector>

#include "runs/record.h"

namespace workbook::runs {

struct Difference {
  std::string what;  ///< "sectors a load request"
  double slow = 0.0, fast = 0.0;
  bool total =
      false;  ///< a count over all launches, told by its factor; else a figure of one request or warp
  bool fewer = false;  ///< the slower one is, because it has fewer
};

/// The largest first, three at most. `bound` is what bounds the slower; what that
/// does not wait for is left out, and so is what differs by less than a fifth.
std::vector<Difference> differences_of(const Benchmark& slow, const Benchmark& fast, BoundBy bound);

/// "--a has 32 sectors a load request where --b has 4, and 5.0x as many blocks"; empty without any.
std::string words_of(const std::vector<Difference>& differences, const std::string& slow,
                     const std::string& fast);

}  // namespace workbook::runs
