// The words beside the pictures of Mapping: a cell's history, a thread's cells, a launch's lines.
#pragma once

#include <cstdint>

#include "library.h"
#include "model/access.h"
#include "view.h"

namespace workbook::viewer {

void draw_cell_tooltip(const View& view, const LoadedRun& run, const Place& place, std::int64_t element);
void draw_cell_history(const View& view, const LoadedRun& run, const Place& place, std::int64_t element);
void draw_thread_facts(const View& view, const LoadedRun& run, int launch, int block, int thread);
void draw_launch_facts(const View& view, const LoadedRun& run, int launch);

}  // namespace workbook::viewer
