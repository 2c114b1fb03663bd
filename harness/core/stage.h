// Where the child program is, kept in a small file so that the parent can say it when the child dies.
#pragma once

#include <string>
#include <vector>

#include "backend.h"

namespace workbook::core {

class Stage {
 public:
  /// Writes to DIR/stage.txt. Installs handlers that add "signal NAME" and, where the backend can tell,
  /// "at FILE:LINE" to it when the program crashes or is told to end.
  Stage(const std::string& directory, const Backend* backend);
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  /// Replaces the file's text: "phase check", "case ragged", "kernel layernorm_kernel", a line each.
  void set(runs::PhaseKind phase, const std::string& what, const std::string& kernel);
  /// What somebody else's handlers would add: "reason WORDS", "at FILE:LINE".
  void add(const std::vector<std::string>& lines);
  /// What the handlers call at their end; null: nothing.
  void set_last_words(void (*last_words)());
};

}  // namespace workbook::core
