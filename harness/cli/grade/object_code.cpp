// What an object of a submission uses and defines: a list of what device code, the puzzles' host code and the
// simulator's headers come to, and nothing else.
#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "cli/compile/elf_object.h"
#include "cli/grade/host_code.h"

namespace workbook::cli {
namespace {

/// Of C: memory, text, numbers and output to where it is judged. Mathematics are below.
const std::set<std::string_view> kC = {
    "memcpy",  "memmove",  "memset",  "memcmp",   "memchr",  "strlen",        "strcmp",    "strncmp",
    "strcpy",  "strncpy",  "strcat",  "strchr",   "strrchr", "strstr",        "strtol",    "strtoul",
    "strtoll", "strtod",   "strtof",  "atoi",     "atof",    "atol",          "abs",       "labs",
    "llabs",   "div",      "ldiv",    "qsort",    "bsearch", "rand",          "srand",     "malloc",
    "calloc",  "realloc",  "free",    "printf",   "vprintf", "snprintf",      "vsnprintf", "sprintf",
    "puts",    "putchar",  "fprintf", "fputs",    "fputc",   "fwrite",        "fflush",    "stdout",
    "stderr",  "exit",     "abort",   "clock",    "time",    "__assert_fail", "main",      "bcmp",
    "toupper", "tolower",  "isalpha", "isdigit",  "isalnum", "isspace",       "isupper",   "islower",
    "ispunct", "isxdigit", "isprint", "strtoull", "getenv"};

/// What the compiler itself adds.
const std::set<std::string_view> kCompiler = {"_GLOBAL_OFFSET_TABLE_",
                                              "_Unwind_Resume",
                                              "__gxx_personality_v0",
                                              "__stack_chk_fail",
                                              "__tls_get_addr",
                                              "__dso_handle",
                                              "__cxa_atexit",
                                              "__cxa_guard_acquire",
                                              "__cxa_guard_release",
                                              "__cxa_guard_abort",
                                              "__cxa_begin_catch",
                                              "__cxa_end_catch",
                                              "__cxa_rethrow",
                                              "__cxa_throw",
                                              "__cxa_allocate_exception",
                                              "__cxa_free_exception",
                                              "__cxa_get_exception_ptr",
                                              "__cxa_pure_virtual",
                                              "__cxa_throw_bad_array_new_length",
                                              "__cxa_bad_cast",
                                              "__dynamic_cast",
                                              "__popcountdi2",
                                              "__isoc23_strtol",
                                              "__isoc23_strtoul",
                                              "__isoc99_sscanf",
                                              "__ctype_b_loc",
                                              "__ctype_toupper_loc",
                                              "__ctype_tolower_loc",
                                              "__errno_location"};

const std::set<std::string_view> kMathematics = {
    "acos",      "acosh",  "asin",   "asinh",    "atan",      "atan2",   "atanh",     "cbrt",      "ceil",
    "copysign",  "cos",    "cosh",   "erf",      "erfc",      "exp",     "exp2",      "exp10",     "expm1",
    "fabs",      "fdim",   "floor",  "fma",      "fmax",      "fmin",    "fmod",      "frexp",     "hypot",
    "ilogb",     "ldexp",  "lgamma", "lgamma_r", "llrint",    "llround", "log",       "log10",     "log1p",
    "log2",      "logb",   "lrint",  "lround",   "modf",      "nan",     "nearbyint", "nextafter", "pow",
    "remainder", "remquo", "rint",   "round",    "roundeven", "scalbln", "scalbn",    "sin",       "sincos",
    "sinh",      "sqrt",   "tan",    "tanh",     "tgamma",    "trunc",   "j0",        "j1",        "jn",
    "y0",        "y1",     "yn"};

bool begins(std::string_view name, std::initializer_list<std::string_view> with) {
  return std::any_of(with.begin(), with.end(),
                     [&](std::string_view begin) { return name.starts_with(begin); });
}

/// Parts of the standard library that reach beyond the program: threads, files, other programs, memory as a
/// resource.
bool reaches_out(std::string_view name) {
  for (const std::string_view part : {"6thread", "10filesystem", "basic_filebuf", "basic_ifstream",
                                      "basic_ofstream", "basic_fstream", "condition_variable", "18condition",
                                      "_async", "__future", "random_device", "3pmr", "chrono3_V212system"})
    if (name.find(part) != std::string_view::npos) return true;
  return false;
}

bool is_library(std::string_view name) {
  if (begins(name, {"_ZNS", "_ZNKS", "_ZS", "_ZTVN10__cxxabiv1", "_ZTIS", "_ZTVS", "_ZTTS", "_ZTIi", "_ZTIf",
                    "_ZTIc", "_ZTIP"}))
    return !reaches_out(name);
  return begins(name, {"_Znwm", "_Znam", "_ZdlPv", "_ZdaPv"});
}

bool is_simulators(std::string_view name) {
  return begins(name, {"workbook_sim_", "_ZN8workbook", "_ZNK8workbook", "_ZTIN8workbook", "_ZTVN8workbook",
                       "__tsan_", "__sanitizer_cov_", "__ubsan_handle_"});
}

/// "cudaMalloc", "cublasSgemm", "nvtxRangePushA", and functions of no namespace that are overloaded: whatever
/// of these there is to link with is CUDA's.
bool is_cuda(std::string_view name) {
  if (begins(name, {"cuda", "cublas", "curand", "nvtx"})) return true;
  return name.starts_with("_Z") && name.size() > 2 && name[2] >= '1' && name[2] <= '9';
}

bool is_mathematics(std::string_view name) {
  if (kMathematics.contains(name)) return true;
  return !name.empty() && (name.back() == 'f' || name.back() == 'l') &&
         kMathematics.contains(name.substr(0, name.size() - 1));
}

bool may_use(const ElfObject::Symbol& symbol) {
  const std::string_view name = symbol.name;
  if (name.empty() || ELF64_ST_TYPE(symbol.entry.st_info) == STT_TLS)
    return true;  // extern __shared__ arrays
  if (begins(name, {"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"})) return true;
  return kC.contains(name) || kCompiler.contains(name) || is_mathematics(name) || is_library(name) ||
         is_simulators(name) || is_cuda(name);
}

/// Whether others would meet this definition in place of the one that they mean.
bool interposes(const ElfObject::Symbol& symbol) {
  const std::string_view name = symbol.name;
  const unsigned type = ELF64_ST_TYPE(symbol.entry.st_info), bind = ELF64_ST_BIND(symbol.entry.st_info);
  if (type == STT_GNU_IFUNC) return true;
  if (bind != STB_GLOBAL || name == "main" || name == "_ZN8workbook9launchersE") return false;
  if (type == STT_FUNC && !name.starts_with("_Z")) return true;
  return kC.contains(name) || kCompiler.contains(name) || is_library(name) || is_simulators(name);
}

/// Sections whose functions run before and behind main(), by name; the compiler's own initialisation has them
/// too, and then nothing of the learner's is called from it.
bool runs_early(std::string_view section) {
  return begins(section, {".ctors", ".dtors", ".fini_array", ".preinit_array", ".init", ".fini"}) &&
         !section.starts_with(".init_array");
}
bool initialises(std::string_view section) {
  return section.find("_GLOBAL__sub_I") != std::string_view::npos ||
         section.find("_sub_I_") != std::string_view::npos || section.starts_with(".text.startup") ||
         section.find("__static_initialization_and_destruction") != std::string_view::npos;
}

/// Whether the compiler made this function: for all of the initialisation of the file, or for a sanitizer's.
bool is_initialisation(const ElfObject& object, const ElfObject::Symbol& symbol) {
  std::string_view name = symbol.name;
  const std::size_t home = symbol.entry.st_shndx;
  if (name.empty() && home < object.sections().size()) {
    name = object.sections()[home].name;
    for (const std::string_view begin : {".text.", "startup."})
      if (name.starts_with(begin)) name.remove_prefix(begin.size());
  }
  return begins(name, {"_GLOBAL__sub_I_", "_sub_I_"});
}

/// A function as it was written, of its symbol or of the section that it lies in.
std::string plain(std::string name) {
  if (name.starts_with(".text.")) name = name.substr(6);
  int status = 0;
  char* const written = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  if (written != nullptr) name = written;
  std::free(written);
  return name;
}

/// A function of the object's own that initialisation calls, or that is called beside it; empty: none.
std::string called_early(const ElfObject& object) {
  for (std::size_t i = 0; i < object.sections().size(); ++i) {
    const auto& section = object.sections()[i];
    if (section.name.starts_with(".init_array"))
      for (const Elf64_Rela& relocation : object.relocations(i)) {
        const std::size_t at = ELF64_R_SYM(relocation.r_info);
        if (at >= object.symbols().size() || is_initialisation(object, object.symbols()[at])) continue;
        const ElfObject::Symbol& symbol = object.symbols()[at];
        const std::size_t home = symbol.entry.st_shndx;
        return plain(symbol.name.empty() && home < object.sections().size() ? object.sections()[home].name
                                                                            : symbol.name);
      }
    if (!initialises(section.name) || section.header.sh_type != SHT_PROGBITS) continue;
    for (const Elf64_Rela& relocation : object.relocations(i)) {
      const std::size_t at = ELF64_R_SYM(relocation.r_info);
      if (at >= object.symbols().size()) continue;
      const ElfObject::Symbol& symbol = object.symbols()[at];
      if (symbol.entry.st_shndx == SHN_UNDEF || symbol.entry.st_shndx >= object.sections().size()) continue;
      const std::string& home = object.sections()[symbol.entry.st_shndx].name;
      const bool is_code = ELF64_ST_TYPE(symbol.entry.st_info) == STT_FUNC ||
                           (ELF64_ST_TYPE(symbol.entry.st_info) == STT_SECTION && home.starts_with(".text"));
      if (!is_code || initialises(home) || is_library(symbol.name) || is_simulators(symbol.name)) continue;
      return plain(symbol.name.empty() ? home : symbol.name);
    }
  }
  return "";
}

}  // namespace

std::string refused_object(const std::filesystem::path& file,
                           const std::vector<std::filesystem::path>& beside) {
  const ElfObject object(file);
  std::set<std::string> given;
  for (const std::filesystem::path& file_beside : beside) {
    const ElfObject other(file_beside);
    for (const ElfObject::Symbol& symbol : other.symbols())
      if (symbol.entry.st_shndx != SHN_UNDEF && ELF64_ST_BIND(symbol.entry.st_info) == STB_GLOBAL)
        given.insert(symbol.name);
  }
  for (const ElfObject::Section& section : object.sections())
    if (runs_early(section.name))
      return fmt::format("it has code that runs before or behind the program (section {})", section.name);
  for (const ElfObject::Symbol& symbol : object.symbols()) {
    if (symbol.entry.st_shndx == SHN_UNDEF && !may_use(symbol) && !given.contains(symbol.name))
      return fmt::format("it uses '{}', which no kernel needs", symbol.name);
    if (symbol.entry.st_shndx != SHN_UNDEF && interposes(symbol))
      return fmt::format("it defines '{}', which is not its own to define", symbol.name);
  }
  if (const std::string name = called_early(object); !name.empty())
    return fmt::format("'{}' runs on the host before any kernel: a global variable is initialised by it",
                       name);
  return "";
}

}  // namespace workbook::cli
