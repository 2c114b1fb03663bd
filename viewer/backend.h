// The seam to the window system: the only file, with backend.cpp, that knows GLFW and OpenGL.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "image.h"

namespace workbook::viewer {

/// One window, on the screen or hidden. Throws std::runtime_error with a sentence when there is no display
/// or no OpenGL 3.3.
class Window {
 public:
  Window(const std::string& title, int width, int height, bool visible);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  float content_scale() const;
  /// Draws frames until the window is closed: some after each event, one when `draw` has asked for it (it
  /// returns in how many seconds), and one whenever `poll`, which is called every `poll_s`, says that there
  /// is news. In between it sleeps.
  void loop(double poll_s, const std::function<bool()>& poll, const std::function<double()>& draw);
  /// Writes the window's next frame to a file, in loop(). A file that cannot be written is said on stderr.
  void save_next(const std::string& path);
  /// Draws `frames` frames of a fixed size off screen, without mouse or clock, and returns the last.
  Image capture(int width, int height, int frames, const std::function<void()>& draw);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace workbook::viewer
