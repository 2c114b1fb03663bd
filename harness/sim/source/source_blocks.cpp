#include "source_blocks.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <string_view>
#include <utility>

#include "symbols.h"

namespace workbook::sim {
namespace {

/// The source with blanks for comments, literals and lines of the preprocessor.
std::string code_only(std::string text) {
  const auto blank = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < std::min(to, text.size()); ++i)
      if (text[i] != '\n') text[i] = ' ';
    return std::min(to, text.size());
  };
  const auto end_of = [&](std::string_view mark, std::size_t from) {
    const std::size_t found = text.find(mark, from);
    return found == std::string::npos ? text.size() : found;
  };
  bool line_begins = true;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '/' && text.compare(i, 2, "//") == 0) {
      i = blank(i, end_of("\n", i));
    } else if (c == '/' && text.compare(i, 2, "/*") == 0) {
      i = blank(i, end_of("*/", i) + 2);
    } else if (c == '#' && line_begins) {
      std::size_t end = end_of("\n", i);
      while (end < text.size() && text[end - 1] == '\\') end = end_of("\n", end + 1);
      i = blank(i, end);
    } else if (c == '"' ||
               (c == '\'' && (i == 0 || !std::isalnum(static_cast<unsigned char>(text[i - 1]))))) {
      std::size_t end = i + 1;
      while (end < text.size() && text[end] != c && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
      i = blank(i, end + 1);
    } else {
      line_begins = c == '\n' || (line_begins && c == ' ');
      ++i;
    }
  }
  return text;
}

/// Reads statements, and keeps the blocks of those that govern others.
class Statements {
 public:
  explicit Statements(const std::string& source) : code_(code_only(source)) {
    while (peek() != 0) {
      const std::size_t before = at_;
      statement();
      if (at_ == before) skip(1);  // a brace that closes nothing
    }
  }
  std::vector<SourceBlock> blocks;
  /// What stands in braces and is governed by nothing: functions, lambdas, classes.
  struct Body {
    int first_line, last_line;
    bool is_kernel;
  };
  std::vector<Body> bodies;
  struct Return {
    int line;
    std::size_t body;  ///< of `bodies`
  };
  std::vector<Return> returns;

 private:
  /// The next character that is no blank; 0 at the end.
  char peek() {
    for (; at_ < code_.size() && std::isspace(static_cast<unsigned char>(code_[at_])); ++at_)
      line_ += code_[at_] == '\n';
    return at_ < code_.size() ? code_[at_] : '\0';
  }
  std::string_view word() {
    peek();
    std::size_t end = at_;
    while (end < code_.size() && (std::isalnum(static_cast<unsigned char>(code_[end])) || code_[end] == '_'))
      ++end;
    return std::string_view(code_).substr(at_, end - at_);
  }
  void skip(std::size_t characters) {
    at_ += characters;
    last_line_ = line_;
  }
  bool take(std::string_view wanted) {
    if (word() != wanted) return false;
    skip(wanted.size());
    return true;
  }
  static bool governs(std::string_view word) {
    return word == "if" || word == "for" || word == "while" || word == "do" || word == "switch" ||
           word == "else";
  }

  void statement() {
    const char next = peek();
    const std::string head(word());
    if (next == '{') return compound();
    if (head == "return" && !bodies.empty()) returns.push_back({line_, body_});
    if (!governs(head) || head == "else") return plain();
    skip(head.size());
    const std::size_t index = blocks.size();
    blocks.push_back({head, line_, line_});
    take("constexpr");
    if (head != "do" && peek() == '(') group();
    nested();
    while (head == "if" && take("else")) nested();
    if (head == "do" && take("while")) {
      if (peek() == '(') group();
      if (peek() == ';') skip(1);
    }
    blocks[index].last_line = last_line_;
  }

  /// A statement within another; too deep a nesting, which no kernel has, is left.
  void nested() {
    constexpr int kDeepest = 200;
    if (++depth_ < kDeepest) statement();
    --depth_;
  }

  void compound() {
    skip(1);
    for (char next = peek(); next != '\0' && next != '}'; next = peek()) {
      const std::size_t before = at_;
      nested();
      if (at_ == before) skip(1);
    }
    if (peek() == '}') skip(1);
  }

  /// From a parenthesis to the one that closes it; bodies of functions in between are statements.
  void group() {
    int open = 0;
    for (char next = peek(); next != '\0'; next = peek()) {
      if (next == '{') {
        compound();
        continue;
      }
      if (next == '}') return;
      skip(1);
      open += next == '(' ? 1 : next == ')' ? -1 : 0;
      if (open == 0) return;
    }
  }

