#include "panels/compare.h"

#include <algorithm>
#include <cmath>

#include "model/format.h"
#include "runs/number_text.h"
#include "widgets/bars.h"
#include "widgets/draw.h"
#include "widgets/samples.h"

namespace workbook::viewer {
namespace {

constexpr float kChartHeight = 294;  // units: all rows of the table of differences

std::string as_us(double value) { return format_us(value); }
std::string as_bytes(double value) { return format_bytes(std::llround(value)); }

ImU32 tone_colour(const Theme& theme, Tone tone) {
  return tone == Tone::good ? theme.good : tone == Tone::bad ? theme.bad : theme.muted;
}

// A big "4 → 1" with what it is above and what that means below.
void draw_figure(const View& view, const Row& row, const char* title, const std::string& meaning,
                 ImVec2 size) {
  ImGui::PushID(title);
  if (begin_card(view, "figure", size)) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x;
    const Ink heading{view.fonts.regular, 15.0f, view.theme.muted};
    put(draw, heading, at, elide(heading, title, room));
    float size_units = kFigureSize;
    const auto width = [&] { return measure({view.fonts.strong, size_units, 0}, row.a + "  →  " + row.b).x; };
    while (size_units > 16 && width() > room) size_units -= 1;
    const Ink from{view.fonts.regular, size_units, view.theme.muted},
        to{view.fonts.strong, size_units, view.theme.text};
    float x = at.x;
    const float y = at.y + px(24) + (px(kFigureSize) - px(size_units)) / 2;
    if (row.from != row.to) {
      x += put(draw, from, {x, y}, row.a);
      x += put(draw, from, {x + px(8), y}, "→") + px(16);
    }
    put(draw, to, {x, y}, row.b);
    const Ink note{view.fonts.strong, 15.0f, tone_colour(view.theme, row.tone)};
    put(draw, note, {at.x, at.y + px(56)}, elide(note, meaning, room));
    ImGui::Dummy({room, px(66)});
  }
  end_card();
  ImGui::PopID();
}

const Row* find_row(const std::vector<Row>& rows, const char* label) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const Row& each) { return each.label == label; });
  return found == rows.end() ? nullptr : &*found;
}

std::string fewer(const Row& row, const char* less, const char* more) {
  if (row.magnitude.empty()) return "the same";
  return row.magnitude + " " + (row.to > row.from ? more : less);
}

}  // namespace

void ComparePanel::refresh(View& view) {
  const Selection& selection = view.selection;
  if (seen_a_ == selection.run_a && seen_b_ == selection.run_b && seen_benchmark_ == selection.benchmark)
    return;
  seen_a_ = selection.run_a;
  seen_b_ = selection.run_b;
  seen_benchmark_ = selection.benchmark;
  const auto side = [&](std::int64_t id, runs::Verdict& verdict) {
    const auto run = id != 0 ? view.library.run(id) : nullptr;
    verdict = run ? run->record.verdict : runs::Verdict::none;
    return run ? make_side(run->record, selection.benchmark) : Side{};
  };
  a_ = side(selection.run_a, verdict_a_);
  b_ = side(selection.run_b, verdict_b_);
  a_.run = selection.run_a;
  b_.run = selection.run_b;
  colours_ = KernelColours(a_, b_);
  const auto a = selection.run_a != 0 ? view.library.run(selection.run_a) : nullptr,
             b = selection.run_b != 0 ? view.library.run(selection.run_b) : nullptr;
  rows_ = a_.present && b_.present ? difference_table(a_, b_) : std::vector<Row>();
  names_ = names_apart(a_, b_);
  verdict_ = judge(a_, b_);
  if (selection.run_b == 0)
    verdict_ = {capitalised(a_.variant) + " takes " + format_us(a_.total.median_us),
                "One run so far: run another variant to compare with.", "", Tone::neutral};
  samples_ = make_samples(a ? &a->record : nullptr, b ? &b->record : nullptr, selection.benchmark);
}

void ComparePanel::draw(View& view) {
  refresh(view);
  const Selection& selection = view.selection;
  if (selection.run_a == 0) {
    draw_empty_state(view, "No run to show yet", "Run a variant and it appears here within a second.",
                     first_command(selection.puzzle));
    return;
  }
  if (!a_.present && !b_.present) {
    draw_empty_state(view, "These runs hold no timings of the " + shape_words(selection.benchmark),
                     "A kernel is timed once it is correct.", first_command(selection.puzzle));
    return;
  }
  draw_headline(view);
  const float gap = px(12);
  if (b_.present && a_.present) draw_figures(view);
  const float inner = ImGui::GetContentRegionAvail().x - px(32);
  const float height = ribbons_height(a_, b_, inner, view) + px(24);
  if (begin_card(view, "ribbons", {0, height})) {
    const RibbonClick click = draw_ribbons(view, a_, b_, colours_, ImGui::GetContentRegionAvail().x);
    if (click.side >= 0) {
      view.selection.on_b = click.side == 1;
      view.selection.launch = click.launch;
      view.selection.clear_focus();
      view.go_to = "Mapping";
    }
  }
  end_card();
  const bool sampled = !samples_.series.empty();
  const float below = sampled ? sample_card_height() + ImGui::GetStyle().ItemSpacing.y : gap / 4;
  draw_charts(view, std::max(px(kChartHeight), ImGui::GetContentRegionAvail().y - below));
  if (sampled) draw_sample_card(view);
}

