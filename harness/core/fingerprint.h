// What a wrong kernel leaves behind: some of its output's elements on fixed inputs. A mutant's are known in
// advance (puzzles/NN_name/fingerprints.json), so a learner who makes the same mistake can be told
// its name (mistakes.h).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "check.h"

namespace workbook::core {

/// Elements of one tensor: positions in row-major order and what stood there.
struct Probes {
  std::string tensor;
  std::vector<std::int64_t> shape;
  std::vector<std::size_t> at;
  std::vector<double> got;  ///< NaN where nothing was written, too
};

struct CaseProbes {
  std::string on_case;
  std::vector<Probes> tensors;
};

struct Fingerprint {
  std::string mutant, says, task, variant;
  std::string on_case;  ///< the first one that is wrong
  std::vector<Probes> tensors;
  /// In place of tensors where every element is right: what was spent, by the names of the budget's parts.
  std::vector<std::pair<std::string, double>> spent = {};
  /// All that the mutant's edit changes: whoever writes these may make its mistake. None: it changes more.
  std::vector<std::string> regions = {};
  std::vector<CaseProbes> elsewhere = {};  ///< further cases that are wrong, a few elements of each
  std::vector<std::string> right = {};     ///< the cases in which every element is right
};

/// Whether they can be told from others: many mistakes leave nothing but NaN.
bool is_telling(const Probes& probes);

/// At most 64 positions: corners, some of those that are wrong, and the rest evenly spread.
std::vector<std::size_t> probe_positions(const std::vector<std::int64_t>& shape,
                                         const std::vector<std::size_t>& wrong);

/// At most six of `count`: first and last, and of those that are wrong the first, the last, two between.
std::vector<std::size_t> few_positions(std::size_t count, const std::vector<std::size_t>& wrong);

/// Reads fingerprints.json; none where there is no file. Throws std::runtime_error with a sentence.
std::vector<Fingerprint> read_fingerprints(const std::string& file);
std::string to_text(const std::vector<Fingerprint>& fingerprints);

/// Whether `values` are what was probed, within the tolerance, which grows with the mistake's own size; and
/// whether that is wrong anywhere.
struct Likeness {
  bool same = false, wrong = false;
};
Likeness compare_probes(const Probes& probes, std::span<const double> values,
                        std::span<const double> expected, const Allowed& allowed);

}  // namespace workbook::core
