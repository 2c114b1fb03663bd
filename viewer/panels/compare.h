// Two runs side by side: the verdict, ribbons of launches with the tensors between them, bars, differences.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/compare.h"
#include "model/samples.h"
#include "panels/panel.h"
#include "widgets/ribbons.h"

namespace workbook::viewer {

class ComparePanel : public Panel {
 public:
  const char* title() const override { return "Compare"; }
  const char* summary() const override { return "two runs: time, launches, traffic"; }
  void draw(View& view) override;

 private:
  void refresh(View& view);
  void draw_headline(const View& view);
  void draw_figures(const View& view);
  void draw_charts(const View& view, float height);
  float sample_card_height() const;
  void draw_sample_card(const View& view);
  void draw_table(const View& view, ImVec2 size);

  std::int64_t seen_a_ = 0, seen_b_ = 0;
  std::string seen_benchmark_;
  runs::Verdict verdict_a_ = runs::Verdict::none, verdict_b_ = runs::Verdict::none;
  Side a_, b_;
  std::vector<Row> rows_;  ///< where both are present
  std::pair<std::string, std::string> names_;
  Verdict verdict_;
  SampleSet samples_;
  KernelColours colours_;
};

}  // namespace workbook::viewer
