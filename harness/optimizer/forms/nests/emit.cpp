#include "optimizer/forms/nests/emit.h"

#include <algorithm>

namespace workbook::opt {

NestEmitter::NestEmitter(const Program& program, const Plan& plan, const std::vector<Launch>& launches,
                         int number)
    : LaunchEmitter(program, plan, launches, number),
      nested_(nests_of(program, plan, launch_, kernel_)),
      tiles_(tiles_of(kernel_, real_extents(plan.graph))) {}

std::string NestEmitter::extent(int index) const {
  return is_cut(index) ? tile_name(plan_, index, number_) : names_.size(index);
}
std::string NestEmitter::inside(int index) const {
  return names_.index(index) + (is_cut(index) ? "_in" : "");
}

std::string NestEmitter::row_of(const std::vector<std::uint8_t>& layout, std::size_t dim) const {
  const bool padded = dim + 1 == layout.size() && layout.size() > 1;
  return padded ? fmt::format("({} + 1)", extent(layout[dim])) : extent(layout[dim]);
}
std::string NestEmitter::elements(int node) const {
  const auto& layout = nested_.layout[slot(node)];
  std::string text;
  for (std::size_t dim = 0; dim < layout.size(); ++dim) text += (dim == 0 ? "" : " * ") + row_of(layout, dim);
  return layout.empty() ? "1" : text;
}
std::string NestEmitter::place(int node) const {
  const auto& layout = nested_.layout[slot(node)];
  std::string text;
  for (std::size_t dim = 0; dim < layout.size(); ++dim)
    text = dim == 0 ? inside(layout[dim])
                    : fmt::format("{} * {} + {}", dim == 1 ? text : "(" + text + ")", row_of(layout, dim),
                                  inside(layout[dim]));
  return layout.empty() ? "0" : text;
}
std::string NestEmitter::rescaled(int node) const {
  if (!launch_.is_rescaled(node)) return "";
  return fmt::format(" * {}[{}]", rescale(launch_.running), place(launch_.running));
}

std::string NestEmitter::guard(IndexSet set) const {
  std::string text;
  for (const int index : members(set))
    if (is_cut(index))
      text += fmt::format("{}{} < {}", text.empty() ? "" : " && ", names_.index(index), names_.size(index));
  return text;
}
/// Elements of a tile that there are, along an index that is summed away.
std::string NestEmitter::count(int index) const {
  return is_cut(index) && !is_held(index)
             ? fmt::format("min({}, {} - {}_first)", extent(index), names_.size(index), names_.index(index))
             : names_.size(index);
}

void NestEmitter::emit_nest(const Nest& nest) {
  if (nest.folded >= 0) comment(nest.folded);
  for (const int node : nest.nodes) comment(node);
  if (nest.nodes.empty() && !nest.loads.empty())
    out_.add("// a tile of {}", names_.tensor(nest.loads.front()));
  if (nest.kind == Nest::sum)
    sum_lines(nest);
  else if (nest.kind == Nest::product)
    product_lines(nest);
  else
    group_lines(nest);
}

std::string NestEmitter::size_text(const Nest& nest) const {
  std::string text;
  for (const std::uint8_t index : nest.order) text += (text.empty() ? "" : " * ") + extent(index);
  return nest.order.empty() ? "1" : text;
}
std::string NestEmitter::items(const Nest& nest) const {
  return fmt::format("{} / {}", size_text(nest), threads());
}
bool NestEmitter::by_items(const Nest& nest) const {
  if (nest.kind == Nest::product) return nested_.in_registers[slot(nest.nodes.front())];
  return !used_registers(nest).empty();
}
/// Products in registers that a group reads.
std::vector<int> NestEmitter::used_registers(const Nest& nest) const {
  std::vector<int> found;
  const auto note = [&](int node) {
    if (node >= 0 && nested_.in_registers[slot(node)] && !listed(found, node)) found.push_back(node);
  };
  for (const int node : nest.nodes) note(graph_.nodes[slot(node)].a), note(graph_.nodes[slot(node)].b);
  for (const int node : nest.stores) note(node);
  return found;
}

/// Declarations of the coordinates that `lines` name, then these.
void NestEmitter::with_coordinates(const Nest& nest, const Lines& lines) {
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
      declared.push_back(is_held(index) ? fmt::format("const int {0} = {0}_in;", name)
                                        : fmt::format("const int {0} = {0}_first + {0}_in;", name));
    if ((is_cut(index) && global) || has_word(text, inside(index)))
      declared.push_back(fmt::format("const int {} = {};", inside(index), place));
  }
  for (auto line = declared.rbegin(); line != declared.rend(); ++line) out_.add("{}", *line);
  out_.append(text);
}

