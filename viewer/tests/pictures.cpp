#include "pictures.h"

#include <algorithm>
#include <cfloat>
#include <limits>
#include <map>

namespace workbook::viewer {

Look look_at(const Image& image) {
  std::map<std::uint32_t, std::size_t> counts;
  for (std::size_t i = 0; i < image.rgba.size(); i += 4)
    ++counts[static_cast<std::uint32_t>(image.rgba[i] << 16 | image.rgba[i + 1] << 8 | image.rgba[i + 2])];
  std::size_t most = 0;
  for (const auto& [colour, count] : counts) most = std::max(most, count);
  return {counts.size(), static_cast<double>(most) / static_cast<double>(image.rgba.size() / 4)};
}

Window& window() {
  static Window hidden("test", 64, 64, false);
  return hidden;
}

Image shoot(Library& library, const Selection& selection, const std::string& panel, bool dark, int width,
            int height) {
  window();  // the App needs its context
  App app(library, selection, {dark, 1.0f, panel, "", {}});
  return window().capture(width, height, 5, [&] { app.draw(); });
}

Image press(App& app, ImGuiKey key, ImGuiKey with, int held_frames) {
  int frame = 0;
  return window().capture(1200, 800, held_frames + 6, [&] {
    ImGuiIO& io = ImGui::GetIO();
    if (frame == 1) {
      if (with != ImGuiKey_None) io.AddKeyEvent(with, true);
      io.AddKeyEvent(key, true);
    }
    if (frame == 1 + held_frames) {
      io.AddKeyEvent(key, false);
      if (with != ImGuiKey_None) io.AddKeyEvent(with, false);
    }
    ++frame;
    app.draw();
  });
}

Image with_mouse(Library& library, const std::string& panel, ImVec2 at, float wheel) {
  window();
  App app(library, {}, {false, 1.0f, panel, "", {}});
  int frame = 0;
  Image image = window().capture(1320, 900, 8, [&] {
    ImGuiIO& io = ImGui::GetIO();
    io.ConfigFlags &= ~ImGuiConfigFlags_NoMouse;  // pictures have none
    io.AddMousePosEvent(at.x, at.y);
    if (wheel != 0 && (frame == 2 || frame == 3)) io.AddMouseWheelEvent(0, wheel);
    ++frame;
    app.draw();
  });
  ImGui::GetIO().AddMousePosEvent(-FLT_MAX, -FLT_MAX);
  return image;
}

Library filled(fixture::Times times) {
  Library library;
  for (auto& run : {fixture::unfused(times), fixture::fused(times), fixture::fused_block(times)})
    library.add(run);
  return library;
}

runs::StoredRun run_with_values(bool all_right) {
  auto run = fixture::fused();
  const runs::Benchmark& teaching = run.record.benchmarks[0];
  run.trace->tensors = teaching.tensors;
  run.trace->launches = teaching.launches;
  runs::TensorValues y{teaching.tensors.back(), std::vector<float>(256, 1.0f), std::vector<float>(256, 1.0f),
                       1e-5};
  if (!all_right)
    for (std::size_t i = 0; i < 256; i += 3)
      y.got[i] = i % 2 == 0 ? 2.0f : std::numeric_limits<float>::quiet_NaN();
  run.trace->values = {{"teaching", {y}}};
  run.record.cases = {
      {"teaching", teaching.sizes, "simulator", {}, all_right ? "" : "every third is wrong", {}}};
  if (!all_right) run.record.verdict = runs::Verdict::wrong;
  return run;
}

}  // namespace workbook::viewer
