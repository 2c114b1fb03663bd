#include "cli/compile/device_library.h"

#include <cxxabi.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <memory>
#include <set>

namespace workbook::cli {
namespace {

constexpr std::size_t kLongName = 60;

/// Of <math.h>, each also with an f behind it (crt/math_functions.h of the toolkit).
const std::set<std::string_view> kMathematics = {
    "acos",      "acosh",      "asin",     "asinh",         "atan",
    "atan2",     "atanh",      "cbrt",     "ceil",          "copysign",
    "cos",       "cosh",       "cospi",    "cyl_bessel_i0", "cyl_bessel_i1",
    "erf",       "erfc",       "erfcinv",  "erfcx",         "erfinv",
    "exp",       "exp10",      "exp2",     "expm1",         "fabs",
    "fdim",      "floor",      "fma",      "fmax",          "fmin",
    "fmod",      "frexp",      "hypot",    "ilogb",         "j0",
    "j1",        "jn",         "ldexp",    "lgamma",        "llrint",
    "llround",   "log",        "log10",    "log1p",         "log2",
    "logb",      "lrint",      "lround",   "modf",          "nan",
    "nearbyint", "nextafter",  "norm",     "norm3d",        "norm4d",
    "normcdf",   "normcdfinv", "pow",      "rcbrt",         "remainder",
    "remquo",    "rhypot",     "rint",     "rnorm",         "rnorm3d",
    "rnorm4d",   "round",      "rsqrt",    "scalbln",       "scalbn",
    "sin",       "sincos",     "sincospi", "sinh",          "sinpi",
    "sqrt",      "tan",        "tanh",     "tgamma",        "trunc",
    "y0",        "y1",         "yn",       "finite",        "isnan",
    "isinf",     "signbit",    "fdivide"};

/// What else of C there is.
const std::set<std::string_view> kLibrary = {"abs",    "labs", "llabs",  "printf", "vprintf", "malloc",
                                             "calloc", "free", "memcpy", "memset", "clock",   "main"};

/// Functions of CUDA's runtime that only the host has; others may be called in a kernel that launches
/// kernels.
const std::set<std::string_view> kHostRuntime = {
    "cudaDeviceReset",      "cudaDeviceSynchronize", "cudaEventElapsedTime",
    "cudaEventSynchronize", "cudaFreeHost",          "cudaHostAlloc",
    "cudaMallocHost",       "cudaMallocManaged",     "cudaMemGetInfo",
    "cudaMemcpy",           "cudaMemcpyFromSymbol",  "cudaMemcpyToSymbol",
    "cudaMemset",           "cudaSetDevice",         "cudaStreamSynchronize"};

/// C names that begin with an underscore and are not the compiler's own.
const std::set<std::string_view> kHostUnderscored = {
    "_exit", "_Exit", "__errno_location", "__isoc99_sscanf", "__isoc23_sscanf", "__isoc23_strtol", "_setjmp"};

bool is_mathematics(std::string_view name) {
  if (kMathematics.contains(name)) return true;
  if (!name.ends_with('f') && !name.ends_with('l')) return false;
  name.remove_suffix(1);
  return kMathematics.contains(name);
}

std::string demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> plain(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 ? plain.get() : symbol;
}

/// How long the operator's own signs are where "operator" ends at `i`: "<<", "()", " new[]".
std::size_t signs(std::string_view text, std::size_t i) {
  if (text.substr(i, 2) == "()") return 2;
  std::size_t end = i;
  while (end < text.size() && std::string_view("<>=!+-*/%^&|~,[]").find(text[end]) != text.npos) ++end;
  if (end > i + 1 && text[end - 1] == '<' && (end == text.size() || text[end] != '('))
    --end;  // of a template
  return end - i;
}

}  // namespace

std::string plain_function_name(const std::string& symbol) {
  const std::string text = demangled(symbol);
  constexpr std::string_view kOperator = "operator", kUnnamed = "(anonymous namespace)";
  std::string out;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (depth == 0 && text.compare(i, kUnnamed.size(), kUnnamed) == 0) {
      i += kUnnamed.size() + 1;  // and the colons
      continue;
    }
    const bool word_before =
        i > 0 && (std::isalnum(static_cast<unsigned char>(text[i - 1])) || text[i - 1] == '_');
    if (depth == 0 && !word_before && text.compare(i, kOperator.size(), kOperator) == 0) {
      const std::size_t length = kOperator.size() + signs(text, i + kOperator.size());
      out += text.substr(i, length);
      if (length == kOperator.size()) return out + text.substr(i + length, text.find('(', i) - i - length);
      i += length - 1;
      continue;
    }
    const char c = text[i];
    if (c == '<') ++depth;
    if (depth == 0) {
      if (c == '(') break;
      if (c == '[') {  // an ABI tag
        i = std::min(text.find(']', i), text.size());
        continue;
      }
      if (c == ' ')
        out.clear();  // what stood there was the type of the result
      else
        out += c;
    }
    if (c == '>' && depth > 0) --depth;
  }
  return out;
}

std::string shown_function_name(const std::string& symbol) {
  const std::string whole = demangled(symbol);
  const std::string plain = plain_function_name(symbol);
  if (whole == symbol || whole.size() > kLongName || !whole.starts_with(plain)) return plain;
  return whole;
}

bool has_device_form(const std::string& file, std::string_view name) {
  for (const char* header : {"/cmath", "/cstdlib", "/std_abs.h", "/math.h", "/stdlib.h"})
    if (file.ends_with(header)) return name != "std::lerp";
  if (file.ends_with("/new") || file.ends_with("/initializer_list")) return true;
  return name == "std::move" || name == "std::forward";
}

bool is_host_symbol(const std::string& symbol) {
  if (symbol.starts_with("_Z")) {
    const std::string name = plain_function_name(symbol);
    return name.starts_with("std::") && name != "std::terminate";
  }
  if (symbol.starts_with("cuda")) return kHostRuntime.contains(symbol);
  if (symbol.starts_with("_")) return kHostUnderscored.contains(symbol);
  for (const char* prefix : {"workbook", "cublas", "curand", "nvtx"})
    if (symbol.starts_with(prefix)) return false;
  return !kLibrary.contains(symbol) && !is_mathematics(symbol);
}

bool is_called_by_compilers(std::string_view symbol) {
  static const std::set<std::string_view> kCalled = {"puts",   "putchar", "fwrite", "memmove",
                                                     "memcmp", "strlen",  "bcmp",   "abort"};
  return kCalled.contains(symbol);
}

std::string_view instead_of(std::string_view name) {
  const auto has = [&](std::string_view part) { return name.find(part) != name.npos; };
  if (has("stream") || name == "std::operator<<" || name == "std::endl" || has("put") || has("print"))
    return "kernels print with printf";
  if (name == "exit" || name == "abort" || has("_exit") || has("_Exit"))
    return "return ends a thread, and __trap() the kernel";
  if (has("rand") || has("mersenne") || has("std::random") || has("_distribution"))
    return "curand_kernel.h has random numbers for kernels";
  if (has("std::vector") || has("std::array") || has("std::deque") || has("std::__cxx11::basic_string"))
    return "a kernel has arrays of a constant size, or those that the host has allocated";
  if (has("std::function")) return "let a template parameter take the function";
  if (name == "memmove" || name == "std::copy") return "write the loop";
  if (name.starts_with("cuda")) return "it is the host's to call";
  return "kernels have no such function";
}

}  // namespace workbook::cli
