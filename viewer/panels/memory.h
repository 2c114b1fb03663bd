// One warp's request: its lanes, and the sectors or banks they meet; the traffic from DRAM to registers.
#pragma once

#include "panels/panel.h"

namespace workbook::viewer {

class MemoryPanel : public Panel {
 public:
  const char* title() const override { return "Memory"; }
  const char* summary() const override { return "lanes to sectors and banks; traffic"; }
  void draw(View& view) override;
};

}  // namespace workbook::viewer
