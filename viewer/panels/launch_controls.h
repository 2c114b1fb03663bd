// The column at the left of Mapping and Steps: which run, launch, block and thread.
#pragma once

#include <cstdint>
#include <vector>

#include "session/library.h"
#include "session/view.h"
#include "widgets/kernel_colours.h"
#include "widgets/thread_map.h"

namespace workbook::viewer {

/// "A unfused | B fused", and "both" where `both` is not null; nothing with a single run.
void draw_side_switch(View& view, bool* both, float width);
/// The hues of Compare: those of A's kernels first, then B's.
KernelColours colours_of_runs(View& view);
void draw_launch_list(View& view, const LoadedRun& run, float width);
/// Maps of blocks and threads with their steppers; returns the thread under the mouse, or -1. `active` as in
/// draw_thread_map.
int draw_thread_selectors(View& view, const LoadedRun& run, float width,
                          const std::vector<std::uint8_t>* active = nullptr);

}  // namespace workbook::viewer
