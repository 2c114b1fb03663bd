// Path window as text.
#include "optimizer/forms/window/shape.h"
#include "optimizer/launch/text.h"

namespace workbook::opt {
namespace {

class WindowEmitter final : public LaunchEmitter {
 public:
  WindowEmitter(const Program& program, const Plan& plan, const std::vector<Launch>& launches, int number)
      : LaunchEmitter(program, plan, launches, number),
        shape_(*window_shape(program, plan, launch_, kernel_)) {}

  std::string kernel() override {
    if (packs()) use("packs");
    out_.add("constexpr int {} = {};", threads(), shape_.threads);
    if (packs()) out_.add("constexpr int {} = {};  // neighbours that a thread has", vector(), shape_.vector);
    if (rows()) out_.add("constexpr int {} = {};  // rows of these", down(), shape_.down);
    out_.raw("");
    open_kernel(true);
    coordinates();
    scope(shape_.scope);
    for (const int node : launch_.writes) store(node);
    out_.close();
    return out_.text();
  }

  std::string launch_lines() override {
    Lines lines;
    lines.set_depth(1);
    std::string items = names_.size(shape_.lane);
    if (packs()) items = in_parts(items, vector());
    for (const int index : shape_.rows) items += " * " + size_of_rows(index);
    lines.add("{}", launch_line(fmt::format("({0} + {1} - 1) / {1}", items, threads()), threads()));
    return lines.text();
  }

 private:
  bool packs() const { return shape_.vector > 1; }
  bool rows() const { return shape_.down > 1; }
  std::string vector() const { return own("kVector"); }
  std::string down() const { return own("kDown"); }
  std::string lane() const { return names_.index(shape_.lane); }
  std::string from() const { return packs() ? lane() + "_from" : lane(); }
  std::string below() const { return names_.index(shape_.below); }
  static std::string in_parts(const std::string& size, const std::string& part) {
    return fmt::format("(({} - 1) / {} + 1)", size, part);
  }
  std::string size_of_rows(int index) const {
    return index == shape_.below ? in_parts(names_.size(index), down()) : names_.size(index);
  }
  /// It has a value for each of the neighbours, or of the rows.
  bool wide(int node) const { return packs() && has_index(node, shape_.lane); }
  bool tall(int node) const { return rows() && has_index(node, shape_.below); }
  bool has_index(int node, int index) const {
    return !is_constant(plan_, node) && has(shapes_[slot(node)], index);
  }
  std::string all(int node) const { return names_.value(node) + (wide(node) || tall(node) ? "s" : ""); }
  std::string value(int node) const {
    return all(node) + (tall(node) ? "[at]" : "") + (wide(node) ? "[each]" : "");
  }
  std::string declared(int node) const {
    return fmt::format("float {}{}{}", all(node), tall(node) ? "[" + down() + "]" : "",
                       wide(node) ? "[" + vector() + "]" : "");
  }

  void coordinates() {
    out_.add("const int item = blockIdx.x * {} + threadIdx.x;", threads());
    std::string count = names_.size(shape_.lane), all_rows;
    if (packs()) {
      out_.add("const int packs = {};  // of a row", in_parts(count, vector()));
      count = "packs";
    }
    out_.add("[[maybe_unused]] const int row = item / {};", count);
    for (const int index : shape_.rows) all_rows += (all_rows.empty() ? "" : " * ") + size_of_rows(index);
    out_.add("if (row >= {}) return;", all_rows.empty() ? "1" : all_rows);
    out_.add("const int {} = item % {}{};", from(), count, packs() ? " * " + vector() : "");
    if (!rows()) return declare_places(shape_.rows, "row", false);
    std::string rest = "row";
    for (std::size_t at = shape_.rows.size(); at-- > 0;) {
      const int index = shape_.rows[at];
      const std::string place = at == 0 ? rest : rest + " % " + size_of_rows(index);
      if (index == shape_.below)
        out_.add("const int {}_from = {} * {};", below(), place, down());
      else
        out_.add("[[maybe_unused]] const int {} = {};", names_.index(index), place);
      rest += " / " + size_of_rows(index);
    }
  }

  /// Loops over what a node has of rows and neighbours; the lines between, and their ends.
  template <class Body>
  void for_all(bool of_rows, bool of_neighbours, Body body) {
    if (of_rows) {
      out_.raw("#pragma unroll");
      out_.open(fmt::format("for (int at = 0; at < {}; ++at)", down()));
    }
    if (of_neighbours) {
      out_.raw("#pragma unroll");
      out_.open(fmt::format("for (int each = 0; each < {}; ++each)", vector()));
    }
    body();
    if (of_neighbours) out_.close();
    if (of_rows) out_.close();
  }
  void place_of_row() {
    out_.add("[[maybe_unused]] const int {0} = min({0}_from + at, {1} - 1);", below(),
             names_.size(shape_.below));
  }

