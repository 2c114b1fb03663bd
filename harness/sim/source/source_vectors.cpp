#include "source_vectors.h"

#include <string_view>

#include "source_text.h"

namespace workbook::sim {
namespace {

/// One past the bracket that closes the one at `open`; npos where none does.
std::size_t past_closing(const std::string& line, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < line.size(); ++i) {
    if (std::string_view("<({[").find(line[i]) != std::string_view::npos) ++depth;
    if (std::string_view(">)}]").find(line[i]) != std::string_view::npos && --depth == 0) return i + 1;
  }
  return std::string::npos;
}

/// Of the declarators from `at` on the one behind `before` others that are given elements.
std::string declarator(const std::string& line, std::size_t at, std::size_t before) {
  while ((at = line.find_first_not_of(" &", at)) != std::string::npos && is_name_char(line[at])) {
    std::size_t end = at;
    while (end < line.size() && is_name_char(line[end])) ++end;
    const std::string name = line.substr(at, end - at);
    at = line.find_first_not_of(' ', end);
    if (at == std::string::npos) return "";
    const bool has_elements = line[at] == '(' || line[at] == '{' || line[at] == '=';
    if (has_elements && before-- == 0) return name;
    while (at < line.size() && line[at] != ',' && line[at] != ';') {
      at = line[at] == '(' || line[at] == '{' || line[at] == '<' ? past_closing(line, at) : at + 1;
      if (at == std::string::npos) return "";
    }
    if (at >= line.size() || line[at] == ';') return "";
    ++at;
  }
  return "";
}

}  // namespace

std::string vector_of_line(const std::string& line, std::size_t before) {
  if (const std::size_t type = line.find("device_vector<"); type != std::string::npos)
    if (const std::size_t name = past_closing(line, line.find('<', type)); name != std::string::npos)
      if (std::string found = declarator(line, name, before); !found.empty()) return found;
  for (const std::string_view call :
       {".resize(", ".reserve(", ".push_back(", ".emplace_back(", ".insert(", ".assign(", ".shrink_to_fit("})
    if (const std::size_t end = line.find(call); end != std::string::npos) {
      std::size_t begin = end;
      while (begin > 0 && is_name_char(line[begin - 1])) --begin;
      if (begin < end) return line.substr(begin, end - begin);
    }
  return "";
}

}  // namespace workbook::sim
