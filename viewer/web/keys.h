// What the browser calls a key, as Dear ImGui calls it.
#pragma once

#include <imgui.h>

#include <string_view>

namespace workbook::viewer {

/// `key` is what the key types here ("a", "?", "ArrowLeft"), `code` where it lies ("KeyA"); both as in the
/// DOM's KeyboardEvent. ImGuiKey_None: one that nothing here listens to.
ImGuiKey imgui_key(std::string_view key, std::string_view code);

}  // namespace workbook::viewer