  void body(std::size_t head) {
    const bool is_kernel = code_.substr(head, at_ - head).find("__global__") != code_.npos;
    const std::size_t outer = std::exchange(body_, bodies.size());
    bodies.push_back({line_, line_, is_kernel});
    compound();
    bodies[body_].last_line = last_line_;
    body_ = outer;
  }

  /// What ends with a semicolon, or with the body of a function.
  void plain() {
    const std::size_t head = at_;
    for (char next = peek(); next != '\0' && next != '}'; next = peek()) {
      if (next == '(') {
        group();
      } else if (next == '{') {
        body(head);
        const char after = peek();
        if (after != ';' && after != ',' && after != ')' && after != '.' && after != '(') return;
      } else if (next == ';') {
        skip(1);
        return;
      } else if (const std::string_view name = word(); !name.empty()) {
        if (governs(name) && name != "else") return;
        skip(name.size());
      } else {
        skip(1);
      }
    }
  }

  const std::string code_;
  std::size_t at_ = 0, body_ = 0;
  int line_ = 1, last_line_ = 1, depth_ = 0;
};

std::string read_source(const std::string& name) {
  std::ifstream file(name);
  std::string text;
  for (std::string line; std::getline(file, line);) text += line + '\n';
  return text;
}

std::vector<std::string> lines_of_code(const std::string& source) {
  std::vector<std::string> lines;
  const std::string code = code_only(source);
  for (std::size_t from = 0; from < code.size();) {
    const std::size_t end = std::min(code.find('\n', from), code.size());
    lines.push_back(code.substr(from, end - from));
    from = end + 1;
  }
  return lines;
}

bool holds_barrier(std::string_view line, bool of_warp) {
  return line.find("__syncthreads") != line.npos || line.find(".sync(") != line.npos ||
         line.find("::sync(") != line.npos || (of_warp && line.find("__syncwarp") != line.npos);
}

bool barrier_between(const std::vector<std::string>& lines, int first, int last, bool of_warp) {
  for (int line = first + 1; line < last && static_cast<std::size_t>(line) <= lines.size(); ++line)
    if (holds_barrier(lines[static_cast<std::size_t>(line) - 1], of_warp)) return true;
  return false;
}

}  // namespace

bool is_loop(const SourceBlock& block) {
  return block.keyword == "for" || block.keyword == "while" || block.keyword == "do";
}

std::vector<SourceBlock> blocks_around(const std::string& source, int line) {
  std::vector<SourceBlock> around;
  for (const SourceBlock& block : Statements(source).blocks)
    if (block.first_line <= line && line <= block.last_line) around.push_back(block);
  std::reverse(around.begin(), around.end());  // they were met from without
  return around;
}

WaysPast ways_past(const std::string& source, int line) {
  const Statements text(source);
  WaysPast ways;
  std::size_t body = text.bodies.size();
  for (std::size_t i = 0; i < text.bodies.size(); ++i)  // the innermost was met last
    if (text.bodies[i].first_line <= line && line <= text.bodies[i].last_line) body = i;
  if (body == text.bodies.size()) return ways;
  ways.in_kernel = text.bodies[body].is_kernel;
  int reach = line;  // of a loop around the line, what stands behind it comes before its next pass
  for (const SourceBlock& block : text.blocks) {
    if (block.first_line > line || block.last_line < line) continue;
    if (block.first_line < text.bodies[body].first_line) continue;
    ways.around.insert(ways.around.begin(), block);
    if (is_loop(block)) reach = std::max(reach, block.last_line);
  }
  for (const Statements::Return& one : text.returns)
    if (one.body == body && one.line <= reach) ways.returns.push_back(one.line);
  return ways;
}

WaysPast ways_past(Pc pc) {
  WaysPast all;
  for (const SourceFrame& frame : source_frames(pc)) {
    if (frame.at.line <= 0) continue;
    const WaysPast here = ways_past(read_source(frame.at.file), frame.at.line);
    all.in_kernel = here.in_kernel;
    all.returns.insert(all.returns.end(), here.returns.begin(), here.returns.end());
    all.around.insert(all.around.end(), here.around.begin(), here.around.end());
  }
  return all;
}

