// Panels drawn off screen, and what a picture looks like in numbers. For the tests of panels.
#pragma once

#include <functional>
#include <string>

#include "app.h"
#include "backend.h"
#include "fixture.h"

namespace workbook::viewer {

struct Look {
  std::size_t colours = 0;
  double commonest = 0.0;  ///< share of the most frequent colour
};
Look look_at(const Image& image);

/// One for all: a context costs more than a picture, and Dear ImGui has one at a time.
Window& window();

/// The panel alone; an empty name: the whole app.
Image shoot(Library& library, const Selection& selection, const std::string& panel, bool dark, int width,
            int height);

/// Presses a key, with a modifier (ImGuiMod_Shift) or none, in the whole window, 1200 x 800, and returns it
/// some frames after the key was let go.
Image press(App& app, ImGuiKey key, ImGuiKey with = ImGuiKey_None, int held_frames = 1);

/// The panel alone, 1320 x 900, with the mouse there and its wheel turned.
Image with_mouse(Library& library, const std::string& panel, ImVec2 at, float wheel = 0);

/// The three made-up runs of Puzzle 22.
Library filled(fixture::Times times = fixture::Times::modelled);

/// The fused run with the values of its output: right, or right, wrong, NaN and never written.
runs::StoredRun run_with_values(bool all_right);

}  // namespace workbook::viewer
