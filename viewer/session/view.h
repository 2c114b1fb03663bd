// What every panel is given to draw with.
#pragma once

#include <string>

#include "session/library.h"
#include "session/selection.h"
#include "widgets/theme.h"

namespace workbook::viewer {

class Workbench;

struct View : Style {
  Library& library;
  Selection& selection;
  std::string go_to;               ///< set by a panel: the title of the panel to bring to the front
  std::string say;                 ///< set by a panel: a message that passes
  bool moving = false;             ///< set by a panel that plays something
  Workbench* workbench = nullptr;  ///< what runs puzzles
};

/// A puzzle's number as it is written: "01".
std::string two_digits(int number);

/// What brings a first run of a puzzle (0: of any).
std::string first_command(int puzzle);

/// A centred message with the command that would bring the data.
void draw_empty_state(const View& view, const std::string& title, const std::string& text,
                      const std::string& command);

}  // namespace workbook::viewer
