#include "panels/puzzles.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "model/format.h"
#include "widgets/draw.h"

namespace workbook::viewer {
namespace {

constexpr float kListBeside = 860;       // units of width from which list and output stand side by side
constexpr float kPuzzleRow = 34;         // units
constexpr double kProgressEvery = 0.1;   // seconds
constexpr double kNextDigit = 1.2;       // seconds in which a second digit belongs to the first
constexpr std::size_t kWrapped = 32768;  // bytes of output up to which lines are broken to fit

enum class Mark { open, tried, done };

// A ring, a half-filled ring, a tick: the state without colour.
void draw_mark(ImDrawList* draw, const View& view, ImVec2 centre, Mark mark) {
  const float radius = px(8);
  if (mark == Mark::done) {
    draw->AddCircleFilled(centre, radius, view.theme.good);
    const ImVec2 tick[] = {centre + ImVec2{px(-3.5f), px(0.5f)}, centre + ImVec2{px(-1), px(3)},
                           centre + ImVec2{px(4), px(-3)}};
    draw->AddPolyline(tick, 3, ink_on(view.theme.good), 0, px(2));
    return;
  }
  draw->AddCircle(centre, radius, mark == Mark::tried ? view.theme.bad : view.theme.faint, 0, px(1.5f));
  if (mark != Mark::tried) return;
  draw->PathArcTo(centre, radius - px(2.5f), 1.5708f, 4.7124f, 12);
  draw->PathFillConvex(view.theme.bad);
}

Mark mark_of(const VariantEntry& variant) {
  return variant.done ? Mark::done : variant.run != 0 ? Mark::tried : Mark::open;
}

Mark mark_of(const PuzzleEntry& entry) {
  if (entry.done) return Mark::done;
  const bool tried = std::any_of(entry.variants.begin(), entry.variants.end(),
                                 [](const VariantEntry& each) { return each.run != 0; });
  return tried ? Mark::tried : Mark::open;
}

// A row that can be chosen; true when it was. Its corner is left in `at`.
bool choice(const View& view, const char* id, bool chosen, ImVec2* at, float* width) {
  *at = ImGui::GetCursorScreenPos();
  *width = ImGui::GetContentRegionAvail().x;
  const bool pressed = ImGui::InvisibleButton(id, {*width, px(kPuzzleRow)});
  ImDrawList* draw = ImGui::GetWindowDrawList();
  if (chosen) {
    draw->AddRectFilled(*at, *at + ImVec2{*width, px(kPuzzleRow)}, with_alpha(view.theme.accent, 0.12f),
                        px(6));
    draw->AddRectFilled(*at, *at + ImVec2{px(3), px(kPuzzleRow)}, view.theme.accent, px(2));
  } else if (ImGui::IsItemHovered()) {
    draw->AddRectFilled(*at, *at + ImVec2{*width, px(kPuzzleRow)}, view.theme.raised, px(6));
  }
  return pressed;
}

void select_puzzle(View& view, int number) { choose_puzzle(view.selection, view.library, number); }

// How long the newest run of that variant took, in seconds; 0: unknown.
double usual_seconds(const View& view, int puzzle, const std::string& variant) {
  for (const runs::RunHeader& header : view.library.headers())
    if (header.puzzle == puzzle && header.variant == variant && runs::is_learner(header.origin))
      return header.elapsed_ms / 1000.0;
  return 0.0;
}

std::string seconds(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f s", value);
  return text;
}

}  // namespace

std::string PuzzlesPanel::missing(View& view) {
  view.workbench->wait_for_list();
  if (view.workbench->reading()) return "the list of puzzles is not there yet: `workbook list` has it built";
  return view.workbench->puzzles().empty() ? view.workbench->problem() : "";
}

std::vector<Command> PuzzlesPanel::commands() {
  const auto at_hand = [](View& v) { return v.workbench->at_hand(v.selection.puzzle); };
  return {
      {"Open the puzzle's file in the editor", "E", [=](View& v) { v.say = v.workbench->edit(at_hand(v)); }},
      {"Open the puzzle's chapter", "B", [=](View& v) { v.say = v.workbench->book(at_hand(v)); }},
      {"The puzzle of that number; Alt and a digit: a panel", "Digits", nullptr},
      {"The puzzle before, the next", "Up, Down", nullptr},
      {"The chosen puzzle's pictures", "Enter", nullptr},
      {"Cancel what runs", "C", [](View& v) { v.workbench->cancel(); }}};
}

void PuzzlesPanel::handle_keys(View& view) {
  const int puzzle = view.workbench->at_hand(view.selection.puzzle);
  if (ImGui::IsKeyPressed(ImGuiKey_E, false)) view.say = view.workbench->edit(puzzle);
  if (ImGui::IsKeyPressed(ImGuiKey_B, false)) view.say = view.workbench->book(puzzle);
  if (ImGui::IsKeyPressed(ImGuiKey_C, false)) view.workbench->cancel();
  step(view,
       (ImGui::IsKeyPressed(ImGuiKey_DownArrow) ? 1 : 0) - (ImGui::IsKeyPressed(ImGuiKey_UpArrow) ? 1 : 0));
  read_digits(view);
  if (ImGui::IsKeyPressed(ImGuiKey_Enter, false) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false)) {
    choose_puzzle(view.selection, view.library, puzzle);
    view.go_to = kPuzzlesPictures;
  }
}

