// Path tensor: what a launch has to be for tensor cores, and its tiles in shared memory: what emission prints
// and what the price counts.
//
// A block has a tile of the result, of one element of each batch index. Tiles of the operands come by
// asynchronous copies into a ring of stages, from matrices whose last index is contiguous, whichever of the
// product's two it is; others may lie anywhere in memory. Two schedules. Where few rows meet a large matrix,
// a block has 16 rows, and its warps share the steps along the index that is summed away: each has a ring of
// its own, and the warps' sums meet behind one barrier. Where there are many rows, all warps share a ring
// and have parts of a larger tile. The left tile may be gone through once before it is multiplied: sums of
// its rows are taken, and a factor along the summed index goes into it, in place. A left matrix of float is
// rounded where it is multiplied: to half, and where a slice of 16 has numbers too large for that, to tf32,
// which has as many bits and the range of float. Where there are no more than 16 rows, each element of the
// large matrix is wanted once: then it may do without a ring, and go from memory into registers at once.
// Where a ring is shared the grid may cut the index that is summed away: products are left in parts then, and
// nothing is computed of them. Path tensor_groups is a ring that is shared by groups of four warps, on
// Hopper: four more warps have the GPU copy tiles, and the others multiply them from shared memory.
#pragma once

#include "optimizer/launch/form.h"
#include "optimizer/launch/tiles.h"
#include "optimizer/plan/places.h"

namespace workbook::opt {

inline constexpr int kMostTensorTile = 64;    ///< of columns, of a step, of the index between two products
inline constexpr int kMostSharedTile = 256;   ///< of rows and columns, where all warps share a ring
inline constexpr int kMostSumFragments = 16;  ///< of a warp
inline constexpr int kSlice = 32;         ///< elements of a row that four lanes load where there are no rings
inline constexpr int kMostSlices = 4;     ///< of a step
inline constexpr int kMostOfCluster = 8;  ///< blocks, on each GPU that has clusters

/// What a tile's elements are counted along. `row` may be several indices that lie side by side in memory;
/// `held` is an index between two products, as r in (x a) u, whole in a block.
enum class TileAxis : std::uint8_t { row, column, over, held };

/// A matrix as it lies in memory: elements of its rows along `inner`, which is contiguous.
struct TileMatrix {
  int node = -1;
  TileAxis outer = TileAxis::row, inner = TileAxis::over;
};

struct TensorShape {
  std::vector<int> rows;   ///< indices of a row, the outermost first: side by side in all that has them
  int column = -1;         ///< the other index of what it writes
  int over = -1;           ///< that of the sums
  int held = -1;           ///< or none
  std::vector<int> batch;  ///< indices of what it writes of which a block has one element each
  TileMatrix left;         ///< of row and over
  bool left_is_float = false;
  int factor = -1;  ///< the products' left operand: left's, or what its tile is turned into, rounded to half
  std::vector<int> along;          ///< vectors [over], read with the left matrix
  std::vector<int> taken;          ///< products of elements of these, by element
  std::vector<int> products;       ///< by tensor cores: [row, column] or [row, held]
  std::vector<TileMatrix> rights;  ///< their right operands
  std::vector<int> sums;           ///< of the left tile's rows
  std::vector<int> seconds;        ///< products over `held`: [row, column]
  std::vector<int> second_rights;  ///< their right operands [held, column]
  std::vector<int> behind;         ///< elementwise nodes of finished sums
  std::vector<int> reads;          ///< what these read from global memory
  /// Where all warps share a ring: what is written with an index of the tile last.
  struct Stored {
    TileMatrix matrix;
    int item;  ///< bytes of an element
  };
  std::vector<Stored> stored;
  int row_tile = 0, columns = 0, step = 0, held_tile = 0;  ///< extents of tiles; without `held` 0
  int beside = 1;  ///< warps beside each other in the block's tile; 1: each warp has a ring of its own
  bool in_registers = false;  ///< there are no rings
  bool in_parts = false;      ///< the grid cuts `over`
  bool by_groups = false;     ///< path tensor_groups
  int cluster = 1;  ///< of it: blocks that each have a part of a tile's sums, and get a part of it whole

