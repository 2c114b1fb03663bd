#include "cli/compile/program_stage.h"

#include "cli/base/errors.h"
#include "cli/base/text.h"
#include "runs/pattern.h"
#include "translate/host_calls.h"
#include "translate/rewrite.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;

/// "dir/file" without "." and "..", without asking the file system: the compiler walks the same way.
/// Empty for code without a line.
fs::path place_of(const fs::path& file) {
  return file.empty() ? file : fs::absolute(file).lexically_normal();
}

fs::path below(const fs::path& tree, const fs::path& place) { return tree / place.relative_path(); }

std::string line_directive(const std::string& shown) {
  std::string name;
  for (const char c : shown) {
    if (c == '\\' || c == '"') name += '\\';
    name += c;
  }
  return "#line 1 \"" + name + "\"\n";
}

/// Walks from the sources to all they include.
class Collector {
 public:
  Collector(StagedProgram& program, const std::vector<std::string>& folders)
      : program_(program), folders_(folders) {}

  void source(const std::string& typed) {
    const auto text = read_file_if_any(typed);
    if (!text) throw UsageError(typed + " cannot be read.");
    add(typed, *text);
  }

  /// Of -include: from the working folder, or one of those of -I. The place of its copy.
  std::string header(const std::string& typed) {
    if (try_add(typed)) return staged(typed);
    for (const std::string& folder : folders_)
      if (try_add(fs::path(folder) / typed)) return staged(fs::path(folder) / typed);
    throw UsageError("There is no header " + typed + ".");
  }

  void everything_included() {
    for (std::size_t i = 0; i < program_.files.size(); ++i) {  // grows as it goes
      const std::string text = program_.files[i].text;
      const fs::path from = fs::path(program_.files[i].shown).parent_path();
      for (const auto& [name, quoted] : includes_of(text)) include(name, quoted ? &from : nullptr);
    }
  }

 private:
  void include(const std::string& name, const fs::path* from) {
    if (fs::path(name).is_absolute()) return;
    if (from != nullptr && try_add(*from / name)) return;
    for (const std::string& folder : folders_)
      if (try_add(fs::path(folder) / name)) return;
  }

  std::string staged(const fs::path& shown) const { return below(program_.tree, place_of(shown)).string(); }

  bool try_add(const fs::path& shown) {
    std::error_code error;
    if (!fs::is_regular_file(shown, error)) return false;
    if (const auto text = read_file_if_any(shown)) add(shown.lexically_normal().string(), *text);
    return true;
  }

  void add(const std::string& shown, const std::string& text) {
    const fs::path place = place_of(shown);
    for (const ProgramFile& known : program_.files)
      if (known.original == place) return;
    program_.files.push_back({shown, place, below(program_.tree, place), text, {}});
  }

  StagedProgram& program_;
  const std::vector<std::string>& folders_;
};

void rewrite(StagedProgram& program) {
  sim::Rewriter rewriter;
  rewriter.follow_unset();
  for (std::size_t i = 0; i < program.files.size(); ++i)
    rewriter.learn(program.files[i].text, i >= program.sources);
  for (ProgramFile& file : program.files) {
    for (const sim::RewriteError& error : sim::refused_in_device_code(file.text))
      program.errors.push_back({{file.shown, error.line}, 0, error.what()});
    try {
      file.rewritten = rewriter.rewrite(file.text);
    } catch (const sim::RewriteError& error) {
      program.errors.push_back({{file.shown, error.line}, 0, error.what()});
    }
  }
}

}  // namespace

std::vector<std::pair<std::string, bool>> includes_of(const std::string& text) {
  static const runs::Pattern kInclude(
      R"((?:^|\n)[ \t]*#[ \t]*include(?:_next)?[ \t]*(?:"([^"\n]+)\"|<([^>\n]+)>)|__has_include[ \t]*\([ \t]*(?:"([^"\n]+)\"|<([^>\n]+)>))");
  std::vector<std::pair<std::string, bool>> names;
  for (const auto& found : kInclude.all(text))
    for (std::size_t group = 1; group <= 4; ++group)
      if (!found[group].empty()) names.emplace_back(found[group], group % 2 == 1);
  return names;
}

void StagedProgram::write() const {
  std::error_code error;
  fs::remove_all(tree, error);
  for (const ProgramFile& file : files) write_file(file.staged, line_directive(file.shown) + file.rewritten);
  // "sub/../x.cuh" needs sub to be there.
  for (const ProgramFile& file : files)
    for (const auto& [name, quoted] : includes_of(file.text)) {
      fs::path folder = file.staged.parent_path();
      for (const fs::path& part : fs::path(name).parent_path()) {
        folder /= part;
        fs::create_directory(folder, error);
      }
    }
}

std::string StagedProgram::shown(const std::string& path) const {
  const fs::path place = place_of(path);
  for (const ProgramFile& file : files)
    if (file.original == place) return file.shown;
  return path;
}

StagedProgram stage_program(const std::vector<std::string>& sources,
                            const std::vector<std::string>& include_folders, const fs::path& tree,
                            const std::vector<std::string>& headers) {
  StagedProgram program;
  program.tree = tree;
  Collector collector(program, include_folders);
  for (const std::string& source : sources) collector.source(source);
  program.sources = program.files.size();
  for (const std::string& header : headers)
    program.search.insert(program.search.end(), {"-include", collector.header(header)});
  collector.everything_included();
  for (const std::string& folder : include_folders) {
    const fs::path place = place_of(folder);
    program.search.push_back("-I" + below(tree, place).string());
    program.search.push_back("-I" + place.string());
  }
  // What is included by a computed name is not staged: the compiler finds the original, where no copy is.
  for (const std::string& folder : include_folders)
    program.search.insert(program.search.end(), {"-iquote", below(tree, place_of(folder)).string()});
  for (std::size_t i = 0; i < program.sources; ++i)
    program.search.insert(program.search.end(),
                          {"-iquote", program.files[i].original.parent_path().string()});
  rewrite(program);
  return program;
}

}  // namespace workbook::cli
