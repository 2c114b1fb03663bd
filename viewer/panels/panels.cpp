#include <algorithm>

#include "model/format.h"
#include "panels/compare.h"
#include "panels/errors.h"
#include "panels/fusion.h"
#include "panels/mapping.h"
#include "panels/memory.h"
#include "panels/occupancy.h"
#include "panels/panel.h"
#include "panels/puzzles.h"
#include "panels/roofline.h"
#include "panels/source.h"
#include "panels/steps.h"
#include "panels/timeline.h"

namespace workbook::viewer {

std::vector<std::unique_ptr<Panel>> make_panels() {
  std::vector<std::unique_ptr<Panel>> panels;
  panels.push_back(std::make_unique<PuzzlesPanel>());
  panels.push_back(std::make_unique<ComparePanel>());
  panels.push_back(std::make_unique<MappingPanel>());
  panels.push_back(std::make_unique<StepsPanel>());
  panels.push_back(std::make_unique<MemoryPanel>());
  panels.push_back(std::make_unique<RooflinePanel>());
  panels.push_back(std::make_unique<ErrorsPanel>());
  panels.push_back(std::make_unique<SourcePanel>());
  panels.push_back(std::make_unique<TimelinePanel>());
  panels.push_back(std::make_unique<FusionPanel>());
  panels.push_back(std::make_unique<OccupancyPanel>());
  return panels;
}

std::vector<std::string> panel_names() {
  std::vector<std::string> names;
  for (const auto& panel : make_panels()) names.push_back(panel_name(*panel));
  return names;
}

std::string panel_name(const Panel& panel) { return lowercase(panel.title()); }

void draw_no_trace(const View& view, const LoadedRun* run) {
  const Selection& selection = view.selection;
  if (selection.mapped_run() == 0) {
    draw_empty_state(view, "No run to show yet", "Run a variant and it appears here within a second.",
                     first_command(selection.puzzle));
    return;
  }
  const bool gpu = run != nullptr && run->record.backend == runs::Backend::cuda;
  draw_empty_state(
      view, "This run has no access trace",
      gpu ? "It ran on the GPU, which records no single accesses. The simulator does:"
          : "Accesses are traced on the simulator once a kernel gets as far as its teaching shape.",
      "workbook run " + std::to_string(std::max(1, selection.puzzle)) +
          (run != nullptr ? " --" + run->record.variant : "") + " --backend sim");
}

std::string missing_trace(View& view) {
  const std::int64_t id = view.selection.mapped_run();
  const auto run = view.library.run(id);
  if (run && !run->accesses.empty()) return "";
  return "run " + run_tag(id) +
         " has no access trace to draw; runs on the simulator have, in the store they were recorded in";
}

}  // namespace workbook::viewer
