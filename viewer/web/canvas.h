// The page's counterpart of backend.h: one canvas that fills the page, drawn with WebGL 2, and its mouse,
// wheel and keys.
#pragma once

#include <functional>
#include <string>

namespace workbook::viewer {

class Canvas {
 public:
  /// Takes over the element of that CSS selector. Throws std::runtime_error with a sentence when the browser
  /// has no WebGL 2.
  explicit Canvas(std::string selector);

  /// Draws a frame whenever something happens, when `draw` asks for another (it returns in how many seconds),
  /// and every half second. Returns at once: the browser calls. Neither may go away before the page does.
  void start(std::function<double()> draw);
  /// Offers the next frame as a file to keep.
  void save_next(const std::string& name) { picture_ = name; }

  /// Has the reader clicked into the page? Until then the wheel belongs to the page around it.
  bool focused() const { return focused_; }
  void set_focused(bool focused) { focused_ = focused; }
  /// Something happened: draw the next frames.
  void wake() { settle_ = kSettle; }

 private:
  static constexpr int kSettle = 4;  // frames after an event in which animations and layout settle
  void frame();
  void listen();
  void resize();

  std::string selector_, picture_;
  std::function<double()> draw_;
  double last_ms_ = 0.0, due_ms_ = 0.0;
  int settle_ = kSettle, width_ = 0, height_ = 0;
  double density_ = 0.0;  ///< device pixels a CSS pixel
  bool focused_ = false;
};

/// Shows a sentence in place of the canvas.
void show_problem(const std::string& sentence);

}  // namespace workbook::viewer
