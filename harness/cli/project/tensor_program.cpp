#include "cli/project/tensor_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "cli/base/text.h"
#include "optimizer/language/names.h"

namespace workbook::cli {
namespace {

std::string in_small_letters(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

}  // namespace

std::filesystem::path programs_folder(const Project& project) {
  return project.given() / "harness/optimizer/programs";
}

std::filesystem::path fusion_file(const Project& project, const std::string& program) {
  return project.state() / "optimize" / (opt::identifier(program) + ".json");
}

std::string optimize_words(const Project& project, const std::string& program, const runs::Sizes& sizes) {
  std::string words = "workbook optimize " + program;
  const std::map<std::string, std::int64_t> wanted = by_name(sizes);
  const auto text = read_file_if_any(programs_folder(project) / (program + ".wbp"));
  for (const auto& [index, size] : opt::real_extents(text.value_or("")))
    if (const auto found = wanted.find(index); found != wanted.end() && found->second != size)
      words += fmt::format(" --size {}={}", index, found->second);
  return words;
}

std::map<std::string, std::int64_t> by_name(const runs::Sizes& sizes) {
  std::map<std::string, std::int64_t> named;
  for (const auto& [name, size] : sizes) named[in_small_letters(name)] = size;
  return named;
}

bool same_sizes(const runs::Sizes& a, const runs::Sizes& b) { return by_name(a) == by_name(b); }

}  // namespace workbook::cli
