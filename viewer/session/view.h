// What every panel is given to draw with.
#pragma once

#include <algorithm>
#include <limits>
#include <string>

#include "session/library.h"
#include "session/selection.h"
#include "widgets/theme.h"

namespace workbook::viewer {

class Workbench;

/// For View::go_to: the panel that tells the story of the chosen puzzle.
inline constexpr const char* kPuzzlesPictures = "the puzzle's pictures";

struct View : Style {
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  Library& library;
  Selection& selection;
  std::string go_to;               ///< set by a panel: the title of the panel to bring to the front
  std::string say;                 ///< set by a panel: a message that passes
  double redraw_in = kNever;       ///< seconds until the picture changes by itself; see change_in
  Workbench* workbench = nullptr;  ///< what runs puzzles

  /// Asks for a frame in so many seconds, of whatever plays or waits; between such frames nothing is drawn.
  void change_in(double seconds) { redraw_in = std::min(redraw_in, std::max(0.0, seconds)); }
};

/// A puzzle's number as it is written: "01".
std::string two_digits(int number);

/// What brings a first run of a puzzle (0: of any).
std::string first_command(int puzzle);

/// A centred message with the command that would bring the data.
void draw_empty_state(const View& view, const std::string& title, const std::string& text,
                      const std::string& command);

}  // namespace workbook::viewer
