#include "panels/fusion.h"

#include <algorithm>
#include <cmath>

#include "model/format.h"
#include "widgets/draw.h"
#include "widgets/fusion_graph.h"
#include "widgets/search_tree.h"

namespace workbook::viewer {
namespace {

constexpr float kControls = 440,
                kTwoLines = 1000;  // units: below that width the controls have a line of their own
constexpr float kFusionRow = 28, kHead = 74;
constexpr const char* kFirst = "rmsnorm_linear";

std::string command_of(const std::string& program) { return "workbook optimize " + program; }

}  // namespace

void FusionPanel::refresh(View& view) {
  const std::vector<FusionFile>& files = view.library.fusions();
  std::string wanted = view.selection.program;
  if (wanted.empty()) wanted = program_of_puzzle(view.selection.puzzle);
  if (wanted.empty() && !files.empty()) wanted = files.front().program;
  const auto found = std::find_if(files.begin(), files.end(),
                                  [&](const FusionFile& each) { return each.program == wanted; });
  program_ = wanted;
  problem_ = found == files.end() ? "" : found->problem;
  const auto record = found == files.end() ? nullptr : found->record;
  if (record == record_) return;
  record_ = record;
  laid_out_ = -1;
  zoom_written_.fit();
  table_ = record_ ? fusion_table(*record_) : FusionTable{};
}

int FusionPanel::row(const View& view) const {
  const int plan = view.selection.plan;
  return plan >= 0 && plan < static_cast<int>(table_.rows.size()) ? plan : table_.first;
}

std::string FusionPanel::missing(View& view) {
  refresh(view);
  if (record_ && view.selection.plan >= static_cast<int>(table_.rows.size()))
    return "there are " + std::to_string(table_.rows.size()) + " plans of " + program_;
  if (record_) return "";
  if (!problem_.empty()) return problem_ + " `" + command_of(program_) + "` makes it anew";
  return "there are no plans to draw; `" + command_of(program_.empty() ? kFirst : program_) + "` makes some";
}

std::vector<Command> FusionPanel::commands() {
  return {{"Fusion: plans or search; Down and Up choose", "V", [](View& view) {
             view.selection.search = !view.selection.search;
             view.go_to = "Fusion";
           }}};
}

void FusionPanel::handle_keys(View& view) {
  if (!record_) return;
  if (ImGui::IsKeyPressed(ImGuiKey_V, false)) view.selection.search = !view.selection.search;
  const int step =
      (ImGui::IsKeyPressed(ImGuiKey_DownArrow) ? 1 : 0) - (ImGui::IsKeyPressed(ImGuiKey_UpArrow) ? 1 : 0);
  if (step == 0) return;
  view.selection.plan = std::clamp(row(view) + step, 0, static_cast<int>(table_.rows.size()) - 1);
  scroll_to_ = view.selection.plan;
}

void FusionPanel::draw(View& view) {
  refresh(view);
  if (!record_) {
    if (!view.library.fusions().empty())
      draw_controls(view, std::min(px(kControls), ImGui::GetContentRegionAvail().x));
    const std::string program = program_.empty() ? kFirst : program_;
    if (!problem_.empty())
      draw_empty_state(view, "The plans of " + program + " cannot be read", problem_, command_of(program));
    else
      draw_empty_state(view, "No plans of " + program + " yet",
                       "They are searched in a few seconds, and appear here.", command_of(program));
    return;
  }
  const int now = row(view);
  if (laid_out_ != now) {
    if (laid_out_ < 0) scroll_to_ = now;
    laid_out_ = now;
    as_written_ = fusion_picture(record_->graphs[0], nullptr, fusion_text_width(view));
    planned_ =
        fusion_picture(fusion_graph(*record_, now), fusion_plan(*record_, now), fusion_text_width(view));
    zoom_planned_.fit();
  }
  draw_head(view);
  if (view.selection.search) return draw_search(view);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float gap = ImGui::GetStyle().ItemSpacing.y;
  const float rows = px(kFusionRow) * (static_cast<float>(table_.rows.size()) + 1) + px(60);
  const float table = std::clamp(room.y * 0.34f, std::min(rows, px(150)), rows);
  draw_pictures(view, std::max(px(200), room.y - table - gap));
  draw_table(view, table);
}

void FusionPanel::draw_controls(View& view, float width) {
  const float gap = ImGui::GetStyle().ItemSpacing.x, half = std::floor((width - gap) / 2);
  ImGui::SetNextItemWidth(record_ ? half : width);
  const Ink ink{view.fonts.regular, kTextSize, 0};
  const std::string shown = elide(ink, program_, half - ImGui::GetFrameHeight() - px(14));
  if (ImGui::BeginCombo("##program", shown.c_str())) {
    for (const FusionFile& file : view.library.fusions())
      if (ImGui::Selectable(file.program.c_str(), file.program == program_)) {
        view.selection.program = file.program;
        view.selection.plan = -1;
      }
    ImGui::EndCombo();
  }
  if (!record_) return;
  ImGui::SameLine();
  int chosen = view.selection.search ? 1 : 0;
  if (segmented(view, "part", {table_.title, "Search"}, &chosen, half)) view.selection.search = chosen == 1;
}

void FusionPanel::draw_head(View& view) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, controls = std::min(px(kControls), width);
  const bool beside = width >= px(kTwoLines);
  const float room = beside ? width - controls - px(20) : width;
  FusionWords words = fusion_words(*record_, laid_out_);
  if (view.selection.search) {
    std::int64_t found = 0;
    for (const runs::FusionDepth& depth : record_->depths) found += depth.found;
    words = {plural(found, "equal graph") + " found by trying", record_->formula};
  }
  float size = kHeadlineSize;
  while (size > 17 && measure({view.fonts.strong, size, 0}, words.headline).x > room) size -= 1;
  const Ink strong{view.fonts.strong, size, view.theme.text},
      body{view.fonts.regular, kTextSize, view.theme.muted};
  put(draw, strong, at, elide(strong, words.headline, room));
  put(draw, body, {at.x, at.y + px(42)}, elide(body, words.detail, width));
  if (ImGui::IsWindowHovered() &&
      ImGui::IsMouseHoveringRect({at.x, at.y + px(40)}, {at.x + width, at.y + px(62)}) &&
      measure(body, words.detail).x > width)
    ImGui::SetTooltip("%s", words.detail.c_str());
  if (beside) {
    ImGui::SetCursorScreenPos({at.x + width - controls, at.y + px(2)});
    draw_controls(view, controls);
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy({width, px(kHead - 8)});
  } else {
    ImGui::Dummy({width, px(kHead - 10)});
    draw_controls(view, controls);
  }
}

