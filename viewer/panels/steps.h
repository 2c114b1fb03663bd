// One block between its barriers, as an animation: which thread touches what, step by step.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/step_cells.h"
#include "panels/panel.h"
#include "widgets/step_timeline.h"
#include "widgets/tensor_grid.h"
#include "widgets/zoom.h"

namespace workbook::viewer {

class StepsPanel : public Panel {
 public:
  const char* title() const override { return "Steps"; }
  const char* summary() const override { return "accesses between barriers, played"; }
  void draw(View& view) override;
  void handle_keys(View& view) override;
  std::vector<Command> commands() override;
  std::string missing(View& view) override { return missing_trace(view); }

 private:
  struct Key {
    std::int64_t run = 0;
    int launch = -1, block = -1;
    bool operator==(const Key&) const = default;
  };
  struct Shown {
    StepCursor at{-1, -1};
    int thread = -1, threads = 0;
    bool operator==(const Shown&) const = default;
  };
  /// A line of the program in words: some moments of one line, or a barrier.
  struct Entry {
    int step = 0, moment = -1, count = 0;  ///< moment -1: the barrier after the step
    std::string where, what;
  };

  void refresh(View& view);
  void prepare(const Key& key);
  void list_entries();
  void move_to(View& view, const StepCursor& at);
  void play(View& view);
  void draw_controls(View& view);
  void draw_words(View& view, float height);
  void draw_pictures(View& view);
  void draw_line(View& view);
  void draw_program(View& view);
  std::string note_of(const StepPicture& picture) const;
  std::vector<PictureOutline> outlines_of(const std::vector<const StepPicture*>& pictures) const;

  std::shared_ptr<const LoadedRun> run_;
  Key key_;
  Shown shown_;
  StepCursor at_;
  StepCursor listed_{-1, -1};        // where the list was scrolled to
  std::vector<SourceText> sources_;  // by file of the trace
  BlockSteps steps_;
  StepCells cells_;
  TimelineModel timeline_;
  std::vector<Entry> entries_;
  std::vector<std::uint8_t> thread_marks_;  // 1: takes part now
  std::string sentence_, lines_;
  Playback playback_;
  Zoom zoom_;
  int hovered_thread_ = -1;
};

}  // namespace workbook::viewer
