// Paths plain and product: loop nests over tiles in shared memory.
#include <algorithm>

#include "opt/emit_text.h"
#include "opt/text.h"

namespace workbook::opt {
namespace {

class TileEmitter {
 public:
  TileEmitter(const Program& program, const Plan& plan, const Launch& launch, const Kernel& kernel,
              int number)
      : program_(program),
        plan_(plan),
        graph_(plan.graph),
        launch_(launch),
        kernel_(kernel),
        number_(number),
        names_(program, plan),
        nested_(nests_of(program, plan, launch, kernel)),
        shapes_(shapes_of(plan.graph, program.output_set())),
        tiles_(tiles_of(kernel, real_extents(plan.graph))) {}

  std::string run() {
    for (int index = 0; index < static_cast<int>(graph_.indices.size()); ++index)
      if (is_cut(index))
        out_.add("constexpr int {} = {};  // of {} {}", tile_name(plan_, index, number_), tiles_[slot(index)],
                 names_.index(index),
                 kernel_.cuts[slot(index)].loop > 1 ? "in a turn of the loop" : "in a block");
    out_.add("constexpr int {} = {};", threads(), 32 * kernel_.warps);
    out_.raw("");
    out_.open(fmt::format("__global__ void {}({})", kernel_name(program_, plan_, number_),
                          parameters(program_, plan_, launch_)));
    body();
    out_.close();
    return out_.text();
  }

  std::string launch_lines() {
    Lines lines;
    lines.set_depth(1);
    lines.add("const dim3 grid{0}({1}, {2}, {3});", suffix(plan_, number_), blocks(0), blocks(1), blocks(2));
    std::string floats;
    for (std::size_t node = 0; node < nested_.layout.size(); ++node)
      if (nested_.is_shared[node]) floats += (floats.empty() ? "" : " + ") + elements(static_cast<int>(node));
    lines.add("const std::size_t bytes{} = sizeof(float) * ({});", suffix(plan_, number_),
              floats.empty() ? "0" : floats);
    const std::string name = kernel_name(program_, plan_, number_);
    lines.open(fmt::format("if (bytes{} > 48 * 1024)", suffix(plan_, number_)));
    lines.add(
        "const cudaError_t refused = cudaFuncSetAttribute({}, cudaFuncAttributeMaxDynamicSharedMemorySize,",
        name);
    lines.add("                                                 static_cast<int>(bytes{}));",
              suffix(plan_, number_));
    lines.add("if (refused != cudaSuccess) return refused;");
    lines.close();
    lines.add("{0}<<<grid{1}, {2}, bytes{1}, stream>>>({3});", name, suffix(plan_, number_), threads(),
              arguments(program_, plan_, launch_));
    return lines.text();
  }

 private:
  bool is_cut(int index) const { return launch_.is_cut(index); }
  std::string threads() const { return "kThreads" + suffix(plan_, number_); }
  std::string extent(int index) const {
    return is_cut(index) ? tile_name(plan_, index, number_) : names_.size(index);
  }
  /// An element's place in the tile.
  std::string inside(int index) const { return names_.index(index) + (is_cut(index) ? "_in" : ""); }
  std::string tile(int node) const { return names_.tensor(node) + "_tile"; }

  std::string blocks(int axis) const {
    const int index = index_of(axis);
    return index < 0 ? "1" : fmt::format("({0} + {1} - 1) / {1}", names_.size(index), extent(index));
  }
  /// The grid's x is the index with most blocks: only x may have more than 65535.
  int index_of(int axis) const { return slot(axis) < launch_.axes.size() ? launch_.axes[slot(axis)] : -1; }

  std::string row_of(const std::vector<std::uint8_t>& layout, std::size_t dim) const {
    const bool padded = dim + 1 == layout.size() && layout.size() > 1;
    return padded ? fmt::format("({} + 1)", extent(layout[dim])) : extent(layout[dim]);
  }
  std::string elements(int node) const {
    const auto& layout = nested_.layout[slot(node)];
    std::string text;
    for (std::size_t dim = 0; dim < layout.size(); ++dim)
      text += (dim == 0 ? "" : " * ") + row_of(layout, dim);
    return layout.empty() ? "1" : text;
  }
  std::string shared(int node) const {
    const auto& layout = nested_.layout[slot(node)];
    std::string text;
    for (std::size_t dim = 0; dim < layout.size(); ++dim)
      text = dim == 0 ? inside(layout[dim])
                      : fmt::format("{} * {} + {}", dim == 1 ? text : "(" + text + ")", row_of(layout, dim),
                                    inside(layout[dim]));
    return fmt::format("{}[{}]", tile(node), layout.empty() ? "0" : text);
  }

