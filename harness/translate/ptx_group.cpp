#include "ptx_group.h"

#include <algorithm>
#include <cstdlib>

namespace workbook::sim {
namespace {

/// Calls `use` with the number of each operand of the asm statement that stands in `text`: "{$0,$1}".
template <class Use>
void each_operand(const std::string& text, Use use) {
  for (std::size_t at = text.find('$'); at != text.npos; at = text.find('$', at + 1))
    if (at + 1 < text.size() && is_decimal(text[at + 1]))
      use(static_cast<std::size_t>(std::atoi(text.c_str() + at + 1)));
}

}  // namespace

std::optional<GroupProductName> group_product_name(std::string_view opcode) {
  const std::vector<std::string> words = opcode_words(opcode);
  if (words.size() != 8 || !opcode.starts_with("wgmma.mma_async.sync.aligned.m64n")) return std::nullopt;
  GroupProductName name{std::atoi(words[4].c_str() + 4), words[5], words[6], words[7]};
  const bool small = name.left == "e4m3" || name.left == "e5m2";
  const char* const depth = small ? "k32" : name.left == "tf32" ? "k8" : "k16";
  const bool known = small ? name.right == "e4m3" || name.right == "e5m2"
                           : name.left == name.right && (name.has_turns() || name.left == "tf32");
  const bool sums = name.sum == "f32" || (name.sum == "f16" && (small || name.left == "f16"));
  if (!known || !sums || name.columns < 8 || name.columns > 256 || name.columns % 8 != 0 ||
      words[4] != "m64n" + std::to_string(name.columns) + depth)
    return std::nullopt;
  return name;
}

std::set<std::size_t> sums_of_products(const PtxCode& code) {
  std::set<std::size_t> sums, others;
  for (const PtxInstruction& one : code.instructions) {
    const bool product = group_product_name(one.opcode).has_value();
    for (std::size_t i = 0; i < one.operands.size(); ++i)
      each_operand(one.operands[i],
                   [&](std::size_t number) { (product && i == 0 ? sums : others).insert(number); });
  }
  std::erase_if(sums, [&](std::size_t number) { return others.count(number) != 0; });
  return sums;
}

}  // namespace workbook::sim
