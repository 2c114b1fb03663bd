// One multiprocessor: its places for warps, the blocks that are resident, what each takes and the next one
// lacks.
#pragma once

#include <string>

#include "model/occupancy.h"
#include "panels/panel.h"

namespace workbook::viewer {

class OccupancyPanel : public Panel {
 public:
  const char* title() const override { return "Occupancy"; }
  const char* summary() const override { return "the blocks that a multiprocessor holds"; }
  void draw(View& view) override;
  std::string missing(View& view) override;

 private:
  void refresh(View& view);

  Held a_, b_;
  std::string name_a_, name_b_;
  std::string seen_;  ///< what the above was made of
};

}  // namespace workbook::viewer
