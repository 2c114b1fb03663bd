#include "cli/base/text.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "cli/base/errors.h"
#include "runs/whole_file.h"

namespace workbook::cli {

namespace fs = std::filesystem;

std::optional<std::string> read_file_if_any(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

std::string read_file(const fs::path& file) {
  errno = 0;
  auto text = read_file_if_any(file);
  if (!text) throw HarnessError(file.string() + " cannot be read: " + std::strerror(errno) + ".");
  return *std::move(text);
}

void write_file(const fs::path& file, std::string_view text) {
  try {
    runs::write_whole(file, text);
  } catch (const std::runtime_error& why) {
    throw HarnessError(why.what());
  }
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::string replaced(std::string text, std::string_view old_words, std::string_view new_words) {
  for (std::size_t at = text.find(old_words); at != std::string::npos;
       at = text.find(old_words, at + new_words.size()))
    text.replace(at, old_words.size(), new_words);
  return text;
}

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
  std::string out;
  for (const std::string& part : parts) {
    if (!out.empty()) out += separator;
    out += part;
  }
  return out;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

std::optional<std::string> closest(std::string_view word, const std::vector<std::string>& choices) {
  std::optional<std::string> best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& choice : choices) {
    const bool prefix = word.size() >= 3 && choice.starts_with(word);
    const std::size_t distance = prefix ? 1 : edit_distance(word, choice);
    if (distance >= best_distance) continue;
    best = choice;
    best_distance = distance;
  }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& choices) {
  const auto near = closest(word, choices);
  return near ? " Did you mean '" + *near + "'?" : "";
}

std::string wrapped(std::string_view text, std::size_t width, std::string_view indent) {
  std::string out;
  std::size_t column = 0;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    if (column > 0 && column + 1 + columns(word) > width) {
      out += '\n';
      out += indent;
      column = indent.size();
    } else if (column > 0) {
      out += ' ';
      ++column;
    }
    out += word;
    column += columns(word);
  }
  return out;
}

namespace {

/// The length of the colour ("\033[1;31m") that the text begins with; 0 without one.
std::size_t colour_length(std::string_view text) {
  if (!text.starts_with("\033[")) return 0;
  const std::size_t end = text.find('m');
  return end == std::string_view::npos ? 0 : end + 1;
}

/// "  14 | code" and the line of its marker.
bool is_source(std::string_view line) {
  const std::size_t bar = line.find(" | ");
  return bar != std::string_view::npos &&
         line.substr(0, bar).find_first_not_of(" 0123456789") == std::string_view::npos;
}

/// The length of what begins an item of a list, "- " or "12. "; 0 where nothing does.
std::size_t item_length(std::string_view text) {
  if (text.starts_with("- ") || text.starts_with("* ")) return 2;
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  return digits > 0 && digits < 3 && text.substr(digits).starts_with(". ") ? digits + 2 : 0;
}

/// Where the text of a line begins: after its indent, and after a label of at most `most` columns that two
/// spaces or a colon end.
std::size_t text_column(std::string_view line, std::size_t most) {
  std::string plain;
  for (std::size_t i = 0; i < line.size(); ++i)
    if (const std::size_t colour = colour_length(line.substr(i)))
      i += colour - 1;
    else
      plain += line[i];
  const std::size_t indent = std::min(plain.find_first_not_of(' '), plain.size());
  if (const std::size_t item = item_length(std::string_view(plain).substr(indent))) return indent + item;
  std::size_t column = indent;
  for (std::size_t i = indent + 1; i + 1 < plain.size() && i <= most; ++i) {
    if (plain[i] != ' ') continue;
    const bool gap = plain[i + 1] == ' ', colon = plain[i - 1] == ':';
    if (!gap && !colon) continue;
    column = std::min(plain.find_first_not_of(' ', i), plain.size());
    if (column > most) return indent;
    if (colon) break;
  }
  return column;
}

std::string fitted_line(std::string_view line, std::size_t width) {
  constexpr std::size_t kLongestLabel = 22;
  const std::string indent(std::min(text_column(line, kLongestLabel), width / 2), ' ');
  std::string out;
  std::size_t column = 0, word_column = 0;  // of the end; of the word that is not over yet
  std::size_t word_at = 0;                  // where in `out` that word begins
  for (std::size_t i = 0; i < line.size();) {
    if (const std::size_t colour = colour_length(line.substr(i))) {
      out += line.substr(i, colour);
      i += colour;
      continue;
    }
    const char c = line[i++];
    if (c == ' ') {
      out += c;
      ++column;
      word_at = out.size();
      word_column = column;
      continue;
    }
    out += c;
    if ((static_cast<unsigned char>(c) & 0xc0) == 0x80) continue;
    if (++column <= width || word_column <= indent.size()) continue;
    const std::string word = out.substr(word_at);
    out.erase(out.find_last_not_of(' ', word_at - 1) + 1);
    out += '\n' + indent;
    word_at = out.size();
    word_column = indent.size();
    column = indent.size() + columns(word);
    out += word;
  }
  return out;
}

}  // namespace

std::string fitted(std::string_view text, std::size_t width) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    out += columns(line) <= width || is_source(line) ? std::string(line) : fitted_line(line, width);
    if (end == std::string_view::npos) break;
    out += '\n';
    text.remove_prefix(end + 1);
  }
  return out;
}

std::string fitted_sentence(std::string_view text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  return fitted(text.substr(0, end)) + std::string(text.substr(end));
}

std::size_t columns(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (const std::size_t colour = colour_length(text.substr(i)))
      i += colour - 1;
    else
      count += (static_cast<unsigned char>(text[i]) & 0xc0) != 0x80;
  return count;
}

}  // namespace workbook::cli
