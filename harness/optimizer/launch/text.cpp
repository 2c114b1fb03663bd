#include "optimizer/launch/text.h"

#include <algorithm>
#include <cctype>

#include "optimizer/graph/sizes.h"
#include "optimizer/graph/unary.h"
#include "optimizer/language/text.h"
#include "optimizer/plan/halves.h"

namespace workbook::opt {
namespace {

/// Words that a tensor or an index may be called and C++ means otherwise, or kernels.
constexpr std::string_view kTaken[] = {
    "alignas",       "alignof",     "and",        "and_eq",   "asm",       "auto",
    "bitand",        "bitor",       "bool",       "break",    "case",      "catch",
    "char",          "class",       "compl",      "concept",  "const",     "consteval",
    "constexpr",     "constinit",   "const_cast", "continue", "co_await",  "co_return",
    "co_yield",      "decltype",    "default",    "delete",   "do",        "double",
    "dynamic_cast",  "else",        "enum",       "explicit", "export",    "extern",
    "false",         "float",       "for",        "friend",   "goto",      "if",
    "inline",        "int",         "long",       "mutable",  "namespace", "new",
    "noexcept",      "not",         "not_eq",     "nullptr",  "operator",  "or",
    "or_eq",         "private",     "protected",  "public",   "register",  "reinterpret_cast",
    "requires",      "return",      "short",      "signed",   "sizeof",    "static",
    "static_assert", "static_cast", "struct",     "switch",   "template",  "this",
    "thread_local",  "throw",       "true",       "try",      "typedef",   "typeid",
    "typename",      "union",       "unsigned",   "using",    "virtual",   "void",
    "volatile",      "wchar_t",     "while",      "xor",      "xor_eq",    "half",
    "lane",          "warp",        "i",          "j",        "e",         "shared",
    "stream",        "row",         "sum",        "sums",     "kernel",    "count",
    "column",        "own",         "most",       "each",     "fetch",     "left",
    "slice",         "sweep",       "whole",      "now",      "part",      "right",
    "stage",         "stages",      "step",       "steps",    "memory",    "mine",
    "down",          "beside",      "rows",       "item",     "first",     "at",
    "keep",          "added",       "next",       "weights",  "packs",     "outer",
    "group",         "block",       "share",      "number",   "turn",      "inside",
    "scale",         "copies",      "other",      "more",     "pieces",    "lanes",
    "set",           "value",       "offset",     "mapped",   "load",      "grid"};

std::string safe(const std::string& name) {
  return std::find(std::begin(kTaken), std::end(kTaken), name) != std::end(kTaken) ? name + "_" : name;
}
std::string capital(std::string name) {
  name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  return name;
}

}  // namespace

bool has_word(std::string_view text, std::string_view word) {
  const auto letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !letter(text[at - 1])) && (end == text.size() || !letter(text[end]))) return true;
  }
  return false;
}

Names::Names(const Program& program, const Plan& plan) : program_(program), plan_(plan) {
  constexpr double kMostInt = 0x1p31;
  const std::vector<IndexSet> shapes = shapes_of(plan.graph, program.output_set());
  const auto elements = [&](int node) {
    double count = 1;
    for (const int index : members(shapes[slot(node)]))
      count *= static_cast<double>(plan.graph.indices[slot(index)].real);
    return count;
  };
  for (std::size_t input = 0; input < plan.graph.inputs.size(); ++input)
    far_ = far_ || elements(static_cast<int>(input)) >= kMostInt;
  const std::vector<Launch> launches = launches_of(program, plan);
  for (std::size_t k = 0; k < launches.size(); ++k)
    for (const int node : launches[k].writes) {
      const bool split = launches[k].is_split(plan.graph, node);
      const int parts = split ? plan.kernels[k].cuts[slot(launches[k].split)].grid : 1;
      far_ = far_ || elements(node) * parts >= kMostInt;
    }
}

std::string Names::index(int index) const { return safe(plan_.graph.indices[slot(index)].name); }

