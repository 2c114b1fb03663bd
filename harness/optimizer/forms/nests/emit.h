// Loop nests over tiles in shared memory as text: what paths plain, product and attention have in common.
#pragma once

#include "optimizer/forms/nests/shape.h"
#include "optimizer/launch/text.h"

namespace workbook::opt {

class NestEmitter : public LaunchEmitter {
 public:
  NestEmitter(const Program& program, const Plan& plan, const std::vector<Launch>& launches, int number);

 protected:
  bool is_cut(int index) const { return launch_.is_cut(index); }
  bool is_held(int index) const { return listed(launch_.held, index); }
  /// Elements of a tile along an index: a constant where it is cut.
  std::string extent(int index) const;
  std::string inside(int index) const;  ///< an element's place in the tile
  std::string tile(int node) const { return names_.tensor(node) + "_tile"; }
  std::string rescale(int node) const { return names_.tensor(node) + "_rescale"; }
  std::string elements(int node) const;  ///< of a tile in shared memory, with its padding
  std::string shared(int node) const { return fmt::format("{}[{}]", tile(node), place(node)); }
  /// " * t5_rescale[...]" of a sum that a running maximum rescales.
  std::string rescaled(int node) const;
  std::string sums(int node) const { return names_.value(node) + "s"; }  ///< a thread's, of a product
  std::string items(const Nest& nest) const;                             ///< elements a thread
  bool is_in_loop(int node) const { return launch_.stages[slot(node)] % 2 == 1; }
  /// The grid's x is the index with most blocks: only x may have more than 65535.
  int index_of(int axis) const { return slot(axis) < launch_.axes.size() ? launch_.axes[slot(axis)] : -1; }

  void emit_nest(const Nest& nest);

  Nested nested_;
  Extents tiles_;

 private:
  std::string row_of(const std::vector<std::uint8_t>& layout, std::size_t dim) const;
  std::string place(int node) const;
  std::string guard(IndexSet set) const;
  std::string count(int index) const;
  std::string size_text(const Nest& nest) const;
  bool by_items(const Nest& nest) const;
  std::vector<int> used_registers(const Nest& nest) const;
  void with_coordinates(const Nest& nest, const Lines& lines);
  void group_lines(const Nest& nest);
  void load_line(Lines& lines, int node) const;
  void store_line(Lines& lines, int node, const std::string& value) const;
  void sum_lines(const Nest& nest);
  void product_lines(const Nest& nest);
  void rescale_lines(const Nest& nest, int node);
  void open_items(const Nest& nest, int product);
  std::string element(const Nest& nest, int product, std::string_view j) const;
};

}  // namespace workbook::opt