void FusionPanel::draw_pictures(const View& view, float height) {
  const float width = ImGui::GetContentRegionAvail().x, gap = ImGui::GetStyle().ItemSpacing.x;
  // Room as they need it, but a third for each.
  const float share = std::clamp(as_written_.width / (as_written_.width + planned_.width), 0.36f, 0.6f);
  const float left = std::floor((width - gap) * share);
  draw_picture(view, false, {left, height});
  ImGui::SameLine();
  draw_picture(view, true, {width - gap - left, height});
}

void FusionPanel::draw_picture(const View& view, bool plan, ImVec2 size) {
  if (begin_card(view, plan ? "plan" : "program", size)) {
    const bool plans = !record_->plans.empty();
    const std::string count = std::to_string(laid_out_ + 1) + " of " + std::to_string(table_.rows.size());
    draw_heading(view, !plan ? "As it is written" : (plans ? "Plan " : "Equal graph ") + count,
                 !plan ? record_->formula : table_.rows[static_cast<std::size_t>(laid_out_)].name);
    ImGui::Dummy({0, px(2)});
    ImVec2 room = ImGui::GetContentRegionAvail();
    room.y = std::max(room.y - px(2), px(40));
    FusionPicture& picture = plan ? planned_ : as_written_;
    const FusionHit hit = draw_fusion_graph(view, picture, room, plan ? zoom_planned_ : zoom_written_);
    draw_note(view, hit, plan);
  }
  end_card();
}

