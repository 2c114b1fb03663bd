// Writes a launch of path tensor down (shape.h): products on tensor cores, a ring of stages a warp, or one
// of a block.
#pragma once

#include <functional>

#include "optimizer/forms/tensor/shape.h"
#include "optimizer/launch/text.h"

namespace workbook::opt {

class TensorEmitter final : public LaunchEmitter {
 public:
  TensorEmitter(const Program& program, const Plan& plan, const std::vector<Launch>& launches, int number)
      : LaunchEmitter(program, plan, launches, number),
        shape_(*tensor_shape(program, plan, launch_, kernel_)) {}

  std::string kernel() override;
  std::string launch_lines() override;

 private:
  std::string name(TileAxis axis) const {
    const std::vector<int> indices = shape_.indices(axis);
    return indices.size() > 1 ? "rows" : names_.index(indices.front());
  }
  std::string size(TileAxis axis) const { return name(axis) + "_size"; }
  std::string tile(TileAxis axis) const {
    const std::vector<int> indices = shape_.indices(axis);
    return indices.size() > 1 ? own("kTileRows") : tile_name(plan_, indices.front(), number_);
  }
  /// Of what a block writes.
  std::string result_tile(TileAxis axis) const {
    return axis == TileAxis::column && shape_.cluster > 1 ? own("kOwnColumns") : tile(axis);
  }
  /// What a block has added up in the end: its own part of it, or all.
  std::string results_of(int product) const { return (shape_.cluster > 1 ? "own_" : "") + sums(product); }
  std::string first(TileAxis axis) const { return name(axis) + "_first"; }
  std::string inside(TileAxis axis) const { return name(axis) + "_in"; }
  /// Of the index that is summed away, where the block ends, and how much it has.
  std::string over_end() const {
    return shape_.in_parts ? name(TileAxis::over) + "_end" : size(TileAxis::over);
  }
  std::string over_length() const {
    return shape_.in_parts ? fmt::format("({0}_end - {0}_begin)", name(TileAxis::over))
                           : size(TileAxis::over);
  }
  std::string memory() const { return own("memory"); }
  std::string id(int node) const {
    return fmt::format("t{}", node - static_cast<int>(graph_.inputs.size()) + 1);
  }
  std::string sums(int node) const { return id(node) + "_sums"; }
  std::string left() const { return names_.tensor(shape_.left.node); }
  std::string across(std::size_t product) const { return tile(shape_.across(product)); }
  bool is_held(std::size_t product) const { return shape_.across(product) == TileAxis::held; }
  bool takes() const { return shape_.in_place() || !shape_.sums.empty(); }
  bool shared() const { return shape_.shared_ring(); }
  bool needs_lane() const {
    return shape_.in_registers ? !shape_.along.empty() || !shape_.sums.empty() : takes() || shared();
  }
  /// A lane's pieces of 16 bytes of a step.
  std::string pieces(int node) const { return names_.tensor(node) + "_eights"; }
  /// Blocks in an order of their own: there are many either way.
  bool ordered() const;
  /// Fragments of a warp below each other, as a number.
  std::string row_parts() const { return fmt::format("{}", shape_.row_parts(kernel_)); }
  std::string column_parts(std::size_t product) const {
    return shared() ? fmt::format("{}", shape_.column_parts(product)) : across(product) + " / 16";
  }
  /// Where a warp's tile begins in the block's.
  std::string warp_row() const {
    if (shape_.by_groups)
      return fmt::format("{} * group + {}16 * (warp % 4)", kGroupRows * kernel_.down,
                         kernel_.down > 1 ? "64 * (i / 2) + " : "");
    return shared() ? fmt::format("{} * down", 16 * shape_.row_parts(kernel_)) : "0";
  }
  std::string warp_column(std::size_t product) const {
    return shape_.by_groups || !shared() ? "0"
                                         : fmt::format("{} * beside", 16 * shape_.column_parts(product));
  }

  void constants();
  void structures();
  /// What a warp adds up.
  void sum_structure();
  void coordinates();
  /// "h_size", "s_size * d_size": from one row of a matrix to the next.
  std::string stride_text(const TileMatrix& matrix) const;
  /// "x + b_first * h_size + h_first": where the block's tile of a matrix begins.
  std::string tile_text(const TileMatrix& matrix) const;
  /// "g", "g + b * h_size": where the batch's vector begins.
  std::string vector_text(int vector) const;
  /// The copy of the matrix's tile.
  void copy(Lines& lines, const std::string& threads, const std::string& to, const TileMatrix& matrix,
            bool asked_once = false);
  void fetch();
  void sweep();
  /// The loop over the steps, where each warp has its own, and where all share a ring.
  void own_steps();
  void shared_steps();
  /// Eight elements of a left tile: `part` of the sums, and where they lie; and what these lines read.
  void taken_lines(Lines& lines, const std::string& part, const std::string& eight);
  std::vector<int> taken_operands() const;
  /// The left tile is gone through: its elements' sums, and what it is multiplied by.
  void take();
  bool is_taken(int node) const;
  void multiply();
  void results();
  // emit_registers.cpp: where there are no rings.
  void register_structures();
  void register_steps();
  void load_pieces(Lines& lines);
  void take_pieces(Lines& lines);
  void store_register_sums();
  /// Whether all steps are whole, and rows of all that is loaded begin at multiples of 16 bytes.
  std::string whole_steps() const;
  // emit_groups.cpp: where groups of warps do.
  std::vector<int> mapped_nodes() const;
  void make_maps(Lines& lines) const;
  void group_structures();
  void fill_stage();
  void group_steps();
  /// Blocks of a cluster add up what each has.
  void share_sums();
  // emit_block.cpp: where all warps share a ring.
  void block_structures();
  void block_sums();
  /// Words of a slice that begins at `over`, and what is multiplied of them.
  void load_slice(Lines& lines, const std::string& set, const std::string& over);
  void multiply_slice(const std::string& set);
  /// The slices of a step, loaded and multiplied one after the other.
  void multiply_step();
  void ring_of_words();
  void sweep_of_words(const std::string& stages, const std::string& h);
  /// A condition: every tile of the block is inside, and rows begin at multiples of 16 bytes.
  std::string whole_tiles() const;
  /// The loop is written for such a block, and for any.
  void for_whole_tiles(const std::function<void()>& sweep);
  /// The lines for where the condition holds, in which `whole` is true then, and for where it does not.
  void sweep_of(const Lines& lines, std::string_view whole, const std::string& condition);
  void taken_steps();
  void block_results();
  void result_pair();
  void block_stores();
  /// What is written as a matrix: its last index is contiguous, if it is one of the tile's.
  std::optional<TileMatrix> written_tile(int node) const;
  /// The indices of a row from their place together.
  void row_places();
  void store_sums();
  /// Of what a warp has in shared memory, what it has added up.
  std::string sums_of_warp() const { return shape_.in_registers ? "" : ".sums"; }
  /// What the second products multiply has to be whole: another barrier.
  void held_results();
  void open_elements(TileAxis across, bool rows_fastest);
  /// What is added up of the nodes, and the place of an element in it.
  void add_up(const std::vector<int>& nodes, const std::string& place);

  TensorShape shape_;
};

}  // namespace workbook::opt
