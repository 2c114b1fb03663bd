// The viewer as a page. viewer.html names what to show in its address, and lays the runs that came with it
// into /runs and /offered before this starts: viewer.html?puzzle=22&panel=mapping&side=B&theme=dark
#include <imgui.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "app.h"
#include "canvas.h"
#include "options.h"
#include "start.h"

namespace {

using namespace workbook::viewer;

struct Request {
  Options options;
  std::string panel;  ///< in front, by name; empty: as at the first start
  bool solo = false;  ///< that panel alone
};

// "panel=mapping", "solo=1" and, by the names of the program's options, "puzzle=22".
Request parse(const std::vector<std::string>& arguments) {
  Request request;
  std::vector<std::string> options;
  for (const std::string& argument : arguments) {
    const std::size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals),
                      value = equals == std::string::npos ? "" : argument.substr(equals + 1);
    if (name == "panel")
      request.panel = value;
    else if (name == "solo")
      request.solo = value == "1";
    else if (name == "db" || name == "import" || name == "screenshot" || name == "size")
      throw UsageError("the page has no option '" + name + "'");
    else if (name == "search")
      options.push_back("--search");
    else
      options.insert(options.end(), {"--" + name, value});
  }
  request.options = parse_options(options);
  const auto names = panel_names();
  if (!request.panel.empty() && std::find(names.begin(), names.end(), request.panel) == names.end())
    throw UsageError("there is no panel called '" + request.panel + "'");
  return request;
}

struct Page {
  Library library;
  Canvas canvas{"#canvas"};
  std::unique_ptr<App> app;
  std::string in_front;  ///< the title of the panel to bring there; empty: done
};

std::vector<std::filesystem::path> files_in(const char* folder) {
  std::vector<std::filesystem::path> files;
  if (std::filesystem::exists(folder))
    for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

void start(Page& page, const Request& request) {
  for (const auto& file : files_in("/runs")) page.library.import(file);
  for (const auto& file : files_in("/offered")) page.library.offer(workbook::runs::read_runs(file));
  if (!request.options.origin.empty()) page.library.show_only(request.options.origin);
  AppSettings settings;
  settings.dark = request.options.dark;
  if (request.options.scale > 0) settings.scale = request.options.scale;
  if (request.solo) settings.solo = request.panel;
  settings.repository = "/";  // there is none, and task_none.cpp says what that means
  settings.save_picture = [&page] {
    page.canvas.save_next("workbook-viewer.png");
    return std::string("Saved workbook-viewer.png among your downloads");
  };
  page.app = std::make_unique<App>(page.library, first_selection(request.options, page.library), settings);
  if (!request.solo)
    for (const auto& panel : make_panels())
      if (panel_name(*panel) == request.panel) page.in_front = panel->title();
  page.canvas.start([&page] {
    page.app->draw();
    // Once the panels are docked, which takes them two frames.
    if (!page.in_front.empty() && ImGui::GetFrameCount() > 2) {
      ImGui::SetWindowFocus(page.in_front.c_str());
      page.in_front.clear();
      return 0.0;
    }
    return page.in_front.empty() ? page.app->redraw_in() : 0.0;
  });
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Request request = parse({argv + 1, argv + argc});
    // Lives as long as the page: the browser calls back into it.
    static auto* page = new Page;
    start(*page, request);
    return 0;
  } catch (const std::exception& error) {
    show_problem(error.what());
    std::cerr << "viewer: " << error.what() << '\n';
    return 1;
  }
}
