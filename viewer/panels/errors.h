// A tensor beside its reference: where it is wrong and by how much.
#pragma once

#include "panels/panel.h"

namespace workbook::viewer {

class ErrorsPanel : public Panel {
 public:
  const char* title() const override { return "Errors"; }
  const char* summary() const override { return "output against reference"; }
  void draw(View& view) override;
};

}  // namespace workbook::viewer
