// What the app knows of a panel: one tab of the dock, one picture off screen.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "session/view.h"

namespace workbook::viewer {

/// An entry of the palette (Ctrl+P), and of the help where it has a key.
struct Command {
  std::string name;  ///< "Colour cells by warp"
  std::string key;   ///< "Shift+W"; empty: none
  std::function<void(View&)> run;
  std::vector<ImGuiKeyChord>
      chords{};        ///< the app's own: pressing one runs it; panels read theirs themselves
  std::string also{};  ///< words that find it, too
};

class Panel {
 public:
  virtual ~Panel() = default;
  virtual const char* title() const = 0;    ///< of its tab; in lower case the name that --screenshot takes
  virtual const char* summary() const = 0;  ///< what it shows, in a few words
  /// Docked in a column beside the pictures, where there is room for two.
  virtual bool stands_beside() const { return false; }
  /// The arrow keys choose something of its own while it is in front, not the thread.
  virtual bool takes_arrows() const { return false; }
  /// Digits mean something of its own while it is in front; other panels are reached with Alt.
  virtual bool takes_digits() const { return false; }
  /// Inside its window, in each frame in which it can be seen.
  virtual void draw(View& view) = 0;
  /// While it is in front and nobody types: keys that mean something in this panel only.
  virtual void handle_keys(View& view) { (void)view; }
  /// Asked whenever help or palette open.
  virtual std::vector<Command> commands() { return {}; }
  /// Why a picture of it would only say what is missing; empty: it would show something.
  virtual std::string missing(View& view) {
    (void)view;
    return "";
  }
};

/// All panels in the order of their keys: 1 to 9, then 0, then the minus beside it.
std::vector<std::unique_ptr<Panel>> make_panels();

/// Their names as --screenshot takes them.
std::string panel_name(const Panel& panel);
std::vector<std::string> panel_names();

/// For panels of single accesses: says why `run` (null: none) has none and what brings them.
void draw_no_trace(const View& view, const LoadedRun* run);
/// The same as a sentence; empty when the mapped run has a trace.
std::string missing_trace(View& view);

}  // namespace workbook::viewer
