#include "cli/report/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/base/terminal.h"
#include "cli/base/text.h"

namespace workbook::cli {
std::string time_text(double us) {
  if (us <= 0.0) return "-";
  if (us < 999.5) return runs::three_digits(us) + " us";
  if (us < 999.5e3) return runs::three_digits(us / 1e3) + " ms";
  return runs::three_digits(us / 1e6) + " s";
}

std::string rate_text(double bytes, double us) {
  return us > 0.0 ? runs::three_digits(bytes / us / 1e3) : "-";
}

std::string difference_text(double value) {
  if (std::isnan(value)) return "NaN";
  return value == 0.0 ? "0" : fmt::format("{:.2e}", value);
}

std::string value_text(double value) { return std::isnan(value) ? "NaN" : fmt::format("{:.7g}", value); }

std::string ratio_text(double ratio) { return runs::three_digits(ratio) + "x"; }

std::string dim3_text(const runs::Dim3& dim) {
  if (dim.z > 1) return fmt::format("{}x{}x{}", dim.x, dim.y, dim.z);
  if (dim.y > 1) return fmt::format("{}x{}", dim.x, dim.y);
  return std::to_string(dim.x);
}

std::string thread_text(const runs::ThreadId& who) {
  const auto place = [](const runs::Dim3& at) {
    if (at.z > 0) return fmt::format("({},{},{})", at.x, at.y, at.z);
    return at.y > 0 ? fmt::format("({},{})", at.x, at.y) : std::to_string(at.x);
  };
  return fmt::format("thread {} of block {}", place(who.thread), place(who.block));
}

std::string index_text(const std::vector<std::int64_t>& index) {
  std::string out;
  for (const std::int64_t i : index) out += fmt::format("[{}]", i);
  return out;
}

std::string count_text(std::int64_t count, const std::string& noun) {
  const bool hissing = noun.ends_with("ch") || noun.ends_with("s") || noun.ends_with("sh");
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : hissing ? "es" : "s");
}

std::string line_text(const runs::SourceLine& at) {
  return at.line > 0 ? fmt::format("{}:{}", at.file, at.line) : at.file;
}

std::string ago_text(const std::string& utc) {
  std::string text = utc.substr(0, 16);
  std::replace(text.begin(), text.end(), 'T', ' ');
  return text;
}

std::string Table::text(const std::string& indent) const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns(row[i]));
  }
  std::string out;
  for (std::size_t first = 1; first < widths.size() || first == 1;) {
    std::size_t width = indent.size() + widths.front(), last = first;
    while (last < widths.size() && (last == first || width + 2 + widths[last] <= kScreen))
      width += 2 + widths[last++];
    out += (first > 1 ? "\n" : "") + part(indent, widths, first, last);
    first = std::max(last, first + 1);
  }
  return out;
}

std::string Table::part(const std::string& indent, const std::vector<std::size_t>& widths, std::size_t first,
                        std::size_t last) const {
  std::string out;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    std::string line = indent;
    for (std::size_t i = 0; i < std::min(last, rows_[r].size()); i = i == 0 ? first : i + 1) {
      const std::string pad(widths[i] - columns(rows_[r][i]), ' ');
      const bool is_left = i == 0 || std::find(left_.begin(), left_.end(), i) != left_.end();
      line += (i > 0 ? "  " : "") + (is_left ? rows_[r][i] + pad : pad + rows_[r][i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += (r == 0 ? paint(Colour::dim, line) : line) + '\n';
  }
  return out;
}

}  // namespace workbook::cli