void FusionPanel::draw_note(const View& view, const FusionHit& hit, bool in_plan) const {
  const auto of = [](const auto& list, int number) -> const auto& {
    return list[static_cast<std::size_t>(number)];
  };
  const FusionPicture& picture = in_plan ? planned_ : as_written_;
  const runs::FusionPlan* plan = in_plan ? fusion_plan(*record_, laid_out_) : nullptr;
  const runs::FusionGraph& graph = in_plan ? fusion_graph(*record_, laid_out_) : record_->graphs[0];
  FusionNote note;
  if (hit.box >= 0) note = note_of(*record_, graph, plan, of(picture.boxes, hit.box));
  if (hit.edge >= 0) note = note_of(graph, plan, picture, of(picture.edges, hit.edge));
  if (hit.frame >= 0 && plan != nullptr) note = note_of(graph, *plan, of(picture.frames, hit.frame).launch);
  if (note.title.empty()) return;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(px(440));
  ImGui::PushFont(view.fonts.strong, kTextSize);
  ImGui::TextUnformatted(note.title.c_str());
  ImGui::PopFont();
  for (const std::string& line : note.lines) ImGui::TextDisabled("%s", line.c_str());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

void FusionPanel::draw_table(View& view, float height) {
  if (begin_card(view, "table", {0, height})) {
    draw_heading(view, table_.title, table_.note);
    const bool narrow = ImGui::GetContentRegionAvail().x < px(1000);
    std::vector<std::size_t> columns;
    for (std::size_t i = 0; i < table_.columns.size(); ++i)
      if (!narrow || !table_.columns[i].wide_only) columns.push_back(i);
    const Ink head{view.fonts.strong, 15.0f, view.theme.muted},
        text{view.fonts.regular, kTextSize, view.theme.text},
        quiet{view.fonts.regular, kSmallSize, view.theme.faint},
        tag{view.fonts.strong, kSmallSize, view.theme.accent};
    if (ImGui::BeginTable("plans", static_cast<int>(columns.size()) + 2,
                          ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_ScrollY,
                          ImGui::GetContentRegionAvail())) {
      ImGui::TableSetupScrollFreeze(0, 1);
      ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, px(30));
      for (const std::size_t i : columns)
        ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch,
                                table_.columns[i].share * (narrow && i == 0 ? 0.8f : 1.0f));
      ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, px(1));  // off the scrollbar
      ImGui::TableNextRow(0, px(kFusionRow));
      ImGui::TableNextColumn();
      for (const std::size_t i : columns) {
        ImGui::TableNextColumn();
        (table_.columns[i].words ? cell_left : cell_right)(
            head, elide(head, table_.columns[i].head, ImGui::GetContentRegionAvail().x));
      }
      for (std::size_t r = 0; r < table_.rows.size(); ++r) {
        const FusionRow& row = table_.rows[r];
        const bool here = static_cast<int>(r) == laid_out_;
        ImGui::TableNextRow(0, px(kFusionRow));
        if (here)
          ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, mix(view.theme.card, view.theme.accent, 0.14f));
        ImGui::TableNextColumn();
        ImGui::PushID(static_cast<int>(r));
        const ImVec2 at = ImGui::GetCursorPos();
        ImGui::PushStyleColor(ImGuiCol_Header, IM_COL32(0, 0, 0, 0));
        if (ImGui::Selectable("##row", here, ImGuiSelectableFlags_SpanAllColumns,
                              {0, px(kFusionRow) - px(8)}))
          view.selection.plan = static_cast<int>(r);
        ImGui::PopStyleColor();
        if (scroll_to_ == static_cast<int>(r)) ImGui::SetScrollHereY();
        ImGui::SetCursorPos(at);
        ImGui::PopID();
        cell_right(quiet, std::to_string(r + 1));
        for (const std::size_t i : columns) {
          ImGui::TableNextColumn();
          const float room = ImGui::GetContentRegionAvail().x;
          if (i > 0) {
            const std::string& cell = row.cells[i - 1];
            const bool none = cell.starts_with("not "), refused = cell == "refused";
            Ink ink = none ? quiet : text;
            if (refused) ink.colour = view.theme.bad;
            (table_.columns[i].words ? cell_left : cell_right)(
                ink, elide(ink, none && room < px(96) ? "–" : cell, room));
            continue;
          }
          const float used = row.tag.empty() ? 0 : measure(tag, row.tag).x + px(10);
          const ImVec2 corner = ImGui::GetCursorScreenPos();
          cell_left(text, elide(text, row.name, room - used));
          put(ImGui::GetWindowDrawList(), tag, {corner.x + room - used + px(10), corner.y + px(1)}, row.tag);
        }
      }
      scroll_to_ = -1;
      ImGui::EndTable();
    }
  }
  end_card();
}

void FusionPanel::draw_search(const View& view) {
  const float frame = px(24) + px(34);  // of a card: its padding and heading
  const float room = ImGui::GetContentRegionAvail().y, gap = ImGui::GetStyle().ItemSpacing.y;
  const float depths = std::min(search_depths_height(*record_) + frame, std::max(px(200), room * 0.55f));
  if (begin_card(view, "depths", {0, depths})) {
    draw_heading(
        view, "What was tried, and why it was cut",
        "by the most operations that a graph may have  ·  lengths are logarithms, shares in a bar are not");
    draw_search_depths(view, *record_, ImGui::GetContentRegionAvail());
  }
  end_card();
  if (begin_card(view, "tree", {0, std::max(px(160), room - depths - gap)})) {
    const std::string sampled = record_->tree_one_in > 1
                                    ? "  ·  of the deeper ones one in " + format_count(record_->tree_one_in)
                                    : "";
    draw_heading(
        view, "The tree of the last depth",
        "each beginning below the one that it goes on from; = is equal, a letter says what cut most behind a "
        "dead end" +
            sampled);
    if (record_->tree.empty())
      draw_empty_state(view, "This search was known from before", "Searched anew, its tree appears here.",
                       command_of(record_->program) + " --no-cache");
    else
      draw_search_tree(view, *record_, ImGui::GetContentRegionAvail());
  }
  end_card();
}

}  // namespace workbook::viewer
