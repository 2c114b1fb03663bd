#include "source_text.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <mutex>
#include <string_view>
#include <vector>

#include "source_vectors.h"
#include "symbols.h"

namespace workbook::sim {
bool is_name_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

namespace {

/// Where the line's allocating calls begin.
std::vector<std::size_t> allocating_calls(const std::string& line) {
  std::vector<std::size_t> calls;
  for (std::size_t i = 0; i < line.size(); ++i)
    if (line.compare(i, 10, "cudaMalloc") == 0 || line.compare(i, 13, "cudaHostAlloc") == 0)
      calls.push_back(i);
  return calls;
}

/// The argument after the first `&` that follows the opening parenthesis of the call that begins at `start`.
std::string address_taken(const std::string& line, std::size_t start) {
  const auto open = line.find('(', start);
  if (open == std::string::npos) return {};
  const auto at = line.find('&', open);
  if (at == std::string::npos) return {};
  std::string name;
  for (std::size_t i = at + 1; i < line.size() && line[i] != ',' && line[i] != ')'; ++i)
    if (!std::isspace(static_cast<unsigned char>(line[i]))) name += line[i];
  return name;
}

std::string read_line(const runs::SourceLine& at) {
  std::ifstream file(at.file);
  std::string line;
  for (int i = 0; i < at.line; ++i)
    if (!std::getline(file, line)) return {};
  return line;
}

std::vector<std::string> read_lines(const std::string& name, int count) {
  std::ifstream file(name);
  std::vector<std::string> lines;
  for (std::string line; count > 0 && std::getline(file, line); --count) lines.push_back(line);
  return lines;
}

/// Of what is called: __shfl_sync, tile.shfl.
bool is_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == ':';
}

std::string without_comment(const std::string& line) { return line.substr(0, line.find("//")); }

/// Braces that the line leaves open, less those that it closes.
int balance(const std::string& line) {
  return static_cast<int>(std::count(line.begin(), line.end(), '{') -
                          std::count(line.begin(), line.end(), '}'));
}

/// What is known of the calls that allocate.
struct AllocatingCalls {
  static AllocatingCalls& get() {
    static AllocatingCalls& all = *new AllocatingCalls;  // a program's own static objects allocate and free
    return all;
  }
  std::mutex mutex;
  std::vector<std::uintptr_t> calls;  ///< return addresses in the order of their first times
  std::map<std::uintptr_t, std::string> variables;
};

/// Where the bracket opens that closes right before `end`; npos where it does so on another line.
std::size_t opening_bracket(const std::string& line, std::size_t end) {
  int depth = 0;
  do {
    --end;
    depth += line[end] == ']' ? 1 : line[end] == '[' ? -1 : 0;
  } while (depth > 0 && end > 0);
  return depth > 0 ? std::string::npos : end;
}

/// g++ names the column of the bracket that closes, clang that of the array.
std::string array_at(const std::string& line, std::size_t column) {
  if (column == 0 || column > line.size()) return {};
  std::size_t end = column - 1;
  if (line[end] == ']') {
    for (++end; end > 0 && line[end - 1] == ']';) {
      end = opening_bracket(line, end);
      if (end == std::string::npos) return {};
    }
  } else {
    while (end < line.size() && line[end] != '[') ++end;
    if (end == line.size()) return {};
  }
  std::size_t begin = end;
  while (begin > 0) {
    const char before = line[begin - 1], first = line[begin];
    const bool is_arrow =
        (before == '>' && begin > 1 && line[begin - 2] == '-') || (before == '-' && first == '>');
    if (is_name_char(before) || before == '.' || is_arrow) {
      --begin;
    } else if (before == ']' && (first == '.' || first == '-')) {  // a member of an element: rows[i].cells
      begin = opening_bracket(line, begin);
      if (begin == std::string::npos) return {};
    } else {
      break;
    }
  }
  return line.substr(begin, end - begin);
}

/// One of the words that begin a loop.
bool holds_loop(const std::string& line) {
  for (const std::string_view word : {"for", "while", "do"})
    for (std::size_t at = line.find(word); at != std::string::npos; at = line.find(word, at + 1)) {
      const std::size_t end = at + word.size();
      if ((at == 0 || !is_name_char(line[at - 1])) && (end == line.size() || !is_name_char(line[end])))
        return true;
    }
  return false;
}

/// `+=` and its like behind an element: "a[i] +=", "(*p) *=", "*p -=".
bool holds_update(const std::string& line) {
  for (std::size_t at = line.find('=', 1); at != std::string::npos; at = line.find('=', at + 1)) {
    if (std::string_view("-+*/").find(line[at - 1]) == std::string_view::npos) continue;
    std::size_t end = at - 1;  // of what stands before the operator
    const auto skip = [&](auto&& is) {
      const std::size_t from = end;
      while (end > 0 && is(line[end - 1])) --end;
      return end < from;
    };
    const auto is_blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
    skip(is_blank);
    if (end > 0 && (line[end - 1] == ']' || line[end - 1] == ')')) return true;
    if (!skip(is_name_char)) continue;
    skip(is_blank);
    if (end > 0 && line[end - 1] == '*') return true;
  }
  return false;
}

}  // namespace

