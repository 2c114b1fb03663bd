// A block's way as a line of moments: steps as bands, barriers as posts between them, and the buttons that
// play it.
#pragma once

#include <string>
#include <vector>

#include "model/step_cells.h"
#include "widgets/draw.h"

namespace workbook::viewer {

struct Playback {
  bool playing = false;
  int speed = 1;          ///< index into the choices of moments a second
  double moved_at = 0.0;  ///< ImGui::GetTime() of the last move
};

/// Moments that go by in a second.
double moments_per_second(const Playback& playback);

/// What the timeline needs of a block, found once.
struct TimelineModel {
  std::vector<std::string> barriers;       ///< after each step but the last
  std::vector<std::int64_t> unit_of_step;  ///< where each step begins, in moments and barriers before it
  std::int64_t units = 0;
};
TimelineModel make_timeline(const BlockSteps& steps, std::vector<std::string> barriers);

float timeline_height();
/// Buttons and speed, `width` wide; moves the cursor. True when it moved.
bool draw_playback(const Style& style, const BlockSteps& steps, Playback& playback, StepCursor& at,
                   float width);
/// The line itself; a click or drag moves the cursor. True when it moved.
bool draw_timeline(const Style& style, const BlockSteps& steps, const TimelineModel& model, StepCursor& at,
                   float width);

}  // namespace workbook::viewer