std::string Names::tensor(int node) const {
  if (is_placed(plan_, node)) return fmt::format("place{}", node);
  if (is_view(plan_, node)) return fmt::format("view{}", node);
  if (slot(node) < plan_.graph.inputs.size()) return safe(plan_.graph.inputs[slot(node)].name);
  if (const int output = plan_.graph.output_number(node); output >= 0)
    return safe(program_.output(output).name);
  return fmt::format("t{}", node - static_cast<int>(plan_.graph.inputs.size()) + 1);
}

std::string Names::value(int node) const {
  if (is_constant(plan_, node)) {
    return constant(plan_.graph.inputs[slot(node)].constant);
  }
  if (slot(node) < plan_.graph.inputs.size()) return tensor(node) + "_value";
  return fmt::format("t{}", node - static_cast<int>(plan_.graph.inputs.size()) + 1) +
         (plan_.graph.is_output(node) ? "" : "_value");
}

std::string Names::type(Storage storage) {
  return storage == Storage::f32   ? "float"
         : storage == Storage::i32 ? "int"
         : storage == Storage::f16 ? "half"
                                   : "__nv_bfloat16";
}

std::string Names::offset(const std::vector<std::uint8_t>& dims) const {
  std::string text;
  for (std::size_t dim = 0; dim < dims.size(); ++dim)
    text = dim == 0 ? (dims.size() > 1 ? far(index(dims[dim])) : index(dims[dim]))
                    : fmt::format("{} * {} + {}", dim == 1 ? text : "(" + text + ")", size(dims[dim]),
                                  index(dims[dim]));
  return dims.empty() ? "0" : text;
}

std::string Names::sizes(const std::vector<int>& indices) const {
  std::string text;
  for (const int index : indices) text += (text.empty() ? "" : " * ") + size(index);
  return text;
}

std::string Names::placed(int node) const {
  const Placed& placed = plan_.graph.inputs[slot(node)].placed;
  const std::string text = text_of(placed, [&](int index) { return this->index(index); });
  if (!placed.compares()) return "static_cast<float>(" + text + ")";
  return text + (placed.hides ? " ? 0.0f : -INFINITY" : " ? 1.0f : 0.0f");
}

std::string Names::coordinate(const Coordinate& of) const {
  if (of.by >= 0) return element(of.by);
  Placed line = of.line;
  std::string text = line.terms.empty() && line.plus == 0 && !of.sizes.empty()
                         ? ""
                         : text_of(line, [&](int index) { return this->index(index); });
  for (const Placed::Term& each : of.sizes)
    text += fmt::format("{}{} * {}", text.empty() ? "" : " + ", each.times, size(each.index));
  if (of.divide == 1) return text;
  // C++ rounds towards 0.
  const auto negative = [](const Placed::Term& term) { return term.times < 0; };
  if (of.line.plus >= 0 && std::none_of(of.line.terms.begin(), of.line.terms.end(), negative) &&
      std::none_of(of.sizes.begin(), of.sizes.end(), negative))
    return fmt::format("({}) / {}", text, of.divide);
  return fmt::format("(({0}) >= 0 ? ({0}) / {1} : -(({2} - ({0})) / {1}))", text, of.divide, of.divide - 1);
}

std::pair<std::string, std::string> Names::viewed_place(const Tensor& view, std::size_t count) const {
  const Tensor& source = plan_.graph.inputs[slot(view.view_of)];
  std::string guard, place;
  for (std::size_t dim = 0; dim < count; ++dim) {
    const int index = source.dims[dim];
    const std::string own = coordinate(view.view[dim]);
    const bool plain = view.view[dim].is_index(index), alone = own.find(' ') == std::string::npos;
    if (!plain)
      guard += fmt::format("{}static_cast<unsigned>({}) < static_cast<unsigned>({})",
                           guard.empty() ? "" : " && ", own, size(index));
    const std::string shown = alone ? own : "(" + own + ")";
    place = dim == 0 ? (source.dims.size() > 1 ? far(shown) : shown)
                     : fmt::format("{} * {} + {}", dim == 1 ? place : "(" + place + ")", size(index), shown);
  }
  return {guard, place};
}

std::string Names::viewed(int node) const {
  const Tensor& view = plan_.graph.inputs[slot(node)];
  const auto [guard, place] = viewed_place(view, view.view.size());
  const std::string value =
      fmt::format("to_float({}[{}])", tensor(view.view_of), place.empty() ? "0" : place);
  return guard.empty() ? value : fmt::format("({} ? {} : 0.0f)", guard, value);
}

