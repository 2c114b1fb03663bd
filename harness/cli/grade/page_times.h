// What right solutions take, on the page of a class: modelled times and bytes as plots, and times that were
// measured on a GPU beside them.
#pragma once

#include <string>
#include <vector>

#include "cli/grade/graded.h"

namespace workbook::cli {

std::string plots_html(const Course& course, const GradedReference& reference,
                       const std::vector<GradedSubmission>& all);

/// Nothing where nothing was measured.
std::string measured_html(const Course& course, const std::vector<GradedSubmission>& all);

}  // namespace workbook::cli
