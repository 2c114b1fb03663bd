// The kernel's source with counters and findings a line; the regions to fill are marked.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/source_page.h"
#include "panels/panel.h"
#include "widgets/source_lines.h"

namespace workbook::viewer {

class SourcePanel : public Panel {
 public:
  const char* title() const override { return "Source"; }
  const char* summary() const override { return "the kernel, with counters a line"; }
  bool stands_beside() const override { return true; }
  void draw(View& view) override;
  void handle_keys(View& view) override;
  std::vector<Command> commands() override;

 private:
  struct PageKey {
    std::int64_t run = 0;
    std::string file, benchmark;
    bool operator==(const PageKey&) const = default;
  };
  struct FocusKey {
    PageKey page;
    int launch = 0, block = 0, thread = 0, tensor = 0, tensor_block = 0;
    std::int64_t element = 0;
    bool operator==(const FocusKey&) const = default;
  };

  void refresh(View& view);
  void refresh_focus(const View& view);
  void follow_selection(const View& view);
  void show_file(const std::string& file);
  void show_first_error();
  void find_next(int by);
  void draw_find(float width);
  void draw_footer(const View& view);
  void draw_lines(View& view, ImVec2 size);
  void draw_listing(View& view, ImVec2 size);
  std::string listing_command() const;

  std::shared_ptr<const LoadedRun> run_;
  std::int64_t seen_run_ = 0;
  std::vector<std::string> files_;
  std::string file_;
  PageKey page_key_;
  FocusKey focus_key_;
  SourcePage page_;
  SourceMarks marks_;
  std::string about_touched_;  ///< whose lines are marked, in words
  std::string find_;           ///< typed into the search
  std::string listing_;        ///< the one that is shown: "sm_90 SASS"
  int listing_line_ = 0;       ///< the line whose instructions came into sight last
  bool fresh_run_ = false;     ///< its page was not shown yet
  bool find_now_ = false;      ///< give the search the keyboard
  std::string seen_file_;      ///< of the selection, in the last frame
  int seen_line_ = 0, seen_launch_ = -1;
};

}  // namespace workbook::viewer
