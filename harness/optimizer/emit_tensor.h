// Writes a launch of path tensor down (tensor.h): products on tensor cores, a ring of stages a warp.
#pragma once

#include "optimizer/emit_text.h"
#include "optimizer/tensor.h"

namespace workbook::opt {

class TensorEmitter final : public LaunchEmitter {
 public:
  TensorEmitter(const Program& program, const Plan& plan, const std::vector<Launch>& launches, int number)
      : LaunchEmitter(program, plan, launches, number),
        shape_(*tensor_shape(program, plan, launch_, kernel_)) {}

  std::string kernel() override;
  std::string launch_lines() override;

 private:
  std::string tile(int index) const { return tile_name(plan_, index, number_); }
  std::string first(int index) const { return names_.index(index) + "_first"; }
  std::string inside(int index) const { return names_.index(index) + "_in"; }
  std::string memory() const { return own("memory"); }
  std::string id(int node) const {
    return fmt::format("t{}", node - static_cast<int>(graph_.inputs.size()) + 1);
  }
  std::string sums(int node) const { return id(node) + "_sums"; }
  std::string right(int product) const { return names_.tensor(shape_.right(graph_, product)); }
  std::string across(int product) const { return tile(shape_.across(graph_, product)); }
  bool is_held(int product) const { return shape_.across(graph_, product) == shape_.held; }
  bool takes() const { return shape_.in_place() || !shape_.sums.empty(); }
  std::string left() const { return names_.tensor(shape_.left); }

  void constants();
  void structures();
  /// The copy of a tile whose first element is at (rows_first, columns_first).
  void copy(Lines& lines, const std::string& to, const std::string& from, int rows, int columns,
            bool held_rows, bool held_columns);
  void fetch();
  void sweep();
  /// The left tile is gone through: its elements' sums, and what it is multiplied by.
  void take();
  void multiply();
  void results();
  /// What the second products multiply has to be whole: another barrier.
  void held_results();
  void open_elements(int across);
  template <class Place>
  void add_up(const std::vector<int>& nodes, Place place) {
    for (const int node : nodes) out_.add("float {} = 0.0f;", names_.value(node));
    out_.open(fmt::format("for (const {}& each : {}->warps)", own("WarpMemory"), memory()));
    for (const int node : nodes) out_.add("{} += each.sums.{}{};", names_.value(node), id(node), place(node));
    out_.close();
  }

  TensorShape shape_;
};

}  // namespace workbook::opt
