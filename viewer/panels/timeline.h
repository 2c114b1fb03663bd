// What a program's host did and what the device did meanwhile: NVTX's ranges over the calls over the streams,
// on one scale of time, with arrows from launches to their work.
#pragma once

#include <string>
#include <vector>

#include "panels/panel.h"
#include "runs/timeline.h"
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
  /// A row of bars: ranges of one depth, the calls of a thread, or the work of a stream.
  struct Lane {
    enum class Kind { ranges, calls, work } kind = Kind::calls;
    std::int64_t number = 0;
    int depth = 0;
    std::string label;
  };

  void refresh(View& view);
  void draw_picture(const View& view, ImVec2 size);
  std::size_t lane_of(Lane::Kind kind, std::int64_t number, int depth = 0) const;

  const runs::Benchmark* shown_ = nullptr;
  std::shared_ptr<const LoadedRun> run_;
  std::vector<runs::HostRange> ranges_;
  std::vector<Lane> lanes_;
  KernelColours colours_;
  Zoom zoom_;
  double begin_us_ = 0, end_us_ = 0;
};

}  // namespace workbook::viewer
