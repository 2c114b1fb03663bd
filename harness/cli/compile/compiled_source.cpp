#include "cli/compile/compiled_source.h"

#include <algorithm>
#include <chrono>

#include "cli/base/build_key.h"
#include "cli/base/text.h"
#include "runs/store.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr auto kProgramLimit = std::chrono::minutes(20);  // no slow machine meets it

/// What a file that the compiler read is now: a copy by what it holds, any other (the simulator's headers,
/// what is included by a computed name) by when it was changed and by its size. A line each, with the file's
/// path.
std::string states_of(const Words& files, const StagedProgram& staged) {
  std::string text;
  for (const std::string& file : files) {
    const fs::path place = fs::path(file).lexically_normal();  // "sub/../local.h" is local.h
    const auto copy = std::find_if(staged.files.begin(), staged.files.end(),
                                   [&](const ProgramFile& one) { return one.staged == place; });
    if (copy != staged.files.end()) {
      text += runs::content_hash(copy->shown + '\n' + copy->rewritten);
    } else {
      std::error_code error;
      const auto time = fs::last_write_time(file, error).time_since_epoch().count();
      text += std::to_string(time) + '-' + std::to_string(fs::file_size(file, error));
    }
    text += ' ' + file + '\n';
  }
  return text;
}

/// The prerequisites in a compiler's dependency file.
Words dependencies(const std::string& rule) {
  Words files(1);
  for (std::size_t i = std::min(rule.find(": "), rule.size()); i < rule.size(); ++i) {
    const char next = i + 1 < rule.size() ? rule[i + 1] : '\n';
    if (rule[i] == '\\' && (next == ' ' || next == '#'))
      files.back() += rule[++i];
    else if (rule[i] == '$' && next == '$')
      files.back() += rule[++i];
    else if (rule[i] != '\\' && rule[i] != '\n' && rule[i] != ' ' && rule[i] != ':')
      files.back() += rule[i];
    else if (!files.back().empty())
      files.emplace_back();
  }
  std::erase(files, "");
  return files;
}

}  // namespace

CompiledSource::CompiledSource(const fs::path& folder, std::size_t number, const std::string& first,
                               const Words& command, const Words& libraries, const StagedProgram& staged)
    : path_(folder / (std::to_string(number) + ".o")), staged_(staged) {
  std::string names;  // a new one may hide another
  for (const ProgramFile& file : staged.files) names += file.staged.string() + '\n';
  command_ = build_key(names + first, command, libraries);
}

std::string CompiledSource::key() const {
  return command_ + '\n' + read_file_if_any(beside(".inputs")).value_or("");
}

std::string CompiledSource::output() const { return read_file_if_any(beside(".output")).value_or(""); }

bool CompiledSource::is_current() const {
  const auto recorded = read_file_if_any(beside(".inputs"));
  if (!recorded || read_file_if_any(beside(".key")) != command_) return false;
  Words files;
  for (const std::string& line : lines_of(*recorded)) files.push_back(line.substr(line.find(' ') + 1));
  std::error_code error;
  return fs::exists(path_, error) && states_of(files, staged_) == *recorded;
}

ProcessResult CompiledSource::compile(Words command, const ProgramFile& source, bool c,
                                      const Confinement* by) const {
  std::error_code error;
  fs::remove(beside(".key"), error);
  const fs::path rule = beside(".d");
  append(command, {"-MMD", "-MF", rule.string(), "-x", c ? "c" : "c++", "-c", source.staged.string(), "-o",
                   path_.string()});
  ProcessResult compiled =
      run_compiler(command, fs::current_path(), {.wall = kProgramLimit}, by, {{}, {path_.parent_path()}});
  if (!compiled.ok()) return compiled;
  write_file(beside(".inputs"), states_of(dependencies(read_file(rule)), staged_));
  write_file(beside(".output"), compiled.output);
  write_file(beside(".key"), command_);
  return compiled;
}

}  // namespace workbook::cli
