// What the engine offers for warp-level functions: one rendezvous of the lanes that a mask names. The
// functions themselves are in warp_functions.h.
#pragma once

#include <cstdint>

namespace workbook::sim {

enum class WarpOp : int {
  sync,
  shuffle,
  shuffle_up,
  shuffle_down,
  shuffle_xor,
  ballot,
  all,
  any,
  match_any,
  add,
  min_signed,
  max_signed,
  min_unsigned,
  max_unsigned,
  bit_and,
  bit_or,
  bit_xor,
  collective,  ///< whatever workbook_sim_warp_collective() is given
  exchange,    ///< likewise of workbook_sim_warp_exchange(): counted otherwise
  group        ///< of a warp group, four warps (group_product.h)
};

constexpr bool is_reduction(WarpOp op) { return op >= WarpOp::add && op <= WarpOp::bit_xor; }

}  // namespace workbook::sim

extern "C" {
/// The operation's result for the calling lane. `value` is what the lane brings, `argument` the source lane,
/// delta or lane mask of a shuffle, `width` its segment.
std::uint64_t workbook_sim_warp(workbook::sim::WarpOp op, std::uint32_t mask, std::uint64_t value,
                                int argument, int width);
std::uint32_t workbook_sim_activemask();
}
