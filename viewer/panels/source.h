// The kernel's source with counters and findings a line; the regions to fill are marked.
#pragma once

#include "panels/panel.h"

namespace workbook::viewer {

class SourcePanel : public Panel {
 public:
  const char* title() const override { return "Source"; }
  const char* summary() const override { return "the kernel, with counters a line"; }
  bool stands_beside() const override { return true; }
  void draw(View& view) override;
};

}  // namespace workbook::viewer
