#include "runs/findings.h"

#include <algorithm>
#include <utility>

namespace workbook::runs {
namespace {

/// The smaller, the more a finding tells.
std::pair<Severity, int> order(const Finding& finding) {
  return {finding.severity, -static_cast<int>(finding.reach)};
}

}  // namespace

bool same_place(const Finding& a, const Finding& b) {
  return a.klass == b.klass && a.at.line == b.at.line && a.at.file == b.at.file &&
         (a.other ? a.other->line : 0) == (b.other ? b.other->line : 0);
}

void add_finding(std::vector<Finding>& all, Finding finding) {
  const auto known =
      std::find_if(all.begin(), all.end(), [&](const Finding& other) { return same_place(other, finding); });
  if (known == all.end()) {
    all.push_back(std::move(finding));
    return;
  }
  const bool one_case = known->on_case == finding.on_case;
  const std::int64_t both = known->count + finding.count;
  if (order(finding) < order(*known)) *known = std::move(finding);
  if (one_case) known->count = both;
}

}  // namespace workbook::runs