void PuzzlesPanel::step(View& view, int by) {
  const std::vector<PuzzleEntry>& puzzles = view.workbench->puzzles();
  if (by == 0 || puzzles.empty()) return;
  const int now = view.workbench->at_hand(view.selection.puzzle);
  const auto at = std::find_if(puzzles.begin(), puzzles.end(),
                               [&](const PuzzleEntry& each) { return each.number == now; });
  const auto next = std::clamp<std::ptrdiff_t>(at - puzzles.begin() + by, 0,
                                               static_cast<std::ptrdiff_t>(puzzles.size()) - 1);
  select_puzzle(view, puzzles[static_cast<std::size_t>(next)].number);
  scroll_to_chosen_ = true;
}

/// "2" is Puzzle 02, and a second "2" soon after it makes it 22.
void PuzzlesPanel::read_digits(View& view) {
  for (int digit = 0; digit <= 9; ++digit) {
    if (!ImGui::IsKeyPressed(static_cast<ImGuiKey>(ImGuiKey_0 + digit), false) &&
        !ImGui::IsKeyPressed(static_cast<ImGuiKey>(ImGuiKey_Keypad0 + digit), false))
      continue;
    const bool goes_on = typed_at_ >= 0 && ImGui::GetTime() - typed_at_ < kNextDigit && typed_ < 10;
    typed_ = (goes_on ? typed_ * 10 : 0) + digit;
    typed_at_ = ImGui::GetTime();
    if (view.workbench->puzzle(typed_) == nullptr) continue;
    select_puzzle(view, typed_);
    scroll_to_chosen_ = true;
  }
}

void PuzzlesPanel::draw(View& view) {
  Workbench& bench = *view.workbench;
  if (bench.puzzles().empty()) {
    if (bench.reading())
      draw_empty_state(view, "Reading the list", "The first time this builds the program.", "workbook list");
    else
      draw_empty_state(view, "No list of puzzles", bench.problem(), "workbook doctor");
    return;
  }
  if (bench.busy()) view.change_in(kProgressEvery);
  const int chosen = bench.at_hand(view.selection.puzzle);
  const PuzzleEntry* entry = bench.puzzle(chosen);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const bool beside = room.x >= px(kListBeside);
  const float rows = static_cast<float>(bench.puzzles().size()) * px(kPuzzleRow + 4) + px(110);
  const float list = beside ? room.y : std::min(rows, std::max(px(150), room.y * 0.3f));
  draw_list(view, bench, {beside ? px(360) : 0, list});
  if (beside) ImGui::SameLine(0, gap);
  ImGui::BeginGroup();
  if (entry != nullptr) draw_chosen(view, bench, *entry);
  draw_output(view, bench, chosen);
  ImGui::EndGroup();
}

void PuzzlesPanel::draw_list(View& view, const Workbench& bench, ImVec2 size) {
  if (begin_card(view, "list", size)) {
    const auto done = std::count_if(bench.puzzles().begin(), bench.puzzles().end(),
                                    [](const PuzzleEntry& each) { return each.done; });
    draw_heading(view, "Puzzles",
                 std::to_string(done) + " of " + std::to_string(bench.puzzles().size()) + " done");
    std::string part;
    const int chosen = bench.at_hand(view.selection.puzzle);
    for (const PuzzleEntry& entry : bench.puzzles()) {
      if (entry.part != part) {
        part = entry.part;
        const Ink quiet{view.fonts.strong, kSmallSize, view.theme.muted};
        const ImVec2 at = ImGui::GetCursorScreenPos();
        put(ImGui::GetWindowDrawList(), quiet, at + ImVec2{px(6), px(4)},
            elide(quiet, part, ImGui::GetContentRegionAvail().x - px(8)));
        ImGui::Dummy({0, px(20)});
      }
      draw_entry(view, entry, entry.number == chosen);
    }
  }
  end_card();
}

