// Panels drawn off screen into files: one for the command line, many for the book in one process.
#pragma once

#include <iosfwd>
#include <memory>
#include <string>

#include "backend.h"
#include "options.h"
#include "session/library.h"

namespace workbook::viewer {

/// Draws with one window, which opens at the first picture. What the last picture was read from is kept for
/// the next: pictures of the same runs stand best side by side.
class Screenshots {
 public:
  /// Draws `options.panel` into `options.screenshot`. Throws UsageError when that would show nothing.
  void draw(const Options& options);
  /// Draws a picture a line: the options of one, with tabs between them. The path of each that is drawn goes
  /// to standard output at once. One that cannot be drawn is said on standard error and the others are drawn;
  /// returns whether all were.
  bool draw_all(std::istream& lines);

 private:
  Library& library(const Options& options);

  std::unique_ptr<Window> window_;
  std::unique_ptr<Library> library_;
  std::string library_of_;  ///< what it was read from
};

/// The runs that the options name, and where they name none those of the default store.
void read_runs(const Options& options, Library& library);
/// The store that read_runs watches; empty: none.
std::filesystem::path store_of(const Options& options);

}  // namespace workbook::viewer
