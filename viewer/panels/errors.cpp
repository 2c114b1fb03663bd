#include "panels/errors.h"

#include <algorithm>
#include <cmath>

#include "model/format.h"
#include "panels/launch_controls.h"
#include "runs/number_text.h"
#include "widgets/error_cells.h"

namespace workbook::viewer {
namespace {

constexpr float kLargestErrorCell = 44, kClosestErrorCell = 72;  // units: fitted, and zoomed in

std::string number_text(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.7g", value);
  return std::isnan(value) ? "NaN" : text;
}

}  // namespace

void ErrorsPanel::refresh(View& view) {
  const std::int64_t id = view.selection.mapped_run();
  if (id == seen_ && run_ != nullptr) return;
  seen_ = id;
  run_ = view.library.run(id);
  choices_.clear();
  map_ = {};
  case_ = 0;
  tensor_ = -1;
  if (!run_ || !run_->trace) return;
  int wrong_case = 0;
  for (const runs::CaseValues& each : run_->trace->values) {
    std::vector<Choice> list;
    std::int64_t wrong = 0;
    for (std::size_t i = 0; i < each.tensors.size(); ++i) {
      if (each.tensors[i].expected.empty()) continue;
      const ErrorMap map = make_error_map(each.tensors[i], writers_of(each.tensors[i]));
      list.push_back({static_cast<int>(i), map.wrong, map.total});
      wrong += map.wrong;
    }
    choices_.push_back(std::move(list));
    if (wrong > 0 && wrong_case == 0) wrong_case = static_cast<int>(choices_.size());
  }
  if (!choices_.empty()) choose_case(std::max(0, wrong_case - 1));
}

// A cell that was chosen in another panel is chosen here, where its tensor has a reference.
void ErrorsPanel::follow_selection(const Selection& selection) {
  if (selection.tensor == seen_tensor_ && selection.element == seen_element_) return;
  seen_tensor_ = selection.tensor;
  seen_element_ = selection.element;
  if (selection.element < 0 || selection.tensor_block >= 0) return;
  for (const Choice& choice : choices_[static_cast<std::size_t>(case_)]) {
    const runs::TensorValues& each = on_case().tensors[static_cast<std::size_t>(choice.tensor)];
    if (traced_id(each) != selection.tensor || selection.element >= choice.total) continue;
    if (tensor_ != choice.tensor) choose_tensor(choice.tensor);
    element_ = selection.element;
  }
}

void ErrorsPanel::choose_case(int number) {
  case_ = number;
  choose_tensor(first_to_see(on_case()));
}

void ErrorsPanel::choose_tensor(int number) {
  tensor_ = number;
  written_ = number >= 0 ? writers_of(values()) : std::vector<bool>{};
  map_ = number >= 0 ? make_error_map(values(), written_) : ErrorMap{};
  zoom_.fit();
  element_ = hovered_ = writer_of_ = -1;
  writer_.reset();
}

// The tensor's number in the trace, when the trace is of this case: only then are its threads known.
int ErrorsPanel::traced_id(const runs::TensorValues& values) const {
  const runs::TensorInfo* info = run_->accesses.tensor(values.tensor.id);
  const bool same = info != nullptr && info->name == values.tensor.name && info->shape == values.tensor.shape;
  return same ? info->id : -1;
}

// The elements that traced threads wrote: one that reads as never written may have been given such a NaN.
std::vector<bool> ErrorsPanel::writers_of(const runs::TensorValues& values) const {
  const int id = traced_id(values);
  std::vector<bool> written;
  if (id < 0) return written;
  written.resize(values.got.size());
  for (int launch = 0; launch < run_->accesses.launches(); ++launch)
    for (const std::uint32_t number : run_->accesses.events_at({launch, id, -1})) {
      const runs::TraceEvent& event = run_->accesses.event(number);
      for (std::size_t i = 0; event.access != runs::Access::read && i < event.count; ++i)
        if (event.element + i < written.size()) written[event.element + i] = true;
    }
  return written;
}

void ErrorsPanel::select(View& view, std::int64_t element, bool go) {
  element_ = element;
  const int id = traced_id(values());
  if (id < 0 || element < 0) return;
  Selection& selection = view.selection;
  selection.tensor = id;
  selection.tensor_block = -1;
  selection.element = element;
  if (!writer_ || writer_of_ != element) {
    writer_of_ = element;
    writer_.reset();
    for (const Touch& touch : run_->accesses.history({0, id, -1}, element))
      if (touch.access != runs::Access::read) writer_ = touch;
  }
  if (writer_ && go) {
    selection.launch = writer_->launch;
    selection.block = writer_->block;
    selection.thread = writer_->thread;
    selection.warp = writer_->thread / kWarp;
  } else if (go) {
    selection.block = selection.warp = selection.thread = -1;
  }
  if (go) view.go_to = "Mapping";
}

// The next element that is wrong, round and round.
void ErrorsPanel::choose_wrong(View& view, int by) {
  if (!run_ || map_.wrong == 0) return;
  const std::int64_t all = map_.total;
  std::int64_t at = element_ < 0 && by < 0 ? 0 : element_;
  for (std::int64_t tried = 0; tried < all; ++tried) {
    at = (at + by + all) % all;
    if (facts_of(values(), at, written_).state != ElementState::right) {
      select(view, at, false);
      return;
    }
  }
}

void ErrorsPanel::handle_keys(View& view) {
  if (ImGui::IsKeyPressed(ImGuiKey_Period)) choose_wrong(view, 1);
  if (ImGui::IsKeyPressed(ImGuiKey_Comma)) choose_wrong(view, -1);
  if (ImGui::IsKeyPressed(ImGuiKey_Enter, false) && element_ >= 0) select(view, element_, true);
}

std::vector<Command> ErrorsPanel::commands() {
  return {{"Errors: next wrong element", ".", [this](View& view) { choose_wrong(view, 1); }},
          {"Errors: wrong element before", ",", [this](View& view) { choose_wrong(view, -1); }},
          {"Errors: show the chosen element's thread in Mapping", "Enter", [this](View& view) {
             if (run_ && element_ >= 0) select(view, element_, true);
           }}};
}

std::string ErrorsPanel::missing(View& view) {
  const std::int64_t id = view.selection.mapped_run();
  const auto run = view.library.run(id);
  if (run && run->trace && !run->trace->values.empty()) return "";
  return "run " + run_tag(id) + " kept no values to compare; new runs on the simulator do";
}

void ErrorsPanel::draw(View& view) {
  refresh(view);
  if (!run_ || !run_->trace) {
    draw_no_trace(view, run_.get());
    return;
  }
  if (choices_.empty() || tensor_ < 0) {
    draw_empty_state(view, "This run kept no values to compare",
                     "Older runs kept none, nor do cases of more than a million elements. A new run:",
                     "workbook run " + std::to_string(run_->record.puzzle) + " --" + run_->record.variant);
    return;
  }
  follow_selection(view.selection);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const ImVec2 gap = ImGui::GetStyle().ItemSpacing;
  const bool stacked = room.x < px(860) || room.y < px(480);
  const float left = stacked ? room.x : px(272), right = stacked ? room.x : room.x - left - gap.x;
  const float lower = px(stacked ? 190 : 148), upper = stacked ? px(360) : room.y - lower - gap.y;
  const auto card = [&](const char* id, ImVec2 size, auto content) {
    if (begin_card(view, id, size)) (this->*content)(view);
    end_card();
  };
  if (!stacked) {
    card("choices", {left, room.y}, &ErrorsPanel::draw_choices);
    ImGui::SameLine();
  }
  ImGui::BeginGroup();
  card("map", {right, upper}, &ErrorsPanel::draw_map);
  card("element", {right, lower}, &ErrorsPanel::draw_element);
  ImGui::EndGroup();
  if (stacked) card("choices", {left, px(330)}, &ErrorsPanel::draw_choices);
}

void ErrorsPanel::draw_choices(View& view) {
  const float width = ImGui::GetContentRegionAvail().x;
  draw_side_switch(view, nullptr, width);
  const auto row = [&](const std::string& name, const std::string& note, bool wrong, bool here) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = px(44);
    const bool pressed = ImGui::InvisibleButton("row", {width, height});
    ImDrawList* draw = ImGui::GetWindowDrawList();
    if (here || ImGui::IsItemHovered())
      draw->AddRectFilled(at, at + ImVec2{width, height},
                          here ? mix(view.theme.card, view.theme.accent, 0.14f) : view.theme.raised, px(6));
    const ImU32 tone = wrong ? view.theme.bad : view.theme.good;
    put(draw, {view.fonts.strong, 15.5f, tone}, {at.x + px(8), at.y + px(4)}, wrong ? "×" : "✓");
    const Ink strong{view.fonts.strong, 15.5f, view.theme.text},
        quiet{view.fonts.regular, 13.5f, view.theme.muted};
    put(draw, strong, {at.x + px(28), at.y + px(4)}, elide(strong, name, width - px(34)));
    put(draw, quiet, {at.x + px(28), at.y + px(24)}, elide(quiet, note, width - px(34)));
    ImGui::SetCursorScreenPos({at.x, at.y + height + px(2)});
    return pressed;
  };
  draw_heading(view, "Case", "teaching, and the first wrong one");
  for (int i = 0; i < static_cast<int>(choices_.size()); ++i) {
    ImGui::PushID(i);
    const runs::CaseValues& each = run_->trace->values[static_cast<std::size_t>(i)];
    const runs::CaseResult* result = result_of(run_->record, each.on_case);
    std::int64_t wrong = 0;
    for (const Choice& choice : choices_[static_cast<std::size_t>(i)]) wrong += choice.wrong;
    if (row(each.on_case, result != nullptr ? runs::sizes_text(result->sizes) : "", wrong > 0, case_ == i) &&
        case_ != i)
      choose_case(i);
    ImGui::PopID();
  }
  ImGui::Dummy({width, 0});
  draw_heading(view, "Tensor", "in the order they are computed");
  const std::vector<Choice>& list = choices_[static_cast<std::size_t>(case_)];
  for (const Choice& choice : list) {
    ImGui::PushID(100 + choice.tensor);
    const runs::TensorInfo& info = on_case().tensors[static_cast<std::size_t>(choice.tensor)].tensor;
    const std::string note = choice.wrong > 0
                                 ? format_count(choice.wrong) + " of " + format_count(choice.total) + " wrong"
                                 : "all " + format_count(choice.total) + " right";
    if (row(info.name + " " + format_shape(info.shape), std::string(runs::word_of(info.role)) + ", " + note,
            choice.wrong > 0, tensor_ == choice.tensor) &&
        tensor_ != choice.tensor)
      choose_tensor(choice.tensor);
    ImGui::PopID();
  }
  ImGui::Dummy({width, 0});
}

