#include "cli/report/picker.h"

#define NCURSES_NOMACROS  // or `move`, `clear` and `timeout` are no names of ours any more
#include <curses.h>
#undef OK

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <clocale>
#include <cstdlib>
#include <sstream>

namespace workbook::cli {
namespace {

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

class Screen {
 public:
  Screen() {
    std::setlocale(LC_CTYPE, "");
    set_escdelay(25);  // a lone Esc is a key, and not the beginning of another
    screen_ = newterm(nullptr, stdout, stdin);
    if (!screen_) return;
    cbreak();
    noecho();
    keypad(stdscr, TRUE);
    define_key("\033[A", KEY_UP);  // from terminals that do not follow keypad()
    define_key("\033[B", KEY_DOWN);
    curs_set(0);
    const char* no_colour = std::getenv("NO_COLOR");
    coloured_ = has_colors() && (!no_colour || !*no_colour);
    if (!coloured_) return;
    start_color();
    use_default_colors();
    init_pair(1, COLOR_GREEN, -1);
    init_pair(2, COLOR_YELLOW, -1);
    init_pair(3, COLOR_CYAN, -1);
    init_pair(4, COLOR_RED, -1);
  }
  ~Screen() {
    if (!screen_) return;
    endwin();
    delscreen(screen_);
  }
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;
  explicit operator bool() const { return screen_ != nullptr; }

  attr_t look(Colour colour) const {
    const auto pair = [this](int number) { return coloured_ ? COLOR_PAIR(number) : A_NORMAL; };
    switch (colour) {
      case Colour::good:
        return pair(1);
      case Colour::warn:
        return pair(2);
      case Colour::accent:
        return pair(3);
      case Colour::bad:
        return pair(4);
      case Colour::bold:
        return A_BOLD;
      case Colour::dim:
        return A_DIM;
      case Colour::plain:
        break;
    }
    return A_NORMAL;
  }

 private:
  SCREEN* screen_ = nullptr;
  bool coloured_ = false;
};

struct Picker {
  const std::string& title;
  const std::vector<PickerRow>& rows;
  const Screen& screen;
  std::string filter = {};
  std::vector<std::size_t> shown = {};
  std::size_t chosen = 0;  ///< of `shown`
  std::size_t first = 0;   ///< the topmost line of the list, headings counted

  void put(int y, int x, const std::string& text, attr_t look) const {
    if (y < 0 || y >= LINES || x >= COLS) return;
    attrset(static_cast<int>(look));
    mvaddnstr(y, x, text.c_str(), std::max(COLS - x - 1, 0));
    attrset(A_NORMAL);
  }

  void narrow(std::size_t row) {
    shown = matching(rows, filter);
    const auto at = std::find(shown.begin(), shown.end(), row);
    chosen = at == shown.end() ? 0 : static_cast<std::size_t>(at - shown.begin());
  }

  void draw() {
    erase();
    put(0, 0, title, A_BOLD);
    put(1, 0, filter.empty() ? "type to filter" : "filter: " + filter,
        filter.empty() ? A_DIM : screen.look(Colour::accent));
    const std::vector<std::string> none;
    const auto& details = shown.empty() ? none : rows[shown[chosen]].details;
    const int bottom = LINES - 3 - static_cast<int>(details.size());
    list(3, bottom);
    for (std::size_t i = 0; i < details.size(); ++i)
      put(bottom + 1 + static_cast<int>(i), 0, details[i], A_NORMAL);
    put(LINES - 1, 0, "up, down   Enter: go there   Esc: leave", A_DIM);
    refresh();
  }

  /// Lines [top, bottom) of the terminal; headings stand between the rows.
  void list(int top, int bottom) {
    struct Line {
      std::size_t row;
      bool heading;
    };
    std::vector<Line> lines;
    std::size_t at = 0;
    for (std::size_t i = 0; i < shown.size(); ++i) {
      if (i == 0 || rows[shown[i]].heading != rows[shown[i - 1]].heading) {
        if (i > 0) lines.push_back({rows.size(), true});
        lines.push_back({shown[i], true});
      }
      if (i == chosen) at = lines.size();
      lines.push_back({shown[i], false});
    }
    const auto height = static_cast<std::size_t>(std::max(bottom - top, 1));
    first = std::min(first, at < 2 ? 0 : at - 2);
    if (at + 2 > first + height) first = at + 2 - height;
    for (std::size_t i = first; i < std::min(lines.size(), first + height); ++i) {
      const int y = top + static_cast<int>(i - first);
      if (lines[i].row == rows.size()) continue;
      const PickerRow& row = rows[lines[i].row];
      if (lines[i].heading) {
        put(y, 0, row.heading, A_BOLD);
        continue;
      }
      const attr_t marked = i == at ? A_REVERSE : A_NORMAL;
      put(y, 0, "  " + row.text + std::string(std::max(0, 50 - static_cast<int>(row.text.size())), ' '),
          marked);
      put(y, 52, row.state, screen.look(row.colour));
    }
    if (shown.empty()) put(top, 2, "nothing matches", A_DIM);
  }

  /// Whether it goes on; then what was chosen stands in `result`.
  bool press(int key, std::optional<std::size_t>& result) {
    const std::size_t row = shown.empty() ? 0 : shown[chosen];
    const std::size_t last = shown.empty() ? 0 : shown.size() - 1;
    if (key == 27) {
      if (filter.empty()) return false;
      filter.clear();
      narrow(row);
    } else if (key == ERR) {
      return errno == EINTR;  // a signal, such as that of a resized terminal; else nobody types any more
    } else if (key == '\n' || key == '\r' || key == KEY_ENTER) {
      if (shown.empty()) return true;
      result = row;
      return false;
    } else if (key == KEY_UP) {
      chosen -= chosen > 0;
    } else if (key == KEY_DOWN) {
      chosen += chosen < last;
    } else if (key == KEY_PPAGE || key == KEY_HOME) {
      chosen = key == KEY_HOME || chosen < 10 ? 0 : chosen - 10;
    } else if (key == KEY_NPAGE || key == KEY_END) {
      chosen = key == KEY_END ? last : std::min(chosen + 10, last);
    } else if (key == KEY_BACKSPACE || key == 127 || key == 8) {
      if (!filter.empty()) filter.pop_back();
      narrow(row);
    } else if (key >= ' ' && key < 127) {
      filter += static_cast<char>(key);
      narrow(row);
    }
    return true;
  }
};

}  // namespace

std::vector<std::size_t> matching(const std::vector<PickerRow>& rows, const std::string& filter) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string all = lower(rows[i].heading + ' ' + rows[i].text + ' ' + rows[i].state);
    std::istringstream words(lower(filter));
    bool fits = true;
    for (std::string word; words >> word;) fits = fits && all.find(word) != std::string::npos;
    if (fits) found.push_back(i);
  }
  return found;
}

std::optional<std::size_t> pick(const std::string& title, const std::vector<PickerRow>& rows,
                                std::size_t begin) {
  const Screen screen;
  if (!screen) return std::nullopt;
  Picker picker{.title = title, .rows = rows, .screen = screen};
  picker.narrow(begin);
  std::optional<std::size_t> result;
  do {
    picker.draw();
    errno = 0;
  } while (picker.press(getch(), result));
  return result;
}

}  // namespace workbook::cli
