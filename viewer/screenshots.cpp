#include "screenshots.h"

#include <iostream>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "app.h"
#include "model/repository.h"
#include "session/view.h"
#include "start.h"

namespace workbook::viewer {
namespace {

// A picture that only says what is missing helps nobody who asked for a picture.
void demand_content(const Options& options, Library& library, const Selection& selection) {
  if (options.panel == "fusion" || options.panel == "puzzles") return;  // these show no runs
  if (options.panel == "app" && library.headers().empty()) return;      // what there is then is the list
  if (selection.run_a == 0)
    throw UsageError("there is no run to draw; `" + first_command(options.puzzle) + "` makes one");
  for (const std::int64_t id : {selection.run_a, selection.run_b})
    if (id != 0 && !library.run(id)) throw std::runtime_error(library.problem());
}

AppSettings settings_of(const Options& options) {
  AppSettings settings;
  settings.dark = options.dark;
  settings.scale = options.scale > 0 ? options.scale : 1.0f;
  if (options.panel != "app") settings.solo = options.panel;
  if (options.panel == "puzzles" || options.panel == "app") settings.repository = find_repository();
  const auto store = store_of(options);
  if (store.filename() == "runs.sqlite") settings.state = std::filesystem::absolute(store).parent_path();
  return settings;
}

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream rest(line);
  for (std::string word; std::getline(rest, word, '\t');) words.push_back(word);
  return words;
}

}  // namespace

std::filesystem::path store_of(const Options& options) {
  return options.db.empty() && options.imports.empty() ? default_store(".") : options.db;
}

void read_runs(const Options& options, Library& library) {
  for (const auto& file : options.imports) library.import(file);
  if (!options.db.empty() && !workbook::runs::Store::exists(options.db))
    throw UsageError("there is no file " + options.db.string());
  if (!options.origin.empty()) library.show_only(options.origin);
  if (const auto store = store_of(options); !store.empty()) library.open_store(store);
}

Library& Screenshots::library(const Options& options) {
  std::string of = options.origin + '\n' + store_of(options).string();
  for (const auto& file : options.imports) of += '\n' + file.string();
  if (!library_ || of != library_of_) {
    library_of_.clear();
    library_ = std::make_unique<Library>();
    read_runs(options, *library_);
    library_of_ = of;
  }
  return *library_;
}

void Screenshots::draw(const Options& options) {
  Library& runs = library(options);
  const Selection selection = first_selection(options, runs);
  demand_content(options, runs, selection);
  if (!window_) window_ = std::make_unique<Window>("workbook", 64, 64, false);
  AppSettings settings = settings_of(options);
  const int width = static_cast<int>(static_cast<float>(options.width) * settings.scale),
            height = static_cast<int>(static_cast<float>(options.height) * settings.scale);
  App app(runs, selection, std::move(settings));
  if (options.panel == "app") app.workbench().wait_for_list();
  if (const std::string missing = app.missing(); !missing.empty()) throw UsageError(missing);
  write_png_of_256(window_->capture(width, height, 5, [&] { app.draw(); }), options.screenshot.string());
}

bool Screenshots::draw_all(std::istream& lines) {
  bool all = true;
  for (std::string line; std::getline(lines, line);) {
    std::filesystem::path picture;
    try {
      const Options options = parse_options(words_of(line));
      picture = options.screenshot;
      if (picture.empty()) throw UsageError("a line of --screenshots needs --screenshot PANEL OUT.png");
      draw(options);
      std::cout << picture.string() << std::endl;
    } catch (const std::exception& error) {
      std::cerr << "workbook-viewer: " << (picture.empty() ? line : picture.string()) << ": " << error.what()
                << '\n';
      all = false;
    }
  }
  return all;
}

}  // namespace workbook::viewer