std::optional<runs::SourceLine> branch_around(Pc pc, const std::vector<Pc>& stack) {
  const auto within = [](Pc call) -> std::optional<runs::SourceLine> {
    for (const SourceFrame& frame : source_frames(call)) {
      if (frame.at.line <= 0) continue;
      for (const SourceBlock& block : blocks_around(read_source(frame.at.file), frame.at.line))
        if (block.keyword == "if") return runs::SourceLine{frame.at.file, block.first_line};
    }
    return std::nullopt;
  };
  if (auto found = within(pc)) return found;
  for (const Pc call : stack) {
    if (!is_learner_code(call)) break;
    if (auto found = within(call)) return found;
  }
  return std::nullopt;
}

std::optional<runs::SourceLine> loop_without_barrier(const runs::SourceLine& at) {
  if (at.line <= 0) return std::nullopt;
  const std::string source = read_source(at.file);
  const std::vector<std::string> lines = lines_of_code(source);
  for (const SourceBlock& block : blocks_around(source, at.line)) {
    if (!is_loop(block)) continue;
    for (int line = block.first_line; line <= block.last_line; ++line)
      if (holds_barrier(lines[static_cast<std::size_t>(line) - 1], true)) return std::nullopt;
    return runs::SourceLine{at.file, block.first_line};
  }
  return std::nullopt;
}

std::optional<int> condition_before(const std::string& source, int line) {
  const std::vector<std::string> lines = lines_of_code(source);
  if (line < 1 || static_cast<std::size_t>(line) > lines.size()) return std::nullopt;
  const auto text = [&](int number) -> const std::string& {
    return lines[static_cast<std::size_t>(number) - 1];
  };
  if (text(line).find(" ? ") != std::string::npos || text(line).find("&&") != std::string::npos) return line;
  for (const SourceBlock& block : blocks_around(source, line))
    if (block.keyword == "if") return block.first_line;
  for (int before = line - 1; before >= 1 && !text(before).starts_with('}'); --before)
    if (text(before).find("if (") != std::string::npos && text(before).find("return") != std::string::npos)
      return before;
  return std::nullopt;
}

std::optional<runs::SourceLine> condition_before(const runs::SourceLine& at) {
  const auto line = at.line > 0 ? condition_before(read_source(at.file), at.line) : std::nullopt;
  return line ? std::optional(runs::SourceLine{at.file, *line}) : std::nullopt;
}

std::optional<NextPass> next_pass(const std::string& source, int a, int b, bool of_warp) {
  const auto [first, last] = std::minmax(a, b);
  const std::vector<std::string> lines = lines_of_code(source);
  if (!barrier_between(lines, first, last, of_warp)) return std::nullopt;
  for (const SourceBlock& block : blocks_around(source, last))
    if (is_loop(block) && block.first_line < first) return NextPass{{"", block.first_line}, first, last};
  return std::nullopt;
}

bool barrier_between(const runs::SourceLine& a, const runs::SourceLine& b, bool of_warp) {
  return a.file == b.file && barrier_between(lines_of_code(read_source(a.file)), std::min(a.line, b.line),
                                             std::max(a.line, b.line), of_warp);
}

bool may_be_called_again(const runs::SourceLine& a, const runs::SourceLine& b) {
  const std::string source = read_source(a.file);
  return a.file == b.file && !ways_past(source, a.line).in_kernel && !ways_past(source, b.line).in_kernel;
}

bool line_holds(const runs::SourceLine& at, const std::string& word) {
  const auto lines = lines_of_code(read_source(at.file));
  return at.line > 0 && static_cast<std::size_t>(at.line) <= lines.size() &&
         lines[static_cast<std::size_t>(at.line) - 1].find(word) != std::string::npos;
}

bool speaks_of_warps(const std::string& file) {
  const std::string code = code_only(read_source(file));
  return code.find("__syncwarp") != code.npos || code.find("_sync(") != code.npos ||
         code.find("tiled_partition") != code.npos;
}

bool speaks_of_grids(const std::string& file) {
  return code_only(read_source(file)).find("this_grid(") != std::string::npos;
}

bool asks_barriers(const std::string& file) {
  const std::string text = read_source(file);  // PTX is in strings
  return text.find("test_wait") != text.npos || text.find("try_wait") != text.npos;
}

std::optional<NextPass> next_pass(const runs::SourceLine& a, const runs::SourceLine& b, bool of_warp) {
  if (a.line <= 0 || b.line <= 0 || a.file != b.file) return std::nullopt;
  auto found = next_pass(read_source(a.file), a.line, b.line, of_warp);
  if (found) found->loop.file = a.file;
  return found;
}

std::vector<std::string> code_of_file(const std::string& file) { return lines_of_code(read_source(file)); }

}  // namespace workbook::sim