std::optional<Names::ViewedRow> Names::viewed_row(int node, int index) const {
  const Tensor& view = plan_.graph.inputs[slot(node)];
  const Tensor& source = plan_.graph.inputs[slot(view.view_of)];
  const auto goes_along = [&](const Coordinate& of) {
    if (of.by >= 0) return has(plan_.graph.inputs[slot(of.by)].set(), index);
    return std::any_of(of.line.terms.begin(), of.line.terms.end(),
                       [&](const Placed::Term& term) { return term.index == index; });
  };
  if (view.view.empty() || std::any_of(view.view.begin(), view.view.end() - 1, goes_along))
    return std::nullopt;
  Coordinate shift = view.view.back();
  const Placed::Term along{static_cast<std::uint8_t>(index), shift.divide};  // (2 i + n) / 2 is i + n / 2
  if (shift.by >= 0 || std::erase(shift.line.terms, along) != 1 || goes_along(shift)) return std::nullopt;
  const std::string length = size(source.dims.back());
  const auto [guard, place] = viewed_place(view, view.view.size() - 1);
  std::string start = tensor(view.view_of);
  if (!place.empty())
    start +=
        fmt::format(" + {} * {}", place.find(' ') == std::string::npos ? place : "(" + place + ")", length);
  return ViewedRow{start, coordinate(shift),
                   guard.empty() ? length : fmt::format("{} ? {} : 0", guard, length)};
}

std::string Names::element(int node) const {
  return fmt::format("{}[{}]", tensor(node), offset(dims_of(program_, plan_, node)));
}

std::string Names::constant(int number) const {
  return text_of(plan_.graph.constants[slot(number)], [&](int index) { return size(index); });
}

std::string Names::argument(const Function& f, std::string a, const std::string& mean) const {
  if (f.times >= 0) a += " * " + constant(f.times);
  if (f.mean >= 0) a += " " + mean;
  if (f.plus >= 0) a += " + " + constant(f.plus);
  return a;
}

std::string Names::expression(int node, const std::string& a, const std::string& b, bool again) const {
  const Node& op = plan_.graph.nodes[slot(node)];
  switch (op.op) {
    case Op::add:
      return a + " + " + b;
    case Op::sub:
      return a + " - " + b;
    case Op::mul:  // 0 times what is no number would be none
      if (selects(plan_.graph, op.a)) return fmt::format("{} != 0.0f ? {} : 0.0f", a, b);
      if (selects(plan_.graph, op.b)) return fmt::format("{} != 0.0f ? {} : 0.0f", b, a);
      return a + " * " + b;
    case Op::div:
      return again ? a + " * (1.0f / " + b + ")" : a + " / " + b;
    case Op::exp:
      return "expf(" + a + ")";
    case Op::max:
      return fmt::format("fmaxf({}, {})", a, b);
    default:
      break;
  }
  const Function& f = plan_.graph.functions[op.fn];
  const std::string inner =
      argument(f, a, "* (1.0f / static_cast<float>(" + (f.mean >= 0 ? size(f.mean) : "") + "))");
  return call_text(f.base, inner);
}

namespace {
/// Tensors of a launch: written ones first.
std::vector<int> tensors(const Plan& plan, const Launch& launch) {
  std::vector<int> list = launch.writes;
  for (const int node : stored_reads(plan, launch)) list.push_back(node);
  return list;
}
IndexSet sizes(const Plan& plan) { return static_cast<IndexSet>((1u << plan.graph.indices.size()) - 1); }
}  // namespace

std::string parameters(const Program& program, const Plan& plan, const Launch& launch) {
  const Names names(program, plan);
  std::string text;
  for (const int node : tensors(plan, launch)) {
    const bool read = std::find(launch.writes.begin(), launch.writes.end(), node) == launch.writes.end();
    text += fmt::format("{}{}{}* {}", text.empty() ? "" : ", ", read ? "const " : "",
                        Names::type(storage_of(program, plan, node)), names.tensor(node));
  }
  for (const int index : members(sizes(plan)))
    text += fmt::format(", [[maybe_unused]] int {}", names.size(index));
  return text;
}

