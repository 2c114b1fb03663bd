// What emitted kernels wrote, beside what is right.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "optimizer/judge/verify.h"
#include "optimizer/schedule/emitted_cases.h"

namespace workbook::opt {
namespace {
/// Of all outputs one behind the other element `at`: whose it is, and its place there.
std::pair<std::string, std::size_t> element_of(const Program& program, const Extents& extents,
                                               std::size_t at) {
  for (int i = 0; i <= static_cast<int>(program.others.size()); ++i) {
    const Output output = program.output(i);
    std::size_t size = 1;
    for (const std::uint8_t dim : output.dims) size *= static_cast<std::size_t>(extents[dim]);
    if (at < size) return {output.name, at};
    at -= size;
  }
  return {program.output_name, at};
}
}  // namespace

EmittedVerdict judge_emitted(const Program& program, const std::vector<EmittedCase>& cases,
                             const std::string& results) {
  EmittedVerdict verdict;
  std::size_t at = 0;
  for (const EmittedCase& one : cases)
    for (std::size_t i = 0; i < one.expected.size(); ++i, at += sizeof(float)) {
      float got = std::numeric_limits<float>::quiet_NaN();
      if (at + sizeof(float) <= results.size()) std::memcpy(&got, results.data() + at, sizeof(float));
      if (std::isnan(one.expected[i])) continue;
      const double error = std::abs(double{got} - one.expected[i]), accepted = one.accepted[i];
      ++verdict.elements;
      if (error <= accepted && std::isfinite(accepted)) {
        if (accepted > 0.0) verdict.worst = std::max(verdict.worst, error / accepted);
        continue;
      }
      if (verdict.wrong++ > 0) continue;
      const auto [name, place] = element_of(program, one.extents, i);
      verdict.words = fmt::format("{}: element {} of {} is {:.7g}, {:.7g} is right within {:.2g}",
                                  extents_text(program.graph, one.extents), place, name, double{got},
                                  one.expected[i], accepted);
    }
  return verdict;
}

}  // namespace workbook::opt