float ComparePanel::sample_card_height() const { return samples_height(samples_) + px(30); }

void ComparePanel::draw_sample_card(const View& view) {
  if (begin_card(view, "samples", {0, sample_card_height()}))
    draw_samples(view, samples_, ImGui::GetContentRegionAvail().x);
  end_card();
}

void ComparePanel::draw_headline(const View& view) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const Verdict& verdict = verdict_;
  const ImU32 colour =
      verdict.tone == Tone::neutral ? view.theme.text : tone_colour(view.theme, verdict.tone);
  float size = kHeadlineSize;
  while (size > 18 && measure({view.fonts.strong, size, 0}, verdict.headline).x > width) size -= 1;
  put(draw, {view.fonts.strong, size, colour}, at, verdict.headline);
  std::string context = a_.present ? runs::sizes_text(a_.sizes) : runs::sizes_text(b_.sizes);
  const std::string basis = a_.basis_text.empty() ? b_.basis_text : a_.basis_text;
  if (!basis.empty() && (a_.basis_text == b_.basis_text || !b_.present))
    context += context.empty() ? basis : "  ·  " + basis;
  const Ink body{view.fonts.regular, kTextSize + 0.5f, view.theme.text},
      quiet{view.fonts.regular, kTextSize, view.theme.muted};
  const float y = at.y + px(42);
  const float used =
      verdict.detail.empty() ? 0 : put(draw, body, {at.x, y}, elide(body, verdict.detail, width)) + px(18);
  const float room = width - used;
  // Beside the sentence where there is room, under it where there is not.
  const bool beside = measure(quiet, context).x <= room;
  put(draw, quiet, beside ? ImVec2{at.x + used, y} : ImVec2{at.x, y + px(24)},
      elide(quiet, context, beside ? room : width));
  float height = px(42) + px(beside ? 26 : 50);
  if (!verdict.why.empty()) {
    const std::string shown = elide(quiet, verdict.why, width);
    put(draw, quiet, {at.x, at.y + height - px(2)}, shown);
    if (shown != verdict.why &&
        ImGui::IsMouseHoveringRect({at.x, at.y + height}, {at.x + width, at.y + height + px(22)}))
      ImGui::SetTooltip("%s", verdict.why.c_str());
    height += px(24);
  }
  const bool wrong_a = verdict_a_ != runs::Verdict::none && verdict_a_ != runs::Verdict::correct,
             wrong_b = verdict_b_ != runs::Verdict::none && verdict_b_ != runs::Verdict::correct;
  if (wrong_a || wrong_b) {
    const std::string which = wrong_a && wrong_b ? "Both runs are" : wrong_a ? "Run A is" : "Run B is";
    put(draw, {view.fonts.strong, kTextSize, view.theme.bad}, {at.x, at.y + height},
        which + " not correct: the times of a wrong kernel say nothing.");
    height += px(26);
  }
  ImGui::Dummy({width, height});
}

void ComparePanel::draw_figures(const View& view) {
  struct Figure {
    const Row* row;
    const char *title, *less, *more;
  };
  const char* time = a_.basis != b_.basis          ? "Time"
                     : a_.basis == Basis::measured ? "Time, measured"
                                                   : "Time, modelled";
  std::vector<Figure> figures = {
      {find_row(rows_, "Launches"), "Launches", "fewer", "more"},
      {find_row(rows_, "Intermediate tensors"), "Intermediate tensors", "fewer", "more"},
      {find_row(rows_, "DRAM together"), "DRAM traffic", "less", "more"},
      {find_row(rows_, "Time"), time, "less", "more"}};
  std::erase_if(figures, [](const Figure& each) { return each.row == nullptr; });
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const float width = ImGui::GetContentRegionAvail().x;
  // Rows of two in a narrow window.
  const std::size_t in_row = width < px(760) ? 2 : figures.size();
  const auto places = static_cast<float>(in_row);
  const ImVec2 size{std::floor((width - gap * (places - 1)) / places), px(94)};
  for (std::size_t i = 0; i < figures.size(); ++i) {
    if (i % in_row != 0) ImGui::SameLine();
    const Figure& each = figures[i];
    draw_figure(view, *each.row, each.title,
                each.row->note.empty() ? fewer(*each.row, each.less, each.more) : each.row->note, size);
  }
}

