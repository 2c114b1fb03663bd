// workbook-viewer: opens a window on the run records, or draws one panel into a file.
#include <algorithm>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "app.h"
#include "backend.h"
#include "model/repository.h"
#include "options.h"
#include "session/view.h"
#include "start.h"

namespace {

using namespace workbook::viewer;

// The book's recorded runs, to compare with: the solutions, on a GPU and on the simulator. What cannot be
// read is not worth a word: nobody has asked for it.
void offer_recorded(Library& library, const std::filesystem::path& repository) {
  std::vector<workbook::runs::StoredRun> recorded;
  std::error_code error;
  for (const char* folder : {"book/data/runs", "book/data/h200"})
    for (const auto& entry : std::filesystem::directory_iterator(repository / folder, error)) {
      if (entry.path().extension() != ".json") continue;
      try {
        for (auto& run : workbook::runs::read_runs(entry.path())) recorded.push_back(std::move(run));
      } catch (const std::runtime_error&) {
      }
    }
  library.offer(std::move(recorded));
}

// A picture that only says what is missing helps nobody who asked for a picture.
void demand_content(const Options& options, Library& library, const Selection& selection) {
  if (options.panel == "fusion") return;  // it shows no runs
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
  Selection selection = first_selection(options, library);
  const auto repository = find_repository();
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
    if (options.panel == "puzzles" || options.panel == "app") settings.repository = repository;
    if (store.filename() == "runs.sqlite") settings.state = std::filesystem::absolute(store).parent_path();
    App app(library, selection, std::move(settings));
    if (options.panel == "app") app.workbench().wait_for_list();
    if (const std::string missing = app.missing(); !missing.empty()) throw UsageError(missing);
    write_png(window.capture(width, height, 5, [&] { app.draw(); }), options.screenshot.string());
    return 0;
  }
  if (!repository.empty()) offer_recorded(library, repository);
  Window window("GPU workbook", options.width, options.height, true);
  AppSettings settings;
  settings.dark = options.dark;
  settings.scale = options.scale > 0 ? options.scale : window.content_scale();
  settings.repository = repository;
  if (store.filename() == "runs.sqlite") settings.state = std::filesystem::absolute(store).parent_path();
  if (!store.empty() && std::filesystem::exists(store.parent_path()))
    settings.layout_file = store.parent_path() / "viewer.ini";
  settings.save_picture = [&] {
    const std::string path = free_name(std::filesystem::current_path() / "workbook-viewer.png");
    window.save_next(path);
    return "Saved " + path;
  };
  App app(library, selection, std::move(settings));
  window.loop(0.3, [&] {
    app.draw();
    return app.moving();
  });
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
