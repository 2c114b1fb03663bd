#include "cli/compile/compiler_words.h"

#include <algorithm>

#include "runs/pattern.h"

namespace workbook::cli {

std::string in_plain_words(std::string_view message) {
  struct Phrase {
    runs::Pattern said;
    const char* meant;
  };
  // Quotes are ‘ and ’ in g++, ' in clang.
  static const Phrase kPhrases[] = {
      {runs::Pattern(R"(call to \S+ declared with (attribute error|'error' attribute): )"), ""},
      {runs::Pattern(R"(no match for call to \S*\(workbook::sim::Launcher<(.*)>\) \((.*)\)\S*$)"),
       "the kernel takes ($1), and this launch gives it ($2)"},
      {runs::Pattern(
           R"(no match for call to \S*\(workbook::sim::OneLauncher<.*lambda\(auto:\d+ \.\.\.\)>, (.*)>\) \((.*)\)\S*$)"),
       "the kernel takes ($1), and this launch gives it ($2)"},
      {runs::Pattern(R"(no matching function for call to object of type '.*OneLauncher<.*\), (.*)>'.*$)"),
       "the kernel takes ($1), and this launch gives it something else"},
      {runs::Pattern(R"(no matching function for call to object of type '.*Launcher<(.*)>'$)"),
       "the kernel takes ($1), and this launch gives it something else"},
      {runs::Pattern(R"(^ISO C\+\+ forbids variable length array (\S+).*$)"),
       "expression must have a constant value: nvcc has no variable-length arrays, so the size of $1 must be "
       "constexpr"},
      {runs::Pattern(R"(^variable length arrays? .*$)"),
       "expression must have a constant value: nvcc has no variable-length arrays, so the size must be "
       "constexpr"},
      {runs::Pattern(
           R"(^(pointer of type \S*void \*\S* used in arithmetic|arithmetic on a pointer to void).*$)"),
       "expression must be a pointer to a complete object type: cast the void pointer first, as nvcc wants"},
      {runs::Pattern(R"(^no match for \S*operator\[\]\S* \(operand types are .*mdspan<.*$)"),
       "an mdspan takes its indices in round brackets: a(row, column)"},
      {runs::Pattern(R"(^type \S*.*mdspan<.* does not provide a subscript operator$)"),
       "an mdspan takes its indices in round brackets: a(row, column)"},
      {runs::Pattern(R"(^\S*constinit\S* variable (\S+) does not have a constant initializer$)"),
       "a __shared__ variable cannot have a constructor that does something, and $1 has one"},
      {runs::Pattern(R"(^variable does not have a constant initializer$)"),
       "a __shared__ variable cannot have a constructor that does something"},
      {runs::Pattern(
           R"x(^static[ _]assert\S*( failed)?( due to requirement '.*')?:? "?((no kernel|a __shared__) .*?)"?$)x"),
       "$3"}};
  std::string text(message);
  for (const Phrase& phrase : kPhrases) text = phrase.said.replaced(text, phrase.meant);
  return text;
}

int written_column(std::string_view written, std::string_view rewritten, int column) {
  const auto at = static_cast<std::size_t>(std::max(1, column) - 1);
  const std::size_t shorter = std::min(written.size(), rewritten.size());
  std::size_t same = 0;  // at the beginning
  while (same < shorter && written[same] == rewritten[same]) ++same;
  if (at <= same) return column;
  std::size_t tail = 0;  // at the end
  while (tail < shorter - same &&
         written[written.size() - 1 - tail] == rewritten[rewritten.size() - 1 - tail])
    ++tail;
  const std::size_t from_end = rewritten.size() - std::min(at, rewritten.size());
  if (from_end <= tail) return static_cast<int>(written.size() - from_end) + 1;
  return static_cast<int>(same) + 1;
}

}  // namespace workbook::cli
