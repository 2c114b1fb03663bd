// The puzzles with their progress; builds and runs them and shows the output as it goes.
#pragma once

#include "panels/panel.h"
#include "session/workbench.h"

namespace workbook::viewer {

class PuzzlesPanel : public Panel {
 public:
  const char* title() const override { return "Puzzles"; }
  const char* summary() const override { return "the list with progress; build and run"; }
  bool stands_beside() const override { return true; }
  bool takes_arrows() const override { return true; }
  bool takes_digits() const override { return true; }
  void draw(View& view) override;
  void handle_keys(View& view) override;
  std::vector<Command> commands() override;
  std::string missing(View& view) override;

 private:
  void draw_list(View& view, const Workbench& bench, ImVec2 size);
  void draw_entry(View& view, const PuzzleEntry& entry, bool chosen);
  void draw_chosen(View& view, Workbench& bench, const PuzzleEntry& entry);
  void draw_buttons(View& view, Workbench& bench, int puzzle);
  void draw_output(const View& view, Workbench& bench, int puzzle);
  void draw_progress(const View& view, const Workbench& bench, int puzzle);

  void read_digits(View& view);
  void step(View& view, int by);

  int typed_ = 0;           ///< the number that digits make
  double typed_at_ = -1.0;  ///< when the last of them came
  bool scroll_to_chosen_ = false;
  std::size_t shown_ = 0;  ///< bytes of output in the last frame: new ones are scrolled to
};

}  // namespace workbook::viewer
