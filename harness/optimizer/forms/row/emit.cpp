// Path row as text.
#include <algorithm>
#include <map>

#include "optimizer/forms/row/shape.h"
#include "optimizer/language/text.h"
#include "optimizer/launch/text.h"

namespace workbook::opt {
namespace {

class RowEmitter final : public LaunchEmitter {
 public:
  RowEmitter(const Program& program, const Plan& plan, const std::vector<Launch>& launches, int number)
      : LaunchEmitter(program, plan, launches, number), row_(*row_shape(program, plan, launch_, kernel_)) {}

  std::string kernel() override {
    use("rows");
    if (beside()) use("row_of_warp");
    out_.add("constexpr int {} = {};  // a {}, which takes a {}", threads(), row_.threads,
             beside() ? "warp" : "block", row_.in_pieces ? "piece of a row" : "row");
    if (beside()) out_.add("constexpr int {} = {};  // of a block", own("kRowsBeside"), kernel_.beside);
    out_.add("constexpr int {} = {};  // elements of one load", own("kVector"), row_.vector);
    out_.add("constexpr int {} = {} * {};  // of a row, a thread", own("kElements"), row_.packs,
             own("kVector"));
    out_.raw("");
    open_kernel(false);
    coordinates();
    declare_parts();
    for (const int node : launch_.reads)
      if (is_operand(node)) load(node);
    phases();
    out_.close();
    return out_.text();
  }

  std::string launch_lines() override {
    Lines lines;
    lines.set_depth(1);
    std::string rows = names_.sizes(row_.rows);
    if (!row_.in_pieces)
      lines.add("if ({} > {} * {}) return cudaErrorInvalidValue;", names_.size(row_.index), threads(),
                own("kElements"));
    if (row_.in_pieces) rows = (rows.empty() ? "" : rows + " * ") + pieces();
    if (rows.empty()) rows = "1";
    std::string block = threads();
    if (beside()) {
      rows = fmt::format("({} + {} - 1) / {}", rows, own("kRowsBeside"), own("kRowsBeside"));
      block += " * " + own("kRowsBeside");
    }
    lines.add("{}", launch_line(rows, block));
    return lines.text();
  }

 private:
  bool wide(int node) const { return has(shapes_[slot(node)], row_.index); }
  std::string row(int node) const { return names_.value(node) + "s"; }
  std::string constants() const { return threads() + ", " + own("kVector"); }
  std::string pieces() const {
    return fmt::format("(({0} - 1) / ({1} * {2}) + 1)", names_.size(row_.index), threads(), own("kElements"));
  }
  std::string first() const { return names_.index(row_.index) + "_first"; }
  /// Elements from where a block begins to the row's end.
  std::string left() const {
    return row_.in_pieces ? fmt::format("{} - {}", names_.size(row_.index), first())
                          : names_.size(row_.index);
  }

  bool beside() const { return kernel_.beside > 1; }
  std::string first_thread() const {
    return beside() ? "threadIdx.x % " + threads() + " == 0" : "threadIdx.x == 0";
  }

  void coordinates() {
    const std::string block = beside() || row_.in_pieces ? "row" : "blockIdx.x";
    if (row_.in_pieces) {
      out_.add("const int pieces = {};", pieces());
      out_.add("const int {} = static_cast<int>(blockIdx.x) % pieces * {} * {};", first(), threads(),
               own("kElements"));
      if (!row_.rows.empty()) out_.add("const int row = blockIdx.x / pieces;");
    }
    if (beside()) {
      const std::string rows = names_.sizes(row_.rows);
      out_.add("const int row = blockIdx.x * {} + threadIdx.x / {};", own("kRowsBeside"), threads());
      out_.add("if (row >= {}) return;", rows.empty() ? "1" : rows);
    }
    declare_places(row_.rows, block, true);
  }
  /// Where the row of a wide tensor begins, or the block's piece of it.
  std::string begin(int node) const {
    return row_.in_pieces ? row_start(node) + " + " + first() : row_start(node);
  }
  void load(int node) {
    if (is_constant(plan_, node)) return;
    if (!wide(node)) return out_.add("const float {} = {};", names_.value(node), read(node, true));
    out_.add("float {}[{}];", row(node), own("kElements"));
    if (is_view(plan_, node))
      if (const auto of = names_.viewed_row(node, row_.index))
        return out_.add("load_row_at<{}>({}, {}, {}, {}, {});", constants(), row(node), of->start,
                        row_.in_pieces ? of->shift + " + " + first() : of->shift, of->length, left());
    if (is_made(plan_, node)) {
      const std::string place = names_.index(row_.index);
      out_.raw("#pragma unroll");
      out_.open(fmt::format("for (int i = 0; i < {}; ++i)", own("kElements")));  // no tensor is called i
      out_.add("const int {} = {}place_of<{}>(i);", place, row_.in_pieces ? first() + " + " : "",
               constants());
      out_.add("{}[i] = {} < {} ? {} : 0.0f;", row(node), place, names_.size(row_.index),
               LaunchEmitter::read(node));
      return out_.close();
    }
    const Parts& parts = launch_.parts[slot(node)];
    const std::string size = left();
    if (parts.launch < 0)
      return out_.add("load_row<{}>({}, {}, {});", constants(), row(node), begin(node), size);
    use("row_parts");
    if (parts.maximum < 0)
      return out_.add("load_row_of_parts<{}>({}, {}, {}, {}, {});", constants(), row(node), begin(node),
                      stride_of(node), parts_of(node), size);
    const int most = parts.maximum;
    out_.add("join_row_of_parts<{}>({}, {}, {}, {} + {}, {}, {}, {});", constants(), row(node), begin(node),
             stride_of(node), names_.tensor(most), names_.offset(dims_of(program_, plan_, most)),
             stride_of(most), parts_of(node), size);
  }

