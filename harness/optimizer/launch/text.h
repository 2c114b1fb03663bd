// What the emitters share: names, expressions, lines with their indentation, and what every launch needs of
// the program and its plan.
#pragma once

#include <fmt/format.h>

#include <string>

#include "optimizer/language/names.h"
#include "optimizer/launch/tiles.h"
#include "optimizer/plan/places.h"

namespace workbook::opt {

class Lines {
 public:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    text_ += std::string(2 * depth_, ' ') + fmt::format(format, std::forward<Args>(args)...) + '\n';
  }
  void raw(std::string_view line) { text_ += std::string(line) + '\n'; }
  void open(const std::string& head) {
    add("{} {{", head);
    ++depth_;
  }
  void close(const char* tail = "") {
    --depth_;
    add("}}{}", tail);
  }
  void append(const std::string& lines) { text_ += lines; }
  std::size_t depth() const { return depth_; }
  void set_depth(std::size_t depth) { depth_ = depth; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::size_t depth_ = 0;
};

/// Names in the emitted file: b_size the extent of b, b an element's place in it, b_in its place in the tile.
class Names {
 public:
  Names(const Program& program, const Plan& plan);
  /// A place that is multiplied by sizes: of 64 bits where a tensor has 2^31 elements or more.
  std::string far(const std::string& place) const {
    return far_ ? "static_cast<std::int64_t>(" + place + ")" : place;
  }
  bool is_far() const { return far_; }
  std::string index(int index) const;
  std::string constant(int number) const;
  std::string size(int index) const { return this->index(index) + "_size"; }
  /// "b_size * s_size"; nothing of none.
  std::string sizes(const std::vector<int>& indices) const;
  /// An input's or the output's own name; of other nodes t1, t2, ... as node_text counts.
  std::string tensor(int node) const;
  /// A node's value in a register.
  std::string value(int node) const;
  static std::string type(Storage storage);
  /// "x[b * h_size + h]", the places being the names of indices.
  std::string element(int node) const;
  /// The value of what follows from places (graph.h, Placed).
  std::string placed(int node) const;
  /// An element of a view; 0 outside of its source.
  std::string viewed(int node) const;
  /// Of a view, a row along an index: the source's row, how far in it the view's begins, and its length,
  /// which is 0 where there is none. Nothing where neighbours along the index are none in the source.
  struct ViewedRow {
    std::string start, shift, length;
  };
  std::optional<ViewedRow> viewed_row(int node, int index) const;
  std::string offset(const std::vector<std::uint8_t>& dims) const;
  /// Of a node from its operands' texts. `again`: it is evaluated again and again with the same b: a
  /// division, which takes a dozen instructions, is one by its inverse, which the compiler has once.
  std::string expression(int node, const std::string& a, const std::string& b, bool again = false) const;
  /// What a function's base is applied to; `mean`: how it is divided by an index's extent.
  std::string argument(const Function& f, std::string a, const std::string& mean) const;

 private:
  std::string coordinate(const Coordinate& of) const;
  /// Of its first dimensions in the source: whether that lies inside, or nothing, and where.
  std::pair<std::string, std::string> viewed_place(const Tensor& view, std::size_t count) const;

  const Program& program_;
  const Plan& plan_;
  bool far_ = false;
};

/// Is there this word in the text?
bool has_word(std::string_view text, std::string_view word);

/// Writes one launch down. What launches have in common; forms have the rest.
class LaunchEmitter {
 public:
  /// `number` from 1.
  LaunchEmitter(const Program& program, const Plan& plan, const std::vector<Launch>& launches, int number);
  virtual ~LaunchEmitter() = default;
  LaunchEmitter(const LaunchEmitter&) = delete;
  LaunchEmitter& operator=(const LaunchEmitter&) = delete;
  /// Its function with the constants above it.
  virtual std::string kernel() = 0;
  /// The lines that launch it, in the function that launches all.
  virtual std::string launch_lines() = 0;
  /// Files of device/ (device.h) that the kernel calls, once it is written.
  const std::vector<std::string_view>& uses() const { return uses_; }

