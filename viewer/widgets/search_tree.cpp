#include "widgets/search_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/format.h"
#include "model/fusion.h"

namespace workbook::viewer {
namespace {

constexpr float kDepthRow = 25, kLegend = 30, kOperations = 96, kKept = 190, kNarrow = 800;
constexpr float kCell = 26;  // height of a state, at most

std::int64_t sum(const std::vector<std::int64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}
std::string letter(const std::string& reason) { return reason.substr(0, 1); }

// The names of the reasons with their colours, letters and, where there is room, their sentences.
void draw_legend(const Style& style, const runs::FusionRecord& record, ImVec2 at_, float width) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const Ink strong{style.fonts.strong, kSmallSize, style.theme.text};
  const float side = px(17), middle = at_.y + px(kLegend) / 2 - px(4);
  std::vector<std::string> names = record.reasons;
  names.push_back("kept");
  const float each = width / static_cast<float>(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const ImU32 colour = i < record.reasons.size() ? reason_colour(style.theme, i) : style.theme.good;
    const float x = at_.x + each * static_cast<float>(i);
    const Rect box{{x, middle - side / 2}, {x + side, middle + side / 2}};
    draw->AddRectFilled(box.min, box.max, colour, px(3));
    put_centred(draw, {style.fonts.strong, 12.5f, ink_on(colour)}, box, letter(names[i]));
    put_middle(draw, strong, {x + side + px(6), middle}, elide(strong, names[i], each - side - px(10)));
    if (i < record.reasons.size() && ImGui::IsWindowHovered() &&
        ImGui::IsMouseHoveringRect(box.min, {x + each, box.max.y}))
      ImGui::SetTooltip("%s: %s", record.reasons[i].c_str(), reason_words(record.reasons[i]).c_str());
  }
}

// Of a bar or a cell: how many for each reason.
void counts_tooltip(const runs::FusionRecord& record, const std::string& title,
                    const std::vector<std::int64_t>& cut, const std::string& more) {
  ImGui::BeginTooltip();
  ImGui::TextUnformatted(title.c_str());
  for (std::size_t i = 0; i < cut.size(); ++i)
    if (cut[i] > 0)
      ImGui::TextDisabled("%s cut by %s: %s", format_count(cut[i]).c_str(), record.reasons[i].c_str(),
                          reason_words(record.reasons[i]).c_str());
  ImGui::TextDisabled("%s", more.c_str());
  ImGui::EndTooltip();
}

}  // namespace

ImU32 reason_colour(const Theme& theme, std::size_t reason) {
  // Order is most of all: the quietest colour.
  constexpr std::size_t kHues[] = {2, 1, 3, 6};
  return reason == 0 ? mix(theme.card, theme.faint, 0.55f) : theme.kernels[kHues[(reason - 1) % 4]];
}

float search_depths_height(const runs::FusionRecord& record) {
  return px(kLegend) + px(kDepthRow) * static_cast<float>(record.depths.size());
}

void draw_search_depths(const Style& style, const runs::FusionRecord& record, ImVec2 size) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const bool narrow = size.x < px(kNarrow);
  const float left = px(narrow ? 34 : kOperations), right = px(narrow ? 130 : kKept);
  draw_legend(style, record, origin, std::min(size.x, px(820)));
  double most = 1;
  for (const runs::FusionDepth& depth : record.depths)
    most = std::max(most, static_cast<double>(sum(depth.cut) + depth.states));
  const Ink text{style.fonts.regular, kSmallSize, style.theme.text},
      strong{style.fonts.strong, kSmallSize, style.theme.good};
  for (std::size_t i = 0; i < record.depths.size(); ++i) {
    const runs::FusionDepth& depth = record.depths[i];
    const float top = origin.y + px(kLegend) + px(kDepthRow) * static_cast<float>(i),
                middle = top + px(kDepthRow) / 2;
    const std::string name = narrow ? std::to_string(depth.nodes) : plural(depth.nodes, "operation");
    put_middle(draw, text, {origin.x, middle}, name);
    const double all = static_cast<double>(sum(depth.cut) + depth.states);
    const float room = size.x - left - right;
    const float length = std::max(px(3), room * static_cast<float>(std::log1p(all) / std::log1p(most)));
    float x = origin.x + left;
    const auto part = [&](std::int64_t count, ImU32 colour, const std::string& what) {
      const float width = length * static_cast<float>(static_cast<double>(count) / std::max(all, 1.0));
      if (count == 0) return;
      const Rect box{{x, top + px(3)}, {x + width, top + px(kDepthRow) - px(3)}};
      draw->AddRectFilled(box.min, box.max, colour);
      const Ink on{style.fonts.regular, 12.5f, ink_on(colour)};
      const std::string number = format_count(count), full = what + " " + number;
      for (const std::string& label : {full, what.substr(0, 1) + " " + number, what.substr(0, 1)})
        if (measure(on, label).x <= width - px(6)) {
          put_centred(draw, on, box, label);
          break;
        }
      x += width;
      if (width > px(4)) draw->AddLine({x, box.min.y}, {x, box.max.y}, style.theme.card, 1.0f);
    };
    for (std::size_t r = 0; r < depth.cut.size(); ++r)
      part(depth.cut[r], reason_colour(style.theme, r), record.reasons[r]);
    part(depth.states, style.theme.good, "kept");
    const std::string kept = format_count(depth.states) + (narrow ? "" : " kept");
    const std::string found = depth.found > 0 ? format_count(depth.found) + " equal" : "";
    const float wide = measure(text, kept).x, edge = origin.x + size.x;
    put_middle(draw, text, {edge - px(narrow ? 64 : 80) - wide, middle}, kept);
    if (!found.empty()) put_middle(draw, strong, {edge - measure(strong, found).x, middle}, found);
    if (ImGui::IsWindowHovered() &&
        ImGui::IsMouseHoveringRect({origin.x, top}, {origin.x + size.x, top + px(kDepthRow)}))
      counts_tooltip(record, "Graphs of at most " + plural(depth.nodes, "operation"), depth.cut,
                     format_count(depth.states) + " beginnings kept, " + format_count(depth.found) +
                         " equal graphs of exactly so many");
  }
  ImGui::Dummy({size.x, search_depths_height(record)});
}