  bool in_place() const { return factor != left.node; }
  bool shared_ring() const { return beside > 1 || by_groups; }
  /// Its fragments are words that the kernel itself loads and multiplies.
  bool by_words() const { return shared_ring() || left_is_float || in_registers; }
  int slices() const { return step / kSlice; }
  /// Columns whose results a block makes.
  int own_columns() const { return columns / cluster; }
  int result_tile(TileAxis axis) const { return axis == TileAxis::column ? own_columns() : tile(axis); }
  /// Columns of which a warp loads pieces together, where there are no rings.
  static int columns_together(const TileMatrix& right) { return is_turned(right) ? 8 : 64; }
  int left_item() const { return left_is_float ? 4 : 2; }  ///< bytes of an element
  /// Of its elements neighbours in a column are neighbours in memory.
  static bool is_turned(const TileMatrix& right) { return right.inner == TileAxis::over; }
  bool left_is_turned() const { return left.inner == TileAxis::row; }
  TileAxis across(const TileMatrix& right) const {
    return right.inner == TileAxis::over ? right.outer : right.inner;
  }
  TileAxis across(std::size_t product) const { return across(rights[product]); }
  int tile(TileAxis axis) const;
  int width(std::size_t product) const { return tile(across(product)); }
  /// Indices of an axis.
  std::vector<int> indices(TileAxis axis) const;
  std::int64_t extent(TileAxis axis, const Extents& extents) const;
  /// From one row of a matrix to the next, in elements. `dims`: the matrix's.
  std::int64_t stride(const TileMatrix& matrix, const std::vector<std::uint8_t>& dims,
                      const Extents& extents) const;
  bool is_along(TileAxis axis, int index) const { return listed(indices(axis), index); }
  /// Warps that have the same columns, or rings.
  int groups(const Kernel& kernel) const { return shared_ring() ? 1 : kernel.warps; }
  int down(const Kernel& kernel) const {
    return !shared_ring() ? 1 : by_groups ? row_tile / kFragment / kernel.down : kernel.warps / beside;
  }
  /// Path tensor_groups: groups that multiply.
  int multiplying(const Kernel& kernel) const { return kernel.warps / kGroupWarps - 1; }
  /// Fragments of a warp: of its rows, of its columns of a product.
  int row_parts(const Kernel& kernel) const { return row_tile / kFragment / down(kernel); }
  int column_parts(std::size_t product) const { return width(product) / kFragment / beside; }
  /// Words of a lane: sums, and what is multiplied, of two slices where all warps share a ring, of a step
  /// where there are no rings.
  std::int64_t words(const Kernel& kernel) const;
  /// Threads that go through a step's left tile.
  int takers(const Kernel& kernel) const { return shared_ring() ? 32 * kernel.warps : 32; }
  /// Shared memory of a block, as the emitted structures have it.
  std::int64_t bytes(const Kernel& kernel) const;
};

/// Nothing where the launch has anything that the path does not cover, or tiles that it does not have.
/// Matrices and vectors that meet in products are of half; a left matrix that is multiplied as it is may be
/// of float.
std::optional<TensorShape> tensor_shape(const Program& program, const Plan& plan, const Launch& launch,
                                        const Kernel& kernel);

/// The same but for its tiles: whatever the kernel's cuts, so that they can be chosen.
std::optional<TensorShape> tensor_indices(const Program& program, const Plan& plan, const Launch& launch,
                                          const Kernel& kernel);

const Form& tensor_form();
CutsOf try_tensor_cuts;
CounterOf tensor_counter;
EmitterOf tensor_emitter;

}  // namespace workbook::opt
