// Path tensor: what a launch has to be for tensor cores, and its tiles in shared memory: what emission prints
// and what the price counts.
//
// A block has 16 rows and some columns of the result. Its warps share the steps along the index that is
// summed away; each has a ring of stages of its own, into which asynchronous copies bring the tiles of the
// steps to come. The left tile is gone through once before it is multiplied: sums of its rows are taken, and
// a factor along the summed index goes into it, in place. The warps' sums meet behind one barrier.
#pragma once

#include "optimizer/nests.h"

namespace workbook::opt {

inline constexpr int kFragment = 16;  ///< the side of what tensor cores multiply
inline constexpr int kTilePad = 8;    ///< elements behind each row of a tile: the next begins in other banks
inline constexpr int kMostTensorTile = 64;  ///< of columns, of a step, of the index between two products
inline constexpr int kMostStages = 4;       ///< of a warp's ring; two at least

constexpr std::int64_t aligned(std::int64_t bytes) { return (bytes + 31) / 32 * 32; }
/// Of a row-major tile with its padding.
constexpr std::int64_t tile_bytes(std::int64_t rows, std::int64_t columns, std::int64_t item) {
  return aligned(rows * (columns + kTilePad) * item);
}

struct TensorShape {
  int row = -1, column = -1;  ///< indices of what it writes
  int over = -1;              ///< that of the sums
  int held = -1;              ///< between two products, as r in (x a) u, whole in a block; or none
  int left = -1;              ///< a matrix [row, over]
  int factor = -1;  ///< the products' left operand: `left`, or what its tile is turned into, rounded to half
  std::vector<int> along;                    ///< vectors [over], read with the left matrix
  std::vector<int> taken;                    ///< products of elements of these, by element
  std::vector<int> products;                 ///< by tensor cores: [row, column] or [row, held]
  std::vector<int> sums;                     ///< of the left tile's rows
  std::vector<int> seconds;                  ///< products over `held`: [row, column]
  std::vector<int> behind;                   ///< elementwise nodes of finished sums
  std::vector<int> reads;                    ///< what these read from global memory
  int columns = 0, step = 0, held_tile = 0;  ///< extents of tiles: 16, 32 or 64; without `held` 0

  bool in_place() const { return factor != left; }
  /// The right operand of a product.
  int right(const Graph& graph, int product) const;
  /// The index of its columns, and the tile's extent in that.
  int across(const Graph& graph, int product) const { return is_held(graph, product) ? held : column; }
  int width(const Graph& graph, int product) const { return is_held(graph, product) ? held_tile : columns; }
  /// Shared memory of a block, as the emitted structures have it.
  std::int64_t bytes(const Graph& graph, const Kernel& kernel) const;

 private:
  bool is_held(const Graph& graph, int product) const;
};

/// Nothing where the launch has anything that the path does not cover, or tiles that it does not have.
/// Matrices and vectors that meet in products are inputs of half, their last index contiguous.
std::optional<TensorShape> tensor_shape(const Program& program, const Plan& plan, const Launch& launch,
                                        const Kernel& kernel);

/// The same but for its tiles: whatever the kernel's cuts, so that they can be chosen.
std::optional<TensorShape> tensor_indices(const Program& program, const Plan& plan, const Launch& launch,
                                          const Kernel& kernel);

/// What tensor cores multiply here, called half in this folder: bfloat16 where that is the only type of 16
/// bits that inputs and result have.
Storage tensor_type(const Program& program, const Plan& plan);

/// Nodes that a plan rounds to that type although its graph does not: a bit each.
std::uint64_t halved_nodes(const Program& program, const Plan& plan);

/// Where a lane's piece number i of a tile that a warp copies lies: eight elements of a row, of which eight
/// lanes write at a time; their rows lie in different banks.
struct TilePlace {
  std::int64_t row, column;
};
constexpr TilePlace piece_of(std::int64_t i, std::int64_t columns) {
  const std::int64_t pieces = columns / 8;
  return {i / (8 * pieces) * 8 + i / 8 % pieces + i % 8 / pieces * pieces, i % pieces * 8};
}

}  // namespace workbook::opt
