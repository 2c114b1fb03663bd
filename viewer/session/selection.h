// What changes the selection: the runs that there are, keys that step through them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/selection.h"
#include "session/library.h"

namespace workbook::viewer {

/// Fills what is open: the puzzle of the newest run; A the newest unfused run and B the newest fused one, or
/// for a puzzle without these the newest run and the newest of another variant. Where none of one's own was
/// timed, these are runs of the recorded solution, B a wrong run of one's own if there is one.
void choose_runs(Selection& selection, const Library& library);
/// Whether a run of one's own was timed: those that are correct are.
bool has_own_times(const Library& library, int puzzle);
/// Of two runs that choose_runs chose, the faster becomes B, where their times can be compared; of the
/// recorded solution the fastest variant that computes the same.
void put_faster_second(Selection& selection, Library& library);
/// Another puzzle with its runs; nothing when it is chosen already.
void choose_puzzle(Selection& selection, Library& library, int puzzle);
/// A run that has come in becomes B, whatever was; A stays unless it was of another puzzle, the same run, or
/// of the recorded solution.
void take_new_run(Selection& selection, Library& library, std::int64_t id);

/// The shapes that the chosen runs were timed or counted at, as their records call them: those of A, then
/// what only B has. None where nothing was.
std::vector<std::string> shapes_of(const Selection& selection, Library& library);
/// Where the selection names another shape than these, the first of them.
void settle_shape(Selection& selection, const std::vector<std::string>& shapes);
/// Round and round.
void next_shape(Selection& selection, const std::vector<std::string>& shapes);

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
