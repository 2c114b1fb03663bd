// The puzzles with their progress; builds and runs them and shows the output as it goes.
#pragma once

#include "panels/panel.h"

namespace workbook::viewer {

class PuzzlesPanel : public Panel {
 public:
  const char* title() const override { return "Puzzles"; }
  const char* summary() const override { return "the list with progress; build and run"; }
  bool stands_beside() const override { return true; }
  void draw(View& view) override;
};

}  // namespace workbook::viewer
