#include "cli/grade/host_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>

#include "cli/base/text.h"
#include "cli/grade/source_words.h"
#include "translate/rewrite.h"

namespace workbook::cli {
namespace {

using Names = std::set<std::string_view>;

/// Headers of the standard library without files, processes and threads.
const Names kStandardHeaders = {
    "algorithm", "array",       "bit",           "bitset",        "cassert",  "cfloat",   "climits",
    "cmath",     "concepts",    "cstddef",       "cstdint",       "cstdio",   "cstdlib",  "cstring",
    "deque",     "functional",  "iterator",      "limits",        "map",      "numbers",  "numeric",
    "optional",  "queue",       "random",        "set",           "span",     "string",   "string_view",
    "tuple",     "type_traits", "unordered_map", "unordered_set", "utility",  "vector",   "initializer_list",
    "complex",   "ratio",       "stdexcept",     "iostream",      "iomanip",  "sstream",  "memory",
    "assert.h",  "float.h",     "limits.h",      "math.h",        "stddef.h", "stdint.h", "stdio.h",
    "stdlib.h",  "string.h",    "mdspan",        "chrono",        "compare",  "ranges",   "variant"};

/// Those of CUDA, which are the simulator's.
bool is_cuda_header(std::string_view name) {
  if (name.find("..") != std::string_view::npos) return false;
  for (const std::string_view begin :
       {"cuda", "cooperative_groups", "cub/", "thrust/", "curand", "cublas", "nvtx3/", "device_", "vector_",
        "math_", "sm_", "surface_", "texture_", "driver_"})
    if (name.starts_with(begin)) return true;
  return name == "mma.h" || name == "builtin_types.h" || name == "library_types.h" ||
         name == "host_defines.h";
}

const Names kAttributes = {"maybe_unused", "nodiscard",   "likely",     "unlikely",
                           "noreturn",     "fallthrough", "deprecated", "no_unique_address"};
const Names kBuiltins = {"__builtin_memcpy",      "__builtin_memmove",        "__builtin_memset",
                         "__builtin_assume",      "__builtin_assume_aligned", "__builtin_expect",
                         "__builtin_unreachable", "__builtin_nanf",           "__builtin_inff",
                         "__builtin_huge_valf"};
const Names kAsm = {"asm", "__asm", "__asm__"};
/// What is the compiler's or the simulator's own. The third block and what follows are macros of the system's
/// and of CUDA's headers that make words, attributes and assembly out of what they are given.
constexpr std::array kOwnPrefixes = {
    "workbook",    "WORKBOOK",    "__tsan",     "__asan",     "__ubsan",     "__sanitizer", "__wrap",
    "__real",

    "__builtin_",  "__attribute", "__declspec", "_Pragma",    "__pragma",    "__cxa",       "__gxx",
    "__atomic_",   "__sync_",     "__libc",     "__has_",     "__extension",

    "__CONCAT",    "__REDIRECT",  "__ASMNAME",  "__MATH",     "__SIMD",      "__NTH",       "__LDBL",
    "__LEAF",      "__THRUST",    "__GLIBC",    "__glibc",    "__gthr",      "__attr",      "__errordecl",
    "__extern_",   "__forti",     "__nonnull",  "__returns_", "__warn",      "__always",    "__isctype",
    "__INT",       "__UINT",      "__f128",     "__f32",      "__f64",       "_GLIBCXX",    "_CCCL",
    "_LIBCUDACXX", "_PSTL",       "_NV_",       "_CUDA_",     "CCCL_",       "LIBCUDACXX",  "CUB_",
    "THRUST_",     "NVTX3_"};
const Names kOwnNamespaces = {"std", "boost", "workbook", "nlohmann", "__gnu_cxx", "__cxxabiv1", "abi"};
/// What lines in a given program may not do to its output, or to its end.
const Names kOutput = {"printf", "fprintf", "vprintf", "vfprintf", "puts",    "fputs", "putchar", "putc",
                       "fputc",  "fwrite",  "write",   "cout",     "cerr",    "clog",  "stdout",  "stderr",
                       "perror", "dprintf", "freopen", "fclose",   "setvbuf", "fopen", "print",   "println"};
const Names kEnds = {"exit",   "_exit",         "_Exit",         "quick_exit", "abort",   "terminate",
                     "atexit", "at_quick_exit", "raise",         "kill",       "longjmp", "siglongjmp",
                     "signal", "sigaction",     "set_terminate", "system",     "main",    "run_program"};

std::string at_line(int line, const std::string& what) { return fmt::format("line {}: {}", line, what); }

std::string include_fault(const SourceDirective& directive, const GivenCode& given) {
  const std::string_view rest = directive.rest;
  const bool angled = rest.starts_with('<'), quoted = rest.starts_with('"');
  const std::size_t end = rest.find(angled ? '>' : '"', 1);
  if ((!angled && !quoted) || end == std::string_view::npos || directive.name != "include")
    return "an #include names its header, in quotes or angle brackets";
  const std::string_view name = rest.substr(1, end - 1);
  const bool is_given = std::find(given.headers.begin(), given.headers.end(), name) != given.headers.end();
  if (is_given || kStandardHeaders.contains(name) || is_cuda_header(name)) return "";
  for (const SourceDirective& begun : words_of(given.skeleton).directives)
    if (begun.name == "include" && begun.rest.find(name) == 1) return "";
  return fmt::format("<{}> is no header that kernels need", name);
}

std::string directive_fault(const SourceDirective& directive, const GivenCode& given) {
  static const Names kPlain = {"define", "undef", "if",    "ifdef",   "ifndef",   "elif",
                               "else",   "endif", "error", "elifdef", "elifndef", "warning"};
  if (directive.name.starts_with("include") || directive.name == "import")
    return include_fault(directive, given);
  if (directive.name == "pragma") {
    for (const std::string_view known : {"unroll", "nounroll", "once", "nv_"})
      if (directive.rest.starts_with(known)) return "";
    return fmt::format("#pragma {} is none for kernels", directive.rest);
  }
  if (kPlain.contains(directive.name) || (directive.name.empty() && directive.rest.empty())) return "";
  return fmt::format("#{} is no directive that kernels need", directive.name);
}

/// Whether `[ [` at `i` begins attributes that say something to the compiler alone.
std::string attribute_fault(const std::vector<SourceWord>& words, std::size_t i) {
  int depth = 0;
  for (std::size_t k = i; k < words.size(); ++k) {
    const std::string& text = words[k].text;
    depth += text == "[" ? 1 : text == "]" ? -1 : 0;
    if (depth == 0) return "";
    const bool is_name = k > i && (words[k - 1].text == "[" || words[k - 1].text == ",") && text != "[";
    if (depth == 2 && is_name && text != "]" && !kAttributes.contains(text))
      return fmt::format("the attribute '{}' is none that kernels need", text);
  }
  return "";
}

bool text_at(const std::vector<SourceWord>& words, std::size_t i, std::string_view text) {
  return i < words.size() && words[i].text == text;
}

/// A specialisation of what is the standard library's.
bool specialises_std(const std::vector<SourceWord>& words, std::size_t i) {
  if (!text_at(words, i, "template") || !text_at(words, i + 1, "<") || !text_at(words, i + 2, ">"))
    return false;
  for (std::size_t k = i + 3; k < words.size() && words[k].text != "{" && words[k].text != ";"; ++k)
    if (kOwnNamespaces.contains(words[k].text) && text_at(words, k + 1, "::")) return true;
  return false;
}

std::string word_fault(const std::vector<SourceWord>& words, std::size_t i) {
  const std::string& text = words[i].text;
  for (const std::string_view begin : kOwnPrefixes)
    if (text.starts_with(begin) && !kBuiltins.contains(text))
      return fmt::format("'{}' is the compiler's or the workbook's own", text);
  if (text == "#" && !words[i].in_directive) return "a # stands at the beginning of its line";
  if (text == "##") return "## makes words that nobody can read before they are compiled";
  if (text == "\\") return "a backslash stands in no word";
  if (text == "extern" && !text_at(words, i + 1, "__shared__"))
    return "'extern' declares what is elsewhere; of that kernels need their __shared__ array alone";
  if (text == "namespace" && i + 1 < words.size() && kOwnNamespaces.contains(words[i + 1].text) &&
      !(i > 0 && words[i - 1].text == "using"))
    return fmt::format("the namespace {} is not yours to add to", words[i + 1].text);
  if (specialises_std(words, i)) return "what is the standard library's is not yours to specialise";
  if (text == "[" && text_at(words, i + 1, "[")) return attribute_fault(words, i);
  return "";
}

/// Assembly that is no PTX, which the translation to C++ leaves as it is.
std::string asm_fault(std::string_view text) {
  const SourceWords all = words_of(text);
  const auto is_asm = [](const SourceWord& word) { return kAsm.contains(word.text); };
  const auto first = std::find_if(all.words.begin(), all.words.end(), is_asm);
  if (first == all.words.end()) return "";
  const std::string what =
      at_line(first->line, "assembly of the host, or PTX that the simulator does not know");
  try {
    sim::Rewriter rewriter;
    rewriter.learn(text, false);
    const SourceWords left = words_of(rewriter.rewrite(text));
    return std::any_of(left.words.begin(), left.words.end(), is_asm) ? what : "";
  } catch (const std::runtime_error&) {
    return "";  // it does not compile, and says why
  }
}

std::string unclear_fault(const SourceWords& all, int lines_before = 0) {
  return all.unclear ? at_line(all.unclear->line + lines_before, all.unclear->what) : "";
}

/// A macro, or a given one's end, ahead of a header, whose words it could change.
std::string order_fault(const SourceWords& all, const GivenCode& given) {
  const std::vector<SourceDirective> begun = words_of(given.skeleton).directives;
  const auto is_given = [&](const SourceDirective& directive) {
    return std::any_of(begun.begin(), begun.end(), [&](const SourceDirective& each) {
      return each.name == directive.name && each.rest == directive.rest;
    });
  };
  bool changed = false;
  for (const SourceDirective& directive : all.directives) {
    if (directive.name == "include" && changed && !is_given(directive))
      return at_line(directive.line,
                     "an #include behind a #define of yours, which could change it: put it above");
    changed = changed || ((directive.name == "define" || directive.name == "undef") && !is_given(directive));
  }
  return "";
}

}  // namespace

std::string refused_source(std::string_view text, const GivenCode& given) {
  const SourceWords all = words_of(text);
  if (const std::string fault = unclear_fault(all); !fault.empty()) return fault;
  for (const SourceDirective& directive : all.directives)
    if (const std::string fault = directive_fault(directive, given); !fault.empty())
      return at_line(directive.line, fault);
  if (const std::string fault = order_fault(all, given); !fault.empty()) return fault;
  for (std::size_t i = 0; i < all.words.size(); ++i)
    if (const std::string fault = word_fault(all.words, i); !fault.empty())
      return at_line(all.words[i].line, fault);
  return asm_fault(text);
}

std::string refused_region(std::string_view region, int first_line) {
  const SourceWords all = words_of(region);
  if (const std::string fault = unclear_fault(all, first_line - 1); !fault.empty()) return fault;
  const auto line = [&](int within) { return within + first_line - 1; };
  for (const SourceDirective& directive : all.directives)
    if (directive.name != "pragma" || !directive_fault(directive, {}).empty())
      return at_line(line(directive.line), fmt::format("#{} would change the given program", directive.name));
  int depth = 0;
  for (std::size_t i = 0; i < all.words.size(); ++i) {
    const SourceWord& word = all.words[i];
    depth += word.text == "{" ? 1 : word.text == "}" ? -1 : 0;
    if (depth < 0) return at_line(line(word.line), "a '}' that nothing opened ends the given function");
    if (kOutput.contains(word.text))
      return at_line(line(word.line),
                     fmt::format("'{}' writes into the output that is judged: take it out", word.text));
    if (kEnds.contains(word.text))
      return at_line(line(word.line),
                     fmt::format("'{}' is the given program's, which goes on to its own end", word.text));
    if (const std::string fault = word_fault(all.words, i); !fault.empty())
      return at_line(line(word.line), fault);
  }
  return depth > 0 ? at_line(first_line, "a '{' is not closed within its region") : "";
}

std::vector<std::string> own_macros(std::string_view text, std::string_view skeleton) {
  const auto names_in = [](std::string_view source) {
    std::set<std::string> names;
    for (const SourceDirective& directive : words_of(source).directives)
      if (directive.name == "define")
        names.insert(directive.rest.substr(0, directive.rest.find_first_of(" \t(")));
    return names;
  };
  const std::set<std::string> given = names_in(skeleton);
  std::vector<std::string> own;
  for (const std::string& name : names_in(text))
    if (!given.contains(name)) own.push_back(name);
  return own;
}

}  // namespace workbook::cli
