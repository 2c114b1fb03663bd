// Writes a launch of path tensor_attention down (shape.h): exp between two products on tensor
// cores, the keys in a ring of stages that all warps of a block read. AttentionEmitter has what both
// schedules have in common.
#pragma once

#include "optimizer/forms/attention/shape.h"
#include "optimizer/launch/text.h"

namespace workbook::opt {

class AttentionEmitter : public LaunchEmitter {
 public:
  AttentionEmitter(const Program& program, const Plan& plan, const std::vector<Launch>& launches, int number)
      : LaunchEmitter(program, plan, launches, number),
        shape_(*attention_shape(program, plan, launch_, kernel_)) {}

  std::string kernel() override;
  std::string launch_lines() override;

 protected:
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
  std::string row_sizes() const { return names_.sizes(shape_.row_indices); }
  /// The indices of a row from their place together.
  void row_places();
  bool split() const { return launch_.split >= 0; }
  // What the schedules have of their own. Constants, and what lies in shared memory of rows.
  virtual void own_constants() = 0;
  virtual void row_structures() = 0;
  virtual void row_memory() = 0;
  /// Of a warp, and in memory.
  virtual void warp_places() {}
  virtual void row_places_in_memory() {}
  /// Copies of rows, before those of keys; of pairs, with them.
  virtual void begin_rows() {}
  virtual void fetch_pairs(Lines&) {}
  /// Behind a key's number, as its lane has it: "_own[i]".
  virtual std::string of_key() const = 0;
  /// Rows of a warp, and where an element of a left operand lies.
  virtual std::string warp_rows() const = 0;
  virtual std::string left_element(int left, const std::string& row, const std::string& column) const = 0;
  /// Behind the rows: what lanes keep of them; before the loop: what is added up in it.
  virtual void take_rows() = 0;
  virtual void begin_sums() = 0;
  virtual void turn() = 0;
  virtual void results() = 0;

  // emit_groups.cpp: what groups of warps have of their own.
  std::vector<int> mapped_nodes() const;
  void make_maps(Lines& lines) const;
  void fill_stages();
  /// `which`: of their barriers.
  void fill_stage(const std::vector<int>& tiles, const std::string& which);
  /// Keys and values are tiles, which come and are left one by one.
  bool apart() const { return shape_.tiles.size() > 1; }
  std::string of_values() const { return apart() ? "values_" : ""; }
  /// Where the block's rows of a matrix begin in it, as a sum, and how far they are apart; `inner`: what
  /// their elements are counted along, and where that begins.
  std::pair<std::string, std::string> rows_of(int node, int inner, const std::string& inner_first) const;

  void constants();
  void structures();
  void coordinates();
  void fetch();
  /// Where masks come with the keys, the loop stands there twice: where all tiles are whole, and where not.
  std::string whole_tiles() const;
  std::string of_whole() const { return shape_.any_in_rows() ? ", decltype(whole)::value" : ""; }
  /// Where the turn's part of a tile begins, as a sum, and how far its rows are apart.
  std::string tile_begin(int of) const;
  std::string tile_stride(int of) const;
  // emit_rows.cpp: before the loop, and behind it.
  /// The rows: what is read of them, their statistics, and the products' left operands as halves.
  void rows();
  void row_loads();
  void row_nodes();
  void open_lanes(int depth);
  /// The index that it has besides those of the rows, or -1.
  int depth_of_row(int of) const;
  /// What is written of [row], or of [row, column], and what it is made of.
  std::vector<int> written_of(bool columns) const;
  std::vector<int> needed_for(const std::vector<int>& written) const;
  /// Their lines; `place`: of what was summed or kept.
  template <class Place>
  void result_values(const std::vector<int>& needed, Place place, const std::vector<int>& divisors = {}) {
    for (const int of : needed) {
      if (is_constant(plan_, of)) continue;
      std::string value;
      if (listed(shape_.behind_reads, of)) {
        value = read(of);
      } else if (!listed(shape_.behind, of)) {
        value = place(of);
      } else {
        const Node& op = node(of);
        comment(of);
        value = op.op == Op::div && listed(divisors, op.b)
                    ? names_.value(op.a) + " * " + inverse(op.b)
                    : names_.expression(of, names_.value(op.a), op.b < 0 ? "" : names_.value(op.b));
      }
      out_.add("const float {} = {};", names_.value(of), value);
    }
  }
  /// Of [row] alone, from memory.
  void row_results();
  // The loop.
  virtual void loop();
  void take_keys();
  /// The block's keys are those that some row of it is shown.
  void leave_out();
  /// What a condition adds to the key's part at most, or at least, over the block's rows.
  std::string besides_key(const Placed& placed, bool largest) const;
  /// Where in the index the first or the last of the block's rows may lie.
  std::string row_bound(int index, bool last) const;
  /// The inputs of rows and keys that these nodes take.
  std::vector<int> pairs_of(const std::vector<int>& users) const;
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

/// Several warps share 16 rows: their scores meet in a tile of floats.
class SharedRowsEmitter final : public AttentionEmitter {
 public:
  using AttentionEmitter::AttentionEmitter;