std::string arguments(const Program& program, const Plan& plan, const Launch& launch) {
  const Names names(program, plan);
  std::string text;
  for (const int node : tensors(plan, launch)) text += (text.empty() ? "" : ", ") + names.tensor(node);
  for (const int index : members(sizes(plan))) text += ", " + names.size(index);
  return text;
}

std::string suffix(const Plan& plan, int number) {
  return plan.kernels.size() > 1 ? fmt::format("{}", number) : "";
}
std::string kernel_name(const Program& program, const Plan& plan, int number) {
  return fmt::format("{}_kernel{}", identifier(program.name), suffix(plan, number));
}
std::string tile_name(const Plan& plan, int index, int number) {
  return fmt::format("kTile{}{}", capital(plan.graph.indices[slot(index)].name), suffix(plan, number));
}
std::string part_name(const Plan& plan, int index, int number) {
  if (plan.kernels[slot(number - 1)].cuts[slot(index)].loop == 1) return tile_name(plan, index, number);
  return fmt::format("kPart{}{}", capital(plan.graph.indices[slot(index)].name), suffix(plan, number));
}
std::string parts_text(const Plan& plan, int index, int number) {
  return fmt::format("(({0}_size + {1} - 1) / {1})", safe(plan.graph.indices[slot(index)].name),
                     part_name(plan, index, number));
}

LaunchEmitter::LaunchEmitter(const Program& program, const Plan& plan, const std::vector<Launch>& launches,
                             int number)
    : program_(program),
      plan_(plan),
      graph_(plan.graph),
      launches_(launches),
      launch_(launches[slot(number - 1)]),
      kernel_(plan.kernels[slot(number - 1)]),
      number_(number),
      names_(program, plan),
      shapes_(shapes_of(plan.graph, program.output_set())) {
  for (const int node : node_list(kernel_.nodes))
    if (const Node& op = graph_.nodes[slot(node)]; op.op == Op::fn)
      if (const std::string_view file = unary(graph_.functions[op.fn].base).file; !file.empty()) use(file);
}

void LaunchEmitter::use(std::string_view file) const {
  if (std::find(uses_.begin(), uses_.end(), file) == uses_.end()) uses_.push_back(file);
}
std::string LaunchEmitter::half() const { return Names::type(tensor_type(program_, plan_)); }
void LaunchEmitter::use_half() const {
  if (tensor_type(program_, plan_) == Storage::bf16) use("bfloat16");
}

