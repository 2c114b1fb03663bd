// A tensor beside its reference: which elements are wrong and by how much. For the Errors panel.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/grid.h"
#include "model/pyramid.h"
#include "runs/record.h"
#include "runs/trace.h"

namespace workbook::viewer {

/// From harmless to grave: of a group of elements the gravest counts.
enum class ElementState : std::uint8_t { outside, right, unwritten, wrong, not_a_number };

struct ErrorCell {
  float times = 0.0f;  ///< the error in tolerances; infinite where the tolerance is 0 and the error is not
  ElementState state = ElementState::outside;  ///< past a ragged end
};

struct ErrorMap {
  Grid grid;
  Pyramid<ErrorCell> cells;
  std::int64_t total = 0, wrong = 0;  ///< wrong counts all that are not right
  std::int64_t unwritten = 0, not_a_number = 0;
  std::int64_t first_wrong = -1;  ///< element; -1: none
  std::int64_t worst = -1;        ///< the element with the largest error that is a number
  double worst_error = 0.0;
  double tolerance = 0.0;
};

/// Accepted is an error of at most the tolerance, so that a NaN never is. A tensor whose lists do not fit its
/// shape is empty. `written`: elements that are known to have been written (short or empty: not known), for
/// a NaN handed on from what was never written looks like that.
ErrorMap make_error_map(const runs::TensorValues& values, const std::vector<bool>& written = {});

struct ElementFacts {
  ElementState state = ElementState::right;
  double got = 0.0, expected = 0.0;
  double error = 0.0;  ///< NaN when got is
};
/// Throws std::out_of_range for an element that is not there.
ElementFacts facts_of(const runs::TensorValues& values, std::int64_t element,
                      const std::vector<bool>& written = {});

/// "72 of 128 are wrong, never written"; "all 256 are right; the worst is off by 5% of what is
/// accepted".
std::string describe(const ErrorMap& map);

/// The tensor of a case to look at first: the first wrong one, else the last. -1 when none has a reference.
int first_to_see(const runs::CaseValues& values);

/// What the record says of a case; nullptr when it has none of that name.
const runs::CaseResult* result_of(const runs::RunRecord& run, const std::string& on_case);

}  // namespace workbook::viewer