 private:
  void own_constants() override;
  void row_structures() override;
  void row_memory() override;
  void warp_places() override;
  void row_places_in_memory() override;
  std::string of_key() const override { return "_own[i]"; }
  std::string warp_rows() const override { return "16 / " + own("kBeside"); }
  std::string left_element(int left, const std::string& row, const std::string& column) const override {
    return fmt::format("mine.{}[{} % 16][{}]", id(left), row, column);
  }
  void take_rows() override;
  void begin_sums() override;
  void turn() override;
  void results() override;

  std::string scores(const std::string& share) const {
    return id(shape_.score) + (shape_.shares() > 1 ? "[" + share + "]" : "");
  }
  void multiply();
  void weigh();
  /// What these nodes read of this lane's row and its key number i.
  void read_pairs(const std::vector<int>& users);
  void add_values();
  void column_results();
};

/// A warp has rows of its own: their scores stay in its registers.
class OwnRowsEmitter : public AttentionEmitter {
 public:
  using AttentionEmitter::AttentionEmitter;

 protected:
  void own_constants() override;
  void row_structures() override {}
  void row_memory() override;
  void begin_rows() override;
  void fetch_pairs(Lines& lines) override;
  std::string of_key() const override { return "_own.at[j]"; }
  std::string warp_rows() const override { return "16 * " + own("kDown"); }
  std::string left_element(int left, const std::string& row, const std::string& column) const override {
    return fmt::format("{}[{}][{}]", memory(id(left)), row, column);
  }
  void take_rows() override;
  void begin_sums() override;
  void turn() override;
  void results() override;

  std::string scores() const { return id(shape_.score) + "_scores"; }
  std::string of_rows(int node) const { return id(node) + "_rows"; }
  /// "&t_memory->q[...][0], kTileD + kPad": of the warp's rows, and of a tile of the stage.
  std::string left_place(const AttentionShape::Product& of) const;
  std::string tile_place(int of) const;
  void multiply();
  void weigh();
  /// Goes through this lane's scores of a row, two neighbouring keys at a time: `nodes` of each, one after
  /// the other, from the value of `from`; the last one's takes its place. `shown`: masks on places hide none.
  void for_keys(int from, const std::vector<int>& nodes, bool shown);
  /// Once for turns of which all is shown, where that can be told.
  void for_keys(int from, const std::vector<int>& nodes);
  bool is_hidden(int node) const { return listed(shape_.hidden, node); }
  bool hides(int of) const { return is_hidden(node(of).a) || (node(of).b >= 0 && is_hidden(node(of).b)); }
  bool is_folded(int of) const { return listed(shape_.folded, of); }
  std::string steep() const { return shape_.folded.empty() ? "kLog2e" : "steep"; }
  /// "all_shown", of a turn: nothing where it cannot be told, or where there are no such masks.
  std::string all_shown() const;
  void column_results();
};

/// The same by groups of four warps.
class GroupRowsEmitter final : public OwnRowsEmitter {
 public:
  using OwnRowsEmitter::OwnRowsEmitter;

 private:
  void loop() override;
  void take_rows() override;
  // Functions of a turn's number, by which the loop calls them.
  void begin_scores();
  void weigh_scores();
  void add_values();
};

}  // namespace workbook::opt
