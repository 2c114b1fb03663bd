// Path tensor_attention: what a launch has to be for attention on tensor cores, and its tiles in shared
// memory: what emission prints and what the price counts.
//
// A block has some rows and goes over its part of the keys, a tile a turn; a ring of stages, which all warps
// read, is filled by asynchronous copies. In a turn: statistics of the keys from the tile that has come,
// scores by tensor cores, the running maximum, exp, and the product of the weights, rounded to half, with the
// values, by tensor cores into sums that are rescaled whenever the maximum grows. Two schedules. Where there
// are many rows, a warp has 16 of its own, or 32: their scores stay in its registers, where they become
// operands of the second product as they are; on Hopper groups of four warps multiply their 64 rows together,
// where rows are copied as they are and nothing comes with the keys (path attention_groups). Where there are
// few, several warps beside each other have 16 rows: they share the keys of the scores, which meet in a tile
// of floats, and the columns of the sums.
#pragma once

#include "optimizer/launch/form.h"
#include "optimizer/launch/tiles.h"
#include "optimizer/plan/places.h"

namespace workbook::opt {

inline constexpr int kMostBeside = 8;  ///< warps that share 16 rows
inline constexpr int kMostKeys = 128;  ///< of a turn

struct AttentionShape {
  /// A product [row, key] over `depth`. `right` is an input; so may be `left`, or it is computed before.
  struct Product {
    int node, left, right, depth;
  };
  struct Staged {
    int node, item;  ///< bytes of an element
    bool in_rows;    ///< the block's rows of it lie one behind the other, as those of a tile
  };
  std::vector<int>
      batch;  ///< indices besides, most of them those of keys and values: of each one element a block
  std::vector<int> row_indices;  ///< of a row, the outermost first, side by side in memory
  int key = -1, column = -1;
  std::vector<Product> products;
  int score = -1;                   ///< the sum of the products: one tile
  std::vector<int> before;          ///< in this order: elements [row, depth], their sums, functions of these
  std::vector<int> before_reads;    ///< what these and products read [row, depth] from global memory
  int key_matrix = -1;              ///< the right operand whose keys have statistics, or none
  std::vector<int> key_elements;    ///< products of its elements [key, depth], by element
  std::vector<int> key_sums;        ///< of these [key]
  std::vector<int> key_values;      ///< functions of these [key]
  std::vector<int> scaled;          ///< [row, key]: elementwise, from the score to what the maximum is of
  std::vector<int> pairs;           ///< inputs of rows and keys, as masks are: read as scores are weighed
  int shifted = -1, exponent = -1;  ///< less the maximum; exp of that
  std::vector<int> masked;          ///< products of that and of such inputs, one behind the other
  std::vector<int> folded;  ///< all of these but what hides, where each is a constant factor: exp has them
  std::vector<int> hidden;  ///< of the pairs, masks on places: added to all scores, or factors of weights
  int weight = -1;          ///< the last of these, a product's operand: rounded to half
  std::vector<int> sums;    ///< of the weights over the keys
  int product = -1, values = -1;  ///< [row, column]: of the weights and an input
  std::vector<int> behind;        ///< elementwise nodes of what is summed
  std::vector<int> behind_reads;  ///< what these read from global memory
  std::vector<int> tiles;      ///< inputs of [key, depth] and [key, column], either way, each once: a stage
  std::vector<int> axes;       ///< of the grid, most blocks first; row_indices' first stands for all of them
  std::vector<int> copied;     ///< left operands that are rows of a matrix, as they are, where warps own rows
  std::vector<Staged> staged;  ///< likewise pairs that lie along the keys: tiles of them come with the keys
  int rows = 0, keys = 0;      ///< extents of tiles
  int beside = 1;              ///< warps that share 16 rows
  int down = 1;                ///< times 16 rows that a warp has of its own
  bool by_groups = false;      ///< path attention_groups: four warps more have tiles copied
  int left_parts = 0;          ///< fragments of the products' left operands, 16 rows of them
  std::array<int, kMaxIndices> width{};  ///< of depths and columns, which are whole in a tile

