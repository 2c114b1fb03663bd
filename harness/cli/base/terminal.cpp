#include "cli/base/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "cli/base/text.h"

namespace workbook::cli {
namespace {

bool colour_on = false;

const char* code(Colour colour) {
  switch (colour) {
    case Colour::plain:
      return "";
    case Colour::bold:
      return "\033[1m";
    case Colour::dim:
      return "\033[2m";
    case Colour::good:
      return "\033[1;32m";
    case Colour::bad:
      return "\033[1;31m";
    case Colour::warn:
      return "\033[33m";
    case Colour::accent:
      return "\033[36m";
  }
  return "";
}

}  // namespace

void set_colour(bool on) { colour_on = on; }

void set_up_colour(int stream) {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  colour_on = isatty(stream) != 0 && (!no_colour || !*no_colour) && term && std::string_view(term) != "dumb";
}

std::string paint(Colour colour, std::string_view text) {
  if (!colour_on || colour == Colour::plain || text.empty()) return std::string(text);
  return code(colour) + std::string(text) + "\033[0m";
}

bool stdin_is_terminal() { return isatty(STDIN_FILENO) != 0; }
bool stdout_is_terminal() { return isatty(STDOUT_FILENO) != 0; }

int terminal_rows() {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 ? size.ws_row : 24;
}

bool confirmed(const std::string& question) {
  if (!stdin_is_terminal()) return false;
  print(question + " [y/N] ");
  std::string answer;
  return std::getline(std::cin, answer) && (answer == "y" || answer == "Y" || answer == "yes");
}

void print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

void show(std::string_view text) { print(fitted(text)); }

void print_error(std::string_view text) {
  std::fflush(stdout);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void say_progress(const std::string& what) {
  if (stdout_is_terminal() && isatty(STDERR_FILENO) != 0) print_error("\r\033[K" + what);
}

}  // namespace workbook::cli