void NestEmitter::group_lines(const Nest& nest) {
  if (by_items(nest)) {
    open_items(nest, used_registers(nest).front());
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
void NestEmitter::load_line(Lines& lines, int node) const {
  const std::string condition = guard(shapes_[slot(node)]);
  lines.add("const float {} = {};", names_.value(node),
            condition.empty() ? read(node) : fmt::format("{} ? {} : 0.0f", condition, read(node)));
}
void NestEmitter::store_line(Lines& lines, int node, const std::string& value) const {
  std::string condition = guard(shapes_[slot(node)]);
  for (int axis = 0; axis < kMostGridIndices; ++axis)  // blocks that compute the same
    if (const int index = index_of(axis); index >= 0 && !has(shapes_[slot(node)], index))
      if (index != launch_.split || !launch_.is_split(graph_, node))
        condition += fmt::format("{}blockIdx.{} == 0", condition.empty() ? "" : " && ", "xyz"[axis]);
  lines.add("{}{} = from_float<{}>({});", condition.empty() ? "" : "if (" + condition + ") ", written(node),
            Names::type(storage_of(program_, plan_, node)), value);
}

void NestEmitter::sum_lines(const Nest& nest) {
  const int node = nest.nodes.front();
  const Node& op = graph_.nodes[slot(node)];
  const bool max = op.op == Op::max, adds = launch_.accumulates(graph_, node);
  out_.open(fmt::format("for (int i = warp; i < {}; i += {} / 32)", size_text(nest), threads()));
  Lines lines;
  lines.set_depth(out_.depth());
  lines.add("float sum = {};", max ? "-INFINITY" : "0.0f");
  lines.add("const int count = {};", count(op.over));
  const std::string step = fmt::format("for (int {0} = lane; {0} < count; {0} += 32)", inside(op.over));
  const auto add = [&](const std::string& term) {
    return max ? fmt::format("sum = fmaxf(sum, {});", term) : fmt::format("sum += {};", term);
  };
  if (nest.folded < 0) {
    lines.add("{} {}", step, add(shared(op.a)));
  } else {
    const Node& term = graph_.nodes[slot(nest.folded)];
    const int from = is_constant(plan_, term.a) ? term.b : term.a;
    const auto text = [&](int of) { return of < 0 ? "" : names_.value(of); };
    lines.open(step);
    lines.add("const float {} = {};", names_.value(from), shared(from));
    lines.add("{}", add(names_.expression(nest.folded, text(term.a), text(term.b))));
    lines.close();
  }
  use("warp_sums");
  lines.add("sum = {}(sum);", max ? "warp_max" : "warp_sum");
  const std::string result = shared(node);
  if (node == nested_.rescale) {
    lines.open("if (lane == 0)");
    lines.add("const float most = fmaxf({}, sum);", result);
    lines.add("{}[{}] = expf({} - most);  // of what is added up so far; 0 in the first turn", rescale(node),
              place(node), result);
    lines.add("{} = most;", result);
    lines.close();
  } else {
    lines.add("if (lane == 0) {} = {};", result,
              !adds ? "sum"
              : max ? fmt::format("fmaxf({}, sum)", result)
                    : result + rescaled(node) + " + sum");
  }
  with_coordinates(nest, lines);
  out_.close();
}

void NestEmitter::product_lines(const Nest& nest) {
  const int node = nest.nodes.front();
  const Node& op = graph_.nodes[slot(node)];
  const std::string k = inside(op.over);
  const bool adds = launch_.accumulates(graph_, node);
  if (!by_items(nest)) {
    out_.open(fmt::format("for (int i = threadIdx.x; i < {}; i += {})", size_text(nest), threads()));
    Lines lines;
    lines.set_depth(out_.depth());
    lines.add("float sum = {};", adds ? shared(node) + rescaled(node) : "0.0f");
    lines.add("const int count = {};", count(op.over));
    lines.add("for (int {0} = 0; {0} < count; ++{0}) sum += {1} * {2};", k, shared(op.a), shared(op.b));
    lines.add("{} = sum;", shared(node));
    with_coordinates(nest, lines);
    out_.close();
    return;
  }
  if (is_in_loop(node)) out_.add("float {}[{}] = {{}};", sums(node), items(nest));
  if (launch_.is_rescaled(node)) rescale_lines(nest, node);
  out_.open("");
  out_.add("const int count = {};", count(op.over));
  out_.open(fmt::format("for (int {0} = 0; {0} < count; ++{0})", k));
  const int column = nested_.column[slot(node)];
  Lines lines;
  if (column < 0) {
    open_items(nest, node);
    lines.set_depth(out_.depth());
    lines.add("{}[j] += {} * {};", sums(node), shared(op.a), shared(op.b));
    with_coordinates(nest, lines);
  } else {
    const int columns = nested_.columns[slot(node)], last = nest.order.back();
    out_.add("float column[{}];", columns);
    out_.raw("#pragma unroll");
    out_.open(fmt::format("for (int own = 0; own < {}; ++own)", columns));
    out_.add("const int {0} = threadIdx.x % ({1} / {2}) + own * ({1} / {2});", inside(last), extent(last),
             columns);
    for (const int index : members(shapes_[slot(column)]))
      if (index != last && index != op.over) out_.add("constexpr int {} = 0;", inside(index));
    out_.add("column[own] = {};", shared(column));
    out_.close();
    out_.raw("#pragma unroll");
    out_.open(fmt::format("for (int j = 0; j < {}; j += {})", items(nest), columns));
    out_.add("const int i = {};", element(nest, node, "j"));
    lines.set_depth(out_.depth());
    lines.add("const float row = {};", shared(column == op.a ? op.b : op.a));
    lines.raw("#pragma unroll");
    lines.add("for (int own = 0; own < {}; ++own) {}[j + own] += row * column[own];", columns, sums(node));
    with_coordinates(nest, lines);
  }
  out_.close();
  out_.close();
  out_.close();
}
void NestEmitter::rescale_lines(const Nest& nest, int node) {
  open_items(nest, node);
  Lines lines;
  lines.set_depth(out_.depth());
  lines.add("{}[j] *= {};", sums(node), rescaled(node).substr(3));
  with_coordinates(nest, lines);
  out_.close();
}
/// A loop over the thread's elements of a product in registers.
void NestEmitter::open_items(const Nest& nest, int product) {
  out_.raw("#pragma unroll");
  out_.open(fmt::format("for (int j = 0; j < {}; ++j)", items(nest)));
  out_.add("const int i = {};", element(nest, product, "j"));
}
std::string NestEmitter::element(const Nest& nest, int product, std::string_view j) const {
  use("element_of");
  return fmt::format("element_of<{}, {}, {}>({})", threads(), extent(nest.order.back()),
                     nested_.columns[slot(product)], j);
}

}  // namespace workbook::opt
