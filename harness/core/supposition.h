// Supposes mistakes in how inputs are read, and asks the puzzle's own reference what would come of them:
// where that is what came out, on every shape, the supposition is told. For what no fingerprint (mistakes.h)
// and no pattern (diagnose.h) explains: sums over too few elements, a wrong pitch, a forgotten index.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "check.h"
#include "prepare.h"

namespace workbook::core {

/// A case as it was checked: what it was given and what came out.
struct CheckedValues {
  Prepared data;
  /// Of the checked tensors in dataflow order, up to the first one that is wrong, by name.
  std::vector<std::pair<std::string, std::vector<double>>> got;
  bool wrong = false;
  std::int64_t threads = 0;  ///< of the first launch
};

class Suppositions {
 public:
  explicit Suppositions(const Task& task) : task_(task) {}

  /// Once a case. Cases too large to be computed a hundred times are passed over.
  void look_at(CheckedValues values);
  /// Numbers of threads that a block, or one of its sides, has had: where loops and tiles may end.
  void add_length(std::int64_t length);

  /// "on all 8 shapes out is what comes out when the last element of a does not count, as if it were 0." or
  /// nothing. `on_case` is wrong. What is said is so on every case that was looked at, the right ones too;
  /// and enough elements are wrong that it is no accident.
  std::string words(std::string_view on_case) const;

 private:
  const Task& task_;
  std::vector<CheckedValues> cases_;
  std::vector<std::int64_t> lengths_;
};

}  // namespace workbook::core