  /// Warps that have rows.
  int multiplying(const Kernel& kernel) const { return kernel.warps - (by_groups ? kGroupWarps : 0); }
  bool fits_groups(const Graph& graph, const Launch& launch, const std::vector<IndexSet>& shapes) const;
  /// From the cuts; false where the path has no such tiles. `shapes`: of all nodes.
  bool set_tiles(const Graph& graph, const Launch& launch, const Kernel& kernel,
                 const std::vector<IndexSet>& shapes);
  /// The one that it has besides key and batch: a depth, or the columns.
  int depth_of(const Graph& graph, int tile) const;
  /// Neighbours in memory are keys.
  bool along_keys(const Graph& graph, int tile) const { return graph.inputs[slot(tile)].dims.back() == key; }
  /// The keys' rows lie one behind the other.
  bool in_one_piece(const Graph& graph, int tile) const {
    const auto& dims = graph.inputs[slot(tile)].dims;
    return !along_keys(graph, tile) && dims[dims.size() - 2] == key;
  }
  std::int64_t row_extent(const Extents& extents) const {
    std::int64_t extent = 1;
    for (const int index : row_indices) extent *= extents[slot(index)];
    return extent;
  }
  /// A condition in `hidden` of which a range of keys follows for each row.
  bool bounds_keys(const Graph& graph, int hidden_pair) const;
  /// Later rows are shown more keys than those before.
  bool grows(const Graph& graph) const;
  /// The keys that some of these rows is shown by the conditions in `hidden`: begin and end.
  std::pair<std::int64_t, std::int64_t> keys_shown(const Graph& graph, const Extents& extents,
                                                   std::int64_t first, std::int64_t last) const;
  bool is_row(int index) const { return listed(row_indices, index); }
  /// What scores are multiplied by or divided by, [key] or [row]: of divisors the inverse is kept.
  std::vector<int> factors(const Graph& graph, bool of_keys, bool inverse) const;
  /// Numbers [row] that are kept: such factors, and what is needed behind the loop.
  std::vector<int> kept_rows(const Graph& graph) const;
  bool own_rows() const { return beside == 1; }
  /// Warps that share the sum of one fragment of scores.
  int shares() const { return std::max(1, beside / (keys / kFragment)); }
  int lanes() const { return own_rows() ? 4 : 2 * beside; }  ///< that share a row of scores
  int own_keys() const { return keys / lanes(); }            ///< of a lane in a turn, two at least
  int at_once() const { return std::min(4, own_keys()); }    ///< of these, in one access
  int summed_registers() const;                              ///< of scores and sums, a lane
  int column_parts() const { return width[slot(column)] / kFragment / beside; }  ///< fragments of a warp
  bool in_registers() const;  ///< the products' left fragments, all through the loop
  bool is_before(int node) const { return listed(before, node); }
  std::vector<Product> lefts() const;  ///< products, the first of each left operand
  bool is_copied(int node) const { return own_rows() && listed(copied, node); }
  bool is_staged(int node) const;
  bool any_in_rows() const;
  /// Something of a row is read or computed by lanes before the loop.
  bool rows_pass_registers() const;
  /// Its left operand is rounded to half.
  bool rounds(const Program& program, const Plan& plan, const Product& of) const;
  std::int64_t stage_bytes(const Graph& graph) const;
  std::int64_t group_bytes() const;  ///< of 16 rows
  std::int64_t bytes(const Graph& graph, const Kernel& kernel) const;
};

/// Nothing where the launch has anything that the path does not cover, or tiles that it does not have.
/// Matrices of keys and values are inputs of half.
std::optional<AttentionShape> attention_shape(const Program& program, const Plan& plan, const Launch& launch,
                                              const Kernel& kernel);

/// The same but for its tiles, of a launch that loops over the keys, so that they can be chosen.
std::optional<AttentionShape> attention_indices(const Program& program, const Plan& plan,
                                                const Launch& launch, const Kernel& kernel);

const Form& attention_form();
CutsOf try_attention_cuts;
CounterOf attention_counter;
EmitterOf attention_emitter;

}  // namespace workbook::opt
