// Draws which elements of a tensor are right and which are wrong, in text. For the report of a wrong answer
// (harness/cli/report/report_findings.cpp, which paints it) that nothing explains.
#pragma once

#include <string>

#include "evidence.h"

namespace workbook::core {

/// A heading, then at most eleven lines of at most 78 columns: rows and columns of a matrix, a vector broken
/// into lines; '.' right, '#' wrong, '_' never written, '+' some of each where a character stands for several
/// elements. Empty where every element is wrong, or too few are there to show a shape.
std::string places_of(const Suspicion& suspicion);

}  // namespace workbook::core