  std::string guard(IndexSet set) const {
    std::string text;
    for (const int index : members(set))
      if (is_cut(index))
        text += fmt::format("{}{} < {}", text.empty() ? "" : " && ", names_.index(index), names_.size(index));
    return text;
  }
  /// Elements of a tile that there are, along an index that is summed away.
  std::string count(int index) const {
    return is_cut(index)
               ? fmt::format("min({}, {} - {}_first)", extent(index), names_.size(index), names_.index(index))
               : names_.size(index);
  }

  void body() {
    std::string base = "shared_memory";
    bool any = false;
    for (std::size_t node = 0; node < nested_.layout.size(); ++node) {
      if (!nested_.is_shared[node]) continue;
      if (!any) out_.add("extern __shared__ float shared_memory[];");
      any = true;
      out_.add("float* const {} = {};", tile(static_cast<int>(node)), base);
      base = fmt::format("{} + {}", tile(static_cast<int>(node)), elements(static_cast<int>(node)));
    }
    for (int axis = 0; axis < kMostGridIndices; ++axis)
      if (const int index = index_of(axis); index >= 0)
        out_.add("const int {}_first = blockIdx.{} * {};", names_.index(index), "xyz"[axis], extent(index));
    const bool by_warps = std::any_of(nested_.nests.begin(), nested_.nests.end(),
                                      [](const Nest& nest) { return nest.kind == Nest::sum; });
    if (by_warps) out_.add("const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;");
    for (const Nest& nest : nested_.nests)
      if (nest.kind == Nest::product && nested_.in_registers[slot(nest.nodes.front())] &&
          !is_in_loop(nest.nodes.front()))
        out_.add("float {}[{}] = {{}};  // the thread's elements", sums(nest.nodes.front()), items(nest));
    for (int stage = kBefore; stage <= kLast; ++stage) {
      std::vector<const Nest*> nests;
      for (const Nest& nest : nested_.nests)
        if (nest.stage == stage) nests.push_back(&nest);
      if (nests.empty()) continue;
      if (stage % 2 == 0) {
        stage_lines(nests, stage == kLast || !later(stage));
        continue;
      }
      clear(nests);
      const std::string name = names_.index(launch_.loop);
      out_.open(fmt::format("for (int {0}_first = 0; {0}_first < {1}; {0}_first += {2})", name,
                            names_.size(launch_.loop), extent(launch_.loop)));
      stage_lines(nests, false);
      out_.close();
    }
  }
  bool later(int stage) const {
    return std::any_of(nested_.nests.begin(), nested_.nests.end(),
                       [&](const Nest& nest) { return nest.stage > stage; });
  }
  bool is_in_loop(int node) const { return launch_.stages[slot(node)] % 2 == 1; }
  std::string sums(int node) const { return names_.value(node) + "s"; }

  /// Sums that a loop adds to begin at 0.
  void clear(const std::vector<const Nest*>& nests) {
    bool any = false;
    for (const Nest* nest : nests)
      for (const int node : nest->nodes)
        if (launch_.accumulates(graph_, node) && !nested_.in_registers[slot(node)]) {
          out_.add("for (int i = threadIdx.x; i < {}; i += {}) {}[i] = {};", elements(node), threads(),
                   tile(node), graph_.nodes[slot(node)].op == Op::max ? "-INFINITY" : "0.0f");
          any = true;
        }
    if (any) out_.add("__syncthreads();");
  }

  void stage_lines(const std::vector<const Nest*>& nests, bool last_stage) {
    int level = nests.front()->level;
    for (std::size_t n = 0; n < nests.size(); ++n) {
      if (nests[n]->level != level) {
        out_.add("__syncthreads();");
        level = nests[n]->level;
      }
      emit_nest(*nests[n]);
    }
    if (!last_stage) out_.add("__syncthreads();");
  }

  void emit_nest(const Nest& nest) {
    for (const int node : nest.nodes) out_.add("// {} = {}", names_.tensor(node), node_text(graph_, node));
    if (nest.nodes.empty() && !nest.loads.empty())
      out_.add("// a tile of {}", names_.tensor(nest.loads.front()));
    if (nest.kind == Nest::sum)
      sum_lines(nest);
    else if (nest.kind == Nest::product)
      product_lines(nest);
    else
      group_lines(nest);
  }

