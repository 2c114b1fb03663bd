// Made-up runs of Puzzle 22 for the viewer's tests: the shape of real records, with traces replayed from what
// the kernels do and times that are plausible, not measured.
#pragma once

#include <vector>

#include "runs/store.h"

namespace workbook::viewer::fixture {

enum class Times { modelled, measured };

runs::StoredRun unfused(Times times = Times::modelled);
runs::StoredRun fused(Times times = Times::modelled);
runs::StoredRun fused_block(Times times = Times::modelled);
std::vector<runs::StoredRun> all();

/// A program as of Puzzle 38 with a copy and a mark, then `steps` ranges of two layers, each of two launches,
/// with a wait behind them.
runs::StoredRun program(int steps);

/// The text of the given.cuh that the runs name: what stands at their lines, whatever the puzzle grows to.
const char* given_source();

}  // namespace workbook::viewer::fixture
