#include "keys.h"

#include <utility>

namespace workbook::viewer {
namespace {

constexpr std::pair<std::string_view, ImGuiKey> kNamed[] = {
    {"ArrowLeft", ImGuiKey_LeftArrow},
    {"ArrowRight", ImGuiKey_RightArrow},
    {"ArrowUp", ImGuiKey_UpArrow},
    {"ArrowDown", ImGuiKey_DownArrow},
    {"PageUp", ImGuiKey_PageUp},
    {"PageDown", ImGuiKey_PageDown},
    {"Home", ImGuiKey_Home},
    {"End", ImGuiKey_End},
    {"Insert", ImGuiKey_Insert},
    {"Delete", ImGuiKey_Delete},
    {"Backspace", ImGuiKey_Backspace},
    {"Enter", ImGuiKey_Enter},
    {"Escape", ImGuiKey_Escape},
    {"Tab", ImGuiKey_Tab},
    {" ", ImGuiKey_Space},
    {"F1", ImGuiKey_F1},
    {"Shift", ImGuiKey_LeftShift},
    {"Control", ImGuiKey_LeftCtrl},
    {"Alt", ImGuiKey_LeftAlt},
    {"Meta", ImGuiKey_LeftSuper},
    {"+", ImGuiKey_Equal},
    {"=", ImGuiKey_Equal},
    {"-", ImGuiKey_Minus},
    {"?", ImGuiKey_Slash},
    {"/", ImGuiKey_Slash},
    {",", ImGuiKey_Comma},
    {".", ImGuiKey_Period},
    {"[", ImGuiKey_LeftBracket},
    {"]", ImGuiKey_RightBracket},
    {";", ImGuiKey_Semicolon},
};

}  // namespace

ImGuiKey imgui_key(std::string_view key, std::string_view code) {
  // Letters by what they type: the viewer's keys are initials. Digits by where they lie: some keyboards type
  // them with Shift.
  if (key.size() == 1) {
    const char letter = static_cast<char>(key[0] | 0x20);
    if (letter >= 'a' && letter <= 'z') return static_cast<ImGuiKey>(ImGuiKey_A + (letter - 'a'));
  }
  for (const std::string_view row : {"Digit", "Numpad"})
    if (code.size() == row.size() + 1 && code.substr(0, row.size()) == row && code.back() >= '0' &&
        code.back() <= '9' && key.size() == 1 && key != "/" && key != "?" && key != "=")
      return static_cast<ImGuiKey>(ImGuiKey_0 + (code.back() - '0'));
  for (const auto& [name, each] : kNamed)
    if (key == name) return each;
  return ImGuiKey_None;
}

}  // namespace workbook::viewer