runs::SourceLine loop_head(const runs::SourceLine& at) {
  constexpr int kFarthest = 200;
  const std::vector<std::string> lines = read_lines(at.file, at.line + 1);
  if (at.line < 1 || static_cast<std::size_t>(at.line) > lines.size()) return at;
  const auto text = [&](int line) { return without_comment(lines[static_cast<std::size_t>(line - 1)]); };
  const auto is_loop = [&](int line) { return holds_loop(text(line)); };
  if (is_loop(at.line)) return at;
  int closed = 0;  // braces between here and there
  for (int line = at.line - 1; line >= 1 && line > at.line - kFarthest; --line) {
    const std::string before = text(line);
    const int left_open = balance(before);
    const bool ends = before.find_last_of(";}") != std::string::npos &&
                      before.find_last_of(";}") == before.find_last_not_of(" \t\r");
    if (is_loop(line) && (closed + left_open > 0 || (closed == 0 && left_open == 0 && !ends)))
      return {at.file, line};
    closed = std::min(0, closed + left_open);
  }
  const bool goes_on = text(at.line).find_first_of(";{") == std::string::npos;
  if (goes_on && static_cast<std::size_t>(at.line) < lines.size() && is_loop(at.line + 1))
    return {at.file, at.line + 1};
  return at;
}

std::string indexed_array(std::uintptr_t pc, std::size_t column) {
  const runs::SourceLine at = source_line(pc);
  return at.line > 0 ? array_at(read_line(at), column) : std::string();
}

bool loads_fragment(std::uintptr_t pc) {
  const runs::SourceLine at = source_line(pc);
  return at.line > 0 && read_line(at).find("load_matrix_sync") != std::string::npos;
}

void note_allocating_call(std::uintptr_t pc) {
  AllocatingCalls& all = AllocatingCalls::get();
  const std::lock_guard lock(all.mutex);
  if (std::find(all.calls.begin(), all.calls.end(), pc) == all.calls.end()) all.calls.push_back(pc);
}

std::string allocated_variable(std::uintptr_t pc) {
  AllocatingCalls& all = AllocatingCalls::get();
  const std::lock_guard lock(all.mutex);
  const auto [place, fresh] = all.variables.try_emplace(pc);
  if (!fresh) return place->second;
  const runs::SourceLine at = program_line(pc);
  if (at.line <= 0) return "";
  const std::string line = without_comment(read_line(at));
  const std::vector<std::size_t> written = allocating_calls(line);
  std::size_t number = 0;  // of this one among those of the line
  for (const std::uintptr_t call : all.calls) {
    if (call == pc) break;
    const runs::SourceLine other = program_line(call);
    number += other.line == at.line && other.file == at.file;
  }
  if (written.empty()) place->second = vector_of_line(line, number);
  if (written.size() == 1) number = 0;  // compiled to several calls
  if (number < written.size()) place->second = address_taken(line, written[number]);
  return place->second;
}

bool accumulates_shuffle(std::uintptr_t pc) {
  const runs::SourceLine at = source_line(pc);
  if (at.line <= 0) return false;
  const std::string line = without_comment(read_line(at));
  std::size_t call = line.find("shfl");
  if (call == std::string::npos) return false;
  while (call > 0 && is_of_name(line[call - 1])) --call;
  if (call == 0) return false;
  const std::size_t last = line.find_last_not_of(' ', call - 1);
  return last != std::string::npos && last > 0 && line[last] == '=' &&
         std::string_view("+-*|&^").find(line[last - 1]) != std::string_view::npos;
}

std::string made_stream(std::uintptr_t pc, std::size_t before) {
  constexpr const char* kCall = "cudaStreamCreate";
  const runs::SourceLine at = source_line(pc);
  if (at.line <= 0) return "";
  const std::string line = without_comment(read_line(at));
  std::size_t call = line.find(kCall);
  for (; before > 0 && call != std::string::npos; --before) call = line.find(kCall, call + 1);
  return call == std::string::npos ? "" : address_taken(line, call);
}