void draw_search_tree(const Style& style, const runs::FusionRecord& record, ImVec2 size) {
  const std::vector<runs::FusionState>& tree = record.tree;
  std::vector<double> leaves(tree.size(), 0), taken(tree.size(), 0), left(tree.size(), 0);
  std::vector<bool> leads(tree.size(), false);
  int deepest = 1;
  for (std::size_t i = tree.size(); i-- > 0;) {
    leaves[i] = std::max(leaves[i], 1.0);
    leads[i] = leads[i] || tree[i].equal;
    deepest = std::max(deepest, tree[i].depth);
    if (tree[i].parent < 0) continue;
    leaves[slot(tree[i].parent)] += leaves[i];
    if (leads[i]) leads[slot(tree[i].parent)] = true;
  }
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float height = std::min(px(kCell), size.y / static_cast<float>(deepest + 1));
  const double unit = static_cast<double>(size.x) / std::max(leaves.empty() ? 1.0 : leaves[0], 1.0);
  const Theme& theme = style.theme;
  int under = -1;
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const runs::FusionState& state = tree[i];
    if (state.parent >= 0) {
      left[i] = left[slot(state.parent)] + taken[slot(state.parent)];
      taken[slot(state.parent)] += leaves[i];
    }
    // From its parent's lower side, also where those between were left out.
    const int above = state.parent < 0 ? 0 : tree[slot(state.parent)].depth + 1;
    const float x = origin.x + static_cast<float>(left[i] * unit),
                y = origin.y + height * static_cast<float>(above);
    const float bottom = origin.y + height * static_cast<float>(state.depth + 1);
    const float width = static_cast<float>(leaves[i] * unit);
    const bool leaf = taken[i] == 0 && state.kept == 0;
    const auto worst =
        static_cast<std::size_t>(std::max_element(state.cut.begin(), state.cut.end()) - state.cut.begin());
    const bool cut = leaf && !state.equal && sum(state.cut) > 0;
    const ImU32 fill = state.equal ? theme.good
                       : leads[i]  ? mix(theme.card, theme.good, theme.dark ? 0.32f : 0.26f)
                       : cut       ? mix(theme.card, reason_colour(theme, worst), 0.8f)
                                   : theme.raised;
    const float gap = width > px(4) ? 1.0f : 0.0f;
    const Rect box{{x, y + 1}, {std::max(x + width - gap, x + 0.75f), bottom - 1}};
    draw->AddRectFilled(box.min, box.max, fill, width > px(8) ? px(2) : 0);
    const Ink on{state.equal ? style.fonts.strong : style.fonts.regular, 12.0f,
                 state.equal || cut ? ink_on(fill) : theme.text};
    if (height >= px(14)) {
      const std::string all = i == 0 ? "nothing yet" : state.text;
      const std::string sign = state.equal ? "=" : cut ? letter(record.reasons[worst]) : "";
      if (measure(on, all).x + px(8) <= box.width())
        put_centred(draw, on, box, all);
      else if (measure(on, "t1 + w").x + px(6) <= box.width())
        put_centred(draw, on, box, elide(on, all, box.width() - px(6)));
      else if (!sign.empty() && measure(on, sign).x + 1 <= box.width())
        put_centred(draw, on, box, sign);
    }
    if (ImGui::IsWindowHovered() &&
        ImGui::IsMouseHoveringRect(box.min, {std::max(box.max.x, x + 2), box.max.y}))
      under = static_cast<int>(i);
  }
  if (under >= 0) {
    std::string path;
    for (int i = under; i > 0; i = tree[slot(i)].parent)
      path = tree[slot(i)].text + (path.empty() ? "" : "\n") + path;
    const runs::FusionState& state = tree[slot(under)];
    counts_tooltip(record, path.empty() ? "Nothing but the inputs" : path, state.cut,
                   state.equal ? "Equal to the program"
                               : format_count(state.kept) + " of what could follow " +
                                     (state.kept == 1 ? "was" : "were") + " kept");
  }
  ImGui::Dummy({size.x, height * static_cast<float>(deepest + 1)});
}

}  // namespace workbook::viewer