  std::string size_text(const Nest& nest) const {
    std::string text;
    for (const std::uint8_t index : nest.order) text += (text.empty() ? "" : " * ") + extent(index);
    return nest.order.empty() ? "1" : text;
  }
  std::string items(const Nest& nest) const { return fmt::format("{} / {}", size_text(nest), threads()); }
  bool by_items(const Nest& nest) const {
    if (nest.kind == Nest::product) return nested_.in_registers[slot(nest.nodes.front())];
    for (const int node : used_registers(nest)) {
      (void)node;
      return true;
    }
    return false;
  }
  /// Products in registers that a group reads.
  std::vector<int> used_registers(const Nest& nest) const {
    std::vector<int> found;
    const auto note = [&](int node) {
      if (node >= 0 && nested_.in_registers[slot(node)] && !listed(found, node)) found.push_back(node);
    };
    for (const int node : nest.nodes) note(graph_.nodes[slot(node)].a), note(graph_.nodes[slot(node)].b);
    for (const int node : nest.stores) note(node);
    return found;
  }

  /// Declarations of the coordinates that `lines` name, then these.
  void with_coordinates(const Nest& nest, const Lines& lines) {
    const std::string& text = lines.text();
    std::string rest;
    std::vector<std::string> declared;
    for (std::size_t dim = nest.order.size(); dim-- > 0;) {
      const int index = nest.order[dim];
      std::string place =
          rest.empty() ? "i" : "i / " + (rest.find('*') == std::string::npos ? rest : "(" + rest + ")");
      if (dim > 0) place += " % " + extent(index);
      rest = extent(index) + (rest.empty() ? "" : " * " + rest);
      const std::string name = names_.index(index);
      const bool global = has_word(text, name);
      if (is_cut(index) && global)
        declared.push_back(fmt::format("const int {0} = {0}_first + {0}_in;", name));
      if ((is_cut(index) && global) || has_word(text, inside(index)))
        declared.push_back(fmt::format("const int {} = {};", inside(index), place));
    }
    for (auto line = declared.rbegin(); line != declared.rend(); ++line) out_.add("{}", *line);
    out_.append(text);
  }

  void group_lines(const Nest& nest) {
    const bool items_loop = by_items(nest);
    if (items_loop) {
      out_.raw("#pragma unroll");
      out_.open(fmt::format("for (int j = 0; j < {}; ++j)", items(nest)));
      out_.add("const int i = threadIdx.x + j * {};", threads());
    } else {
      out_.open(fmt::format("for (int i = threadIdx.x; i < {}; i += {})", size_text(nest), threads()));
    }
    Lines lines;
    lines.set_depth(out_.depth());
    for (const int node : nest.loads) load_line(lines, node);
    const auto operand = [&](int node) -> std::string {
      if (is_constant(plan_, node) || listed(nest.nodes, node) || listed(nest.loads, node))
        return names_.value(node);
      if (nested_.in_registers[slot(node)]) return sums(node) + "[j]";
      return shared(node);
    };
    for (const int node : nest.nodes) {
      const Node& op = graph_.nodes[slot(node)];
      lines.add("const float {} = {};", names_.value(node),
                names_.expression(node, operand(op.a), op.b < 0 ? "" : operand(op.b)));
    }
    for (const int node : nest.stages_shared) lines.add("{} = {};", shared(node), operand(node));
    for (const int node : nest.stores) store_line(lines, node, operand(node));
    with_coordinates(nest, lines);
    out_.close();
  }
  void load_line(Lines& lines, int node) {
    const std::string condition = guard(shapes_[slot(node)]);
    const std::string value = fmt::format("to_float({})", names_.element(node));
    lines.add("const float {} = {};", names_.value(node),
              condition.empty() ? value : fmt::format("{} ? {} : 0.0f", condition, value));
  }
  void store_line(Lines& lines, int node, const std::string& value) {
    std::string condition = guard(shapes_[slot(node)]);
    for (int axis = 0; axis < kMostGridIndices; ++axis)  // blocks that compute the same
      if (const int index = index_of(axis); index >= 0 && !has(shapes_[slot(node)], index))
        condition += fmt::format("{}blockIdx.{} == 0", condition.empty() ? "" : " && ", "xyz"[axis]);
    lines.add("{}{} = from_float<{}>({});", condition.empty() ? "" : "if (" + condition + ") ",
              names_.element(node), Names::type(storage_of(program_, plan_, node)), value);
  }

