#include "cli/compile/nvcc_options.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "cli/base/errors.h"

namespace workbook::cli {
namespace {

using Words = std::vector<std::string>;

enum class Takes { nothing, value };
enum class Does {
  nothing,     ///< here
  short_form,  ///< what `as` does
  compiler,    ///< passes words to the compiler of the host's code
  linker,
  other_files  ///< in place of a program
};

struct NvccOption {
  std::string_view name, alias;
  Takes takes = Takes::nothing;
  Does does = Does::nothing;
  std::string_view as = {};
};

/// In the order of nvcc's documentation (CUDA 13, "NVCC Command Options").
constexpr std::array kNvccOptions = {
    // files and paths
    NvccOption{"--output-file", "-o", Takes::value},
    NvccOption{"--pre-include", "-include", Takes::value, Does::short_form, "-include"},
    NvccOption{"--library", "-l", Takes::value, Does::short_form, "-l"},
    NvccOption{"--define-macro", "-D", Takes::value, Does::short_form, "-D"},
    NvccOption{"--undefine-macro", "-U", Takes::value, Does::short_form, "-U"},
    NvccOption{"--include-path", "-I", Takes::value, Does::short_form, "-I"},
    NvccOption{"--system-include", "-isystem", Takes::value, Does::short_form, "-I"},
    NvccOption{"--library-path", "-L", Takes::value, Does::short_form, "-L"},
    NvccOption{"--output-directory", "-odir", Takes::value},
    NvccOption{"--dependency-output", "-MF", Takes::value},
    NvccOption{"--dependency-target-name", "-MT", Takes::value},
    NvccOption{"--generate-dependency-targets", "-MP"},
    NvccOption{"--generate-dependencies-with-compile", "-MD"},
    NvccOption{"--generate-nonsystem-dependencies-with-compile", "-MMD"},
    NvccOption{"--compiler-bindir", "-ccbin", Takes::value},
    NvccOption{"--archiver-binary", "-arbin", Takes::value},
    NvccOption{"--allow-unsupported-compiler", "-allow-unsupported-compiler"},
    NvccOption{"--cudart", "-cudart", Takes::value},
    NvccOption{"--cudadevrt", "-cudadevrt", Takes::value},
    NvccOption{"--libdevice-directory", "-ldir", Takes::value},
    NvccOption{"--target-directory", "-target-dir", Takes::value},
    // phases
    NvccOption{"--link", "-link"},
    NvccOption{"--compile", "-c"},
    NvccOption{"--device-c", "-dc"},
    NvccOption{"--device-w", "-dw"},
    NvccOption{"--run", "-run"},
    NvccOption{"--lib", "-lib", Takes::nothing, Does::other_files},
    NvccOption{"--device-link", "-dlink", Takes::nothing, Does::other_files},
    NvccOption{"--cuda", "-cuda", Takes::nothing, Does::other_files},
    NvccOption{"--cubin", "-cubin", Takes::nothing, Does::other_files},
    NvccOption{"--fatbin", "-fatbin", Takes::nothing, Does::other_files},
    NvccOption{"--optix-ir", "-optix-ir", Takes::nothing, Does::other_files},
    NvccOption{"--ltoir", "-ltoir", Takes::nothing, Does::other_files},
    NvccOption{"--ptx", "-ptx", Takes::nothing, Does::other_files},
    NvccOption{"--preprocess", "-E", Takes::nothing, Does::other_files},
    NvccOption{"--generate-dependencies", "-M", Takes::nothing, Does::other_files},
    NvccOption{"--generate-nonsystem-dependencies", "-MM", Takes::nothing, Does::other_files},
    NvccOption{"--shared", "-shared", Takes::nothing, Does::other_files},
    // compiler and linker
    NvccOption{"--profile", "-pg"},
    NvccOption{"--debug", "-g"},
    NvccOption{"--device-debug", "-G"},
    NvccOption{"--extensible-whole-program", "-ewp"},
    NvccOption{"--no-compress", "-no-compress"},
    NvccOption{"--compress-mode", "-compress-mode", Takes::value},
    NvccOption{"--generate-line-info", "-lineinfo"},
    NvccOption{"--optimization-info", "-opt-info", Takes::value},
    NvccOption{"--optimize", "-O", Takes::value, Does::short_form, "-O"},
    NvccOption{"--Ofast-compile", "-Ofc", Takes::value},
    NvccOption{"--dopt", "-dopt", Takes::value},
    NvccOption{"--dlink-time-opt", "-dlto"},
    NvccOption{"--lto", "-lto"},
    NvccOption{"--gen-opt-lto", "-gen-opt-lto"},
    NvccOption{"--ftemplate-backtrace-limit", "-ftemplate-backtrace-limit", Takes::value},
    NvccOption{"--ftemplate-depth", "-ftemplate-depth", Takes::value},
    NvccOption{"--no-exceptions", "-noeh"},
    NvccOption{"--x", "-x", Takes::value, Does::short_form, "-x"},
    NvccOption{"--std", "-std", Takes::value, Does::short_form, "-std"},
    NvccOption{"--no-host-device-initializer-list", "-nohdinitlist"},
    NvccOption{"--no-host-device-move-forward", "-nohdmoveforward"},
    NvccOption{"--expt-relaxed-constexpr", "-expt-relaxed-constexpr", Takes::nothing, Does::short_form,
               "--expt-relaxed-constexpr"},
    NvccOption{"--extended-lambda", "-extended-lambda"},
    NvccOption{"--expt-extended-lambda", "-expt-extended-lambda"},
    NvccOption{"--machine", "-m", Takes::value},
    NvccOption{"--m64", "-m64"},
    NvccOption{"--host-linker-script", "-hls", Takes::value},
    NvccOption{"--augment-host-linker-script", "-aug-hls"},
    NvccOption{"--host-relocatable-link", "-r"},
    // what is passed on
    NvccOption{"--compiler-options", "-Xcompiler", Takes::value, Does::compiler},
    NvccOption{"--linker-options", "-Xlinker", Takes::value, Does::linker},
    NvccOption{"--archive-options", "-Xarchive", Takes::value},
    NvccOption{"--ptxas-options", "-Xptxas", Takes::value},
    NvccOption{"--nvlink-options", "-Xnvlink", Takes::value},
    // how nvcc itself works
    NvccOption{"--static-global-template-stub", "-static-global-template-stub", Takes::value},
    NvccOption{"--device-entity-has-hidden-visibility", "-device-entity-has-hidden-visibility", Takes::value},
    NvccOption{"--forward-unknown-to-host-compiler", "-forward-unknown-to-host-compiler"},
    NvccOption{"--forward-unknown-to-host-linker", "-forward-unknown-to-host-linker"},
    NvccOption{"--forward-unknown-opts", "-forward-unknown-opts"},
    NvccOption{"--dont-use-profile", "-noprof"},
    NvccOption{"--threads", "-t", Takes::value},
    NvccOption{"--split-compile", "-split-compile", Takes::value},
    NvccOption{"--split-compile-extended", "-split-compile-extended", Takes::value},
    NvccOption{"--jobserver", "-jobserver"},
    NvccOption{"--verbose", "-v"},
    NvccOption{"--keep", "-keep"},
    NvccOption{"--keep-dir", "-keep-dir", Takes::value},
    NvccOption{"--save-temps", "-save-temps"},
    NvccOption{"--time", "-time", Takes::value},
    NvccOption{"--fdevice-time-trace", "-fdevice-time-trace", Takes::value},
    NvccOption{"--no-align-double", "-no-align-double"},
    NvccOption{"--no-device-link", "-nodlink"},
    NvccOption{"--jump-table-density", "-jtd", Takes::value},
    NvccOption{"--random-seed", "-frandom-seed", Takes::value},
    NvccOption{"--default-stream", "-default-stream", Takes::value, Does::short_form, "--default-stream"},
    // code for GPUs
    NvccOption{"--gpu-architecture", "-arch", Takes::value},
    NvccOption{"--gpu-code", "-code", Takes::value},
    NvccOption{"--generate-code", "-gencode", Takes::value},
    NvccOption{"--relocatable-device-code", "-rdc", Takes::value},
    NvccOption{"--entries", "-e", Takes::value},
    NvccOption{"--maxrregcount", "-maxrregcount", Takes::value},
    NvccOption{"--use_fast_math", "-use_fast_math"},
    NvccOption{"--ftz", "-ftz", Takes::value},
    NvccOption{"--prec-div", "-prec-div", Takes::value},
    NvccOption{"--prec-sqrt", "-prec-sqrt", Takes::value},
    NvccOption{"--fmad", "-fmad", Takes::value},
    NvccOption{"--extra-device-vectorization", "-extra-device-vectorization"},
    NvccOption{"--keep-device-functions", "-keep-device-functions"},
    NvccOption{"--device-stack-protector", "-device-stack-protector", Takes::value},
    // words of nvcc's
    NvccOption{"--disable-warnings", "-w"},
    NvccOption{"--source-in-ptx", "-src-in-ptx"},
    NvccOption{"--restrict", "-restrict"},
    NvccOption{"--Wno-deprecated-gpu-targets", "-Wno-deprecated-gpu-targets"},
    NvccOption{"--Wno-deprecated-declarations", "--Wno-deprecated-declarations", Takes::nothing,
               Does::short_form, "-Wno-deprecated-declarations"},
    NvccOption{"--Wreorder", "-Wreorder"},
    NvccOption{"--Wdefault-stream-launch", "-Wdefault-stream-launch"},
    NvccOption{"--Wmissing-launch-bounds", "-Wmissing-launch-bounds"},
    NvccOption{"--Wext-lambda-captures-this", "-Wext-lambda-captures-this"},
    NvccOption{"--Werror", "-Werror", Takes::value},
    NvccOption{"--display-error-number", "-err-no"},
    NvccOption{"--no-display-error-number", "-no-err-no"},
    NvccOption{"--diag-error", "-diag-error", Takes::value},
    NvccOption{"--diag-suppress", "-diag-suppress", Takes::value},
    NvccOption{"--diag-warn", "-diag-warn", Takes::value},
    NvccOption{"--resource-usage", "-res-usage"},
    // of the host's compiler, which nvcc takes itself
    NvccOption{"-pthread", "-pthread"},
    NvccOption{"-fPIC", "-fPIC"},
};

bool has_name(const NvccOption& option, std::string_view name) {
  return name == option.name || name == option.alias;
}

/// A value is known by a word of its own or by what stands behind '='.
const NvccOption* option_of(std::string_view word) {
  const std::string_view name = word.substr(0, word.find('='));
  const auto found = std::find_if(kNvccOptions.begin(), kNvccOptions.end(), [&](const NvccOption& option) {
    return has_name(option, word) || (option.takes == Takes::value && has_name(option, name));
  });
  return found == kNvccOptions.end() ? nullptr : &*found;
}

/// nvcc's -Werror has a kind behind it, the host compiler's of that name has none.
bool is_hosts_werror(const NvccOption& option, const Words& words, std::size_t i) {
  if (option.alias != "-Werror" || words[i] != option.alias) return false;
  static const Words kKinds = {"all-warnings",
                               "cross-execution-space-call",
                               "default-stream-launch",
                               "deprecated-declarations",
                               "ext-lambda-captures-this",
                               "missing-launch-bounds",
                               "reorder"};
  return i + 1 >= words.size() || std::find(kKinds.begin(), kKinds.end(), words[i + 1]) == kKinds.end();
}

/// "-Wall,-fopenmp" and "-Wall -fopenmp".
Words list_of(const std::string& value) {
  Words list(1);
  for (const char c : value) {
    if (c != ',' && c != ' ')
      list.back() += c;
    else if (!list.back().empty())
      list.emplace_back();
  }
  if (list.back().empty()) list.pop_back();
  return list;
}

/// Of what the host's compiler is told that which changes what a program means or which messages it gets; not
/// how fast its code is, which is the simulator's here.
void pass_to_compiler(const std::string& value, Words& out) {
  for (const std::string& word : list_of(value)) {
    const bool warning = word.starts_with("-W") && !word.starts_with("-Werror") && !word.starts_with("-Wl");
    const bool path =
        word.size() > 2 && (word.starts_with("-D") || word.starts_with("-U") || word.starts_with("-I"));
    if (warning || path || word == "-fopenmp" || word == "-fpermissive" || word == "-funsigned-char")
      out.push_back(word);
  }
}

/// Libraries, and folders of them; all else ("-rpath,DIR") as the linker has it.
void pass_to_linker(const std::string& value, Words& out) {
  if (value.starts_with("-l") || value.starts_with("-L"))
    for (const std::string& word : list_of(value)) out.push_back(word);
  else
    out.push_back("-Wl," + value);
}

void pass_on(const NvccOption& option, const std::string& value, Words& out) {
  if (option.does == Does::compiler) return pass_to_compiler(value, out);
  if (option.does == Does::linker) return pass_to_linker(value, out);
  if (option.does != Does::short_form) return;
  if (option.as == "-O") return out.push_back("-O" + value);
  out.emplace_back(option.as);
  if (option.takes == Takes::value) out.push_back(value);
}

}  // namespace

Words without_nvcc_options(const Words& words) {
  Words out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--") {
      out.insert(out.end(), words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
      break;
    }
    const NvccOption* option = option_of(word);
    if (option == nullptr || is_hosts_werror(*option, words, i)) {
      out.push_back(word);
      continue;
    }
    if (option->does == Does::other_files)
      throw UsageError("'" + word +
                       "' has nvcc write something else than a program, and `workbook sim` compiles a " +
                       "program and runs it: leave the option out.");
    std::string value;
    if (option->takes == Takes::value) {
      const std::size_t equals = word.find('=');
      if (equals != std::string::npos)
        value = word.substr(equals + 1);
      else if (++i < words.size())
        value = words[i];
      else
        throw UsageError(word + " wants a value.");
    }
    pass_on(*option, value, out);
  }
  return out;
}

}  // namespace workbook::cli
