// The grid's blocks and one block's threads as small maps: legend, overview and selector in one.
#pragma once

#include <cstdint>
#include <vector>

#include "model/selection.h"
#include "widgets/draw.h"

namespace workbook::viewer {

/// Blocks of the grid; click selects one, a second click all. Returns the block under the mouse, or -1.
int draw_block_map(const Style& style, Selection& selection, const runs::Dim3& grid,
                   const std::vector<int>& traced, float width);
/// Threads of a block, a warp a row; returns the thread under the mouse, or -1. `active`: those that take
/// part now, 1 each; null: colours as the cells have them.
int draw_thread_map(const Style& style, Selection& selection, int threads, float width,
                    const std::vector<std::uint8_t>* active = nullptr);
/// "Block  ‹ all ›": steps `value` through -1 (all) to count - 1.
bool draw_stepper(const Style& style, const char* label, const std::string& shown, int* value, int count,
                  float width);

}  // namespace workbook::viewer
