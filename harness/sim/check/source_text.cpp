#include "source_text.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <mutex>

#include "symbols.h"

namespace workbook::sim {
namespace {

/// The argument after the first `&` that follows the opening parenthesis of the line's only allocating call.
std::string address_taken(const std::string& line) {
  const auto start = std::min(line.find("cudaMalloc"), line.find("cudaHostAlloc"));
  if (start == std::string::npos || line.find("cudaMalloc", start + 1) != std::string::npos) return {};
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

bool is_name_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// g++ names the column of the bracket that closes, clang that of the array.
std::string array_at(const std::string& line, std::size_t column) {
  if (column == 0 || column > line.size()) return {};
  std::size_t end = column - 1;
  if (line[end] == ']') {
    for (++end; end > 0 && line[end - 1] == ']';) {
      int depth = 0;
      do {
        --end;
        depth += line[end] == ']' ? 1 : line[end] == '[' ? -1 : 0;
      } while (depth > 0 && end > 0);
      if (depth > 0) return {};
    }
  } else {
    while (end < line.size() && line[end] != '[') ++end;
    if (end == line.size()) return {};
  }
  std::size_t begin = end;
  while (begin > 0 && (is_name_char(line[begin - 1]) || line[begin - 1] == '.' ||
                       (line[begin - 1] == '>' && begin > 1 && line[begin - 2] == '-') ||
                       (line[begin - 1] == '-' && line[begin] == '>')))
    --begin;
  return line.substr(begin, end - begin);
}

}  // namespace

std::string indexed_array(std::uintptr_t pc, std::size_t column) {
  const runs::SourceLine at = source_line(pc);
  return at.line > 0 ? array_at(read_line(at), column) : std::string();
}

std::string allocated_variable(std::uintptr_t pc) {
  static std::mutex mutex;
  static auto& known = *new std::map<std::uintptr_t, std::string>;
  std::lock_guard lock(mutex);
  const auto [place, fresh] = known.try_emplace(pc);
  if (fresh) {
    const runs::SourceLine at = source_line(pc);
    if (at.line > 0) place->second = address_taken(read_line(at));
  }
  return place->second;
}

}  // namespace workbook::sim
