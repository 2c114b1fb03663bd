#include "panels/source.h"

#include <algorithm>
#include <cmath>

#include "model/format.h"
#include "model/repository.h"
#include "panels/launch_controls.h"
#include "widgets/listing_lines.h"

namespace workbook::viewer {
namespace {

constexpr float kBeside =
    980;  // units of width from which the listing stands beside the source, else below it

std::string listing_name(const runs::ListingRecord& listing) {
  return listing.architecture + (listing.form == "sass" ? " SASS" : " PTX");
}

}  // namespace

void SourcePanel::refresh(View& view) {
  const std::int64_t id = view.selection.mapped_run();
  if (id != seen_run_ || !run_) {
    seen_run_ = id;
    run_ = id != 0 ? view.library.run(id) : nullptr;
    files_.clear();
    if (run_)
      files_ = source_files(run_->record, run_->trace ? run_->trace->files : std::vector<std::string>{});
    if (std::find(files_.begin(), files_.end(), file_) == files_.end())
      file_ = files_.empty() ? "" : files_.front();
    seen_launch_ = -1;
    seen_line_ = 0;
    fresh_run_ = true;
  }
  if (!run_ || files_.empty()) return;
  follow_selection(view);
  const PageKey key{id, file_, view.selection.benchmark};
  if (key != page_key_) {
    page_key_ = key;
    const int scroll = marks_.scroll_to;
    page_ = make_page(run_->record, file_, find_repository(), view.selection.benchmark);
    marks_ = {};
    marks_.scroll_to = scroll;
    if (fresh_run_) show_first_error();
    fresh_run_ = false;
    find_next(0);
  }
  refresh_focus(view);
}

// Of a run that failed the first thing to see is why.
void SourcePanel::show_first_error() {
  for (const auto& [line, notes] : page_.notes)
    for (const LineNote& note : notes)
      if (note.severity == runs::Severity::error) {
        marks_.scroll_to = line;
        return;
      }
}

void SourcePanel::show_file(const std::string& file) {
  if (std::find(files_.begin(), files_.end(), file) != files_.end()) file_ = file;
}

// A line chosen in another panel comes into sight; so does the kernel of another launch.
void SourcePanel::follow_selection(const View& view) {
  const Selection& selection = view.selection;
  if (selection.line > 0 && (selection.line != seen_line_ || selection.file != seen_file_)) {
    show_file(selection.file);
    marks_.scroll_to = selection.line;
  } else if (selection.line == 0 && selection.launch != seen_launch_ &&
             run_->accesses.launches() > selection.launch && selection.launch >= 0) {
    const auto& uses = run_->accesses.lines_of(selection.launch);
    if (!uses.empty()) {
      show_file(run_->accesses.file(uses.front().file));
      marks_.scroll_to = uses.front().line;
    }
  }
  seen_line_ = selection.line;
  seen_file_ = selection.file;
  seen_launch_ = selection.launch;
}

void SourcePanel::refresh_focus(const View& view) {
  const Selection& selection = view.selection;
  marks_.chosen = selection.file == file_ ? selection.line : 0;
  const FocusKey key{page_key_,        selection.launch,       selection.block,  selection.thread,
                     selection.tensor, selection.tensor_block, selection.element};
  if (key == focus_key_) return;
  focus_key_ = key;
  marks_.touched.clear();
  about_touched_.clear();
  const AccessIndex& accesses = run_->accesses;
  if (accesses.empty() || selection.launch >= accesses.launches()) return;
  const runs::TensorInfo* info = selection.element >= 0 ? accesses.tensor(selection.tensor) : nullptr;
  if (info != nullptr) {
    marks_.touched = lines_of_element(
        accesses, file_, {selection.launch, selection.tensor, selection.tensor_block}, selection.element);
    about_touched_ =
        info->name + index_text(info->shape, selection.element) + " is touched at the dotted lines.";
  } else if (selection.thread >= 0) {
    const int block = std::max(0, selection.block);
    marks_.touched = lines_of_thread(accesses, file_, selection.launch, block, selection.thread);
    about_touched_ = "Thread " + std::to_string(selection.thread) + " of block " + std::to_string(block) +
                     " touches memory at the dotted lines.";
  }
}

void SourcePanel::find_next(int by) {
  const std::vector<int> lines = find_in(page_, find_);
  marks_.found = {lines.begin(), lines.end()};
  marks_.found_words = find_;
  if (lines.empty()) {
    marks_.found_here = 0;
    return;
  }
  auto at = std::lower_bound(lines.begin(), lines.end(), marks_.found_here);
  if (by > 0) at = std::upper_bound(lines.begin(), lines.end(), marks_.found_here);
  if (by < 0) at = at == lines.begin() ? lines.end() - 1 : at - 1;
  if (at == lines.end()) at = lines.begin();
  if (by == 0 && marks_.found_here == *at) return;
  marks_.found_here = *at;
  if (by != 0) marks_.scroll_to = *at;
}

void SourcePanel::handle_keys(View& view) {
  if (ImGui::IsKeyPressed(ImGuiKey_L, false)) view.selection.listing = !view.selection.listing;
  if (ImGui::IsKeyPressed(ImGuiKey_Slash, false) && !ImGui::GetIO().KeyShift) find_now_ = true;
  if (ImGui::IsKeyPressed(ImGuiKey_F3, false)) find_next(ImGui::GetIO().KeyShift ? -1 : 1);
}

std::vector<Command> SourcePanel::commands() {
  return {{"Source: find in the file", "/",
           [this](View& view) {
             view.go_to = title();
             find_now_ = true;
           }},
          {"Source: what the compiler made of it", "L",
           [this](View& view) {
             view.go_to = title();
             view.selection.listing = !view.selection.listing;
           }},
          {"Source: next place found", "F3", [this](View&) { find_next(1); }},
          {"Source: place found before", "Shift+F3", [this](View&) { find_next(-1); }}};
}

void SourcePanel::draw_find(float width) {
  if (find_now_) ImGui::SetKeyboardFocusHere();
  find_now_ = false;
  const std::string before = find_;
  ImGui::SetNextItemWidth(width);
  const bool enter = text_field("##find", "find  /", &find_);
  if (find_ != before) {
    marks_.found_here = 0;
    find_next(1);
  } else if (enter) {
    find_next(ImGui::GetIO().KeyShift ? -1 : 1);
    find_now_ = true;
  }
}

void SourcePanel::draw(View& view) {
  refresh(view);
  if (!run_) {
    draw_empty_state(view, "No run to show yet",
                     "Run a variant and its source appears here with what was counted.",
                     first_command(view.selection.puzzle));
    return;
  }
  // Nobody has asked for the answer who only looks at its times.
  if (view.library.is_offered(view.selection.mapped_run()) &&
      !has_own_times(view.library, view.selection.puzzle)) {
    draw_side_switch(view, nullptr, std::min(px(420), ImGui::GetContentRegionAvail().x));
    draw_empty_state(view, "The recorded solution's source is kept for when you have your own",
                     "It is shown here once a run of yours is correct. To read it now:",
                     "workbook solution " + std::to_string(run_->record.puzzle) + " --" +
                         run_->record.variant + " --show");
    return;
  }
  if (files_.empty()) {
    draw_empty_state(view, "This run kept no source", "Runs record the file they ran. Run it again:",
                     "workbook run " + std::to_string(run_->record.puzzle) + " --" + run_->record.variant);
    return;
  }
  if (begin_card(view, "source", ImGui::GetContentRegionAvail())) {
    const float width = ImGui::GetContentRegionAvail().x, gap = ImGui::GetStyle().ItemSpacing.x;
    const bool one_row = width >= px(720);
    const float find_width = one_row ? px(190) : std::min(px(130), width * 0.36f);
    const float side = one_row ? px(240) : width;
    draw_side_switch(view, nullptr, side);
    if (one_row && view.selection.run_b != 0) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      ImGui::SetCursorScreenPos(
          {at.x + side + gap, at.y - ImGui::GetFrameHeight() - px(4) - 2 * ImGui::GetStyle().ItemSpacing.y});
    }
    const float start = ImGui::GetCursorPosX();
    const float room = ImGui::GetContentRegionAvail().x - find_width - gap;
    std::vector<std::string> names;
    for (const std::string& file : files_) names.push_back(file_name(file));
    int chosen = static_cast<int>(std::find(files_.begin(), files_.end(), file_) - files_.begin());
    if (segmented(view, "files", names, &chosen,
                  std::min(room, px(170) * static_cast<float>(names.size())))) {
      file_ = files_[static_cast<std::size_t>(chosen)];
      refresh(view);
    }
    ImGui::SameLine(start + room + gap);
    draw_find(find_width);
    if (!page_.text.note.empty()) {
      ImGui::PushStyleColor(ImGuiCol_Text, view.theme.traffic);
      ImGui::TextWrapped("%s", page_.text.note.c_str());
      ImGui::PopStyleColor();
    }
    const ImVec2 left = ImGui::GetContentRegionAvail() - ImVec2{0, px(26)};
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    if (!view.selection.listing) {
      draw_lines(view, left);
    } else if (left.x >= px(kBeside)) {
      const float half = std::floor(left.x * 0.54f);
      draw_lines(view, {half, left.y});
      ImGui::SetCursorScreenPos({corner.x + half + gap, corner.y});
      draw_listing(view, {left.x - half - gap, left.y});
    } else {
      const float half = std::floor(left.y * 0.5f);
      draw_lines(view, {left.x, half});
      ImGui::SetCursorScreenPos({corner.x, corner.y + half});
      draw_listing(view, {left.x, left.y - half});
    }
    ImGui::SetCursorScreenPos({corner.x, corner.y + left.y + px(4)});
    draw_footer(view);
  }
  end_card();
}