  /// Maxima that only say how parts are joined are none.
  bool is_operand(int node) const {
    for (const int user : node_list(kernel_.nodes))
      if (listed(operands(user), node)) return true;
    return false;
  }

  /// A phase ends where a sum over the row has to be known.
  void phases() {
    const std::vector<int> nodes = node_list(kernel_.nodes);
    std::map<int, int> phase;
    int last = 0;
    for (const int node : nodes) {
      int own = 0;
      for (const int operand : operands(node)) {
        const auto found = phase.find(operand);
        if (found != phase.end()) own = std::max(own, found->second);
      }
      if (graph_.nodes[slot(node)].over >= 0) ++own;
      phase[node] = own;
      last = std::max(last, own);
    }
    for (int at = 0; at <= last; ++at) {
      std::vector<int> elementwise;
      for (const int node : nodes) {
        if (phase[node] != at) continue;
        const Node& op = graph_.nodes[slot(node)];
        if (op.over >= 0)
          reduce(node);
        else if (!wide(node))
          scalar(node);
        else
          elementwise.push_back(node);
      }
      sweep(elementwise, [&](int node) {
        if (listed(launch_.writes, node)) return true;
        for (const int user : nodes)
          if (listed(operands(user), node) && (phase[user] != at || graph_.nodes[slot(user)].over >= 0))
            return true;
        return false;
      });
    }
  }
  std::string operand(int node, const std::vector<int>& fresh) const {
    if (is_constant(plan_, node) || !wide(node) || listed(fresh, node)) return names_.value(node);
    return row(node) + "[e]";
  }
  void scalar(int node) {
    const Node& op = graph_.nodes[slot(node)];
    comment(node);
    out_.add("const float {} = {};", names_.value(node),
             names_.expression(node, operand(op.a, {}), op.b < 0 ? "" : operand(op.b, {})));
    write_scalar(node);
  }
  void write_scalar(int node) {
    if (!listed(launch_.writes, node)) return;
    out_.add("if ({}) {} = from_float<{}>({});", first_thread(), names_.element(node),
             Names::type(storage_of(program_, plan_, node)), names_.value(node));
  }
  void reduce(int node) {
    const Node& op = graph_.nodes[slot(node)];
    const bool max = op.op == Op::max;
    use(max ? "block_max" : "block_sum");
    comment(node);
    out_.add("float {}_part = {};", names_.value(node), max ? "-INFINITY" : "0.0f");
    out_.raw("#pragma unroll");
    out_.open(fmt::format("for (int e = 0; e < {}; ++e)", own("kElements")));
    out_.add("if (place_of<{}>(e) < {}) {};", constants(), names_.size(row_.index),
             max ? fmt::format("{0}_part = fmaxf({0}_part, {1}[e])", names_.value(node), row(op.a))
                 : fmt::format("{}_part += {}[e]", names_.value(node), row(op.a)));
    out_.close();
    out_.add("const float {0} = {1}<{2}>({0}_part);", names_.value(node), max ? "block_max" : "block_sum",
             threads());
    write_scalar(node);
  }
  template <class Kept>
  void sweep(const std::vector<int>& nodes, Kept kept) {
    if (nodes.empty()) return;
    for (const int node : nodes) {
      comment(node);
      if (kept(node)) out_.add("float {}[{}];", row(node), own("kElements"));
    }
    out_.raw("#pragma unroll");
    out_.open(fmt::format("for (int e = 0; e < {}; ++e)", own("kElements")));
    std::vector<int> fresh;
    for (const int node : nodes) {
      const Node& op = graph_.nodes[slot(node)];
      out_.add("const float {} = {};", names_.value(node),
               names_.expression(node, operand(op.a, fresh), op.b < 0 ? "" : operand(op.b, fresh),
                                 op.b >= 0 && !wide(op.b)));
      fresh.push_back(node);
      if (kept(node)) out_.add("{}[e] = {};", row(node), names_.value(node));
    }
    out_.close();
    for (const int node : nodes)
      if (listed(launch_.writes, node))
        out_.add("store_row<{}>({}, {}, {});", constants(), begin(node), row(node), left());
  }

  RowShape row_;
};

}  // namespace

std::unique_ptr<LaunchEmitter> row_emitter(const Program& program, const Plan& plan,
                                           const std::vector<Launch>& launches, int number) {
  return std::make_unique<RowEmitter>(program, plan, launches, number);
}

}  // namespace workbook::opt
