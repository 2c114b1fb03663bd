#include "widgets/step_timeline.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/format.h"

namespace workbook::viewer {
namespace {

constexpr std::array<double, 4> kSpeeds = {1.0, 2.0, 5.0, 20.0};  // moments a second
constexpr float kBand = 30, kLabel = 20, kWidest = 46;            // units

enum class Sign { to_start, back, play, pause, on, to_end };

void draw_sign(ImDrawList* draw, const Rect& box, Sign sign, ImU32 colour) {
  const ImVec2 c = box.centre();
  const float s = px(6);
  const auto triangle = [&](float x, float way) {
    draw->AddTriangleFilled({x + way * s, c.y}, {x - way * s * 0.7f, c.y - s}, {x - way * s * 0.7f, c.y + s},
                            colour);
  };
  const auto bar = [&](float x) {
    draw->AddRectFilled({x - px(1.5f), c.y - s}, {x + px(1.5f), c.y + s}, colour);
  };
  if (sign == Sign::to_start || sign == Sign::to_end) bar(c.x + (sign == Sign::to_end ? s : -s));
  if (sign == Sign::to_start || sign == Sign::back) triangle(c.x + px(1), -1);
  if (sign == Sign::on || sign == Sign::play || sign == Sign::to_end) triangle(c.x - px(1), 1);
  if (sign == Sign::pause) {
    bar(c.x - px(4));
    bar(c.x + px(4));
  }
}

bool sign_button(const Style& style, const char* id, Sign sign, const char* hint, bool strong) {
  const ImVec2 at = ImGui::GetCursorScreenPos(), size{px(36), ImGui::GetFrameHeight()};
  const bool pressed = ImGui::InvisibleButton(id, size);
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const Rect box{at, at + size};
  if (strong) {
    draw->AddRectFilled(box.min, box.max, style.theme.accent, px(6));
  } else {
    draw->AddRectFilled(box.min, box.max, hovered ? style.theme.raised : style.theme.card, px(6));
    draw->AddRect(box.min, box.max, style.theme.border, px(6));
  }
  draw_sign(draw, box, sign, strong ? ink_on(style.theme.accent) : style.theme.text);
  if (hovered) ImGui::SetTooltip("%s", hint);
  ImGui::SameLine(0, px(4));
  return pressed;
}

// The place of the cursor in units, and the other way round.
std::int64_t unit_of(const BlockSteps& steps, const TimelineModel& model, const StepCursor& at) {
  const std::int64_t first = model.unit_of_step[static_cast<std::size_t>(at.step)];
  return at.moment < 0 ? first : first + at.moment - steps.first(at.step);
}

StepCursor cursor_at(const BlockSteps& steps, const TimelineModel& model, std::int64_t unit) {
  const auto after = std::upper_bound(model.unit_of_step.begin(), model.unit_of_step.end(), unit);
  const int step = std::max(0, static_cast<int>(after - model.unit_of_step.begin()) - 1);
  const int count = steps.last(step) - steps.first(step);
  if (count == 0) return {step, -1};
  const auto inside = static_cast<int>(unit - model.unit_of_step[static_cast<std::size_t>(step)]);
  return {step, steps.first(step) + std::clamp(inside, 0, count - 1)};
}

}  // namespace

double moments_per_second(const Playback& playback) {
  return kSpeeds[static_cast<std::size_t>(std::clamp(playback.speed, 0, 3))];
}

TimelineModel make_timeline(const BlockSteps& steps, std::vector<std::string> barriers) {
  TimelineModel model;
  model.barriers = std::move(barriers);
  for (int step = 0; step < steps.steps(); ++step) {
    model.unit_of_step.push_back(model.units);
    model.units += std::max(1, steps.last(step) - steps.first(step)) + (step + 1 < steps.steps() ? 1 : 0);
  }
  return model;
}

float timeline_height() { return px(2 * kLabel + kBand + 8); }

bool draw_playback(const Style& style, const BlockSteps& steps, Playback& playback, StepCursor& at,
                   float width) {
  const StepCursor before = at;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  if (sign_button(style, "start", Sign::to_start, "the step before  (Shift + comma)", false))
    at = move_cursor(steps, at, -1, true);
  if (sign_button(style, "back", Sign::back, "back  (comma)", false)) at = move_cursor(steps, at, -1, false);
  if (sign_button(style, "play", playback.playing ? Sign::pause : Sign::play, "play or pause  (Space)", true))
    playback.playing = !playback.playing;
  if (sign_button(style, "on", Sign::on, "on  (full stop)", false)) at = move_cursor(steps, at, 1, false);
  if (sign_button(style, "end", Sign::to_end, "the next step  (Shift + full stop)", false))
    at = move_cursor(steps, at, 1, true);
  const float used = px(5 * 40 + 8), room = width - used;
  if (room >= px(150)) {
    ImGui::SetCursorScreenPos({origin.x + used, origin.y});
    segmented(style, "speed", {"1/s", "2/s", "5/s", "20/s"}, &playback.speed, std::min(px(210), room));
    const Ink quiet{style.fonts.regular, kSmallSize, style.theme.muted};
    const float x = origin.x + used + px(222), left = origin.x + width - x;
    if (left > px(80))
      put_middle(ImGui::GetWindowDrawList(), quiet, {x, origin.y + ImGui::GetFrameHeight() / 2},
                 elide(quiet, "Space plays, comma and full stop step, with Shift to the next barrier", left));
  }
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy({width, ImGui::GetFrameHeight()});
  return !(at == before);
}

bool draw_timeline(const Style& style, const BlockSteps& steps, const TimelineModel& model, StepCursor& at,
                   float width) {
  if (model.units == 0) return false;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float unit = std::min(width / static_cast<float>(model.units), px(kWidest));
  const float top = origin.y + px(kLabel), bottom = top + px(kBand);
  const auto x_of = [&](std::int64_t units) { return origin.x + static_cast<float>(units) * unit; };
  const Ink label{style.fonts.strong, 13.5f, style.theme.muted},
      small{style.fonts.regular, 12.5f, style.theme.text};
  float labels_end = origin.x, posts_end = origin.x;
  float drawn_to = origin.x - 1;
  for (int step = 0; step < steps.steps(); ++step) {
    const std::int64_t first = model.unit_of_step[static_cast<std::size_t>(step)];
    const int count = std::max(1, steps.last(step) - steps.first(step));
    const float left = x_of(first), right = x_of(first + count);
    if (right <= drawn_to) continue;  // thousands of steps: a pixel stands for several
    drawn_to = std::max(right, left + 1);
    const bool here = step == at.step;
    draw->AddRectFilled({left, top}, {std::max(right, left + 1), bottom},
                        here ? mix(style.theme.card, style.theme.accent, 0.2f) : style.theme.raised, px(4));
    const std::string name = "Step " + std::to_string(step + 1);
    const Ink ink{label.font, label.size, here ? style.theme.text : style.theme.muted};
    if (left >= labels_end && left + measure(ink, name).x <= origin.x + width) {
      put(draw, ink, {left + px(2), origin.y}, name);
      labels_end = left + measure(ink, name).x + px(10);
    }
    if (unit >= px(4))
      for (int i = 0; i < steps.last(step) - steps.first(step); ++i) {
        const Moment& moment = steps.moments()[static_cast<std::size_t>(steps.first(step) + i)];
        const Rect box{{x_of(first + i) + 1, top + 2}, {x_of(first + i + 1) - 1, bottom - 2}};
        const bool current = at.moment == steps.first(step) + i;
        const ImU32 fill =
            current ? style.theme.accent
                    : mix(style.theme.raised, style.theme.side_a, moment.line % 2 == 0 ? 0.25f : 0.4f);
        draw->AddRectFilled(box.min, box.max, fill, px(3));
        const std::string line = std::to_string(moment.line);
        if (measure(small, line).x <= box.width() - 2)
          put_centred(draw, {small.font, small.size, ink_on(fill)}, box, line);
      }
    if (step + 1 >= steps.steps()) continue;
    const float post = x_of(first + count) + unit / 2;
    draw->AddLine({post, top - px(4)}, {post, bottom + px(6)}, style.theme.bad, std::min(px(4), unit));
    const Ink quiet{style.fonts.regular, 13.5f, style.theme.bad};
    const std::string& barrier = model.barriers[static_cast<std::size_t>(step)];
    const float room = origin.x + width - post;
    const float wide = measure(quiet, barrier).x;
    const float from = room >= wide ? post : std::max(origin.x, origin.x + width - wide);
    if (from >= posts_end) {
      put(draw, quiet, {from, bottom + px(6)}, wide <= width ? barrier : elide(quiet, barrier, width));
      posts_end = from + wide + px(14);
    }
  }
  // The head: a whole step or one moment.
  const float head = x_of(unit_of(steps, model, at));
  if (at.moment < 0) {
    const int count = std::max(1, steps.last(at.step) - steps.first(at.step));
    draw->AddRect({head, top}, {head + unit * static_cast<float>(count), bottom}, style.theme.accent, px(4),
                  0, px(2));
  } else if (unit < px(4)) {
    draw->AddLine({head, top - px(3)}, {head, bottom + px(3)}, style.theme.accent, px(2));
  }
  ImGui::SetCursorScreenPos({origin.x, top});
  ImGui::InvisibleButton("timeline", {std::max(1.0f, unit * static_cast<float>(model.units)), px(kBand)});
  bool moved = false;
  if (ImGui::IsItemActive()) {
    const auto unit_there = static_cast<std::int64_t>((ImGui::GetMousePos().x - origin.x) / unit);
    const StepCursor there =
        cursor_at(steps, model, std::clamp<std::int64_t>(unit_there, 0, model.units - 1));
    moved = !(there == at);
    at = there;
  }
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy({width, timeline_height()});
  return moved;
}

}  // namespace workbook::viewer
