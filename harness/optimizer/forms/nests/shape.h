// A launch as loop nests over tiles in shared memory: what emission prints and what the price counts, so that
// both speak of the same kernel. A group is a maximal chain of elementwise nodes over the same indices: its
// values live in registers. A product or a sum reads its operands from shared memory.
#pragma once

#include "optimizer/launch/form.h"
#include "optimizer/plan/places.h"

namespace workbook::opt {

struct Nest {
  enum Kind : std::uint8_t {
    group,   ///< a thread an element: loads, elementwise nodes, stores
    sum,     ///< a warp an element: one sum or maximum, lanes along its index
    product  ///< a thread an element: one sum of products
  };
  Kind kind = group;
  int stage = 0;
  int level = 0;                    ///< nests of one level and stage read nothing that another of them writes
  std::vector<std::uint8_t> order;  ///< of the result's indices, the last one along the lanes
  std::vector<int> loads;           ///< read from global memory, into registers
  std::vector<int> nodes;           ///< computed, in this order; of a sum or product one
  int folded = -1;                  ///< of a sum: what it adds up, computed from one tile where that is read
  std::vector<int> stages_shared;   ///< of loads and nodes: put into shared memory
  std::vector<int> stores;          ///< of the nodes: written to global memory
};

/// What a kernel of path plain or product consists of.
struct Nested {
  std::vector<Nest> nests;                        ///< by stage, then level
  std::vector<std::vector<std::uint8_t>> layout;  ///< of each node in shared memory; empty: it is not there
  std::vector<bool> in_registers;                 ///< products whose sums a thread keeps, path product
  std::vector<bool> is_shared;                    ///< of each node
  /// Of products in registers: how many columns of the tile a thread takes (element_of).
  std::vector<int> columns;
  /// Of products in registers: the operand of which a thread needs one element a column, the other one
  /// having one a row; or -1.
  std::vector<int> column;
  int rescale = -1;  ///< path attention: the maximum, of whose layout is what sums are rescaled by
};
Nested nests_of(const Program& program, const Plan& plan, const Launch& launch, const Kernel& kernel);

/// Which element of a tile is a thread's number j. The tile has rows of `row` elements; a thread takes
/// `columns` of a row, row / columns apart, and as many of further rows.
constexpr std::int64_t element_of(std::int64_t thread, std::int64_t j, std::int64_t threads, std::int64_t row,
                                  std::int64_t columns) {
  const std::int64_t lanes = row / columns;
  return (thread / lanes + j / columns * (threads / lanes)) * row + thread % lanes + j % columns * lanes;
}

/// Elements of a tile with these extents in shared memory: rows are padded by one, so that a column lies in
/// as many banks as it has rows.
std::int64_t shared_elements(const std::vector<std::uint8_t>& layout, const Extents& tiles);
/// How far apart elements are that differ in one index; 0 where the layout lacks it.
std::int64_t shared_stride(const std::vector<std::uint8_t>& layout, const Extents& tiles, int index);
std::int64_t shared_bytes(const Nested& nested, const Extents& tiles);

const Form& nest_form();
CutsOf try_nest_cuts;
CounterOf nest_counter;
EmitterOf nest_emitter;

}  // namespace workbook::opt
