// The viewer as a whole: top bar, docked panels, keys, palette, help. Knows no window system (backend.h
// does).
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/run_names.h"
#include "panels/panel.h"
#include "session/library.h"
#include "session/selection.h"
#include "session/workbench.h"
#include "widgets/theme.h"

namespace workbook::viewer {

struct AppSettings {
  std::optional<bool> dark;  ///< nothing: as it was left, light at first
  float scale = 1.0f;        ///< pixels a unit
  std::string solo;          ///< the one panel to draw without bar and tabs, by name; empty: everything
  std::string layout_file;   ///< where the arrangement is kept between starts; empty: nowhere
  /// Ctrl+S: saves a picture of the whole window and returns what to say about it.
  std::function<std::string()> save_picture;
  std::filesystem::path repository{};  ///< whose puzzles are listed and run; empty: there is none
  std::filesystem::path state{};       ///< where their runs are recorded; empty: where `workbook` puts them
  bool ages = false;                   ///< runs are named with their age, which pictures to keep are not
};

class App {
 public:
  /// Needs a Dear ImGui context. Throws std::invalid_argument when `solo` is no panel.
  App(Library& library, Selection selection, AppSettings settings);
  ~App();

  /// One frame, between ImGui::NewFrame and ImGui::Render.
  void draw();
  /// Seconds from the last frame to the next that is needed although nothing happens; infinite: none is.
  double redraw_in() const { return redraw_in_; }
  /// Between frames: whether a run came in, a program printed something, or else something is to be drawn.
  bool poll();
  Selection& selection() { return selection_; }
  Workbench& workbench() { return workbench_; }
  /// Why a picture of the panel `solo` would be empty; empty: it would not.
  std::string missing();

 private:
  View view();
  void settle_shapes();
  void choose_default_runs();
  void take_new_runs();
  bool poll_workbench();
  bool poll_library();
  void bring_to_front(const std::string& before);
  std::optional<WallTime> now() const;
  void keep_settings();
  void arrange();
  void draw_panel(View& view, Panel& panel);
  void handle_keys(View& view);
  void switch_theme();
  void say(const std::string& what);
  void take_wishes(const View& view);
  std::vector<Command> own_commands();
  std::vector<Command> puzzle_commands();

  void draw_bar(View& view);
  void draw_run_picker(View& view, const char* letter, bool is_b, float width);
  void draw_puzzle_picker(View& view, float width);
  void draw_problem(const View& view);
  void draw_recorded(const View& view);

  void draw_help(View& view);
  void draw_palette(View& view);
  void draw_message(const View& view);

  Library& library_;
  Selection selection_;
  AppSettings settings_;
  Workbench workbench_;
  Theme theme_;
  Fonts fonts_;
  std::vector<std::unique_ptr<Panel>> panels_;
  std::vector<std::string> shapes_;           ///< of the chosen runs
  std::int64_t shapes_a_ = 0, shapes_b_ = 0;  ///< the runs that they are of
  Panel* solo_ = nullptr;                     ///< the one panel that is drawn; null: everything
  const std::vector<Command> own_;            ///< what the app itself can do
  std::string wanted_;                        ///< the panel to bring to the front
  std::string then_wanted_;                   ///< and the one in the frame after
  Panel* in_front_ = nullptr;                 ///< the focused one, in the last frame
  double redraw_in_ = 0.0;
  std::int64_t newest_seen_ = 0;  ///< runs of the store beyond it have come in since
  bool help_ = false, palette_ = false, arranged_ = false;
  std::vector<Command> commands_;  ///< of the open palette
  std::string search_;             ///< typed into it
  std::string run_filter_;         ///< typed into the list of runs
  int chosen_ = 0;                 ///< line of it
  std::string message_;
  double message_until_ = 0.0, polled_at_ = 0.0;
};

}  // namespace workbook::viewer
