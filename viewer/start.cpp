#include "start.h"

#include <cstdlib>

namespace workbook::viewer {
namespace {

std::int64_t find_run(const Library& library, std::int64_t id) {
  if (const auto found = library.resolve(id)) return *found;
  throw UsageError("there is no run " + std::to_string(id) + " here; `workbook history N` lists them");
}

}  // namespace

Selection first_selection(const Options& options, Library& library) {
  Selection selection;
  selection.puzzle = options.puzzle;
  if (!options.shape.empty()) selection.benchmark = options.shape;
  const auto take = [&](std::int64_t asked, std::int64_t& run, bool& follows) {
    run = find_run(library, asked);
    follows = false;
    if (const auto loaded = library.run(run); loaded && options.puzzle == 0)
      selection.puzzle = loaded->record.puzzle;
  };
  if (options.run) take(*options.run, selection.run_b, selection.follow_b);
  if (options.baseline) take(*options.baseline, selection.run_a, selection.follow_a);
  choose_runs(selection, library);
  selection.variant_a = options.variant_a;
  selection.variant_b = options.variant_b;
  selection.on_b = options.on_b;
  selection.launch = options.launch;
  selection.block = options.block;
  selection.thread = options.thread;
  selection.warp = options.thread < 0 ? -1 : options.thread / 32;
  selection.side_by_side = options.both;
  selection.step = options.step;
  selection.moment = options.moment;
  if (options.colour_by) selection.colour_by = *options.colour_by;
  if (!options.cell.empty()) {
    const std::size_t colon = options.cell.find(':');
    const auto run = library.run(selection.mapped_run());
    if (colon == std::string::npos || !run)
      throw UsageError("--cell needs TENSOR:ELEMENT, and a run to show");
    for (int id = 0; id < 4096 && selection.tensor < 0; ++id)
      if (const auto* info = run->accesses.tensor(id);
          info != nullptr && info->name == options.cell.substr(0, colon))
        selection.tensor = id;
    if (selection.tensor < 0)
      throw UsageError("this run has no tensor called '" + options.cell.substr(0, colon) + "'");
    selection.element = std::atoll(options.cell.c_str() + colon + 1);
  }
  return selection;
}

}  // namespace workbook::viewer
