#include "widgets/zoom.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace workbook::viewer {

void Zoom::zoom_at(const Rect& area, ImVec2 at, float by, float most) {
  const ImVec2 fixed = to_fitted(area, at);
  factor_ = std::clamp(factor_ * by, 1.0f, most);
  shift_ = at - area.min - (fixed - area.min) * factor_;
}

void Zoom::open_closer(const Rect& area, float factor) {
  if (std::exchange(opened_, true) || factor <= 1.0f) return;
  zoom_at(area, {area.centre().x, area.min.y}, factor, factor);
}

void Zoom::update(const Style& style, const Rect& area, float most) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool hovered = ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) && area.contains(io.MousePos);
  if (hovered) {
    if (io.MouseWheel != 0 && !io.KeyShift) zoom_at(area, io.MousePos, std::pow(1.2f, io.MouseWheel), most);
    if (ImGui::IsMouseDragging(ImGuiMouseButton_Right, 0)) shift_ = shift_ + io.MouseDelta;
    if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) fit();
  }
  const bool keys = ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows) || style.solo;
  if (keys && !io.WantTextInput && !io.KeyCtrl && !io.KeyAlt) {
    const float pace = std::min(io.DeltaTime, 0.05f);
    const ImVec2 at = hovered ? io.MousePos : area.centre();
    if (ImGui::IsKeyDown(ImGuiKey_W)) zoom_at(area, at, std::exp(2.0f * pace), most);
    if (ImGui::IsKeyDown(ImGuiKey_S)) zoom_at(area, at, std::exp(-2.0f * pace), most);
    if (ImGui::IsKeyDown(ImGuiKey_A)) shift_.x += 900.0f * pace;
    if (ImGui::IsKeyDown(ImGuiKey_D)) shift_.x -= 900.0f * pace;
    if (ImGui::IsKeyPressed(ImGuiKey_F, false)) fit();
  }
  // Some of the picture stays in sight.
  const ImVec2 size{area.width() * factor_, area.height() * factor_};
  shift_.x = std::clamp(shift_.x, area.width() - size.x, 0.0f);
  shift_.y = std::clamp(shift_.y, area.height() - size.y, 0.0f);
}

}  // namespace workbook::viewer