void PuzzlesPanel::draw_entry(View& view, const PuzzleEntry& entry, bool chosen) {
  ImVec2 at;
  float width = 0;
  ImGui::PushID(entry.number);
  if (choice(view, "puzzle", chosen, &at, &width)) select_puzzle(view, entry.number);
  if (chosen && scroll_to_chosen_) ImGui::SetScrollHereY();
  if (chosen) scroll_to_chosen_ = false;
  ImGui::PopID();
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float middle = at.y + px(kPuzzleRow) / 2;
  draw_mark(draw, view, {at.x + px(18), middle}, mark_of(entry));
  const Ink number{view.fonts.mono, kSmallSize, view.theme.muted},
      title{chosen ? view.fonts.strong : view.fonts.regular, kTextSize, view.theme.text},
      count{view.fonts.regular, kSmallSize, view.theme.muted};
  const auto done = std::count_if(entry.variants.begin(), entry.variants.end(),
                                  [](const VariantEntry& each) { return each.done; });
  const std::string share = std::to_string(done) + " of " + std::to_string(entry.variants.size());
  const float right = at.x + width - measure(count, share).x - px(8);
  float x = at.x + px(36);
  x += put_middle(draw, number, {x, middle}, two_digits(entry.number)) + px(8);
  put_middle(draw, title, {x, middle}, elide(title, entry.title, right - x - px(8)));
  put_middle(draw, count, {right, middle}, share);
}

void PuzzlesPanel::draw_chosen(View& view, Workbench& bench, const PuzzleEntry& entry) {
  const Ink text{view.fonts.regular, kTextSize, view.theme.text};
  const float inner = ImGui::GetContentRegionAvail().x - px(32);
  ImGui::PushFont(view.fonts.regular, kTextSize);
  const float summary = ImGui::CalcTextSize(entry.summary.c_str(), nullptr, false, inner).y;
  ImGui::PopFont();
  const float rows =
      static_cast<float>(entry.variants.size()) * (px(kPuzzleRow) + ImGui::GetStyle().ItemSpacing.y);
  const float buttons = ImGui::GetFrameHeight() * (inner < px(470) ? 2 : 1) + px(20);
  if (begin_card(view, "chosen", {0, px(64) + summary + rows + buttons})) {
    draw_heading(view, two_digits(entry.number) + "  " + entry.title);
    ImGui::PushStyleColor(ImGuiCol_Text, view.theme.muted);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(entry.summary.c_str());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
    const std::string chosen = bench.variant_of(entry.number);
    for (const VariantEntry& variant : entry.variants) {
      ImVec2 at;
      float width = 0;
      if (choice(view, variant.name.c_str(), variant.name == chosen, &at, &width))
        bench.choose_variant(entry.number, variant.name);
      if (!variant.summary.empty()) ImGui::SetItemTooltip("%s", variant.summary.c_str());
      ImDrawList* draw = ImGui::GetWindowDrawList();
      const float middle = at.y + px(kPuzzleRow) / 2;
      draw_mark(draw, view, {at.x + px(18), middle}, mark_of(variant));
      const float used = put_middle(draw, text, {at.x + px(36), middle}, variant.name) + px(50);
      const Ink state{view.fonts.regular, kSmallSize, variant.done ? view.theme.good : view.theme.muted};
      const std::string words = elide(state, state_words(variant), width - used - px(8));
      put_middle(draw, state, {at.x + width - measure(state, words).x - px(8), middle}, words);
    }
    draw_buttons(view, bench, entry.number);
  }
  end_card();
}

