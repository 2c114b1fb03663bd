// What a program's host did and what the device did meanwhile: NVTX's ranges over the calls over the streams,
// on one scale of time, with lines from calls to their work; below, what `workbook profile` says. Of a puzzle
// that is no program, its launches one after another.
#pragma once

#include <string>
#include <vector>

#include "model/timeline.h"
#include "panels/panel.h"
#include "widgets/kernel_colours.h"
#include "widgets/zoom.h"

namespace workbook::viewer {

class TimelinePanel : public Panel {
 public:
  const char* title() const override { return "Timeline"; }
  const char* summary() const override { return "what the host called, what the device did"; }
  void draw(View& view) override;
  std::string missing(View& view) override;

 private:
  struct Scale;  // of time, for one frame

  void refresh(View& view);
  void draw_head(View& view);
  void draw_picture(const View& view, ImVec2 size);
  void draw_axis(const View& view, const Scale& scale) const;
  const TimelineBar* draw_lane(const View& view, const Scale& scale, std::size_t lane) const;
  void draw_arrows(const View& view, const Scale& scale) const;
  ImU32 fill_of(const Theme& theme, const TimelineBar& bar, std::size_t lane) const;
  void draw_kernels(const View& view, ImVec2 size);
  void draw_ranges(const View& view, ImVec2 size) const;

  std::shared_ptr<const LoadedRun> run_;
  std::string benchmark_;  // for which the rest was made
  const runs::Benchmark* shown_ = nullptr;
  Timeline timeline_;
  std::vector<runs::ProfileRow> kernels_, ranges_;
  KernelColours colours_;
  std::string pointed_;  // the kernel under the mouse in the table: its bars stand out
  Zoom zoom_;
};

}  // namespace workbook::viewer
