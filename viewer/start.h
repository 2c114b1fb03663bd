// What is chosen at the start, for the program and for the page in a browser.
#pragma once

#include "options.h"
#include "session/library.h"
#include "session/selection.h"

namespace workbook::viewer {

/// The runs, variants and places that the options name, and where they name none those of choose_runs.
/// Throws UsageError with a sentence when there is no such run or tensor.
Selection first_selection(const Options& options, Library& library);

}  // namespace workbook::viewer
