#include "cli/project/tensor_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "cli/base/text.h"
#include "optimizer/emit_text.h"
#include "optimizer/text.h"

namespace workbook::cli {
namespace {

std::string in_small_letters(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

std::map<std::string, std::int64_t> by_name(const runs::Sizes& sizes) {
  std::map<std::string, std::int64_t> named;
  for (const auto& [name, size] : sizes) named[in_small_letters(name)] = size;
  return named;
}

/// At its own sizes; nothing where there is none that can be read.
std::optional<opt::Program> program_of(const Project& project, const std::string& name) {
  const std::optional<std::string> text = read_file_if_any(programs_folder(project) / (name + ".wbp"));
  if (text) try {
      return opt::parse_program(*text, name + ".wbp");
    } catch (const opt::TextError&) {
      // `workbook optimize` says what is wrong with it.
    }
  return std::nullopt;
}

runs::Sizes sizes_of(const opt::Program& program) {
  runs::Sizes sizes;
  for (const opt::Index& index : program.graph.indices) sizes.emplace_back(index.name, index.real);
  return sizes;
}

}  // namespace

std::filesystem::path programs_folder(const Project& project) {
  return project.root() / "harness/optimizer/programs";
}

std::filesystem::path fusion_file(const Project& project, const std::string& program) {
  return project.state() / "optimize" / (opt::identifier(program) + ".json");
}

std::optional<std::string> tensor_program_fault(const Project& project, const Puzzle& puzzle) {
  const std::string& name = puzzle.declaration.tensor_program;
  if (name.empty()) return std::nullopt;
  const std::optional<opt::Program> program = program_of(project, name);
  if (!program)
    return fmt::format("There is no program '{}'.{}", name,
                       did_you_mean(name, opt::program_names(programs_folder(project))));
  if (puzzle.declaration.tasks.size() != 1) return "Only a puzzle with one task names a tensor program.";
  std::map<std::string, std::int64_t> own = by_name(puzzle.declaration.tasks.front().bench);
  for (const auto& [index, size] : sizes_of(*program))
    if (own.erase(index) == 0)
      return fmt::format("The program {} has an index {}, which is no dimension of the puzzle.", name, index);
  if (!own.empty())
    return fmt::format("The program {} has no index {}, which is a dimension of the puzzle.", name,
                       own.begin()->first);
  return std::nullopt;
}

std::string optimize_words(const Project& project, const std::string& program, const runs::Sizes& sizes) {
  std::string words = "workbook optimize " + program;
  const std::optional<opt::Program> known = program_of(project, program);
  if (!known) return words;
  const std::map<std::string, std::int64_t> wanted = by_name(sizes);
  for (const auto& [index, size] : sizes_of(*known))
    if (const auto found = wanted.find(index); found != wanted.end() && found->second != size)
      words += fmt::format(" --size {}={}", index, found->second);
  return words;
}

bool same_sizes(const runs::Sizes& a, const runs::Sizes& b) { return by_name(a) == by_name(b); }

}  // namespace workbook::cli
