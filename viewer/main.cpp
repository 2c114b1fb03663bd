// workbook-viewer: opens a window on the run records, or draws panels into files.
#include <algorithm>
#include <exception>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "app.h"
#include "backend.h"
#include "model/repository.h"
#include "options.h"
#include "screenshots.h"
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

// "name.png", or "name-2.png" where that exists: no picture replaces another.
std::string free_name(const std::filesystem::path& wanted) {
  std::filesystem::path path = wanted;
  for (int i = 2; std::filesystem::exists(path); ++i)
    path = wanted.parent_path() / (wanted.stem().string() + "-" + std::to_string(i) + ".png");
  return path.string();
}

int draw(const Options& options) {
  Screenshots pictures;
  if (options.screenshots.empty()) {
    pictures.draw(options);
    return 0;
  }
  if (options.screenshots == "-") return pictures.draw_all(std::cin) ? 0 : 1;
  std::ifstream lines(options.screenshots);
  if (!lines) throw UsageError("there is no file " + options.screenshots.string());
  return pictures.draw_all(lines) ? 0 : 1;
}

int run(const Options& options) {
  if (!options.screenshots.empty() || !options.screenshot.empty()) return draw(options);
  Library library;
  read_runs(options, library);
  const auto store = store_of(options);
  const Selection selection = first_selection(options, library);
  const auto repository = find_repository();
  if (!repository.empty()) offer_recorded(library, repository);
  Window window("GPU workbook", options.width, options.height, true);
  AppSettings settings;
  settings.dark = options.dark;
  settings.scale = options.scale > 0 ? options.scale : window.content_scale();
  settings.repository = repository;
  settings.ages = true;
  if (store.filename() == "runs.sqlite") settings.state = std::filesystem::absolute(store).parent_path();
  if (!store.empty() && std::filesystem::exists(store.parent_path()))
    settings.layout_file = store.parent_path() / "viewer.ini";
  settings.save_picture = [&] {
    const std::string path = free_name(std::filesystem::current_path() / "workbook-viewer.png");
    window.save_next(path);
    return "Saved " + path;
  };
  App app(library, selection, std::move(settings));
  window.loop(
      0.3, [&] { return app.poll(); },
      [&] {
        app.draw();
        return app.redraw_in();
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