void ComparePanel::draw_charts(const View& view, float height) {
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const float width = ImGui::GetContentRegionAvail().x;
  const bool both = a_.present && b_.present;
  const bool stacked = width < px(1180);  // the table goes under the charts
  const float table = both ? (stacked ? width : std::floor(width * 0.42f)) : 0;
  const float each = std::floor(((stacked || !both ? width : width - table - gap) - gap) / 2);
  const float chart_height = stacked ? px(kChartHeight) : height;
  const auto& [name_a, name_b] = names_;
  std::vector<Bar> time, traffic;
  for (const auto& [side, letter, name] : {std::tuple{&a_, "A", &name_a}, std::tuple{&b_, "B", &name_b}}) {
    if (!side->present) continue;
    if (side->basis != Basis::none) time.push_back(time_bar(view, *side, colours_, letter, *name));
    if (side->counted) traffic.push_back(traffic_bar(view, *side, letter, *name));
  }
  const auto chart = [&](const char* id, const char* title, const char* note, const std::vector<Bar>& bars,
                         std::string (*format)(double)) {
    if (begin_card(view, id, {each, chart_height})) {
      ImDrawList* draw = ImGui::GetWindowDrawList();
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const float used = put(draw, {view.fonts.strong, kTitleSize, view.theme.text}, at, title);
      const Ink quiet{view.fonts.regular, kSmallSize, view.theme.muted};
      put(draw, quiet, {at.x + used + px(10), at.y + px(3)},
          elide(quiet, note, ImGui::GetContentRegionAvail().x - used - px(10)));
      ImGui::Dummy({0, px(26)});
      const ImVec2 room = ImGui::GetContentRegionAvail();
      if (bars.empty()) ImGui::TextDisabled("not counted in these runs");
      const float foot = px(30);
      draw_bars(view, id, bars, format, {room.x, room.y - foot});
    }
    end_card();
  };
  const bool measured = a_.basis == Basis::measured || b_.basis == Basis::measured;
  chart("time", "Time",
        measured ? "by kernel; whiskers: p10 to p90" : "by kernel; striped: modelled, no samples", time,
        as_us);
  ImGui::SameLine();
  chart("traffic", "DRAM traffic",
        a_.traffic.empty() && b_.traffic.empty() ? "read and written" : "read and written, by role", traffic,
        as_bytes);
  if (!both) return;
  if (!stacked) ImGui::SameLine();
  draw_table(view, {table, stacked ? 0 : height});
}

void ComparePanel::draw_table(const View& view, ImVec2 size) {
  const float row_height = px(27);
  if (size.y == 0) size.y = row_height * static_cast<float>(rows_.size() + 1) + px(34);
  if (begin_card(view, "differences", size)) {
    const Ink head{view.fonts.strong, 15.0f, view.theme.muted},
        label{view.fonts.regular, kTextSize, view.theme.text};
    const auto& [name_a, name_b] = names_;
    if (ImGui::BeginTable("rows", 5, ImGuiTableFlags_BordersInnerH)) {
      const std::string heads[] = {"", "A  " + name_a, "B  " + name_b, "B − A", "B / A"};
      // Each column takes what its longest text needs; what is left goes to the names of the rows.
      std::string Row::*const fields[] = {&Row::label, &Row::a, &Row::b, &Row::difference, &Row::ratio};
      ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
      const float most = ImGui::GetContentRegionAvail().x * 0.25f;
      for (std::size_t column = 1; column < std::size(heads); ++column) {
        float wide = measure(head, heads[column]).x;
        for (const Row& row : rows_)
          wide = std::max(wide, measure({view.fonts.strong, kTextSize, 0}, row.*fields[column]).x);
        ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed,
                                std::min(most, std::ceil(wide) + px(2)));
      }
      ImGui::TableNextRow(0, row_height);
      for (const std::string& text : heads) {
        ImGui::TableNextColumn();
        cell_right(head, text);
      }
      for (const Row& row : rows_) {
        ImGui::TableNextRow(0, row_height);
        ImGui::TableNextColumn();
        cell_left(label, row.label);
        if (!row.metric.empty() && ImGui::IsItemHovered())
          ImGui::SetTooltip("Nsight Compute: %s", row.metric.c_str());
        const ImU32 colour = row.tone == Tone::neutral ? view.theme.muted : tone_colour(view.theme, row.tone);
        const Ink change{row.tone == Tone::neutral ? view.fonts.regular : view.fonts.strong, kTextSize,
                         colour};
        for (const auto& [text, ink] :
             {std::pair{&row.a, label}, {&row.b, label}, {&row.difference, change}, {&row.ratio, change}}) {
          ImGui::TableNextColumn();
          cell_right(ink, *text);
        }
      }
      ImGui::EndTable();
    }
  }
  end_card();
}

}  // namespace workbook::viewer
