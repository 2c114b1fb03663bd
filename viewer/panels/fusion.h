// What `workbook optimize` made of a small tensor program: the program and a plan side by side, all plans
// with their times, and how the search for equal graphs went.
#pragma once

#include <memory>
#include <string>

#include "model/fusion.h"
#include "panels/panel.h"
#include "widgets/zoom.h"

namespace workbook::viewer {

struct FusionHit;

class FusionPanel : public Panel {
 public:
  const char* title() const override { return "Fusion"; }
  const char* summary() const override { return "a tensor program and its plans"; }
  void draw(View& view) override;
  void handle_keys(View& view) override;
  bool takes_arrows() const override { return true; }
  std::vector<Command> commands() override;
  std::string missing(View& view) override;

 private:
  void refresh(View& view);
  int row(const View& view) const;
  void draw_head(View& view);
  void draw_controls(View& view, float width);
  void draw_pictures(const View& view, float height);
  void draw_picture(const View& view, bool plan, ImVec2 size);
  void draw_note(const View& view, const FusionHit& hit, bool plan) const;
  void draw_table(View& view, float height);
  void draw_search(const View& view);

  std::string program_;  ///< that is shown, or that has nothing to show
  std::string problem_;  ///< why its record cannot be read; empty: it can, or there is none
  std::shared_ptr<const runs::FusionRecord> record_;
  FusionTable table_;
  int laid_out_ = -1;  ///< the row for which the pictures were made
  FusionPicture as_written_, planned_;
  Zoom zoom_written_, zoom_planned_;
  int scroll_to_ = -1;  ///< a row that a key has chosen
};

}  // namespace workbook::viewer
