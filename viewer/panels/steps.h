// One block between its barriers, as an animation: which thread touches what, step by step.
#pragma once

#include "panels/panel.h"

namespace workbook::viewer {

class StepsPanel : public Panel {
 public:
  const char* title() const override { return "Steps"; }
  const char* summary() const override { return "accesses between barriers, played"; }
  void draw(View& view) override;
};

}  // namespace workbook::viewer
