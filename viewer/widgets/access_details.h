// The words beside the pictures of Mapping: a cell's history, a thread's cells, a launch's lines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/loaded_run.h"
#include "widgets/theme.h"

namespace workbook::viewer {

/// An element and all that was done to it: found once, drawn in many frames.
struct CellHistory {
  Place place;
  std::int64_t element = -1;
  std::vector<Touch> touches;
};
void draw_cell_tooltip(const Style& style, const LoadedRun& run, const CellHistory& cell,
                       const std::string& value);
void draw_cell_history(const Style& style, const LoadedRun& run, const CellHistory& cell);
/// `cells`: what the thread touched.
void draw_thread_facts(const Style& style, const LoadedRun& run, int launch, int block, int thread,
                       const std::vector<Cell>& cells);
void draw_launch_facts(const Style& style, const LoadedRun& run, int launch);
/// The text of a line, where the record holds it: kernels.cu travels with the run, given kernels do not.
std::string source_text(const LoadedRun& run, int file, int line);

}  // namespace workbook::viewer