 protected:
  /// The file with the instruction by which groups of warps multiply by so many columns.
  static std::string_view group_of(int columns) {
    return columns == 64 ? "group_64" : columns == 128 ? "group_128" : "group_256";
  }
  /// The kernel calls what this file has.
  void use(std::string_view file) const;
  /// What tensor cores multiply here, as a word; and that it is this, for what the kernel calls.
  std::string half() const;
  void use_half() const;
  std::string own(std::string_view constant) const;  ///< "kThreads2": with the launch's number
  std::string threads() const { return own("kThreads"); }
  /// The kernel's head; `bounded`: the compiler is told how many threads a block has, and with `blocks` how
  /// many blocks an SM shall hold. Else it makes room for more of them where it can, and loads that stand
  /// together become loads that are waited for one by one.
  /// `more`: parameters behind the others.
  void open_kernel(bool bounded, int blocks = 0, const std::string& more = "");
  /// `of`: a template's arguments, as "<true>"; `more`: arguments behind the others.
  std::string launch_line(const std::string& grid, const std::string& threads,
                          const std::string& shared_bytes = "0", const std::string& of = "",
                          const std::string& more = "", const std::string& cluster = "") const;
  /// The kernel may have as much shared memory as its struct Memory is large.
  void ask_for_memory(Lines& lines) const;
  /// Of tensors whose tiles the GPU copies by itself (device/tensor_maps.cuh): what stands behind the other
  /// parameters or arguments; the lines that make the maps, of a matrix of `inner`, contiguous, and `outer`
  /// indices, rows `stride` apart, with those of `batch` that it has besides; `rows` of a tile; and behind
  /// the tile's place in these two the block's in the others: ", n, 0".
  std::string maps_text(const std::vector<int>& nodes, bool declared) const;
  void begin_maps(Lines& lines, const std::vector<int>& nodes) const;
  void add_map(Lines& lines, int node, const std::vector<int>& inner, const std::vector<int>& outer,
               const std::string& stride, const std::vector<int>& batch, const std::string& rows) const;
  std::string map_places(int node, const std::vector<int>& batch) const;
  /// by_maps, and the barriers of a ring of stages; `multiplying`: warps; `more`: a barrier besides, or none;
  /// `second`: what the names of another pair of barriers a stage begin with, or none.
  void begin_barriers(const std::string& memory, const std::string& multiplying, const std::string& more = "",
                      const std::string& second = "");
  /// Indices from their place together, the outermost first.
  void declare_places(const std::vector<int>& indices, const std::string& place, bool all_used);
  /// What tensor cores multiply from the right, of a tile that lies as the product does or turned.
  std::string right_fragment(bool turned) const;
  void comment(int node);  ///< its formula
  /// How many parts there are of a tensor that the launch reads, as a name; declared by declare_parts().
  std::string parts_of(int node) const;
  void declare_parts();
  std::string stride_of(int node) const;  ///< of one part to the next
  /// " + t_part * (n_size * s_size)": to the block's own part of what it writes.
  std::string own_part(int node) const;
  /// How much of an index a block has, several tiles, as a constant: part_name().
  void declare_part(int index);
  std::vector<int> operands(int node) const { return operands_of(graph_.nodes[slot(node)]); }
  /// Where the row of its last index begins that the other indices name.
  std::string row_start(int node) const;
  /// An element that is read: the sum of its parts, where it lies in such; `by_lanes`: whole warps want the
  /// same one, and each lane takes some of them.
  std::string read(int node, bool by_lanes = false) const;
  /// An element that is written: of its part, where it is split.
  std::string written(int node) const;
  /// The lines of one element behind all sums: `reads` from global memory, the nodes `behind`, what is
  /// written.
  void result_lines(const std::vector<int>& reads, const std::vector<int>& behind);

  const Program& program_;
  const Plan& plan_;
  const Graph& graph_;
  const std::vector<Launch>& launches_;
  const Launch& launch_;
  const Kernel& kernel_;
  int number_;
  Names names_;
  std::vector<IndexSet> shapes_;
  Lines out_;

 private:
  /// Those of `batch` that a tensor has, in its order.
  std::vector<int> batch_of(int node, const std::vector<int>& batch) const;

  mutable std::vector<std::string_view> uses_;
};
/// "float* y, const half* x, ..., int b_size": what a launch takes, and what it is given.
std::string parameters(const Program& program, const Plan& plan, const Launch& launch);
std::string arguments(const Program& program, const Plan& plan, const Launch& launch);
std::string kernel_name(const Program& program, const Plan& plan, int number);
/// "1" of the first of several launches; nothing where there is one.
std::string suffix(const Plan& plan, int number);
std::string tile_name(const Plan& plan, int index, int number);
/// What a block takes of an index: several tiles, where a loop goes over them.
std::string part_name(const Plan& plan, int index, int number);
/// "((t_size + kPartT1 - 1) / kPartT1)": of an index that a launch's grid cuts, how many blocks there are.
std::string parts_text(const Plan& plan, int index, int number);

}  // namespace workbook::opt
