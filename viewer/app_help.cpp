// What lies over the panels: the keys, the palette of commands, and messages that pass.
#include <algorithm>

#include "app.h"
#include "model/format.h"
#include "widgets/draw.h"

namespace workbook::viewer {
namespace {

constexpr float kKeyWidth = 116, kWordsWidth = 330;  // units
constexpr float kTablesApart = 22;

constexpr ImGuiWindowFlags kOverlay = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoDocking |
                                      ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                                      ImGuiWindowFlags_NoCollapse;

bool begin_overlay(const View& view, const char* name, bool* open, ImVec2 at, ImVec2 pivot,
                   ImGuiWindowFlags flags) {
  ImGui::SetNextWindowPos(at, ImGuiCond_Always, pivot);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, view.theme.card);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, px(10));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0f);
  const bool drawn = ImGui::Begin(name, open, flags | kOverlay);
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
  return drawn;
}

// A panel's commands begin with its title, for the palette; under a heading that says it they need not.
std::string under_heading(const std::string& name, const std::string& title) {
  return name.starts_with(title + ": ") ? capitalised(name.substr(title.size() + 2)) : name;
}

void key_table(const View& view, const char* title, const std::vector<Command>& commands) {
  draw_heading(view, title);
  if (!ImGui::BeginTable(title, 2)) return;
  // Widths of their own: the window is as wide as they are, so words that gave way to it would have none.
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, px(kKeyWidth));
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, px(kWordsWidth));
  for (const Command& command : commands) {
    if (command.key.empty()) continue;
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    cell_left({view.fonts.mono, 15.0f, view.theme.text}, command.key);
    ImGui::TableNextColumn();
    cell_left({view.fonts.regular, kTextSize, view.theme.muted}, under_heading(command.name, title));
  }
  ImGui::EndTable();
}

}  // namespace

void App::draw_help(View& view) {
  const ImGuiViewport* screen = ImGui::GetMainViewport();
  const bool wide = screen->WorkSize.x >= px(1040);
  ImGui::SetNextWindowSizeConstraints({px(300), px(100)},
                                      {screen->WorkSize.x - px(40), screen->WorkSize.y - px(40)});
  if (begin_overlay(view, "Keys", &help_, screen->GetCenter(), {0.5f, 0.5f},
                    ImGuiWindowFlags_AlwaysAutoResize)) {
    ImGui::PushFont(view.fonts.strong, kTitleSize);
    ImGui::TextUnformatted("Keys");
    ImGui::PopFont();
    std::vector<Command> here = own_;
    here.push_back({"Move the thread; with Shift, the block", "Arrows", {}});
    const auto own = [&] {
      key_table(view, "Everywhere", here);
      key_table(view, "In pictures",
                {{"Closer, further; or the wheel", "W, S", {}},
                 {"Left, right; or drag with the right button", "A, D", {}},
                 {"Fit; or a double click", "F", {}}});
    };
    const auto others = [&] {
      for (const auto& panel : panels_) {
        std::vector<Command> theirs = panel->commands();
        if (std::any_of(theirs.begin(), theirs.end(), [](const Command& each) { return !each.key.empty(); }))
          key_table(view, panel->title(), theirs);
      }
    };
    if (wide && ImGui::BeginTable("columns", 2)) {
      for (int column = 0; column < 2; ++column)
        ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed,
                                px(kKeyWidth + kWordsWidth + kTablesApart));
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      own();
      ImGui::TableNextColumn();
      others();
      ImGui::EndTable();
    } else if (!wide) {
      own();
      others();
    }
  }
  ImGui::End();
}

std::vector<Command> App::puzzle_commands() {
  std::vector<Command> all;
  const auto add = [&](int number, const std::string& title, const std::string& also) {
    const bool known = std::any_of(all.begin(), all.end(), [&](const Command& each) {
      return each.also.starts_with(std::to_string(number) + " ");
    });
    if (known) return;
    all.push_back({"Puzzle " + two_digits(number) + "  " + title,
                   "",
                   [this, number](View& view) {
                     const std::string before = in_front_ == nullptr ? "" : in_front_->title();
                     choose_puzzle(view.selection, view.library, number);
                     bring_to_front(before);
                   },
                   {},
                   std::to_string(number) + " " + also});
  };
  for (const PuzzleEntry& entry : workbench_.puzzles()) add(entry.number, entry.title, entry.name);
  for (const runs::RunHeader& header : library_.headers())
    if (workbench_.puzzles().empty()) add(header.puzzle, header.puzzle_title, header.puzzle_name);
  return all;
}

