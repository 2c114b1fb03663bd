// Intensity against speed under the roof of a GPU, an arrow from A to B; the crossover of a sweep.
#pragma once

#include "panels/panel.h"

namespace workbook::viewer {

class RooflinePanel : public Panel {
 public:
  const char* title() const override { return "Roofline"; }
  const char* summary() const override { return "both runs under the roof of a GPU"; }
  void draw(View& view) override;
};

}  // namespace workbook::viewer
