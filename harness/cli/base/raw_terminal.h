// Keys without Enter, for as long as this lives; Ctrl-C still ends the program, and leaves the terminal as it
// was.
#pragma once

#include <termios.h>
#include <unistd.h>

#include "cli/base/terminal.h"

namespace workbook::cli {

class RawTerminal {
 public:
  RawTerminal() {
    if (!stdin_is_terminal() || tcgetattr(STDIN_FILENO, &saved()) != 0) return;
    termios raw = saved();
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    active() = tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0;
  }
  ~RawTerminal() { restore(); }
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;

  /// Also called from the handler of Ctrl-C: tcsetattr is async-signal-safe.
  static void restore() noexcept {
    if (active()) tcsetattr(STDIN_FILENO, TCSANOW, &saved());
    active() = false;
  }

 private:
  static termios& saved() noexcept {
    static termios value;
    return value;
  }
  static bool& active() noexcept {
    static bool value = false;
    return value;
  }
};

}  // namespace workbook::cli
