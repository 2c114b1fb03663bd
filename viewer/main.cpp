// workbook-viewer: opens a window on the run records, or draws one panel into a file.
#include <algorithm>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "app.h"
#include "backend.h"
#include "options.h"
#include "view.h"

namespace {

using namespace workbook::viewer;

std::int64_t find_run(const Library& library, std::int64_t id) {
  if (const auto found = library.resolve(id)) return *found;
  throw UsageError("there is no run " + std::to_string(id) + " here; `workbook history N` lists them");
}

Selection select(const Options& options, Library& library) {
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

// A picture that only says what is missing helps nobody who asked for a picture.
void demand_content(const Options& options, Library& library, const Selection& selection) {
  if (selection.run_a == 0)
    throw UsageError("there is no run to draw; `" + first_command(options.puzzle) + "` makes one");
  for (const std::int64_t id : {selection.run_a, selection.run_b})
    if (id != 0 && !library.run(id)) throw std::runtime_error(library.problem());
}

// "name.png", or "name-2.png" where that exists: no picture replaces another.
std::string free_name(const std::filesystem::path& wanted) {
  std::filesystem::path path = wanted;
  for (int i = 2; std::filesystem::exists(path); ++i)
    path = wanted.parent_path() / (wanted.stem().string() + "-" + std::to_string(i) + ".png");
  return path.string();
}

int run(const Options& options) {
  Library library;
  for (const auto& file : options.imports) library.import(file);
  const auto store = options.db.empty() && options.imports.empty() ? default_store(".") : options.db;
  if (!options.db.empty() && !workbook::runs::Store::exists(options.db))
    throw UsageError("there is no file " + options.db.string());
  if (!options.origin.empty()) library.show_only(options.origin);
  if (!store.empty()) library.open_store(store);
  Selection selection = select(options, library);
  if (!options.screenshot.empty()) {
    demand_content(options, library, selection);
    const float scale = options.scale > 0 ? options.scale : 1.0f;
    const int width = static_cast<int>(static_cast<float>(options.width) * scale),
              height = static_cast<int>(static_cast<float>(options.height) * scale);
    Window window("workbook", 64, 64, false);
    AppSettings settings;
    settings.dark = options.dark;
    settings.scale = scale;
    if (options.panel != "app") settings.solo = options.panel;
    App app(library, selection, std::move(settings));
    if (const std::string missing = app.missing(); !missing.empty()) throw UsageError(missing);
    write_png(window.capture(width, height, 5, [&] { app.draw(); }), options.screenshot.string());
    return 0;
  }
  Window window("GPU workbook", options.width, options.height, true);
  AppSettings settings;
  settings.dark = options.dark;
  settings.scale = options.scale > 0 ? options.scale : window.content_scale();
  if (!store.empty() && std::filesystem::exists(store.parent_path()))
    settings.layout_file = store.parent_path() / "viewer.ini";
  settings.save_picture = [&] {
    const std::string path = free_name(std::filesystem::current_path() / "workbook-viewer.png");
    window.save_next(path);
    return "Saved " + path;
  };
  App app(library, selection, std::move(settings));
  window.loop(0.3, [&] { app.draw(); });
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Options options = parse_options({argv + 1, argv + argc});
    if (options.help) {
      std::cout << usage();
      return 0;
    }
    return run(options);
  } catch (const UsageError& error) {
    std::cerr << "workbook-viewer: " << error.what() << "\n(workbook-viewer --help lists the options)\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "workbook-viewer: " << error.what() << '\n';
    return 5;
  }
}
