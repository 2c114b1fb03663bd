#include "app.h"

#include <imgui_internal.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "widgets/draw.h"

namespace workbook::viewer {
namespace {

constexpr double kPollEvery = 0.3;   // seconds: new runs appear well within one
constexpr double kMessageFor = 6.0;  // seconds
constexpr float kRoomForTwo = 1700;  // units of width from which a column stands beside the pictures
constexpr float kColumn = 400;       // units
constexpr double kBlink = 0.4;       // seconds, of the cursor in a text
// At the start, in the column and in the pictures.
constexpr const char *kInFrontOfColumn = "Puzzles", *kInFront = "Compare", *kOfPrograms = "Timeline";

// What a run of a program did over time is its story; of single launches that is how they compare.
const char* front_of(const Selection& selection, Library& library) {
  const auto run = library.run(selection.run_a);
  const bool program = run && std::any_of(run->record.benchmarks.begin(), run->record.benchmarks.end(),
                                          [](const auto& each) { return !each.calls.empty(); });
  return program ? kOfPrograms : kInFront;
}

bool is_digit(const Command& command) {
  return command.key.size() == 1 && command.key[0] >= '0' && command.key[0] <= '9';
}

// The theme lies in the layout's file, as a section of its own.
void add_settings_handler(std::optional<bool>& dark, bool& now_dark) {
  struct Place {
    std::optional<bool>* dark;
    bool* now_dark;
  };
  static Place place;
  place = {&dark, &now_dark};
  ImGui::RemoveSettingsHandler("Workbook");
  ImGuiSettingsHandler handler;
  handler.TypeName = "Workbook";
  handler.TypeHash = ImHashStr("Workbook");
  handler.ReadOpenFn = [](ImGuiContext*, ImGuiSettingsHandler*, const char*) -> void* { return &place; };
  handler.ReadLineFn = [](ImGuiContext*, ImGuiSettingsHandler*, void*, const char* line) {
    if (!place.dark->has_value() && std::string(line) == "theme=dark") *place.dark = true;
  };
  handler.WriteAllFn = [](ImGuiContext*, ImGuiSettingsHandler*, ImGuiTextBuffer* out) {
    out->appendf("[Workbook][View]\ntheme=%s\n\n", *place.now_dark ? "dark" : "light");
  };
  ImGui::AddSettingsHandler(&handler);
}

}  // namespace

App::App(Library& library, Selection selection, AppSettings settings)
    : library_(library),
      selection_(std::move(selection)),
      settings_(std::move(settings)),
      workbench_(settings_.repository, settings_.state),
      panels_(make_panels()),
      own_(own_commands()) {
  for (const auto& panel : panels_)
    if (panel_name(*panel) == settings_.solo) solo_ = panel.get();
  if (solo_ == nullptr && !settings_.solo.empty())
    throw std::invalid_argument("there is no panel called '" + settings_.solo + "'");
  keep_settings();
  theme_ = make_theme(settings_.dark.value_or(false));
  fonts_ = load_fonts();
  ImGui::GetIO().FontDefault = fonts_.regular;
  apply_theme(theme_, settings_.scale);
  choose_default_runs();
  newest_seen_ = library_.newest_own();
  // Nothing has run: the list is where to begin. What plays over time is shown whatever was in front last.
  const std::string front = library_.only_offered() ? kInFrontOfColumn : front_of(selection_, library_);
  if (front != kInFront) wanted_ = front;
}

/// Pictures, which stand alone, show what they were asked for in that order.
void App::choose_default_runs() {
  choose_runs(selection_, library_);
  if (solo_ == nullptr) put_faster_second(selection_, library_);
}

std::optional<WallTime> App::now() const {
  return settings_.ages ? std::optional(std::chrono::system_clock::now()) : std::nullopt;
}

App::~App() {
  if (!settings_.layout_file.empty()) ImGui::SaveIniSettingsToDisk(settings_.layout_file.c_str());
  ImGui::RemoveSettingsHandler("Workbook");
  ImGui::ClearIniSettings();
}

void App::keep_settings() {
  ImGuiIO& io = ImGui::GetIO();
  io.ConfigFlags |= ImGuiConfigFlags_DockingEnable;
  io.ConfigDockingAlwaysTabBar = true;
  io.IniFilename = nullptr;  // written when the app ends, and never by pictures
  if (settings_.layout_file.empty()) return;
  add_settings_handler(settings_.dark, theme_.dark);
  ImGui::LoadIniSettingsFromDisk(settings_.layout_file.c_str());
  arranged_ = ImGui::DockBuilderGetNode(ImHashStr("panels")) != nullptr;
}

/// The shapes are those of the runs, whoever has chosen these.
void App::settle_shapes() {
  if (shapes_a_ != selection_.run_a || shapes_b_ != selection_.run_b) {
    shapes_a_ = selection_.run_a;
    shapes_b_ = selection_.run_b;
    shapes_ = shapes_of(selection_, library_);
  }
  settle_shape(selection_, shapes_);
}

View App::view() {
  settle_shapes();
  return {{theme_, fonts_, solo_ != nullptr}, library_, selection_, "", "", View::kNever, &workbench_};
}

void App::say(const std::string& what) {
  message_ = what;
  message_until_ = ImGui::GetTime() + kMessageFor;
}

void App::take_wishes(const View& view) {
  if (view.go_to == kPuzzlesPictures)
    wanted_ = front_of(selection_, library_);
  else if (!view.go_to.empty())
    wanted_ = view.go_to;
  if (!view.say.empty()) say(view.say);
}

void App::take_new_runs() {
  const std::int64_t newest = library_.newest_own();
  const runs::RunHeader* header = newest > newest_seen_ ? library_.header(newest) : nullptr;
  newest_seen_ = newest;
  if (header == nullptr) {
    // Runs may have gone, and what is shown with them.
    if (library_.header(selection_.run_a) == nullptr) choose_default_runs();
    return;
  }
  const std::string name = "Puzzle " + two_digits(header->puzzle) + ", " + run_words(*header, {});
  take_new_run(selection_, library_, newest);
  if (solo_ != nullptr) return;
  say("New run: " + name + (selection_.run_b == newest ? ". It is B now." : ". It is shown now."));
}

/// After another puzzle was chosen: of its panels the one that tells its story, unless it is not pictures
/// that are looked at.
void App::bring_to_front(const std::string& before) {
  if (before == kInFront || before == kOfPrograms) wanted_ = front_of(selection_, library_);
}

bool App::poll_workbench() {
  const bool busy = workbench_.busy(), changed = workbench_.poll();
  if (selection_.puzzle == 0 && !workbench_.puzzles().empty()) {
    selection_.puzzle = workbench_.at_hand(0);
    choose_default_runs();
  }
  // In Puzzles it stands above the output.
  const bool seen = in_front_ != nullptr && panel_name(*in_front_) == "puzzles";
  if (busy && !workbench_.busy() && !seen) say(workbench_.title() + ": " + workbench_.outcome());
  return changed;
}

bool App::poll_library() {
  polled_at_ = ImGui::GetTime();
  if (!library_.poll()) return false;
  take_new_runs();
  return true;
}

bool App::poll() {
  const bool printed = poll_workbench(), came = poll_library();
  return printed || came;
}

std::string App::missing() {
  View seen = view();
  return solo_ != nullptr ? solo_->missing(seen) : "";
}

void App::arrange() {
  const ImGuiID space = ImHashStr("panels");
  const ImVec2 room = ImGui::GetMainViewport()->WorkSize;
  ImGui::DockBuilderRemoveNode(space);
  ImGui::DockBuilderAddNode(space, ImGuiDockNodeFlags_DockSpace);
  ImGui::DockBuilderSetNodeSize(space, room);
  ImGuiID column = space, rest = space;
  if (room.x >= px(kRoomForTwo))
    ImGui::DockBuilderSplitNode(space, ImGuiDir_Left, px(kColumn) / room.x, &column, &rest);
  for (const auto& panel : panels_)
    ImGui::DockBuilderDockWindow(panel->title(), panel->stands_beside() ? column : rest);
  ImGui::DockBuilderFinish(space);
  // One after the other, each in front of its tabs; a panel that is wanted already comes last.
  then_wanted_ = wanted_.empty() ? front_of(selection_, library_) : wanted_;
  wanted_ = kInFrontOfColumn;
  arranged_ = true;
}

void App::draw_panel(View& view, Panel& panel) {
  ImGuiWindowFlags flags = ImGuiWindowFlags_NoCollapse;
  if (view.solo) {
    const ImGuiViewport* viewport = ImGui::GetMainViewport();
    ImGui::SetNextWindowPos(viewport->Pos);
    ImGui::SetNextWindowSize(viewport->Size);
    flags |= ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoSavedSettings;
  }
  if (ImGui::Begin(panel.title(), nullptr, flags)) {
    if (ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows | ImGuiFocusedFlags_DockHierarchy))
      in_front_ = &panel;
    panel.draw(view);
  }
  ImGui::End();
}

