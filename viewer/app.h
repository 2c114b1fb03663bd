// The viewer as a whole: top bar, docked panels, keys, help. Knows no window system (backend.h does).
#pragma once

#include <string>

#include "library.h"
#include "panels/compare.h"
#include "panels/mapping.h"
#include "selection.h"
#include "theme.h"

namespace workbook::viewer {

class App {
 public:
  /// `solo` names the one panel to draw without bar and tabs; empty: everything. Needs a Dear ImGui context.
  App(Library& library, Selection selection, bool dark, float scale, std::string solo);

  /// One frame, between ImGui::NewFrame and ImGui::Render.
  void draw();
  Selection& selection() { return selection_; }

 private:
  void draw_bar(View& view);
  void draw_run_picker(View& view, const char* letter, bool is_b, float width);
  void draw_help(View& view);
  void handle_keys(View& view);

  Library& library_;
  Selection selection_;
  Theme theme_;
  Fonts fonts_;
  float scale_ = 1.0f;
  std::string solo_;
  std::string wanted_;  // the panel to bring to the front
  bool help_ = false;
  bool laid_out_ = false;
  double polled_at_ = 0.0;
  ComparePanel compare_;
  MappingPanel mapping_;
};

}  // namespace workbook::viewer
