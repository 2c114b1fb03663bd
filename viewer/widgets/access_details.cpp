#include "widgets/access_details.h"

#include <algorithm>
#include <sstream>

#include "model/format.h"
#include "widgets/draw.h"
#include "widgets/ribbons.h"

namespace workbook::viewer {
namespace {

constexpr std::size_t kMostRows = 400;

const char* access_word(runs::Access access) {
  return access == runs::Access::read ? "reads" : access == runs::Access::write ? "writes" : "adds to";
}

void title(const Style& style, const std::string& text, const std::string& note) {
  cell_left({style.fonts.strong, kTitleSize, style.theme.text}, text);
  cell_left({style.fonts.regular, kSmallSize, style.theme.muted}, note);
  ImGui::Dummy({0, px(2)});
}

}  // namespace

std::string source_text(const LoadedRun& run, int file, int line) {
  if (!run.accesses.file(file).ends_with("kernels.cu") || line < 1) return "";
  std::istringstream source(run.record.source);
  std::string text;
  for (int i = 0; i < line; ++i)
    if (!std::getline(source, text)) return "";
  const auto first = text.find_first_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first);
}

void draw_cell_tooltip(const Style& style, const LoadedRun& run, const CellHistory& cell,
                       const std::string& value) {
  const AccessIndex& accesses = run.accesses;
  const runs::TensorInfo& info = *accesses.tensor(cell.place.tensor);
  const std::vector<Touch>& touches = cell.touches;
  ImGui::BeginTooltip();
  ImGui::PushFont(style.fonts.strong, 0);
  ImGui::Text("%s%s", info.name.c_str(), index_text(info.shape, cell.element).c_str());
  ImGui::PopFont();
  if (!value.empty()) ImGui::TextUnformatted(value.c_str());
  if (touches.empty()) ImGui::TextDisabled("no traced thread touched it");
  constexpr std::size_t most = 6;
  for (std::size_t i = 0; i < std::min(most, touches.size()); ++i) {
    const Touch& touch = touches[i];
    const runs::LaunchRecord& launch = accesses.launch(touch.launch);
    ImGui::Text("%s: block %s thread %s %s it, %s", short_kernel(launch.kernel).c_str(),
                format_position(unravel(touch.block, launch.grid), launch.grid).c_str(),
                format_position(unravel(touch.thread, launch.block), launch.block).c_str(),
                access_word(touch.access), format_line({accesses.file(touch.file), touch.line}).c_str());
  }
  if (touches.size() > most)
    ImGui::TextDisabled("and %s more",
                        format_count(static_cast<std::int64_t>(touches.size() - most)).c_str());
  ImGui::EndTooltip();
}

void draw_cell_history(const Style& style, const LoadedRun& run, const CellHistory& cell) {
  const AccessIndex& accesses = run.accesses;
  const runs::TensorInfo& info = *accesses.tensor(cell.place.tensor);
  const std::vector<Touch>& touches = cell.touches;
  std::int64_t reads = 0, writes = 0;
  for (const Touch& touch : touches) (touch.access == runs::Access::read ? reads : writes) += touch.times;
  title(style, info.name + index_text(info.shape, cell.element),
        std::string(info.role == runs::TensorRole::shared ? "shared memory of the block"
                                                          : runs::word_of(info.role)) +
            "  ·  " + plural(writes, "write") + ", " + plural(reads, "read"));
  const Ink text{style.fonts.regular, 15.0f, style.theme.text},
      head{style.fonts.strong, kSmallSize, style.theme.muted};
  const Ink strong{style.fonts.strong, 15.0f, style.theme.text},
      code{style.fonts.mono, 13.0f, style.theme.muted};
  int launch = -1;
  bool open = false;
  std::size_t shown = 0;
  std::string line_shown;  // a source line is quoted once, not under every thread that runs it
  const auto close = [&] {
    if (open) ImGui::EndTable();
    open = false;
  };
  for (const Touch& touch : touches) {
    if (++shown > kMostRows) break;
    const runs::LaunchRecord& at = accesses.launch(touch.launch);
    if (touch.launch != launch) {
      close();
      launch = touch.launch;
      line_shown.clear();
      ImGui::Dummy({0, px(4)});
      draw_heading(style, "Launch " + std::to_string(launch + 1), at.kernel);
    }
    if (!open) {
      open =
          ImGui::BeginTable(("touches " + std::to_string(shown)).c_str(), 4, ImGuiTableFlags_BordersInnerH);
      if (!open) return;
      ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, 0.75f);
      ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, 0.8f);
      ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, 0.8f);
      ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, 1.7f);
      ImGui::TableNextRow();
      for (const char* name : {"", "block", "thread", "line"}) {
        ImGui::TableNextColumn();
        cell_left(head, name);
      }
    }
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    cell_left(touch.access == runs::Access::read ? text : strong, access_word(touch.access));
    ImGui::TableNextColumn();
    cell_left(text, format_position(unravel(touch.block, at.grid), at.grid));
    ImGui::TableNextColumn();
    cell_left(text, format_position(unravel(touch.thread, at.block), at.block));
    ImGui::TableNextColumn();
    std::string where = format_line({accesses.file(touch.file), touch.line});
    if (touch.times > 1) where += "  " + std::to_string(touch.times) + "×";
    if (touch.step > 0) where += "  step " + std::to_string(touch.step);
    cell_left(text, where);
    if (const std::string source = source_text(run, touch.file, touch.line);
        !source.empty() && source != line_shown) {
      line_shown = source;
      close();
      ImGui::Indent(px(6));
      cell_left(code, source);
      ImGui::Unindent(px(6));
    }
  }
  close();
  if (touches.size() > kMostRows)
    ImGui::TextDisabled("and %s more",
                        format_count(static_cast<std::int64_t>(touches.size() - kMostRows)).c_str());
  if (touches.empty()) ImGui::TextDisabled("No traced thread touched it.");
}