  void sum_lines(const Nest& nest) {
    const int node = nest.nodes.front();
    const Node& op = graph_.nodes[slot(node)];
    const bool max = op.op == Op::max, adds = launch_.accumulates(graph_, node);
    out_.open(fmt::format("for (int i = warp; i < {}; i += {} / 32)", size_text(nest), threads()));
    Lines lines;
    lines.set_depth(out_.depth());
    lines.add("float sum = {};", max ? "-INFINITY" : "0.0f");
    lines.add("const int count = {};", count(op.over));
    const std::string step = fmt::format("for (int {0} = lane; {0} < count; {0} += 32) ", inside(op.over));
    lines.add("{}{};", step,
              max ? fmt::format("sum = fmaxf(sum, {})", shared(op.a)) : "sum += " + shared(op.a));
    lines.add("sum = {}(sum);", max ? "warp_max" : "warp_sum");
    const std::string result = shared(node);
    lines.add("if (lane == 0) {} = {};", result,
              !adds ? "sum"
              : max ? fmt::format("fmaxf({}, sum)", result)
                    : result + " + sum");
    with_coordinates(nest, lines);
    out_.close();
  }

  void product_lines(const Nest& nest) {
    const int node = nest.nodes.front();
    const Node& op = graph_.nodes[slot(node)];
    const std::string k = inside(op.over);
    const bool adds = launch_.accumulates(graph_, node);
    if (!by_items(nest)) {
      out_.open(fmt::format("for (int i = threadIdx.x; i < {}; i += {})", size_text(nest), threads()));
      Lines lines;
      lines.set_depth(out_.depth());
      lines.add("float sum = {};", adds ? shared(node) : "0.0f");
      lines.add("const int count = {};", count(op.over));
      lines.add("for (int {0} = 0; {0} < count; ++{0}) sum += {1} * {2};", k, shared(op.a), shared(op.b));
      lines.add("{} = sum;", shared(node));
      with_coordinates(nest, lines);
      out_.close();
      return;
    }
    // A thread's elements lie in one column of the tile: what varies along the lanes is read once for all.
    const int last = nest.order.back();
    const bool a_has = has(shapes_[slot(op.a)], last), b_has = has(shapes_[slot(op.b)], last);
    const int column = b_has && !a_has && alone(op.b, op.over, last)   ? op.b
                       : a_has && !b_has && alone(op.a, op.over, last) ? op.a
                                                                       : -1;
    if (is_in_loop(node)) out_.add("float {}[{}] = {{}};", sums(node), items(nest));
    out_.open("");
    out_.add("const int count = {};", count(op.over));
    if (column >= 0) out_.add("const int {} = threadIdx.x % {};", inside(last), extent(last));
    out_.open(fmt::format("for (int {0} = 0; {0} < count; ++{0})", k));
    if (column >= 0) out_.add("const float factor = {};", shared(column));
    out_.raw("#pragma unroll");
    out_.open(fmt::format("for (int j = 0; j < {}; ++j)", items(nest)));
    Lines lines;
    lines.set_depth(out_.depth());
    const int other = column == op.a ? op.b : op.a;
    lines.add("{}[j] += {} * {};", sums(node), shared(other), column >= 0 ? "factor" : shared(op.b));
    out_.add("const int i = threadIdx.x + j * {};", threads());
    with_coordinates(nest, lines);
    out_.close();
    out_.close();
    out_.close();
  }
  bool alone(int node, int over, int last) const { return shapes_[slot(node)] == (only(over) | only(last)); }

  const Program& program_;
  const Plan& plan_;
  const Graph& graph_;
  const Launch& launch_;
  const Kernel& kernel_;
  int number_;
  Names names_;
  Nested nested_;
  std::vector<IndexSet> shapes_;
  Extents tiles_;
  Lines out_;
};

}  // namespace

std::string emit_tiles(const Program& program, const Plan& plan, const Launch& launch, const Kernel& kernel,
                       int number) {
  return TileEmitter(program, plan, launch, kernel, number).run();
}
std::string launch_tiles(const Program& program, const Plan& plan, const Launch& launch, const Kernel& kernel,
                         int number) {
  return TileEmitter(program, plan, launch, kernel, number).launch_lines();
}

}  // namespace workbook::opt
