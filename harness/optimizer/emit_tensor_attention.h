// Writes a launch of path tensor_attention down (tensor_attention.h): exp between two products on tensor
// cores, the keys in a ring of stages that all warps of a block read.
#pragma once

#include "optimizer/emit_text.h"
#include "optimizer/tensor_attention.h"

namespace workbook::opt {

class AttentionEmitter final : public LaunchEmitter {
 public:
  AttentionEmitter(const Program& program, const Plan& plan, const std::vector<Launch>& launches, int number)
      : LaunchEmitter(program, plan, launches, number),
        shape_(*attention_shape(program, plan, launch_, kernel_)) {}

  std::string kernel() override;
  std::string launch_lines() override;

 private:
  const Node& node(int number) const { return graph_.nodes[slot(number)]; }
  std::string tile(int index) const { return tile_name(plan_, index, number_); }
  std::string first(int index) const { return names_.index(index) + "_first"; }
  std::string inside(int index) const { return names_.index(index) + "_in"; }
  std::string memory(const std::string& member) const { return own("memory") + "->" + member; }
  /// A node's name as a member or a variable: the output has no tensor's name there.
  std::string id(int of) const {
    const int inputs = static_cast<int>(graph_.inputs.size());
    return of < inputs ? names_.tensor(of) : fmt::format("t{}", of - inputs + 1);
  }
  std::string inverse(int of) const { return id(of) + "_inverse"; }
  std::string sums() const { return id(shape_.product) + "_sums"; }
  int depth_of(int matrix) const { return shape_.depth_of(graph_, matrix); }
  bool along_keys(int matrix) const { return shape_.along_keys(graph_, matrix); }
  // Of the rows: several indices have a name of their own together.
  bool many() const { return shape_.row_indices.size() > 1; }
  std::string row_name() const { return many() ? "rows" : names_.index(shape_.row_indices.front()); }
  std::string row_size() const { return row_name() + "_size"; }
  std::string row_tile() const { return many() ? own("kTileRows") : tile(shape_.row_indices.front()); }
  std::string row_sizes() const {
    std::string text;
    for (const int index : shape_.row_indices) text += (text.empty() ? "" : " * ") + names_.size(index);
    return text;
  }
  /// The indices of a row from their place together.
  void row_places();
  bool several() const { return shape_.beside > 1; }
  bool split() const { return launch_.split >= 0; }
  /// "warp / kBeside": the number of the warp's 16 rows.
  std::string group() const { return several() ? fmt::format("warp / {}", own("kBeside")) : "warp"; }
  std::string meet(const std::string& why) const {
    return fmt::format("{}();  // {}", several() ? "__syncthreads" : "__syncwarp", why);
  }
  std::string scores(const std::string& share) const {
    return id(shape_.score) + (shape_.shares() > 1 ? "[" + share + "]" : "");
  }

  void constants();
  void structures();
  void coordinates();
  void fetch();
  /// Where the turn's part of a tile begins, as a sum, and how far its rows are apart.
  std::string tile_begin(int of) const;
  std::string tile_stride(int of) const;
  // emit_tensor_attention_rows.cpp: before the loop, and behind it.
  /// The rows: what is read of them, their statistics, and the products' left operands as halves.
  void rows();
  void row_loads();
  void row_nodes();
  void open_lanes(int depth);
  /// The index that it has besides those of the rows, or -1.
  int depth_of_row(int of) const;
  void results();
  /// What is written of [row], or of [row, column].
  void result_elements(bool columns);
  // The loop.
  void loop();
  void take_keys();
  void multiply();
  void weigh();
  /// What these nodes read of this lane's row and its key number i.
  void read_pairs(const std::vector<int>& users);
  /// The block's keys are those that some row of it is shown.
  void leave_out();
  /// Where in the index the first or the last of the block's rows may lie.
  std::string row_bound(int index, bool last) const;
  void add_values();
  /// A number of a row or a key, as itself and as its inverse, as far as it is used so.
  void add_number(int of, const std::string& a, const std::string& b);
  void add_inverse(int of);
  /// Is it a divisor of scores or elements, which are multiplied by its inverse; is it used otherwise?
  bool divides(int of) const;
  bool is_used_as_it_is(int of) const;
  std::string mean(int index) const { return names_.index(index) + "_mean"; }
  /// A node of the scores from its operands' names.
  std::string scaled(int of) const;
  std::string factor(int of, bool divides) const;

  AttentionShape shape_;
};

}  // namespace workbook::opt