void App::draw() {
  poll_workbench();
  if (ImGui::GetTime() - polled_at_ > kPollEvery) poll_library();
  View view = this->view();
  if (solo_ != nullptr) return draw_panel(view, *solo_);
  handle_keys(view);
  const int puzzle = selection_.puzzle;
  draw_bar(view);
  if (!arranged_) arrange();
  ImGui::DockSpaceOverViewport(ImHashStr("panels"), ImGui::GetMainViewport(),
                               ImGuiDockNodeFlags_NoWindowMenuButton);
  const std::string in_front = in_front_ == nullptr ? "" : in_front_->title();
  for (const auto& panel : panels_) draw_panel(view, *panel);
  if (puzzle != 0 && selection_.puzzle != puzzle) bring_to_front(in_front);
  take_wishes(view);
  if (!wanted_.empty() && ImGui::GetFrameCount() > 1) {
    ImGui::SetWindowFocus(wanted_.c_str());
    for (const auto& panel : panels_)
      if (panel->title() == wanted_) in_front_ = panel.get();
    wanted_ = std::exchange(then_wanted_, "");
  }
  if (help_) draw_help(view);
  if (palette_) draw_palette(view);
  draw_message(view);
  if (ImGui::GetIO().WantTextInput) view.change_in(kBlink);
  if (!wanted_.empty()) view.change_in(0);
  if (ImGui::GetTime() > message_until_) message_.clear();
  if (!message_.empty()) view.change_in(message_until_ - ImGui::GetTime());
  redraw_in_ = view.redraw_in;
}

