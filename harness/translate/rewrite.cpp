#include "rewrite.h"

#include "arithmetic.h"
#include "device_code.h"
#include "device_printf.h"
#include "edits.h"
#include "local_arrays.h"
#include "ptx.h"
#include "unset_locals.h"

namespace workbook::sim {
namespace {

/// A word that can end an expression.
bool is_name(const Tokens& t, std::size_t i) {
  for (const char* keyword : {"return", "else", "do", "case", "throw", "co_return", "co_yield", "co_await"})
    if (t.is(i, keyword)) return false;
  return t.is_word(i);
}

bool ends_operand(const Tokens& t, std::size_t i) {
  return is_name(t, i) || t.is(i, ")") || t.is(i, "]") || t.is(i, ">");
}

/// Where the postfix expression begins that ends before token `end`: a name, qualified or not, a template-id,
/// a pointer in an array or a member, a call, or anything in parentheses. `end` when there is none.
std::size_t expression_start(const Tokens& t, std::size_t end) {
  std::size_t i = end;
  while (i > 0 && t[i - 1].macro == t[end].macro) {
    if (t.is(i - 1, ")") || t.is(i - 1, "]") || t.is(i - 1, ">")) {
      const bool bracket_alone = !t.is(i - 1, ">");
      const std::size_t open = t.opening(i - 1);
      if (open >= t.size()) return end;
      i = open;
      const bool callee = i > 0 && ends_operand(t, i - 1);
      if (bracket_alone && !callee) return i;
      continue;
    }
    if (!is_name(t, i - 1)) return end;
    --i;
    while (i > 2 && t.starts(i - 2, "##") && t.is_word(i - 3)) i -= 3;  // pasted in a macro
    if (i > 0 && t.is(i - 1, "template")) --i;
    const bool joined = i > 0 && (t.is(i - 1, "::") || t.is(i - 1, ".") || t.is(i - 1, "->"));
    if (!joined) return i;
    --i;
    const bool more = i > 0 && ends_operand(t, i - 1);
    if (!more) return i;  // a leading ::
  }
  return i;
}

/// Whether three of `mark` stand here, also with space between, as old formatters leave them: "<< <" is
/// nothing else in C++.
bool is_triple(const Tokens& t, std::size_t i, std::string_view mark) {
  return t.is(i, mark) && t.is(i + 1, mark) && t.is(i + 2, mark) && t[i].macro == t[i + 2].macro;
}

/// The '>>>' that closes the '<<<' at `open`.
std::size_t configuration_end(const Tokens& t, std::size_t open) {
  for (std::size_t i = open + 3; i < t.size() && t[i].macro == t[open].macro && !t.is(i, ";"); ++i) {
    if (t.is(i, "(") || t.is(i, "[") || t.is(i, "{")) {
      i = t.closing(i);
    } else if (t.starts(i, ">>>")) {
      while (t.starts(i + 1, ">>>")) ++i;  // the last three close it, the others a template argument list
      return i;
    }
  }
  for (std::size_t i = open + 3; i < t.size() && t[i].macro == t[open].macro && !t.is(i, ";"); ++i)
    if (t.is(i, "(") || t.is(i, "[") || t.is(i, "{"))
      i = t.closing(i);
    else if (is_triple(t, i, ">") && !t.is(i + 3, ">"))
      return i;
  throw RewriteError(t.line(open), "this '<<<' has no matching '>>>' before the statement ends");
}

/// What a launch names: "scale" of ns::scale<float, 4>, and how many template arguments stand there.
struct Named {
  std::string_view name;
  std::size_t arguments = 0;
};

Named named(const Tokens& t, std::size_t begin, std::size_t end) {
  Named out;
  std::size_t i = end - 1;
  if (t.is(i, ">")) {
    const std::size_t open = t.opening(i);
    out.arguments = open + 1 == i ? 0 : 1;
    for (std::size_t k = open + 1; k < i; ++k) {
      if (t.is(k, "(") || t.is(k, "[") || t.is(k, "{"))
        k = t.closing(k);
      else if (t.is(k, "<"))
        k = t.closing_angle(k);
      else if (t.is(k, ","))
        ++out.arguments;
    }
    i = open - 1;
  }
  if (i >= begin && t.is_word(i)) out.name = t.text(i);
  return out;
}

void rewrite_launch(const Tokens& t, const KernelIndex& kernels, std::size_t open, Edits& edits) {
  const std::size_t start = expression_start(t, open);
  if (start == open) throw RewriteError(t.line(open), "there is no kernel name before '<<<'");
  const std::size_t close = configuration_end(t, open);
  const bool ends_macro =
      t[open].macro != 0 && (close + 3 >= t.size() || t[close + 3].macro != t[open].macro);
  if (!t.is(close + 3, "(") && !t.is_word(close + 3) && !ends_macro)
    throw RewriteError(t.line(close), "the kernel's arguments in parentheses are missing after '>>>'");
  const Named kernel = named(t, start, open);
  const std::string cluster = kernels.cluster_of(kernel.name);
  edits.insert(t[start].begin, kernels.deduces_defaults(kernel.name, kernel.arguments)
                                   ? "WORKBOOK_SIM_DEDUCED_KERNEL("
                                   : "WORKBOOK_SIM_KERNEL(");
  const bool clustered = !cluster.empty();
  edits.replace(t[open].begin, t[open + 2].end,
                clustered
                    ? ")(::workbook::sim::with_cluster({" + cluster + "}, ::workbook::sim::LaunchConfig("
                    : ")(::workbook::sim::LaunchConfig(");
  edits.replace(t[close].begin, t[close + 2].end, clustered ? ")))" : "))");
}

/// Which argument of a runtime function is a kernel, -1 for none of those that are known.
int kernel_argument(std::string_view function) {
  if (function == "cudaLaunchKernel" || function == "cudaLaunchCooperativeKernel" ||
      function == "cudaFuncSetAttribute" || function == "cudaFuncSetCacheConfig" ||
      function == "cudaFuncSetSharedMemConfig")
    return 0;
  if (function == "cudaFuncGetAttributes" || function == "cudaLaunchKernelEx" ||
      function == "cudaLaunchKernelExC" || function.starts_with("cudaOccupancyMaxActiveBlocks") ||
      function.starts_with("cudaOccupancyAvailable") ||
      function.starts_with("cudaOccupancyMaxActiveClusters") ||
      function.starts_with("cudaOccupancyMaxPotentialClusterSize"))
    return 1;
  return function.starts_with("cudaOccupancyMaxPotentialBlockSize") ? 2 : -1;
}

/// One past the cast to `void*` or `const void*` at token `i`: (void*) gives the operand behind it, and
/// reinterpret_cast<void*> the parenthesis of its operand. `i` when there is no such cast.
std::size_t after_cast(const Tokens& t, std::size_t i) {
  const bool named_cast = t.is(i, "reinterpret_cast") || t.is(i, "static_cast");
  const std::size_t open = named_cast ? i + 1 : i;
  if (!t.is(open, named_cast ? "<" : "(")) return i;
  std::size_t k = open + 1;
  for (bool seen = false; t.is(k, "const") || t.is(k, "void"); ++k) {
    seen |= t.is(k, "void");
    if (seen && t.is(k + 1, "*")) return t.is(k + 2, named_cast ? ">" : ")") ? k + 3 : i;
  }
  return i;
}

/// Takes the casts from the kernel among the arguments of a runtime function: its type says how to launch it.
/// The token behind them.
std::size_t strip_cast(const Tokens& t, std::size_t call, int argument, Edits& edits) {
  const std::size_t end = t.closing(call + 1);
  std::size_t i = call + 2;
  for (; i < end && argument > 0; ++i) {
    if (t.is(i, "(") || t.is(i, "[") || t.is(i, "{"))
      i = t.closing(i);
    else if (t.is(i, ","))
      --argument;
  }
  for (std::size_t next = after_cast(t, i); i < end && next != i; next = after_cast(t, i)) {
    edits.blank(t.source(), t[i].begin, t[next - 1].end);
    i = next;
  }
  return i;
}

/// A kernel that is cast to `void*` anywhere else is made known to the runtime on the way.
void register_cast(const Tokens& t, std::size_t i, const KernelIndex& kernels, Edits& edits) {
  std::size_t begin = after_cast(t, i);
  if (begin == i) return;
  if (t.is(begin, "(")) ++begin;
  std::size_t end = begin, name = t.size();
  if (t.is(end, "&")) ++end;
  for (; t.is_word(end) || t.is(end, "::"); ++end)
    if (t.is_word(end)) name = end;
  if (name == t.size() || !kernels.contains(t.text(name))) return;
  if (t.is(end, "<")) end = t.closing_angle(end) + 1;
  if (end > t.size()) return;
  edits.insert(t[begin].begin, "::workbook::sim::kernel_address(");
  edits.insert(t[end - 1].end, ")");
}

/// `A<T>::cast<int>(x)` in device code, where A<T> is known when the template is used: nvcc, which alone
/// compiles that code, takes it without the word that C++ wants there.
void name_template(const Tokens& t, std::size_t i, Edits& edits) {
  if (!t.is(i - 1, "::") || !t.is(i - 2, ">") || !t.is(i + 1, "<")) return;
  const std::size_t close = t.closing_angle(i + 1), open = t.opening(i - 2);
  if (close >= t.size() || !t.is(close + 1, "(") || open >= t.size()) return;
  for (std::size_t k = open; k > 0 && (t.is_word(k - 1) || t.is(k - 1, "::")); --k)
    if (t.is(k - 1, "typename")) return;
  edits.insert(t[i].begin, "template ");
}

}  // namespace

void Rewriter::learn(std::string_view source, bool is_header) {
  const Tokens tokens(source);
  kernels_.add(tokens);
  words_.learn(source);
  names_.learn(tokens, Outline(tokens, words_), is_header);
}

std::string Rewriter::rewrite(std::string_view source) const {
  const Tokens t(source);
  const DeviceCode device(t, &words_);
  Edits edits;
  std::size_t stripped = 0;  // casts before this token are gone
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (i >= stripped) register_cast(t, i, kernels_, edits);
    if (is_triple(t, i, "<")) {
      rewrite_launch(t, kernels_, i, edits);
      i += 2;
    } else if (!t.is_word(i)) {
      continue;
    } else if (t.is(i, "__CUDA_ARCH__")) {
      if (device.contains(i)) edits.replace(t[i].begin, t[i].end, "WORKBOOK_SIM_ARCH");
    } else if (i >= 2 && t.is(i - 1, "::") && device.contains(i)) {
      name_template(t, i, edits);
    } else if (is_asm(t, i)) {
      rewrite_asm(t, i, edits);
    } else if (t.is(i, "__builtin_memcpy") || t.is(i, "__builtin_memmove") || t.is(i, "__builtin_memset")) {
      // The compiler makes plain moves of a builtin, and traces none of them.
      edits.replace(t[i].begin, t[i].end, "::" + std::string(t.text(i).substr(10)));
    } else if (t.is(i, "__launch_bounds__")) {
      keep_launch_bounds(t, i, edits);
    } else if (t.is(i, "__shared__")) {
      adapt_shared(t, i, edits);
    } else if (const int argument = kernel_argument(t.text(i)); argument >= 0 && t.is(i + 1, "(")) {
      stripped = strip_cast(t, i, argument, edits);
    }
  }
  rewrite_arithmetic(t, words_, edits);
  rewrite_printf(t, words_, edits);
  if (follows_unset_) {
    mark_unset_locals(t, words_, edits);
    mark_unset_members(t, words_, edits);
    fence_local_arrays(t, words_, edits);
  }
  names_.rewrite(t, words_, edits);
  device.define_arch(t, edits);
  for (const char* compiler : {"__CUDACC__", "__NVCC__"})
    rename_in_conditions(source, 0, source.size(), {compiler, "WORKBOOK_SIM_CUDACC"}, edits);
  return edits.apply(source);
}

std::string rewrite_launches(std::string_view source) {
  Rewriter rewriter;
  rewriter.learn(source);
  return rewriter.rewrite(source);
}

}  // namespace workbook::sim