std::string LaunchEmitter::own(std::string_view constant) const {
  return std::string(constant) + suffix(plan_, number_);
}
void LaunchEmitter::open_kernel(bool bounded, int blocks, const std::string& more) {
  const std::string bounds = blocks > 0 ? fmt::format("{}, {}", threads(), blocks) : threads();
  out_.open(fmt::format("__global__ void {}{}({})", bounded ? "__launch_bounds__(" + bounds + ") " : "",
                        kernel_name(program_, plan_, number_), parameters(program_, plan_, launch_) + more));
  if (number_ == 1) return;
  use("launch_behind");
  out_.add("wait_for_launches();");
}
std::string LaunchEmitter::launch_line(const std::string& grid, const std::string& threads,
                                       const std::string& shared_bytes, const std::string& of,
                                       const std::string& more, const std::string& cluster) const {
  const std::string kernel = kernel_name(program_, plan_, number_) + of,
                    given = arguments(program_, plan_, launch_) + more;
  if (!cluster.empty())
    return fmt::format("launch_clusters({}, {}, {}, {}, {}, {}, stream, {});", kernel, cluster, number_ > 1,
                       grid, threads, shared_bytes, given);
  if (number_ > 1)
    return fmt::format("launch_behind({}, {}, {}, {}, stream, {});", kernel, grid, threads, shared_bytes,
                       given);
  return fmt::format("{}<<<{}, {}, {}, stream>>>({});", kernel, grid, threads, shared_bytes, given);
}
std::string LaunchEmitter::maps_text(const std::vector<int>& nodes, bool declared) const {
  std::string text;
  for (const int node : nodes)
    text += fmt::format(", {}{}_map", declared ? "const __grid_constant__ TensorMap " : "",
                        own(names_.tensor(node)));
  return text + (declared ? ", bool mapped" : ", " + own("mapped"));
}
void LaunchEmitter::begin_maps(Lines& lines, const std::vector<int>& nodes) const {
  for (const int node : nodes) lines.add("TensorMap {}_map{{}};", own(names_.tensor(node)));
  lines.add("bool {} = true;", own("mapped"));
}
std::vector<int> LaunchEmitter::batch_of(int node, const std::vector<int>& batch) const {
  std::vector<int> found;
  for (const std::uint8_t index : dims_of(program_, plan_, node, shapes_))
    if (listed(batch, index)) found.push_back(index);
  return found;
}
void LaunchEmitter::add_map(Lines& lines, int node, const std::vector<int>& inner,
                            const std::vector<int>& outer, const std::string& stride,
                            const std::vector<int>& batch, const std::string& rows) const {
  const std::vector<std::uint8_t> dims = dims_of(program_, plan_, node, shapes_);
  const std::vector<int> besides = batch_of(node, batch);
  std::string sizes = names_.sizes(inner) + ", " + names_.sizes(outer),
              distances = "std::int64_t{1} * " + stride;
  for (const int index : besides) {
    std::string distance;
    for (std::size_t dim = dims.size(); dim-- > 0 && dims[dim] != index;)
      distance += " * " + names_.size(dims[dim]);
    sizes += ", " + names_.size(index);
    distances += ", std::int64_t{1}" + distance;
  }
  for (std::size_t i = besides.size(); i < kMostMapBatch; ++i) sizes += ", 1", distances += ", 8";
  lines.add("{0} = {0} && make_map(&{1}_map, {2}, {3}, {{{4}}}, {{{5}}});", own("mapped"),
            own(names_.tensor(node)), names_.tensor(node), rows, sizes, distances);
}
std::string LaunchEmitter::map_places(int node, const std::vector<int>& batch) const {
  const std::vector<int> besides = batch_of(node, batch);
  std::string places;
  for (const int index : besides) places += ", " + names_.index(index);
  for (std::size_t i = besides.size(); i < kMostMapBatch; ++i) places += ", 0";
  return places;
}
void LaunchEmitter::begin_barriers(const std::string& memory, const std::string& multiplying,
                                   const std::string& more, const std::string& second) {
  out_.raw("  const bool by_maps = kByGroups && mapped;  // the GPU copies by itself");
  out_.open("if (threadIdx.x == 0)");
  if (!more.empty()) out_.add("begin_barrier(&{}->{}, by_maps ? 1 : 128);", memory, more);
  out_.open(fmt::format("for (int i = 0; i < {}; ++i)", own("kStages")));
  out_.add("begin_barrier(&{}->full[i], by_maps ? 1 : 128);", memory);
  out_.add("begin_barrier(&{}->empty[i], {});", memory, multiplying);
  if (!second.empty()) {
    out_.add("begin_barrier(&{}->{}full[i], by_maps ? 1 : 128);", memory, second);
    out_.add("begin_barrier(&{}->{}empty[i], {});", memory, second, multiplying);
  }
  out_.close();
  out_.add("show_stores();");
  out_.close();
  out_.add("__syncthreads();  // the barriers are there");
}
void LaunchEmitter::ask_for_memory(Lines& lines) const {
  lines.add("const cudaError_t {} = cudaFuncSetAttribute(", own("refused"));
  lines.add("    {}, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(sizeof({})));",
            kernel_name(program_, plan_, number_), own("Memory"));
  lines.add("if ({0} != cudaSuccess) return {0};", own("refused"));
}
void LaunchEmitter::declare_places(const std::vector<int>& indices, const std::string& place, bool all_used) {
  std::string rest;
  for (std::size_t at = indices.size(); at-- > 0;) {
    std::string own_place = rest.empty() ? place : place + " / (" + rest + ")";
    if (at > 0) own_place += " % " + names_.size(indices[at]);
    rest = names_.size(indices[at]) + (rest.empty() ? "" : " * " + rest);
    out_.add("{}const int {} = {};", all_used ? "" : "[[maybe_unused]] ", names_.index(indices[at]),
             own_place);
  }
}
std::string LaunchEmitter::right_fragment(bool turned) const {
  use(turned ? "turned_fragment" : "fragments");
  return turned ? "TurnedFragment" : "RightFragment";
}
void LaunchEmitter::comment(int node) {
  out_.add("// {} = {}", names_.tensor(node), node_text(graph_, node));
}