void draw_thread_facts(const Style& style, const LoadedRun& run, int number, int block, int thread,
                       const std::vector<Cell>& cells) {
  const AccessIndex& accesses = run.accesses;
  const runs::LaunchRecord& launch = accesses.launch(number);
  title(style,
        "Thread " + format_position(unravel(thread, launch.block), launch.block) + " of block " +
            format_position(unravel(block, launch.grid), launch.grid),
        "warp " + std::to_string(thread / kWarp) + ", lane " + std::to_string(thread % kWarp) + "  ·  " +
            launch.kernel);
  if (cells.empty()) {
    ImGui::TextDisabled("It touched nothing that was traced.");
    return;
  }
  const Ink name{style.fonts.strong, 15.0f, style.theme.text},
      text{style.fonts.regular, 15.0f, style.theme.text};
  if (!ImGui::BeginTable("facts", 2, ImGuiTableFlags_BordersInnerH)) return;
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, 0.9f);
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, 1.3f);
  const auto facts = [&](int id) {
    std::int64_t read = 0, written = 0, times = 0, first = -1;
    for (const Cell& cell : cells) {
      if (cell.tensor != id) continue;
      read += cell.read ? 1 : 0;
      written += cell.written ? 1 : 0;
      times += cell.times;
      if (first < 0) first = cell.element;
    }
    if (first < 0) return;
    const runs::TensorInfo& info = *accesses.tensor(id);
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    cell_left(name, info.name);
    if (info.space == runs::TensorSpace::shared)
      cell_left({style.fonts.regular, kSmallSize, style.theme.muted}, "shared");
    ImGui::TableNextColumn();
    const std::string where = read + written == 1 ? " " + index_text(info.shape, first) : "";
    if (read > 0) cell_left(text, "reads " + plural(read, "cell") + where);
    if (written > 0) cell_left(text, "writes " + plural(written, "cell") + where);
    if (times > read + written)
      cell_left({style.fonts.regular, kSmallSize, style.theme.muted}, "in " + plural(times, "access"));
  };
  for (const auto space : {runs::TensorSpace::global, runs::TensorSpace::shared})
    for (const int id : accesses.tensors_of(number, space)) facts(id);
  ImGui::EndTable();
}

void draw_launch_facts(const Style& style, const LoadedRun& run, int number) {
  const AccessIndex& accesses = run.accesses;
  const runs::LaunchRecord& launch = accesses.launch(number);
  title(style, "Lines that touch memory",
        plural(accesses.blocks_of(number), "block") + " of " + plural(accesses.threads_of(number), "thread") +
            "  ·  " + launch.kernel);
  const Ink text{style.fonts.regular, 15.0f, style.theme.text},
      strong{style.fonts.strong, 15.0f, style.theme.text};
  const Ink code{style.fonts.mono, 13.0f, style.theme.muted},
      quiet{style.fonts.regular, 15.0f, style.theme.muted};
  std::pair<int, int> before{-1, -1};
  for (const LineUse& use : accesses.lines_of(number)) {
    if (std::pair{use.file, use.line} != before) {
      before = {use.file, use.line};
      ImGui::Dummy({0, px(3)});
      const std::string source = source_text(run, use.file, use.line);
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const float room = ImGui::GetContentRegionAvail().x;
      cell_left(strong, format_line({accesses.file(use.file), use.line}));
      if (!source.empty()) cell_left(code, source);
      ImGui::GetWindowDrawList()->AddLine({at.x, at.y - px(4)}, {at.x + room, at.y - px(4)},
                                          style.theme.border);
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x;
    const std::string times = format_count(use.times) + "×";
    put(ImGui::GetWindowDrawList(), quiet, {at.x + room - measure(quiet, times).x, at.y}, times);
    cell_left(text, std::string(use.written ? "writes " : "reads ") + accesses.tensor(use.tensor)->name);
  }
  ImGui::Dummy({0, px(8)});
  ImGui::PushFont(nullptr, kSmallSize);
  ImGui::PushStyleColor(ImGuiCol_Text, style.theme.muted);
  ImGui::TextWrapped(
      "Point at a cell for all who read and wrote it, at a thread for its cells. A click keeps it. Arrow "
      "keys step the thread, with Shift the block.");
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

}  // namespace workbook::viewer
