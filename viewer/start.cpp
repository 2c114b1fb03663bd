#include "start.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "model/source_text.h"

namespace workbook::viewer {
namespace {

std::int64_t find_run(const Library& library, std::int64_t id) {
  if (const auto found = library.resolve(id)) return *found;
  throw UsageError("there is no run " + std::to_string(id) + " here; `workbook history N` lists them");
}

// "given.cuh:46": the file may be named without its folder.
void choose_line(const std::string& asked, Library& library, Selection& selection) {
  const std::size_t colon = asked.rfind(':');
  const auto run = library.run(selection.mapped_run());
  if (colon == std::string::npos || !run) throw UsageError("--line needs FILE:N, and a run to show");
  const std::string file = asked.substr(0, colon);
  const auto traced = run->trace ? run->trace->files : std::vector<std::string>{};
  for (const std::string& each : source_files(run->record, traced))
    if (each == file || each.ends_with("/" + file)) selection.file = each;
  if (selection.file.empty()) throw UsageError("this run has no file called '" + file + "'");
  selection.line = std::atoi(asked.c_str() + colon + 1);
}

void check_shape(const std::string& asked, Selection shown, Library& library) {
  choose_runs(shown, library);
  const std::vector<std::string> shapes = shapes_of(shown, library);
  if (shapes.empty() || std::find(shapes.begin(), shapes.end(), asked) != shapes.end()) return;
  std::string known;
  for (const std::string& each : shapes) known += (known.empty() ? "" : ", ") + each;
  throw UsageError("these runs were not timed at a shape called '" + asked + "', but at: " + known);
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
  selection.program = options.program;
  selection.plan = options.plan - 1;
  selection.search = options.search;
  selection.listing = options.listing;
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
  if (!options.line.empty()) choose_line(options.line, library, selection);
  if (!options.shape.empty()) check_shape(options.shape, selection, library);
  return selection;
}

}  // namespace workbook::viewer