void ErrorsPanel::draw_map(View& view) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const runs::TensorInfo& info = values().tensor;
  const Ink title{view.fonts.strong, kTitleSize + 2, map_.wrong > 0 ? view.theme.bad : view.theme.text};
  put(draw, title, at, elide(title, info.name + ": " + describe(map_), width));
  ImGui::Dummy({width, px(28)});
  const runs::CaseResult* result = result_of(run_->record, on_case().on_case);
  std::string diagnosis = result != nullptr ? result->diagnosis : "";
  if (!diagnosis.empty())
    diagnosis = "Diagnosis: " + diagnosis;
  else
    diagnosis = map_.wrong > 0
                    ? "No known pattern: look at where the wrong cells lie, then click one for its thread."
                    : "Case '" + on_case().on_case + "'. A cell is right when its error is at most " +
                          number_text(map_.tolerance) + ".";
  ImGui::PushStyleColor(ImGuiCol_Text, map_.wrong > 0 ? view.theme.text : view.theme.muted);
  ImGui::TextWrapped("%s", diagnosis.c_str());
  ImGui::PopStyleColor();
  ImGui::Dummy({0, px(2)});
  const float legend = px(26);
  const ImVec2 room = ImGui::GetContentRegionAvail(), from = ImGui::GetCursorScreenPos();
  const Rect area{from, from + ImVec2{room.x, std::max(px(60), room.y - legend)}};
  draw_cells(view, area);
  ImGui::SetCursorScreenPos({from.x, area.max.y + px(8)});
  const std::string hint = traced_id(values()) < 0 ? "This case was not traced: its threads are not known."
                           : map_.wrong > 0        ? "Click a wrong cell to go to its thread in Mapping."
                                                   : "";
  draw_error_legend(view, map_, hint);
}