bool stores_element_of(std::uintptr_t pc, const std::string& array) {
  const runs::SourceLine at = source_line(pc);
  if (at.line <= 0) return false;
  const std::string line = without_comment(read_line(at));
  for (std::size_t i = line.find(array); i != std::string::npos; i = line.find(array, i + 1)) {
    const std::size_t end = i + array.size();
    if ((i > 0 && is_name_char(line[i - 1])) || end >= line.size() || line[end] != '[') continue;
    const std::size_t close = line.find(']', end), equals = line.find('=', end);
    if (close != std::string::npos && equals != std::string::npos && equals > close &&
        line.find_first_of(";=", close) == equals && (equals + 1 >= line.size() || line[equals + 1] != '='))
      return true;
  }
  return false;
}

bool passes_address(std::uintptr_t pc) {
  const runs::SourceLine at = source_line(pc);
  if (at.line <= 0) return false;
  const std::string line = without_comment(read_line(at));
  for (std::size_t i = line.find('&'); i != std::string::npos; i = line.find('&', i + 1)) {
    std::size_t end = line.find_first_not_of(' ', i + 1);
    while (end < line.size() && is_name_char(line[end])) ++end;
    end = std::min(line.find_first_not_of(' ', end), line.size() - 1);
    if (line[end] == ',' && line[end - 1] != '&') return true;
  }
  return false;
}

bool updates_element(std::uintptr_t pc) {
  const runs::SourceLine at = source_line(pc);
  return at.line > 0 && holds_update(without_comment(read_line(at)));
}

std::string declared_without_value(const runs::SourceLine& at, std::size_t n) {
  const std::string line = without_comment(read_line(at));
  int depth = 0;  // of brackets
  bool has_value = false;
  std::string name;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (depth == 0 && (c == ',' || c == ';')) {
      if (!has_value && !name.empty() && n-- == 0) return name;
      has_value = false;
    } else if (c == '(' || c == '[' || c == '{' || c == '<') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}' || c == '>') {
      depth = std::max(0, depth - 1);
    } else if (c == '=' && depth == 0) {
      has_value = true;
    } else if (depth == 0 && !has_value && is_name_char(c)) {
      std::size_t end = i;
      while (end < line.size() && is_name_char(line[end])) ++end;
      name = line.substr(i, end - i);
      i = end - 1;
    }
  }
  return "";
}

std::string used_without_value(const runs::SourceLine& at) {
  constexpr int kNear = 20;
  const std::string use = without_comment(read_line(at));
  for (int line = at.line - 1; line > std::max(0, at.line - kNear); --line) {
    const runs::SourceLine before{at.file, line};
    const std::string text = without_comment(read_line(before));
    if (text.starts_with('}') || text.find("__global__") != text.npos) break;
    if (text.find("extern") != text.npos || text.find("__shared__") != text.npos ||
        text.find("return") != text.npos)
      continue;
    for (std::size_t n = 0;; ++n) {
      const std::string name = declared_without_value(before, n);
      if (name.empty()) break;
      const std::size_t type = text.find_first_not_of(' ');
      const std::size_t first = text.find(name);
      if (type == first || !is_name_char(text[type])) continue;  // it is no declaration
      for (std::size_t found = use.find(name); found != use.npos; found = use.find(name, found + 1))
        if ((found == 0 ||
             (!is_name_char(use[found - 1]) && use[found - 1] != '.' && use[found - 1] != '>')) &&
            (found + name.size() >= use.size() || !is_name_char(use[found + name.size()])))
          return name + ", declared at line " + std::to_string(line);
    }
  }
  return "";
}

std::string assigned_variable(std::uintptr_t pc) {
  const runs::SourceLine at = source_line(pc);
  if (at.line == 0) return "";
  const std::string line = read_line(at);
  const std::size_t call = std::min(line.find("malloc"), line.find("new "));
  const std::size_t equals = call == std::string::npos ? call : line.rfind('=', call);
  if (equals == std::string::npos || equals == 0) return "";
  const std::size_t end = line.find_last_not_of(' ', equals - 1);
  if (end == std::string::npos || !is_name_char(line[end])) return "";
  std::size_t begin = end;
  while (begin > 0 && is_name_char(line[begin - 1])) --begin;
  return line.substr(begin, end + 1 - begin);
}

}  // namespace workbook::sim