std::string LaunchEmitter::parts_of(int node) const {
  const Parts& parts = launch_.parts[slot(node)];
  return fmt::format("{}_parts{}", names_.index(parts.index), parts.launch + 1);
}
void LaunchEmitter::declare_parts() {
  std::vector<std::string> declared;
  for (const int node : launch_.reads) {
    const Parts& parts = launch_.parts[slot(node)];
    if (parts.launch < 0) continue;
    const std::string line =
        fmt::format("const int {} = {};", parts_of(node), parts_text(plan_, parts.index, parts.launch + 1));
    if (std::find(declared.begin(), declared.end(), line) != declared.end()) continue;
    declared.push_back(line);
    out_.add("{}", line);
  }
}
std::string LaunchEmitter::stride_of(int node) const {
  std::string text;
  for (const std::uint8_t index : dims_of(program_, plan_, node))
    text += text.empty() ? names_.far(names_.size(index)) : " * " + names_.size(index);
  return text.empty() ? "1" : text;
}
std::string LaunchEmitter::own_part(int node) const {
  return fmt::format(" + {}_part * ({})", names_.index(launch_.split), stride_of(node));
}
void LaunchEmitter::declare_part(int index) {
  out_.add("constexpr int {} = {} * {};  // of {} in a block", part_name(plan_, index, number_),
           kernel_.cuts[slot(index)].loop, tile_name(plan_, index, number_), names_.index(index));
}
std::string LaunchEmitter::row_start(int node) const {
  std::vector<std::uint8_t> dims = dims_of(program_, plan_, node);
  const std::string size = names_.size(dims.back());
  dims.pop_back();
  if (dims.empty()) return names_.tensor(node);
  const std::string row = "(" + names_.offset(dims) + ")";
  return fmt::format("{} + {} * {}", names_.tensor(node), names_.is_far() ? names_.far(row) : row, size);
}
std::string LaunchEmitter::read(int node, bool by_lanes) const {
  const Parts& parts = launch_.parts[slot(node)];
  if (is_placed(plan_, node)) return "(" + names_.placed(node) + ")";
  if (is_view(plan_, node)) return names_.viewed(node);
  if (parts.launch < 0) return fmt::format("to_float({})", names_.element(node));
  const auto place = [&](int of) {
    return fmt::format("{} + {}, {}", names_.tensor(of), names_.offset(dims_of(program_, plan_, of)),
                       stride_of(of));
  };
  use(by_lanes ? "lane_parts" : "parts");
  const std::string lanes = by_lanes ? "lanes_" : "";
  if (parts.maximum < 0) return fmt::format("{}sum_of_parts({}, {})", lanes, place(node), parts_of(node));
  if (parts.maximum == node) return fmt::format("{}largest_part({}, {})", lanes, place(node), parts_of(node));
  return fmt::format("{}joined_parts({}, {}, {})", lanes, place(node), place(parts.maximum), parts_of(node));
}
void LaunchEmitter::result_lines(const std::vector<int>& reads, const std::vector<int>& behind) {
  for (const int node : reads) out_.add("const float {} = {};", names_.value(node), read(node));
  for (const int node : behind) {
    const Node& op = graph_.nodes[slot(node)];
    comment(node);
    out_.add("const float {} = {};", names_.value(node),
             names_.expression(node, names_.value(op.a), op.b < 0 ? "" : names_.value(op.b)));
  }
  for (const int node : launch_.writes)
    out_.add("{} = from_float<{}>({});", written(node), Names::type(storage_of(program_, plan_, node)),
             names_.value(node));
}
std::string LaunchEmitter::written(int node) const {
  const bool split = launch_.is_split(graph_, node);
  if (!split) return names_.element(node);
  return fmt::format("{}[{}_part * ({}) + {}]", names_.tensor(node), names_.index(launch_.split),
                     stride_of(node), names_.offset(dims_of(program_, plan_, node)));
}

}  // namespace workbook::opt