  void load(int node) {
    if (!wide(node) && !tall(node)) return out_.add("const float {} = {};", names_.value(node), read(node));
    const bool in_packs = wide(node) && shape_.in_packs(plan_, node, dims_of(program_, plan_, node));
    out_.add("{};", declared(node));
    for_all(tall(node), false, [&] {
      if (tall(node)) place_of_row();
      if (in_packs) return load_pack(node);
      for_all(false, wide(node), [&] {
        if (wide(node))
          out_.add("[[maybe_unused]] const int {} = min({} + each, {} - 1);", lane(), from(),
                   names_.size(shape_.lane));
        out_.add("{} = {};", value(node), read(node));
      });
    });
  }
  void load_pack(int node) {
    const std::string values = all(node) + (tall(node) ? "[at]" : "");
    if (is_view(plan_, node)) {
      const auto of = *names_.viewed_row(node, shape_.lane);
      return out_.add("load_pack_at<{}>({}, {}, {} + {}, {});", vector(), values, of.start, from(), of.shift,
                      of.length);
    }
    const std::string pack = names_.tensor(node) + "_pack";
    out_.add("const auto {} = pack_of<{}>({}, {}, {});", pack, vector(), row_start(node), from(),
             names_.size(shape_.lane));
    for_all(false, true, [&] { out_.add("{} = {}.at(each);", value(node), pack); });
  }

  void scope(const WindowScope& of) {
    for (const int node : of.reads) load(node);
    std::size_t loop = 0;
    for (const int node : of.nodes) {
      comment(node);
      if (graph_.nodes[slot(node)].over >= 0)
        loop_over(of.loops[loop++]);
      else
        compute(node);
    }
  }
  void compute(int node) {
    const Node& op = graph_.nodes[slot(node)];
    const std::string text = names_.expression(node, value(op.a), op.b < 0 ? "" : value(op.b),
                                               op.b >= 0 && !wide(op.b) && !tall(op.b));
    if (!wide(node) && !tall(node)) return out_.add("const float {} = {};", names_.value(node), text);
    out_.add("{};", declared(node));
    for_all(tall(node), wide(node), [&] { out_.add("{} = {};", value(node), text); });
  }
  void loop_over(const WindowScope& loop) {
    const Node& op = graph_.nodes[slot(loop.node)];
    const bool max = op.op == Op::max;
    const std::string index = names_.index(op.over);
    const char* const none = max ? "-INFINITY" : "0.0f";
    const bool array = wide(loop.node) || tall(loop.node);
    out_.add("{}{};", declared(loop.node), array ? std::string() : std::string(" = ") + none);
    if (array)
      for_all(tall(loop.node), wide(loop.node), [&] { out_.add("{} = {};", value(loop.node), none); });
    out_.raw("#pragma unroll 4");
    out_.open(fmt::format("for (int {0} = 0; {0} < {1}; ++{0})", index, names_.size(op.over)));
    scope(loop);
    const std::string term = op.op == Op::matmul ? value(op.a) + " * " + value(op.b) : value(op.a);
    for_all(tall(loop.node), wide(loop.node), [&] {
      if (max)
        out_.add("{0} = fmaxf({0}, {1});", value(loop.node), term);
      else
        out_.add("{} += {};", value(loop.node), term);
    });
    out_.close();
  }

  void store(int node) {
    for_all(rows(), false, [&] {
      if (rows()) {
        out_.add("if ({}_from + at >= {}) break;", below(), names_.size(shape_.below));
        place_of_row();
      }
      if (packs())
        out_.add("store_pack<{}>({}, {}, {}, {}{});", vector(), row_start(node), from(),
                 names_.size(shape_.lane), all(node), rows() ? "[at]" : "");
      else
        out_.add("{} = from_float<{}>({});", names_.element(node),
                 Names::type(storage_of(program_, plan_, node)), value(node));
    });
  }

  WindowShape shape_;
};

}  // namespace

std::unique_ptr<LaunchEmitter> window_emitter(const Program& program, const Plan& plan,
                                              const std::vector<Launch>& launches, int number) {
  return std::make_unique<WindowEmitter>(program, plan, launches, number);
}

}  // namespace workbook::opt
