#include "canvas.h"

#include <GLES3/gl3.h>
#include <emscripten.h>
#include <emscripten/html5.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>
#include <implot.h>

#include <algorithm>
#include <cfloat>
#include <exception>
#include <stdexcept>
#include <utility>

#include "keys.h"

namespace workbook::viewer {
namespace {

constexpr double kIdleMs = 500;

// clang-format off
EM_JS(void, js_show_problem, (const char* text), {
  const place = document.getElementById("problem");
  place.textContent = UTF8ToString(text);
  place.hidden = false;
});
EM_JS(void, js_set_cursor, (const char* selector, const char* name), {
  document.querySelector(UTF8ToString(selector)).style.cursor = UTF8ToString(name);
});
EM_JS(void, js_copy, (const char* text), {
  if (navigator.clipboard) navigator.clipboard.writeText(UTF8ToString(text)).catch(() => {});
});
EM_JS(void, js_save, (const char* selector, const char* name), {
  const file = UTF8ToString(name);
  document.querySelector(UTF8ToString(selector)).toBlob(blob => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = file;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
});
EM_JS(int, js_embedded, (), { return window.parent !== window ? 1 : 0; });
// For whoever waits until there is something to see.
EM_JS(void, js_drawn, (int frames), { document.documentElement.dataset.frames = frames; });
// clang-format on

const char* css_cursor(ImGuiMouseCursor cursor) {
  switch (cursor) {
    case ImGuiMouseCursor_None:
      return "none";
    case ImGuiMouseCursor_TextInput:
      return "text";
    case ImGuiMouseCursor_ResizeAll:
      return "move";
    case ImGuiMouseCursor_ResizeNS:
      return "ns-resize";
    case ImGuiMouseCursor_ResizeEW:
      return "ew-resize";
    case ImGuiMouseCursor_ResizeNESW:
      return "nesw-resize";
    case ImGuiMouseCursor_ResizeNWSE:
      return "nwse-resize";
    case ImGuiMouseCursor_Hand:
      return "pointer";
    case ImGuiMouseCursor_NotAllowed:
      return "not-allowed";
    default:
      return "default";
  }
}

// The DOM numbers left, middle, right; Dear ImGui left, right, middle.
int imgui_button(int dom) { return dom == 1 ? 2 : dom == 2 ? 1 : dom; }

EM_BOOL on_mouse(int type, const EmscriptenMouseEvent* event, void* user) {
  auto& canvas = *static_cast<Canvas*>(user);
  ImGuiIO& io = ImGui::GetIO();
  if (type == EMSCRIPTEN_EVENT_MOUSELEAVE)
    io.AddMousePosEvent(-FLT_MAX, -FLT_MAX);
  else
    io.AddMousePosEvent(static_cast<float>(event->clientX), static_cast<float>(event->clientY));
  if (type == EMSCRIPTEN_EVENT_MOUSEDOWN) canvas.set_focused(true);
  if ((type == EMSCRIPTEN_EVENT_MOUSEDOWN || type == EMSCRIPTEN_EVENT_MOUSEUP) && event->button < 3)
    io.AddMouseButtonEvent(imgui_button(event->button), type == EMSCRIPTEN_EVENT_MOUSEDOWN);
  canvas.wake();
  return EM_FALSE;  // the browser gives the page its keys at a click
}

EM_BOOL on_wheel(int, const EmscriptenWheelEvent* event, void* user) {
  auto& canvas = *static_cast<Canvas*>(user);
  if (!canvas.focused()) return EM_FALSE;
  const double unit = event->deltaMode == DOM_DELTA_PIXEL  ? 100.0
                      : event->deltaMode == DOM_DELTA_LINE ? 3.0
                                                           : 1.0;
  ImGui::GetIO().AddMouseWheelEvent(static_cast<float>(-event->deltaX / unit),
                                    static_cast<float>(-event->deltaY / unit));
  canvas.wake();
  return EM_TRUE;
}

EM_BOOL on_key(int type, const EmscriptenKeyboardEvent* event, void* user) {
  ImGuiIO& io = ImGui::GetIO();
  io.AddKeyEvent(ImGuiMod_Ctrl, event->ctrlKey != 0);
  io.AddKeyEvent(ImGuiMod_Shift, event->shiftKey != 0);
  io.AddKeyEvent(ImGuiMod_Alt, event->altKey != 0);
  static_cast<Canvas*>(user)->wake();
  const bool down = type == EMSCRIPTEN_EVENT_KEYDOWN;
  const bool chord = event->ctrlKey || event->metaKey || event->altKey;
  const ImGuiKey key = imgui_key(event->key, event->code);
  // The browser keeps its own: Ctrl+R, Alt+Left, and Shift+Tab, which leads out of the page.
  const bool ours = key != ImGuiKey_None &&
                    (!chord || (event->ctrlKey && (key == ImGuiKey_P || key == ImGuiKey_S))) &&
                    !(key == ImGuiKey_Tab && event->shiftKey);
  if (ours || !down) {
    if (key != ImGuiKey_None) io.AddKeyEvent(key, down);
  }
  const std::string text = event->key;
  // One character, not the name of a key: those are ASCII and longer.
  if (down && !chord && (text.size() == 1 || (!text.empty() && (text[0] & 0x80) != 0)))
    io.AddInputCharactersUTF8(text.c_str());
  return ours ? EM_TRUE : EM_FALSE;
}

EM_BOOL on_focus(int type, const EmscriptenFocusEvent*, void* user) {
  auto& canvas = *static_cast<Canvas*>(user);
  const bool focused = type == EMSCRIPTEN_EVENT_FOCUS;
  ImGui::GetIO().AddFocusEvent(focused);
  if (!focused && js_embedded() != 0) canvas.set_focused(false);
  canvas.wake();
  return EM_FALSE;
}

EM_BOOL on_resize(int, const EmscriptenUiEvent*, void* user) {
  static_cast<Canvas*>(user)->wake();
  return EM_FALSE;
}

}  // namespace

void show_problem(const std::string& sentence) { js_show_problem(sentence.c_str()); }

Canvas::Canvas(std::string selector) : selector_(std::move(selector)), focused_(js_embedded() == 0) {
  EmscriptenWebGLContextAttributes wanted;
  emscripten_webgl_init_context_attributes(&wanted);
  wanted.majorVersion = 2;
  wanted.alpha = wanted.depth = wanted.stencil = wanted.antialias = EM_FALSE;
  const auto context = emscripten_webgl_create_context(selector_.c_str(), &wanted);
  if (context <= 0)
    throw std::runtime_error(
        "This browser has no WebGL 2, which the viewer draws with. On your machine: make viewer.");
  emscripten_webgl_make_context_current(context);
  ImGui::CreateContext();
  ImPlot::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.BackendPlatformName = "canvas";
  io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
  ImGui::GetPlatformIO().Platform_SetClipboardTextFn = [](ImGuiContext*, const char* text) { js_copy(text); };
  ImGui_ImplOpenGL3_Init("#version 300 es");
}

void Canvas::start(std::function<double()> draw) {
  draw_ = std::move(draw);
  listen();
  // What is seen first has settled already.
  while (settle_ > 0) frame();
  emscripten_set_main_loop_arg([](void* self) { static_cast<Canvas*>(self)->frame(); }, this, 0, EM_FALSE);
}

void Canvas::listen() {
  const char* window = EMSCRIPTEN_EVENT_TARGET_WINDOW;
  const char* canvas = selector_.c_str();
  // On the window, so that a drag goes on beside the canvas.
  emscripten_set_mousemove_callback(window, this, EM_FALSE, on_mouse);
  emscripten_set_mouseup_callback(window, this, EM_FALSE, on_mouse);
  emscripten_set_mousedown_callback(canvas, this, EM_FALSE, on_mouse);
  emscripten_set_mouseleave_callback(canvas, this, EM_FALSE, on_mouse);
  emscripten_set_wheel_callback(canvas, this, EM_FALSE, on_wheel);
  emscripten_set_keydown_callback(window, this, EM_FALSE, on_key);
  emscripten_set_keyup_callback(window, this, EM_FALSE, on_key);
  emscripten_set_focus_callback(window, this, EM_FALSE, on_focus);
  emscripten_set_blur_callback(window, this, EM_FALSE, on_focus);
  emscripten_set_resize_callback(window, this, EM_FALSE, on_resize);
}

// The canvas has as many pixels as the screen has behind it.
void Canvas::resize() {
  double width = 0, height = 0;
  emscripten_get_element_css_size(selector_.c_str(), &width, &height);
  const double density = emscripten_get_device_pixel_ratio();
  const int across = std::max(1, static_cast<int>(width * density)),
            down = std::max(1, static_cast<int>(height * density));
  if (across == width_ && down == height_ && density == density_) return;
  width_ = across;
  height_ = down;
  density_ = density;
  emscripten_set_canvas_element_size(selector_.c_str(), width_, height_);
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
  io.DisplayFramebufferScale = {static_cast<float>(density), static_cast<float>(density)};
  wake();
}

void Canvas::frame() {
  if (!draw_) return;  // it failed, and the page says why
  resize();
  const double now = emscripten_get_now();
  if (settle_ == 0 && now < due_ms_) return;
  if (settle_ > 0) --settle_;
  ImGuiIO& io = ImGui::GetIO();
  io.DeltaTime = std::clamp(static_cast<float>(now - last_ms_) / 1000.0f, 0.001f, 0.5f);
  last_ms_ = now;
  try {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    due_ms_ = now + std::min(kIdleMs, 1000.0 * draw_());
    ImGui::Render();
  } catch (const std::exception& error) {
    settle_ = 0;
    draw_ = {};
    show_problem(error.what());
    return;
  }
  glViewport(0, 0, width_, height_);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  js_set_cursor(selector_.c_str(), css_cursor(ImGui::GetMouseCursor()));
  if (!picture_.empty()) js_save(selector_.c_str(), std::exchange(picture_, "").c_str());
  js_drawn(ImGui::GetFrameCount());
}

}  // namespace workbook::viewer