void PuzzlesPanel::draw_buttons(View& view, Workbench& bench, int puzzle) {
  const float room = ImGui::GetContentRegionAvail().x, gap = ImGui::GetStyle().ItemSpacing.x;
  const bool pairs = room < px(470);
  const float width = pairs ? (room - gap) / 2 : std::min(px(150), (room - 3 * gap) / 4);
  const auto button = [&](const char* label, const char* what) {
    const bool pressed = ImGui::Button(label, {width, 0});
    ImGui::SetItemTooltip("%s", what);
    return pressed;
  };
  if (bench.busy()) {
    if (button("Cancel  C", "Ends what runs, and all that it started")) bench.cancel();
  } else {
    ImGui::PushStyleColor(ImGuiCol_Button, view.theme.accent);
    ImGui::PushStyleColor(ImGuiCol_Text, ink_on(view.theme.accent));
    if (button("Run  R", "Builds, checks and times the chosen variant")) view.say = bench.run(puzzle);
    ImGui::PopStyleColor(2);
  }
  ImGui::SameLine();
  if (button("Hint  H", "The next rung of the ladder")) view.say = bench.hint(puzzle);
  if (!pairs) ImGui::SameLine();
  if (button("Edit  E", "Opens kernels.cu in your editor")) view.say = bench.edit(puzzle);
  ImGui::SameLine();
  if (button("Chapter  B", "Opens the puzzle's chapter of the book")) view.say = bench.book(puzzle);
}

void PuzzlesPanel::draw_progress(const View& view, const Workbench& bench, int puzzle) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const double usual = bench.job() == Job::run ? usual_seconds(view, puzzle, bench.variant_of(puzzle)) : 0.0;
  const double elapsed = bench.work().elapsed_s();
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const Rect bar{at, at + ImVec2{width, px(6)}};
  draw->AddRectFilled(bar.min, bar.max, view.theme.raised, px(3));
  // Against the time that the last run took; without one, a piece that goes to and fro.
  if (usual > 0) {
    const auto share = static_cast<float>(std::min(0.97, elapsed / usual));
    draw->AddRectFilled(bar.min, {bar.min.x + width * share, bar.max.y}, view.theme.accent, px(3));
  } else {
    const auto phase = static_cast<float>(elapsed - std::floor(elapsed / 2.0) * 2.0);
    const float left = (phase < 1 ? phase : 2 - phase) * 0.75f * width;
    draw->AddRectFilled({at.x + left, bar.min.y}, {at.x + left + width * 0.25f, bar.max.y}, view.theme.accent,
                        px(3));
  }
  ImGui::Dummy({width, px(8)});
}

void PuzzlesPanel::draw_output(const View& view, Workbench& bench, int puzzle) {
  const float height = std::max(px(170), ImGui::GetContentRegionAvail().y);
  if (begin_card(view, "output", {0, height})) {
    if (!bench.any_job()) {
      draw_heading(view, "Output");
      const std::string problem = bench.problem();
      const std::string words =
          problem.empty() ? "Nothing has run yet: R runs " + bench.variant_of(puzzle) + "." : problem;
      ImGui::PushStyleColor(ImGuiCol_Text, problem.empty() ? view.theme.muted : view.theme.bad);
      ImGui::TextWrapped("%s", words.c_str());
      ImGui::PopStyleColor();
      end_card();
      return;
    }
    const std::string& text = bench.work().output();
    draw_heading(view, bench.title(), seconds(bench.work().elapsed_s()));
    if (bench.busy()) {
      draw_progress(view, bench, puzzle);
    } else {
      const ImU32 colour = bench.succeeded() ? view.theme.good : view.theme.bad;
      const ImVec2 at = ImGui::GetCursorScreenPos();
      draw_mark(ImGui::GetWindowDrawList(), view, at + ImVec2{px(9), px(10)},
                bench.succeeded() ? Mark::done : Mark::tried);
      put(ImGui::GetWindowDrawList(), {view.fonts.strong, kTextSize, colour}, at + ImVec2{px(25), 0},
          bench.outcome());
      ImGui::Dummy({0, px(24)});
    }
    if (ImGui::BeginChild("text", {0, 0}, 0, ImGuiWindowFlags_HorizontalScrollbar)) {
      ImGui::PushFont(view.fonts.mono, kSmallSize - 0.5f);
      const bool wrapped = text.size() <= kWrapped;
      if (wrapped) ImGui::PushTextWrapPos(0);
      ImGui::TextUnformatted(text.data(), text.data() + text.size());
      if (wrapped) ImGui::PopTextWrapPos();
      ImGui::PopFont();
      if (bench.busy() && text.size() != shown_) ImGui::SetScrollHereY(1.0f);
      shown_ = text.size();
    }
    ImGui::EndChild();
  }
  end_card();
}

}  // namespace workbook::viewer
