// Counters of path attention_groups: turns of groups of warps.
#include "clock/model.h"
#include "optimizer/forms/attention/price.h"

namespace workbook::opt {
namespace {

/// What an H200 said of 40 kernels. Of a turn, in clocks besides kGroupClocks: what of the weighing is not
/// hidden by the other group's products, and what of it where there is no other group; and for each key,
/// whatever else is computed of its scores. A block's begin and end are hidden by nobody.
constexpr double kTurnClocks = 600, kAloneClocks = 535;
constexpr double kKeyClocks = 2.65, kAloneKeyClocks = 5, kOperationClocks = 2, kGroupFunction = 16;
constexpr double kOfPlace = 2;  ///< operations by which a number follows from a place
constexpr double kBlockClocks = 4700, kAloneBlockClocks = 2850;

}  // namespace

void AttentionCounter::count_group_turns() {
  const bool alone = shape_.multiplying(kernel_) == kGroupWarps;
  const double products = static_cast<double>(shape_.rows) * static_cast<double>(shape_.keys) *
                          static_cast<double>(width(shape_.products.front().depth) + width(shape_.column));
  const double of_key =
      (alone ? kAloneKeyClocks : kKeyClocks) + kOperationClocks * operations(kGroupFunction);
  counters_->tensor_flops += 2.0 * products * static_cast<double>(weight_);
  works(kGroupClocks * products + (alone ? kAloneClocks : kTurnClocks) +
        of_key * static_cast<double>(shape_.keys));
  weight_ = blocks_;
  works(alone ? kAloneBlockClocks : kBlockClocks);
}

void AttentionCounter::works(double clocks) {
  counters_->warp_operations += std::llround(static_cast<double>(weight_ * kernel_.warps) * clocks /
                                             sim::ModelConstants{}.warp_operation_clocks);
}

double AttentionCounter::operations(double function) const {
  double sum = 0.0;
  for (const auto* nodes : {&shape_.scaled, &shape_.masked})
    for (const int node : *nodes)
      if (!listed(shape_.folded, node)) {
        sum += graph_.nodes[slot(node)].op == Op::fn ? function : 1.0;
        for (const int of : operands_of(graph_.nodes[slot(node)]))
          if (is_placed(plan_, of) && !listed(shape_.hidden, of)) sum += kOfPlace;
      }
  return sum + static_cast<double>(shape_.sums.size() - 1);
}

}  // namespace workbook::opt