void ErrorsPanel::draw_cells(View& view, const Rect& area) {
  if (map_.total == 0) {
    ImGui::TextDisabled("The values of this tensor do not fit its shape.");
    return;
  }
  const auto columns = static_cast<float>(map_.grid.columns), rows = static_cast<float>(map_.grid.rows);
  // Gaps between planes take a little more than the cells.
  const GridCanvas unit{&map_.grid, {0, 0}, 1.0f};
  float cell = std::min({px(kLargestErrorCell), area.width() / std::max(columns, unit.extent().x),
                         area.height() / std::max(rows, unit.extent().y)});
  zoom_.update(view, area, std::max(2.0f, px(kClosestErrorCell) / std::max(0.01f, cell)));
  const GridCanvas canvas{&map_.grid, zoom_.to_screen(area, area.min), cell * zoom_.factor()};
  ImGui::SetCursorScreenPos(area.min);
  const bool pressed = ImGui::InvisibleButton("cells", {area.width(), area.height()});
  hovered_ = ImGui::IsItemHovered() ? canvas.element_at(ImGui::GetMousePos()) : -1;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->PushClipRect(area.min - ImVec2{px(2), px(2)}, area.max + ImVec2{px(2), px(2)}, true);
  const std::vector<float>& got = values().got;
  viewer::draw_cells(
      canvas, area, map_.cells, [&](const ErrorCell& each) { return error_fill(view.theme, each); },
      [&](const ErrorCell& each, const Rect& box, std::int64_t row, std::int64_t column) {
        if (box.width() < 6) return;
        if (const auto element = map_.grid.element(row, column))
          draw_error_mark(view, each, box, got[static_cast<std::size_t>(*element)]);
      });
  const auto frame = [&](std::int64_t element, ImU32 colour) {
    if (element < 0 || element >= map_.total) return;
    const Rect box = canvas.box(map_.grid.row_of(element), map_.grid.column_of(element));
    const float grow = std::max(1.0f, (px(5) - box.width()) / 2);
    draw->AddRect(box.min - ImVec2{grow, grow}, box.max + ImVec2{grow, grow}, colour, px(2), 0, px(2));
  };
  frame(element_, view.theme.accent);
  frame(hovered_, view.theme.text);
  draw->PopClipRect();
  if (pressed && hovered_ >= 0)
    select(view, hovered_,
           facts_of(values(), hovered_, written_).state != ElementState::right && traced_id(values()) >= 0);
}

