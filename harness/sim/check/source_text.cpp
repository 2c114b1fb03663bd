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

}  // namespace

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
