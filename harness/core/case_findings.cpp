#include "case_findings.h"

#include <algorithm>
#include <utility>

namespace workbook::core {
namespace {

bool same_place(const runs::Finding& a, const runs::Finding& b) {
  return a.klass == b.klass && a.at.line == b.at.line && a.at.file == b.at.file &&
         (a.other ? a.other->line : 0) == (b.other ? b.other->line : 0);
}

/// The smaller, the more a finding tells.
std::pair<runs::Severity, int> order(const runs::Finding& finding) {
  return {finding.severity, -runs::reach_rank(finding)};
}

}  // namespace

void add_finding(std::vector<runs::Finding>& all, runs::Finding finding) {
  const auto known = std::find_if(all.begin(), all.end(),
                                  [&](const runs::Finding& other) { return same_place(other, finding); });
  if (known == all.end()) {
    all.push_back(std::move(finding));
    return;
  }
  const bool one_case = known->on_case == finding.on_case;
  const std::int64_t both = known->count + finding.count;
  if (order(finding) < order(*known)) *known = std::move(finding);
  if (one_case) known->count = both;
}

}  // namespace workbook::core
