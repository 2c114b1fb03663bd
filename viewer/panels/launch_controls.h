// The column at the left of Mapping and Steps: which run, launch, block and thread.
#pragma once

#include <cstdint>
#include <functional>
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
/// Maps of blocks and threads; returns the thread under the mouse, or -1. `active` as in draw_thread_map.
int draw_thread_maps(View& view, const LoadedRun& run, float width,
                     const std::vector<std::uint8_t>* active = nullptr);
/// The steppers of block, warp and lane stay in sight below `choices`, which scroll where the column is
/// short.
void draw_above_selectors(View& view, const LoadedRun& run, const std::function<void(float width)>& choices);

}  // namespace workbook::viewer
