// A tensor beside its reference: where it is wrong and by how much.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/error_map.h"
#include "panels/panel.h"
#include "widgets/grid_canvas.h"
#include "widgets/zoom.h"

namespace workbook::viewer {

class ErrorsPanel : public Panel {
 public:
  const char* title() const override { return "Errors"; }
  const char* summary() const override { return "output against reference"; }
  void draw(View& view) override;
  void handle_keys(View& view) override;
  std::vector<Command> commands() override;
  std::string missing(View& view) override;

 private:
  struct Choice {
    int tensor = 0;  ///< index into CaseValues::tensors
    std::int64_t wrong = 0, total = 0;
  };
  void refresh(View& view);
  void follow_selection(const Selection& selection);
  void choose_case(int number);
  void choose_tensor(int number);
  void choose_wrong(View& view, int by);
  const runs::CaseValues& on_case() const { return run_->trace->values[static_cast<std::size_t>(case_)]; }
  const runs::TensorValues& values() const { return on_case().tensors[static_cast<std::size_t>(tensor_)]; }
  int traced_id(const runs::TensorValues& values) const;
  std::vector<bool> writers_of(const runs::TensorValues& values) const;
  void select(View& view, std::int64_t element, bool go);

  void draw_choices(View& view);
  void draw_map(View& view);
  void draw_cells(View& view, const Rect& area);
  void draw_element(View& view);

  std::shared_ptr<const LoadedRun> run_;
  std::int64_t seen_ = 0;
  int case_ = 0, tensor_ = -1;
  std::vector<std::vector<Choice>> choices_;  ///< by case
  std::vector<bool> written_;                 ///< by the traced threads; of `map_`
  ErrorMap map_;
  Zoom zoom_;
  std::int64_t element_ = -1;  ///< chosen
  std::int64_t hovered_ = -1;
  int seen_tensor_ = -1;  ///< of the selection, in the last frame
  std::int64_t seen_element_ = -1;
  std::int64_t writer_of_ = -1;  ///< the element whose writer is kept
  std::optional<Touch> writer_;
};

}  // namespace workbook::viewer