void ErrorsPanel::draw_element(View& view) {
  std::int64_t element = hovered_ >= 0    ? hovered_
                         : element_ >= 0  ? element_
                         : map_.wrong > 0 ? map_.first_wrong
                                          : map_.worst;
  if (element < 0) return;
  const char* which = hovered_ >= 0    ? "under the mouse"
                      : element_ >= 0  ? "chosen"
                      : map_.wrong > 0 ? "the first wrong one"
                                       : "the worst one";
  const ElementFacts facts = facts_of(values(), element, written_);
  const float width = ImGui::GetContentRegionAvail().x;
  const Ink name{view.fonts.strong, kTitleSize, view.theme.text};
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float used = put(draw, name, at, values().tensor.name + index_text(values().tensor.shape, element));
  put(draw, {view.fonts.regular, kSmallSize, view.theme.muted}, {at.x + used + px(10), at.y + px(3)}, which);
  ImGui::Dummy({width, px(28)});
  const bool unwritten = facts.state == ElementState::unwritten;
  const std::string times = map_.tolerance > 0 && !std::isnan(facts.error)
                                ? format_number(facts.error / map_.tolerance) + " times what is accepted"
                                : "accepted: " + number_text(map_.tolerance);
  const std::pair<const char*, std::string> figures[] = {
      {"got", unwritten ? "never written" : number_text(facts.got)},
      {"expected", number_text(facts.expected)},
      {"difference", std::isnan(facts.error) ? "NaN" : number_text(facts.error)}};
  const ImVec2 top = ImGui::GetCursorScreenPos();
  const float each = std::min(px(190), width / 3);
  const bool bad = facts.state != ElementState::right;
  for (int i = 0; i < 3; ++i) {
    const float x = top.x + each * static_cast<float>(i);
    const Ink label{view.fonts.regular, kSmallSize, view.theme.muted};
    const Ink value{view.fonts.strong, kTitleSize + 1, bad && i != 1 ? view.theme.bad : view.theme.text};
    put(draw, label, {x, top.y}, figures[i].first);
    put(draw, value, {x, top.y + px(18)}, elide(value, figures[i].second, each - px(10)));
  }
  const Ink quiet{view.fonts.regular, 15.0f, view.theme.muted};
  const bool beside = width > px(900);
  const float x = beside ? top.x + each * 3 + px(10) : top.x, y = top.y + px(beside ? 20 : 48);
  put(draw, quiet, {x, y}, elide(quiet, times, width - (x - top.x)));
  if (const int id = traced_id(values()); id >= 0) {
    if (writer_of_ != element) {
      writer_of_ = element;
      writer_.reset();
      for (const Touch& touch : run_->accesses.history({0, id, -1}, element))
        if (touch.access != runs::Access::read) writer_ = touch;
    }
    std::string who = "No traced thread wrote it.";
    if (writer_) {
      const runs::LaunchRecord& launch = run_->accesses.launch(writer_->launch);
      who = "Written by thread " + format_position(unravel(writer_->thread, launch.block), launch.block) +
            " of block " + format_position(unravel(writer_->block, launch.grid), launch.grid) + " at " +
            format_line({run_->accesses.file(writer_->file), writer_->line}) + ", " + launch.kernel;
    }
    put(draw, quiet, {top.x, top.y + px(beside ? 52 : 70)}, elide(quiet, who, width));
  }
  ImGui::Dummy({width, px(48)});
}

}  // namespace workbook::viewer
