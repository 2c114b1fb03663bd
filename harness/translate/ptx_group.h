// PTX's products of warp groups, wgmma.mma_async, as calls of group_product() in
// sim/include/workbook_sim/group_product.h.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "ptx_code.h"

namespace workbook::sim {

/// What the name of the instruction says: wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16.
struct GroupProductName {
  int columns;
  std::string sum, left, right;  ///< "f32", "bf16"
  /// Registers that hold a thread's sums.
  std::size_t registers() const { return static_cast<std::size_t>(columns) / (sum == "f16" ? 4 : 2); }
  bool has_turns() const { return left == "f16" || left == "bf16"; }
};

/// Nothing where the instruction is another, or one that is not simulated.
std::optional<GroupProductName> group_product_name(std::string_view opcode);

/// Operands of the asm statement, by number, that are sums of products and nothing else: these are used as
/// they stand.
std::set<std::size_t> sums_of_products(const PtxCode& code);

}  // namespace workbook::sim
