#include "cli/compile/program_language.h"

#include <set>
#include <string_view>

#include "cli/base/build_config.h"
#include "cli/base/text.h"
#include "cli/compile/simulator_toolchain.h"
#include "runs/pattern.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// Of --default-stream per-thread: said before main(), by each source.
constexpr std::string_view kStreamOfThread = R"(#ifdef __cplusplus
extern "C" void workbook_sim_stream_of_thread();
namespace { [[maybe_unused]] const bool workbook_sim_has_stream_of_thread = (workbook_sim_stream_of_thread(), true); }
#endif
)";

bool is_older(const std::string& standard) { return !standard.ends_with("20") && !standard.ends_with("23"); }

/// Whether `file`, or one of the program's that it includes, includes a header of CUDA's: the simulator's are
/// C++.
bool includes_cuda(const StagedProgram& staged, const ProgramFile& file, std::set<fs::path>& seen) {
  if (!seen.insert(file.original).second) return false;
  for (const auto& [name, quoted] : includes_of(file.text)) {
    bool own = false;
    for (const ProgramFile& other : staged.files)
      if (other.original == (file.original.parent_path() / name).lexically_normal()) {
        own = true;
        if (includes_cuda(staged, other, seen)) return true;
      }
    std::error_code error;
    for (const std::string& folder : split_list(build::kProgramIncludes))
      if (!own && fs::exists(fs::path(folder) / name, error)) return true;
  }
  return false;
}

}  // namespace

Words standard_words(const SimOptions& options, const std::string& cxx) {
  if (!is_older(options.standard)) return {"-std=" + options.standard};
  return {"-std=gnu++20", "-fno-char8_t", "-Wno-deprecated", "-Wno-register",
          is_clang(cxx) ? "-Wno-deprecated-volatile" : "-Wno-volatile"};
}

bool uses_thrust(const StagedProgram& staged) {
  static const runs::Pattern kInclude(R"(#[ \t]*include[ \t]*[<"]thrust/([^>"]*))");
  for (const ProgramFile& file : staged.files)
    for (const auto& at : kInclude.all(file.text))
      if (at[1] != "transform.h" && at[1] != "execution_policy.h") return true;
  return false;
}

bool begins_with_vector(std::string_view text) {
  static const runs::Pattern kStandard(R"(^[ \t]*#[ \t]*include[ \t]*<([a-z_]+|cuda_runtime\.h)>)");
  for (const std::string& line : lines_of(std::string(text))) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos || line.compare(begin, 2, "//") == 0) continue;
    const auto included = kStandard.search(line);
    if (!included) return false;
    if ((*included)[1] == "vector") return true;
  }
  return false;
}

std::string prelude(const SimOptions& options, const ProgramFile& source, bool thrust) {
  std::string text = is_older(options.standard) ? "#include <workbook_sim/older_standard.h>\n" : "";
  if (thrust) text += "#define WORKBOOK_SIM_WHOLE_THRUST 1\n";
  if (!options.all_cuda && source.original.extension() != ".cu") return text;
  text += "#include <cuda_runtime.h>\n" + options.ahead;
  // Half of what a small program takes to compile. Nothing stands before it that could change what it is.
  const bool as_it_is =
      options.includes.empty() && options.defines.empty() && options.headers.empty() && options.ahead.empty();
  if (as_it_is && begins_with_vector(source.text)) text += "#include <vector>\n";
  return text;
}

bool is_c(const SimOptions& options, const StagedProgram& staged, const ProgramFile& source) {
  std::set<fs::path> seen;
  return !options.all_cuda && source.original.extension() == ".c" && !includes_cuda(staged, source, seen);
}

void leave_c(const SimOptions& options, StagedProgram& staged) {
  for (std::size_t i = 0; i < staged.sources; ++i)
    if (ProgramFile& source = staged.files[i]; is_c(options, staged, source)) source.rewritten = source.text;
}

Defines defines_of(const SimOptions& options) {
  Defines out;
  for (const std::string& word : options.defines) {
    const std::string body = word.substr(2);
    const std::size_t equals = body.find('=');
    if (body.starts_with('_'))
      out.options.push_back(word);
    else if (word.starts_with("-U"))
      out.text += "#undef " + body + '\n';
    else
      out.text += "#define " + body.substr(0, equals) + ' ' +
                  (equals == std::string::npos ? "1" : body.substr(equals + 1)) + '\n';
  }
  if (options.stream_of_thread) out.text += kStreamOfThread;
  return out;
}

}  // namespace workbook::cli
