// What changes the selection: the runs that there are, keys that step through them.
#pragma once

#include "model/selection.h"
#include "session/library.h"

namespace workbook::viewer {

/// Fills what is open: the puzzle of the newest run; A the newest unfused run and B the newest fused one, or
/// for a puzzle without these the newest run and the newest of another variant.
void choose_runs(Selection& selection, const Library& library);

/// The other way round: B becomes the baseline.
void swap_runs(Selection& selection);
/// Keeps run B as the baseline A; B follows what comes next.
void pin_baseline(Selection& selection);
/// B becomes the next older run of the puzzle, round and round.
void next_run(Selection& selection, const Library& library);

/// The thread of the mapped run's launch by `dx` lanes and `dy` warps; the block by as much in the grid.
void move_thread(Selection& selection, Library& library, int dx, int dy);
void move_block(Selection& selection, Library& library, int dx, int dy);

}  // namespace workbook::viewer
