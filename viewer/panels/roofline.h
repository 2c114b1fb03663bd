// Intensity against speed under the roof of a GPU, an arrow from A to B; the crossover of a sweep.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/roofline.h"
#include "panels/panel.h"

namespace workbook::viewer {

class RooflinePanel : public Panel {
 public:
  const char* title() const override { return "Roofline"; }
  const char* summary() const override { return "both runs under the roof of a GPU"; }
  void draw(View& view) override;
  std::vector<Command> commands() override;
  std::string missing(View& view) override;

 private:
  void refresh(View& view);
  void draw_headline(const View& view);
  void draw_picker(const View& view, float width);
  void draw_roof_card(const View& view, ImVec2 size);
  void draw_sweep_card(View& view, ImVec2 size);
  void draw_table(const View& view);

  std::vector<Roof> roofs_ = known_roofs();
  std::string wanted_;  ///< the roof that was picked; empty: that of the run
  const Roof* roof_ = nullptr;
  RoofSide a_, b_;
  std::string name_a_, name_b_;
  RoofWords words_;
  std::string seen_;  ///< what the above was made of
};

}  // namespace workbook::viewer