void SourcePanel::draw_lines(View& view, ImVec2 size) {
  const LineHit hit = draw_source_lines(view, page_, marks_, size);
  marks_.scroll_to = 0;
  if (hit.clicked == 0) return;
  Selection& selection = view.selection;
  const bool again = selection.file == file_ && selection.line == hit.clicked;
  selection.file = file_;
  selection.line = again ? 0 : hit.clicked;
  const auto found = page_.figures.find(hit.clicked);
  if (!again && found != page_.figures.end() && found->second.launch != selection.launch) {
    selection.launch = found->second.launch;
    selection.block = selection.warp = selection.thread = -1;
  }
  seen_line_ = selection.line;
  seen_file_ = selection.file;
  seen_launch_ = selection.launch;
}

std::string SourcePanel::listing_command() const {
  const runs::RunRecord& run = run_->record;
  return "workbook sass " + std::to_string(run.puzzle) + " --" + run.variant +
         (runs::is_solution(run.origin) ? " --solution" : "");
}

void SourcePanel::draw_listing(View& view, ImVec2 size) {
  const auto listings = view.library.listings(run_->record);
  if (!ImGui::BeginChild("beside", size, 0)) return ImGui::EndChild();
  if (listings.empty()) {
    if (view.library.is_listed(run_->record.puzzle))
      draw_empty_state(view, "Listed is another version of this source",
                       "Its instructions would stand at the wrong lines. Make it anew:", listing_command());
    else
      draw_empty_state(view, "No listing yet",
                       "This makes one, or takes the one that came with the puzzle:", listing_command());
    return ImGui::EndChild();
  }
  std::vector<std::string> names;
  for (const auto& each : listings) names.push_back(listing_name(*each));
  int chosen = static_cast<int>(std::find(names.begin(), names.end(), listing_) - names.begin());
  if (chosen == static_cast<int>(names.size())) chosen = 0;
  if (names.size() > 1)
    segmented(view, "listings", names, &chosen, std::min(size.x, px(130) * static_cast<float>(names.size())));
  const runs::ListingRecord& listing = *listings[static_cast<std::size_t>(chosen)];
  const bool other = listing_ != names[static_cast<std::size_t>(chosen)];
  listing_ = names[static_cast<std::size_t>(chosen)];
  draw_heading(view, listing_, listing.origin);
  const ListingHit hit =
      draw_listing_lines(view, listing, page_, marks_.chosen, other || listing_line_ != marks_.chosen,
                         ImGui::GetContentRegionAvail());
  listing_line_ = marks_.chosen;
  if (hit.clicked != nullptr)
    for (const std::string& file : files_)
      if (file_name(file) == hit.clicked->file) {
        view.selection.file = file;
        view.selection.line = hit.clicked->line;
        listing_line_ = file == file_ ? hit.clicked->line : 0;  // where it was clicked it is in sight
      }
  ImGui::EndChild();
}

void SourcePanel::draw_footer(const View& view) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  std::string text = about_touched_;
  if (!find_.empty())
    text = marks_.found.empty()
               ? "Nothing found."
               : "Found in " + plural(static_cast<std::int64_t>(marks_.found.size()), "line") +
                     "; Enter or F3: the next.";
  if (text.empty())
    text = page_.figures.empty()
               ? "Nothing was counted in this file at the " + shape_words(view.selection.benchmark) + "."
               : "Counted at the " + shape_words(view.selection.benchmark) +
                     ". Click a line to see its requests in Memory.";
  const Ink quiet{view.fonts.regular, kSmallSize, view.theme.muted};
  const std::string key = view.selection.listing ? "L: the source alone" : "L: what the compiler made of it";
  const float key_width = measure(quiet, key).x;
  const bool both = width > px(700);
  if (both) put(ImGui::GetWindowDrawList(), quiet, {at.x + width - key_width, at.y + px(2)}, key);
  put(ImGui::GetWindowDrawList(), quiet, {at.x, at.y + px(2)},
      elide(quiet, text, both ? width - key_width - px(20) : width));
  ImGui::Dummy({width, px(16)});
}

}  // namespace workbook::viewer