void App::switch_theme() {
  theme_ = make_theme(!theme_.dark);
  apply_theme(theme_, settings_.scale);
}

std::vector<Command> App::own_commands() {
  std::vector<Command> all;
  for (std::size_t i = 0; i < panels_.size(); ++i) {
    const Panel& panel = *panels_[i];
    const int digit = static_cast<int>((i + 1) % 10);
    all.push_back({std::string(panel.title()) + ": " + panel.summary(),
                   i < 10 ? std::to_string(digit) : "-",
                   [this, title = panel.title()](View&) { wanted_ = title; },
                   {i < 10 ? ImGuiKey_0 + digit : ImGuiKey_Minus}});
  }
  const auto add = [&](const char* name, const char* key, std::vector<ImGuiKeyChord> chords,
                       std::function<void(View&)> run) {
    all.push_back({name, key, std::move(run), std::move(chords)});
  };
  add("Swap A and B", "X", {ImGuiKey_X}, [](View& v) { swap_runs(v.selection); });
  add("Pin run B as the baseline A", "P", {ImGuiKey_P}, [](View& v) { pin_baseline(v.selection); });
  add("Next older run as B", "Tab", {ImGuiKey_Tab}, [](View& v) { next_run(v.selection, v.library); });
  add("The next shape that was timed", "Z", {ImGuiKey_Z},
      [this](View& v) { next_shape(v.selection, shapes_); });
  add("Choose nothing", "Esc", {ImGuiKey_Escape}, [](View& v) { v.selection.clear_focus(); });
  add("Light or dark", "T", {ImGuiKey_T}, [this](View& v) {
    switch_theme();
    v.theme = theme_;
  });
  add("Save a picture of the window", "Ctrl+S", {ImGuiMod_Ctrl | ImGuiKey_S}, [this](View& v) {
    v.say = settings_.save_picture ? settings_.save_picture() : "There is no window to take a picture of.";
  });
  add("Put the panels back where they were at first", "", {}, [this](View&) { arranged_ = false; });
  add("Run the chosen variant of the puzzle", "R", {ImGuiKey_R},
      [](View& v) { v.say = v.workbench->run(v.workbench->at_hand(v.selection.puzzle)); });
  add("The next hint", "H", {ImGuiKey_H}, [](View& v) {
    v.say = v.workbench->hint(v.workbench->at_hand(v.selection.puzzle));
    v.go_to = "Puzzles";
  });
  // Its key works while a text is typed, too: handle_keys.
  add("Commands", "Ctrl+P", {}, [this](View&) { palette_ = true; });
  add("Keys", "F1 or ?", {ImGuiKey_F1, ImGuiMod_Shift | ImGuiKey_Slash}, [this](View&) { help_ = !help_; });
  return all;
}

void App::handle_keys(View& view) {
  const ImGuiIO& io = ImGui::GetIO();
  const auto pressed = [&](ImGuiKeyChord chord) {
    return io.KeyCtrl == ((chord & ImGuiMod_Ctrl) != 0) && (io.KeyShift || (chord & ImGuiMod_Shift) == 0) &&
           ImGui::IsKeyPressed(static_cast<ImGuiKey>(chord & ~ImGuiMod_Mask_), false);
  };
  if (pressed(ImGuiMod_Ctrl | ImGuiKey_P)) {
    palette_ = !palette_;
    commands_.clear();
    return;
  }
  if (ImGui::IsKeyPressed(ImGuiKey_Escape, false) && (help_ || palette_)) {
    help_ = palette_ = false;
    return;
  }
  if (palette_ || io.WantTextInput) return;
  const bool digits_taken =
      in_front_ != nullptr && in_front_->takes_digits() && !io.KeyAlt && wanted_.empty();
  for (const Command& command : own_) {
    if (digits_taken && is_digit(command)) continue;
    if (std::any_of(command.chords.begin(), command.chords.end(), pressed)) command.run(view);
  }
  if (io.KeyCtrl || io.KeyAlt) return;
  const auto step = [](ImGuiKey forward, ImGuiKey back) {
    return (ImGui::IsKeyPressed(forward) ? 1 : 0) - (ImGui::IsKeyPressed(back) ? 1 : 0);
  };
  const int dx = step(ImGuiKey_RightArrow, ImGuiKey_LeftArrow),
            dy = step(ImGuiKey_DownArrow, ImGuiKey_UpArrow);
  if ((dx != 0 || dy != 0) && (in_front_ == nullptr || !in_front_->takes_arrows()))
    io.KeyShift ? move_block(selection_, library_, dx, dy) : move_thread(selection_, library_, dx, dy);
  if (in_front_ != nullptr) in_front_->handle_keys(view);
}

}  // namespace workbook::viewer
