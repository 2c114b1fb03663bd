#include "cli/report/finding_groups.h"

#include <algorithm>
#include <utility>

namespace workbook::cli {
namespace {

using runs::Finding;

bool is_race(const Finding& finding) { return runs::is_race(finding.klass); }

/// Of one severity, causes come before what they lead to: an index too far, a barrier that some pass by
/// or that is counted wrongly and a call that did nothing make races, a race unset elements.
int order(const Finding& finding) {
  const bool call = finding.kernel.empty() && (finding.klass == runs::FindingClass::bad_api_call ||
                                               finding.klass == runs::FindingClass::host_deref);
  const bool cause = call || runs::is_out_of_bounds(finding.klass) ||
                     finding.klass == runs::FindingClass::divergent_barrier ||
                     runs::is_of_phases(finding.klass);
  return cause ? 0 : is_race(finding) ? 1 : 2;
}

struct Lines {
  int first = 0, last = 0;
};

Lines lines_between(const Finding& race) {
  return {std::min(race.at.line, race.other->line), std::max(race.at.line, race.other->line)};
}

/// A group, and the lines between which a barrier would end each of its races.
struct Open {
  FindingGroup group;
  Lines between;
};

/// Whether a race of one line with itself is about an array that the group overruns at that line.
bool overruns(const FindingGroup& group, const Finding& race) {
  const auto there = [&](const Finding* finding) {
    return finding->at.line == race.at.line && finding->at.file == race.at.file &&
           array_of(*finding) == array_of(race);
  };
  return (!race.other || race.other->line == race.at.line) &&
         (there(group.first) || std::any_of(group.more.begin(), group.more.end(), there));
}

/// Whether `finding` has the same cause as the group; a race then narrows where the barrier belongs.
bool joins(const Finding& finding, Open& open) {
  const Finding& first = *open.group.first;
  if (finding.severity != first.severity || finding.kernel != first.kernel ||
      finding.severity == runs::Severity::advice || finding.at.file != first.at.file)
    return false;
  if (is_race(finding) && finding.klass == first.klass && finding.other && first.other) {
    const Lines own = lines_between(finding);
    const Lines both{std::max(own.first, open.between.first), std::min(own.last, open.between.last)};
    const bool one_line = own.first == own.last || open.between.first == open.between.last;
    // A barrier stands between two lines; a race of one line with itself is ended by none.
    if (one_line ? own.first != own.last || own.first != open.between.first : both.first >= both.last)
      return false;
    open.between = both;
    return true;
  }
  // Threads that passed one barrier by pass the next one by as well, and what they should have filled is not.
  if (first.klass == runs::FindingClass::divergent_barrier && !first.other &&
      ((finding.klass == first.klass && !finding.other) ||
       finding.klass == runs::FindingClass::uninit_shared))
    return true;
  if (finding.klass == runs::FindingClass::uninit_shared && first.klass == runs::FindingClass::race_shared)
    return !array_of(finding).empty() && array_of(finding) == array_of(first);
  // One guard that is missing lets several arrays be overrun, and their neighbours' elements be used.
  if (first.klass == runs::FindingClass::oob_global && finding.klass == first.klass &&
      !first.advice.empty() && finding.advice == first.advice)
    return true;
  if (first.klass == runs::FindingClass::oob_global && is_race(finding) && overruns(open.group, finding))
    return true;
  return finding.klass == first.klass && !is_race(finding) && !array_of(finding).empty() &&
         array_of(finding) == array_of(first);
}

}  // namespace

std::string array_of(const Finding& finding) { return finding.object.substr(0, finding.object.find('[')); }

std::vector<FindingGroup> groups_of(const std::vector<Finding>& findings) {
  std::vector<const Finding*> sorted;
  for (const Finding& finding : findings) sorted.push_back(&finding);
  std::stable_sort(sorted.begin(), sorted.end(), [](const Finding* a, const Finding* b) {
    return std::pair(a->severity, order(*a)) < std::pair(b->severity, order(*b));
  });
  std::vector<Open> groups;
  for (const Finding* finding : sorted) {
    const auto known =
        std::find_if(groups.begin(), groups.end(), [&](Open& open) { return joins(*finding, open); });
    if (known != groups.end()) {
      known->group.more.push_back(finding);
      continue;
    }
    Open open{{finding, {}}, {}};
    if (is_race(*finding) && finding->other) open.between = lines_between(*finding);
    groups.push_back(open);
  }
  std::vector<FindingGroup> out;
  for (Open& open : groups) {
    // What orders threads of several warps orders those of one, too: its advice is for all of the group.
    if (!is_race(*open.group.first)) {
      out.push_back(std::move(open.group));
      continue;
    }
    for (const Finding*& other : open.group.more)
      if (other->reach > open.group.first->reach) std::swap(other, open.group.first);
    out.push_back(std::move(open.group));
  }
  return out;
}

}  // namespace workbook::cli
