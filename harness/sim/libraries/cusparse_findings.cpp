// What cuSPARSE finds wrong with a sparse matrix while it computes.
#include "sim/check/diagnosis.h"
#include "sim/libraries/cusparse_objects.h"

namespace workbook::sim {
namespace {

struct Outside {
  const char* what;  ///< "row" or "column"
  std::int64_t entry, index, count;
};

/// The first entry whose index lies outside; entry -1: an offset does.
Outside first_outside(const cusparseSpMatDescr& a) {
  const bool by_columns = a.format == CUSPARSE_FORMAT_CSC;
  const std::int64_t count = by_columns ? a.rows : a.cols;
  for (std::int64_t k = 0; k < a.entries; ++k)
    if (const std::int64_t index = a.indices[k]; index < a.base || index >= count + a.base)
      return {by_columns ? "row" : "column", k, index, count};
  return {by_columns ? "column" : "row", -1, 0, lines_of(a)};
}

}  // namespace

void report_outside(const Call& call, const cusparseSpMatDescr& a) {
  if (!workbook_sim_is_diagnosing()) return;
  const Outside found = first_outside(a);
  const bool one_based =
      a.base == 0 &&
      (a.format == CUSPARSE_FORMAT_COO ? found.entry >= 0 && found.index == found.count : a.offsets[0] == 1);
  Diagnosis::get().findings.add(runs::FindingClass::oob_global, call.pc, 0, [&](runs::Finding& f) {
    f.message = std::string(call.api) + " meets ";
    if (found.entry < 0)
      f.message += std::string("an offset of a ") + found.what + " that lies outside of the " +
                   std::to_string(a.entries) + " entries.";
    else
      f.message += std::string(found.what) + " " + std::to_string(found.index) + " in entry " +
                   std::to_string(found.entry) + " of a matrix of " + std::to_string(found.count) + " " +
                   found.what + "s, which its descriptor counts from " + std::to_string(a.base) +
                   ": a GPU reads outside of the vector there, and says nothing.";
    f.advice =
        one_based
            ? "Its numbers begin with 1, as Fortran and Matrix Market have them: describe it with "
              "CUSPARSE_INDEX_BASE_ONE, or take 1 from each index and offset."
            : "The indices lie below the number of columns, the offsets (one more than rows) end with the "
              "number of entries: compare both with what the descriptor was given.";
  });
}

}  // namespace workbook::sim