void App::draw_palette(View& view) {
  const bool opened = commands_.empty();
  if (opened) {
    search_.clear();
    chosen_ = 0;
    commands_ = own_;
    for (const auto& panel : panels_)
      for (Command& command : panel->commands()) commands_.push_back(std::move(command));
    std::erase_if(commands_, [](const Command& each) { return each.run == nullptr; });
    for (Command& command : puzzle_commands()) commands_.push_back(std::move(command));
  }
  const ImGuiViewport* screen = ImGui::GetMainViewport();
  const float width = std::min(px(620), screen->WorkSize.x - px(40));
  ImGui::SetNextWindowSize({width, 0});
  std::function<void(View&)> run;
  if (begin_overlay(view, "Commands", &palette_, {screen->GetCenter().x, screen->WorkPos.y + px(70)},
                    {0.5f, 0.0f}, 0)) {
    if (opened) ImGui::SetKeyboardFocusHere();
    ImGui::SetNextItemWidth(-1);
    const std::string before = search_;
    const bool enter =
        text_field("##search", "What to do, or which puzzle? Type a few letters or a number", &search_);
    if (search_ != before) chosen_ = 0;
    std::vector<const Command*> found;
    for (const Command& command : commands_)
      if (words_match(command.name + " " + command.also, search_)) found.push_back(&command);
    const int last = static_cast<int>(found.size()) - 1;
    if (ImGui::IsKeyPressed(ImGuiKey_DownArrow)) ++chosen_;
    if (ImGui::IsKeyPressed(ImGuiKey_UpArrow)) --chosen_;
    chosen_ = std::clamp(chosen_, 0, std::max(0, last));
    if (enter && !found.empty()) run = found[static_cast<std::size_t>(chosen_)]->run;
    if (ImGui::BeginChild("found", {0, std::min(px(440), screen->WorkSize.y - px(220))})) {
      for (int i = 0; i <= last; ++i) {
        const Command& command = *found[static_cast<std::size_t>(i)];
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::PushID(i);
        if (ImGui::Selectable("##entry", i == chosen_, 0, {0, px(24)})) run = command.run;
        if (i == chosen_ &&
            (opened || ImGui::IsKeyPressed(ImGuiKey_DownArrow) || ImGui::IsKeyPressed(ImGuiKey_UpArrow)))
          ImGui::SetScrollHereY();
        ImGui::PopID();
        const float room = ImGui::GetContentRegionAvail().x, middle = at.y + px(12);
        const Ink key{view.fonts.mono, 14.5f, view.theme.muted},
            name{view.fonts.regular, kTextSize, view.theme.text};
        const float taken = measure(key, command.key).x + px(12);
        ImDrawList* draw = ImGui::GetWindowDrawList();
        put_middle(draw, name, {at.x + px(6), middle}, elide(name, command.name, room - taken - px(12)));
        put_middle(draw, key, {at.x + room - taken + px(4), middle}, command.key);
      }
      if (found.empty()) ImGui::TextDisabled("No command has these words.");
    }
    ImGui::EndChild();
    // A click elsewhere is an answer too.
    if (!opened && ImGui::GetFrameCount() > 1 && !ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows))
      palette_ = false;
  }
  ImGui::End();
  if (run) {
    palette_ = false;
    View told = this->view();
    run(told);
    take_wishes(told);
  }
  if (!palette_) commands_.clear();
}

void App::draw_message(const View& view) {
  if (message_.empty() || ImGui::GetTime() > message_until_) return;
  const ImGuiViewport* screen = ImGui::GetMainViewport();
  bool open = true;
  if (begin_overlay(view, "##message", &open,
                    {screen->GetCenter().x, screen->WorkPos.y + screen->WorkSize.y - px(28)}, {0.5f, 1.0f},
                    ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoFocusOnAppearing |
                        ImGuiWindowFlags_NoInputs))
    ImGui::TextUnformatted(message_.c_str());
  ImGui::End();
}

}  // namespace workbook::viewer
