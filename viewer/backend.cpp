#include "backend.h"

#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>
#include <implot.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace workbook::viewer {
namespace {

// What an off-screen picture needs beyond OpenGL 1.1; a hidden window's own pixels are not guaranteed to
// exist.
struct FramebufferCalls {
  void (*gen_framebuffers)(GLsizei, GLuint*);
  void (*bind_framebuffer)(GLenum, GLuint);
  void (*framebuffer_texture)(GLenum, GLenum, GLenum, GLuint, GLint);
  GLenum (*check_framebuffer)(GLenum);
  void (*delete_framebuffers)(GLsizei, const GLuint*);

  template <class Call>
  static void load(Call& call, const char* name) {
    call = reinterpret_cast<Call>(glfwGetProcAddress(name));
    if (call == nullptr) throw std::runtime_error(std::string("this OpenGL has no ") + name);
  }
  FramebufferCalls() {
    load(gen_framebuffers, "glGenFramebuffers");
    load(bind_framebuffer, "glBindFramebuffer");
    load(framebuffer_texture, "glFramebufferTexture2D");
    load(check_framebuffer, "glCheckFramebufferStatus");
    load(delete_framebuffers, "glDeleteFramebuffers");
  }
};
constexpr GLenum kFramebuffer = 0x8D40, kColourAttachment = 0x8CE0, kComplete = 0x8CD5;

std::string glfw_reason() {
  const char* text = nullptr;
  glfwGetError(&text);
  return text != nullptr ? text : "no reason given";
}

// As one types it: this program, wherever it was built.
std::string own_path() {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return "workbook-viewer";
  const std::filesystem::path near = self.lexically_proximate(std::filesystem::current_path(error));
  return near.string().starts_with("..") ? self.string() : near.string();
}

// What was drawn last, upright and opaque.
Image read_pixels(int width, int height) {
  Image image{
      width, height,
      std::vector<std::uint8_t>(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4)};
  glFinish();
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
  const std::size_t stride = static_cast<std::size_t>(width) * 4;
  for (std::size_t top = 0, bottom = static_cast<std::size_t>(height) - 1; top < bottom; ++top, --bottom)
    std::swap_ranges(image.rgba.begin() + static_cast<std::ptrdiff_t>(top * stride),
                     image.rgba.begin() + static_cast<std::ptrdiff_t>((top + 1) * stride),
                     image.rgba.begin() + static_cast<std::ptrdiff_t>(bottom * stride));
  for (std::size_t alpha = 3; alpha < image.rgba.size(); alpha += 4) image.rgba[alpha] = 255;
  return image;
}

}  // namespace

struct Window::State {
  GLFWwindow* window = nullptr;
  std::string picture;  ///< where the next frame goes
};

Window::Window(const std::string& title, int width, int height, bool visible)
    : state_(std::make_unique<State>()) {
  if (!glfwInit())
    throw std::runtime_error("no display to draw on (" + glfw_reason() +
                             "). Without one a picture can still be drawn: xvfb-run -a " + own_path() +
                             " --screenshot app viewer.png (it needs xvfb and xauth)");
  glfwWindowHint(GLFW_VISIBLE, visible ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, visible ? GLFW_TRUE : GLFW_FALSE);
  state_->window = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
  if (state_->window == nullptr) {
    const std::string reason = glfw_reason();
    glfwTerminate();
    throw std::runtime_error("cannot open a window with OpenGL 3.3 (" + reason + ")");
  }
  glfwMakeContextCurrent(state_->window);
  glfwSwapInterval(visible ? 1 : 0);
  ImGui::CreateContext();
  ImPlot::CreateContext();
  ImGui_ImplGlfw_InitForOpenGL(state_->window, visible);
  ImGui_ImplOpenGL3_Init("#version 330");
}

Window::~Window() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImPlot::DestroyContext();
  ImGui::DestroyContext();
  glfwDestroyWindow(state_->window);
  glfwTerminate();
}

float Window::content_scale() const {
  float x = 1.0f, y = 1.0f;
  glfwGetWindowContentScale(state_->window, &x, &y);
  return std::clamp(std::max(x, y), 1.0f, 4.0f);
}

void Window::loop(double poll_s, const std::function<bool()>& poll, const std::function<double()>& draw) {
  // A few frames at once after each event let layout settle; later ones are for tooltips, which take their
  // time.
  constexpr int kAtOnce = 3;
  constexpr double kLater[] = {0.2, 0.5};  // seconds after the event
  int settle = kAtOnce;
  std::size_t later = 0;
  double event_at = glfwGetTime(), due = event_at;
  while (!glfwWindowShouldClose(state_->window)) {
    if (settle > 0) {
      glfwPollEvents();
      --settle;
    } else {
      const double next = later < std::size(kLater) ? std::min(due, event_at + kLater[later]) : due;
      const double before = glfwGetTime(), wait = std::clamp(next - before, 0.001, poll_s);
      glfwWaitEventsTimeout(wait);
      if (const double now = glfwGetTime(); now - before < wait * 0.95) {
        settle = kAtOnce;
        later = 0;
        event_at = now;
      } else if (now < next) {
        if (!poll()) continue;
      } else if (later < std::size(kLater) && now >= event_at + kLater[later]) {
        ++later;
      }
    }
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
    due = glfwGetTime() + draw();
    ImGui::Render();
    int width = 0, height = 0;
    glfwGetFramebufferSize(state_->window, &width, &height);
    glViewport(0, 0, width, height);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    if (!state_->picture.empty()) {
      const std::string path = std::exchange(state_->picture, "");
      try {
        write_png(read_pixels(width, height), path);
      } catch (const std::runtime_error& error) {
        std::cerr << "workbook-viewer: " << error.what() << '\n';
      }
    }
    glfwSwapBuffers(state_->window);
  }
}

Image Window::capture(int width, int height, int frames, const std::function<void()>& draw) {
  const FramebufferCalls gl;
  GLuint texture = 0, framebuffer = 0;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  gl.gen_framebuffers(1, &framebuffer);
  gl.bind_framebuffer(kFramebuffer, framebuffer);
  gl.framebuffer_texture(kFramebuffer, kColourAttachment, GL_TEXTURE_2D, texture, 0);
  if (gl.check_framebuffer(kFramebuffer) != kComplete)
    throw std::runtime_error("this OpenGL cannot draw off screen");

  ImGuiIO& io = ImGui::GetIO();
  io.ConfigFlags |= ImGuiConfigFlags_NoMouse;
  for (int frame = 0; frame < frames; ++frame) {
    ImGui_ImplOpenGL3_NewFrame();
    // Not the GLFW back end's NewFrame: it would bring in the clock, the mouse and the window's real size.
    io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
    io.DisplayFramebufferScale = {1.0f, 1.0f};
    io.DeltaTime = 1.0f / 60.0f;
    ImGui::NewFrame();
    draw();
    ImGui::Render();
    if (frame + 1 < frames) continue;  // it settles the layout and nobody sees it
    glViewport(0, 0, width, height);
    glClearColor(0.0f, 0.0f, 0.0f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  }
  Image image = read_pixels(width, height);
  gl.bind_framebuffer(kFramebuffer, 0);
  gl.delete_framebuffers(1, &framebuffer);
  glDeleteTextures(1, &texture);
  return image;
}

void Window::save_next(const std::string& path) { state_->picture = path; }

}  // namespace workbook::viewer
