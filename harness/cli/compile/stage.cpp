#include "cli/compile/stage.h"

#include "cli/base/text.h"
#include "cli/compile/kernel_faults.h"
#include "translate/host_calls.h"
#include "translate/rewrite.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;

struct Part {
  std::string name, text, shown;
  std::string ahead = {};  ///< lines of ours
};

/// Whether the declaration of a kernel says `inline`, which may be said once.
bool has_inline_kernel(std::string_view text) {
  constexpr std::string_view kGlobal = "__global__";
  for (std::size_t at = text.find(kGlobal); at != std::string_view::npos; at = text.find(kGlobal, at + 1)) {
    const std::size_t before = text.find_last_of(";{}", at);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    const std::string_view declaration = text.substr(begin, text.find('(', at) - begin);
    if (declaration.find("inline") != std::string_view::npos) return true;
  }
  return false;
}

/// Ahead of launches.cu for the simulator. Kernels are inline there, so that one that nobody launches is
/// dropped before it is compiled.
std::string ahead_of_launches(const std::string& variant, const std::string& kernels) {
  std::string text = "#include <workbook/run.h>\n#include <cuda_runtime.h>\n";
  if (!has_inline_kernel(kernels))
    text += "#undef __global__\n#define __global__ inline __attribute__((noinline))\n";
  if (!variant.empty())
    text += "template <>\ninline constexpr std::string_view workbook::only_variant<void> = \"" + variant +
            "\";\n";
  return text;
}

void stage_file(const Part& part, const sim::Rewriter* rewriter, const fs::path& folder, Staged& staged) {
  std::string body = part.text;
  if (rewriter != nullptr) {
    try {
      body = rewriter->rewrite(part.text);
    } catch (const sim::RewriteError& error) {
      staged.errors.push_back({{part.shown, error.line}, 0, error.what()});
    }
  }
  const std::string whole = part.ahead + "#line 1 \"" + part.shown + "\"\n" + body;
  if (read_file_if_any(folder / part.name) != whole) write_file(folder / part.name, whole);
  staged.sources.push_back({part.shown, part.text, body});
  staged.texts += part.name + '\0' + whole + '\0';
}

}  // namespace

Staged stage(const Project& project, const Puzzle& puzzle, const Source& source, Kind kind,
             const fs::path& folder) {
  Staged staged;
  staged.main = folder / "launches.cu";
  std::vector<Part> parts;
  for (const fs::path& file : puzzle.headers())
    parts.push_back({file.filename().string(), read_file(file), project.shown(file)});
  const fs::path launches = puzzle.folder / "launches.cu";
  parts.push_back({"launches.cu", read_file(launches), project.shown(launches),
                   kind == Kind::cuda ? "" : ahead_of_launches(source.variant, source.text)});
  parts.push_back({"kernels.cu", source.text, project.shown(source.file)});  // as launches.cu includes it
  sim::Rewriter rewriter;
  sim::HostFunctions host;
  for (const Part& part : parts) rewriter.learn(part.text), host.learn(part.text);
  if (kind != Kind::cuda) {  // nvcc says it itself
    std::vector<sim::RewriteError> refused = sim::refused_in_device_code(source.text);
    for (const sim::RewriteError& error : host.refused_calls(source.text)) refused.push_back(error);
    for (const sim::RewriteError& error : refused)
      staged.errors.push_back({{project.shown(source.file), error.line}, 0, error.what()});
    for (const runs::CompileError& error : lost_kernels({project.shown(source.file), source.text, ""},
                                                        solved_kernels(puzzle), read_file(launches)))
      staged.errors.push_back(error);
  }
  for (const Part& part : parts) stage_file(part, kind == Kind::cuda ? nullptr : &rewriter, folder, staged);
  return staged;
}

std::string solved_kernels(const Puzzle& puzzle) {
  return read_file_if_any(puzzle.solution / "kernels.cu").value_or("");
}

fs::path stage_kernels(const Puzzle& puzzle, const Source& source, const std::vector<std::string>& kernels,
                       const fs::path& folder) {
  std::string text = ahead_of_launches("", source.text);
  for (const std::string& line : lines_of(read_file(puzzle.folder / "launches.cu")))
    if (line.starts_with("#include")) text += line + '\n';
  // Nothing else makes the compiler keep a kernel that is not launched.
  text += "extern const void* const workbook_kernels[];\nconst void* const workbook_kernels[] = {\n";
  for (const std::string& kernel : kernels) text += "    reinterpret_cast<const void*>(&" + kernel + "),\n";
  const fs::path file = folder / "changed_kernels.cu";
  write_file(file, text + "};\n");
  return file;
}

}  // namespace workbook::cli
