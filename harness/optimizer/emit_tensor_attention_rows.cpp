// Path tensor_attention: the rows before the loop, and what becomes of their sums behind it.
#include <algorithm>

#include "optimizer/emit_tensor_attention.h"

namespace workbook::opt {
namespace {

std::string lane_turns(const std::string& tile) { return fmt::format("({} + 31) / 32", tile); }

}  // namespace

void AttentionEmitter::rows() {
  out_.add("constexpr int kWarpRows = 16{};  // all are on their way before the first is waited for",
           several() ? " / " + own("kBeside") : "");
  row_loads();
  row_nodes();
  out_.add("{}", meet("the rows are there"));
  if (shape_.in_registers()) {
    const auto& product = shape_.products.front();
    const std::string name = id(product.left), width = tile(product.depth);
    out_.add("LeftFragment {}_left[{} / 16];", name, width);
    out_.add("load_rows({0}_left, mine.{0}[0], {1} + kPad);", name, width);
  }
  const auto number = [&](const std::string& name) {
    out_.add("const float {}_value = {}[threadIdx.x / {}];", name, memory(name), own("kLanes"));
  };
  for (const int of : shape_.factors(graph_, false, false)) number(id(of));
  for (const int of : shape_.factors(graph_, false, true)) number(inverse(of));
}

int AttentionEmitter::depth_of_row(int of) const {
  IndexSet rest = shapes_[slot(of)];
  for (const int index : shape_.row_indices) rest = static_cast<IndexSet>(rest & ~only(index));
  for (const int index : shape_.batch) rest = static_cast<IndexSet>(rest & ~only(index));
  return rest == 0 ? -1 : members(rest).front();
}

void AttentionEmitter::open_lanes(int depth) {
  out_.raw("#pragma unroll");
  out_.open(fmt::format("for (int j = 0; j < {}; ++j)", lane_turns(tile(depth))));
}

/// What is outside is as zeros, of rows the last one again: those are not written.
void AttentionEmitter::row_loads() {
  const std::string s = row_name();
  std::vector<int> depths;
  for (const int of : shape_.before_reads) {
    const int depth = depth_of_row(of);
    out_.add("float {}_values[kWarpRows]{};", id(of), depth < 0 ? "" : "[" + lane_turns(tile(depth)) + "]");
    if (!listed(depths, depth)) depths.push_back(depth);
  }
  if (depths.empty()) return;
  out_.raw("#pragma unroll");
  out_.open("for (int i = 0; i < kWarpRows; ++i)");
  out_.add("const int {0} = min({0}_first + warp * kWarpRows + i, {0}_size - 1);", s);
  row_places();
  for (const int depth : depths) {
    const std::string d = depth < 0 ? "" : names_.index(depth);
    if (depth >= 0) {
      open_lanes(depth);
      out_.add("const int {0}_in = lane + 32 * j, {0} = min({0}_in, {1} - 1);", d, names_.size(depth));
    }
    for (const int of : shape_.before_reads) {
      if (depth_of_row(of) != depth) continue;
      if (depth < 0) {
        out_.add("{}_values[i] = {};", id(of), read(of));
        continue;
      }
      out_.add("const float {} = {};", names_.value(of), read(of));
      out_.add("{}_values[i][j] = {}_in < {} ? {} : 0.0f;", id(of), d, names_.size(depth), names_.value(of));
    }
    if (depth >= 0) out_.close();
  }
  out_.close();
}

void AttentionEmitter::row_nodes() {
  const std::string s = row_name() + "_in";
  out_.raw("#pragma unroll");
  out_.open("for (int i = 0; i < kWarpRows; ++i)");
  out_.add("const int {} = warp * kWarpRows + i;", s);
  for (const int of : shape_.before_reads)
    if (depth_of_row(of) < 0) {
      out_.add("const float {} = {}_values[i];", names_.value(of), id(of));
      add_inverse(of);
    }
  const auto value = [&](int of) {
    if (of < 0) return std::string();
    if (is_constant(plan_, of) || depth_of_row(of) < 0) return names_.value(of);
    return id(of) + (shape_.is_before(of) ? "_values[j]" : "_values[i][j]");
  };
  for (const int of : shape_.before) {
    const Node& op = node(of);
    const int depth = depth_of_row(of);
    if (op.op != Op::sum && depth < 0) {
      add_number(of, value(op.a), value(op.b));
      continue;
    }
    comment(of);
    if (op.op == Op::sum) {
      out_.add("float {} = 0.0f;", names_.value(of));
      out_.add("for (int j = 0; j < {}; ++j) {} += {};", lane_turns(tile(op.over)), names_.value(of),
               value(op.a));
      out_.add("{0} = warp_sum({0});", names_.value(of));
      add_inverse(of);
    } else {
      const bool divided = op.op == Op::div && !is_constant(plan_, op.b);
      out_.add("float {}_values[{}];", id(of), lane_turns(tile(depth)));
      out_.add(
          "for (int j = 0; j < {}; ++j) {}_values[j] = {};", lane_turns(tile(depth)), id(of),
          divided ? value(op.a) + " * " + inverse(op.b) : names_.expression(of, value(op.a), value(op.b)));
    }
  }
  std::vector<int> lefts;
  for (const auto& product : shape_.products) {
    if (listed(lefts, product.left)) continue;
    lefts.push_back(product.left);
    const std::string lane = "lane + 32 * j", width = tile(product.depth);
    out_.add("for (int j = 0; j < {}; ++j)", lane_turns(width));
    out_.add("  {}mine.{}[{} % 16][{}] = from_float<half>({});",
             shape_.width[slot(product.depth)] < 32 ? fmt::format("if ({} < {}) ", lane, width) : "",
             id(product.left), s, lane, value(product.left));
  }
  for (const int of : shape_.kept_rows(graph_))
    out_.add("if (lane == 0) {}[{}] = {};", memory(id(of)), s, names_.value(of));
  for (const int of : shape_.factors(graph_, false, true))
    out_.add("if (lane == 0) {}[{}] = {};", memory(inverse(of)), s, inverse(of));
  out_.close();
}

void AttentionEmitter::results() {
  const std::string most = id(launch_.running);
  out_.add("__syncthreads();  // nobody reads the stages any more");
  out_.add("store_sums<{}>(&{}[{} * 16][{}], {}, {} + kPad);", several() ? own("kBeside") : "1",
           memory(id(shape_.product)), several() ? "(" + group() + ")" : group(),
           several() ? "16 * beside" : "0", sums(), tile(shape_.column));
  for (const int sum : shape_.sums)
    out_.add("{0} = sum_of_lanes<{1}>({0});", names_.value(sum), own("kLanes"));
  out_.open(fmt::format("if (threadIdx.x % {} == 0)", own("kLanes")));
  for (const int sum : shape_.sums)
    out_.add("{}[threadIdx.x / {}] = {};", memory(id(sum)), own("kLanes"), names_.value(sum));
  out_.add("{}[threadIdx.x / {}] = {}_value;", memory(most), own("kLanes"), most);
  out_.close();
  out_.add("__syncthreads();  // all sums are there");
  result_elements(false);
  result_elements(true);
}

void AttentionEmitter::result_elements(bool columns) {
  const auto wide = [&](int of) { return has(shapes_[slot(of)], shape_.column); };
  std::vector<int> written, needed;
  for (const int of : launch_.writes)
    if (wide(of) == columns) written.push_back(of);
  if (written.empty()) return;
  needed = written;
  for (auto of = shape_.behind.rbegin(); of != shape_.behind.rend(); ++of)
    if (listed(needed, *of))
      for (const int from : {int{node(*of).a}, int{node(*of).b}})
        if (from >= 0 && !listed(needed, from)) needed.push_back(from);
  std::sort(needed.begin(), needed.end());
  const std::string s = row_name(), d = names_.index(shape_.column);
  const std::string rows = row_tile(), width = tile(shape_.column);
  if (columns) {
    out_.open(fmt::format("for (int i = threadIdx.x; i < {} * {}; i += {})", rows, width, threads()));
    out_.add("const int {0}_in = i / {2}, {0} = {0}_first + {0}_in, {1} = i % {2};", s, d, width);
    out_.add("if ({0} >= {0}_size || {1} >= {2}) continue;", s, d, names_.size(shape_.column));
  } else {
    out_.open(fmt::format("for (int {0}_in = threadIdx.x; {0}_in < min({1}, {2} - {0}_first); {0}_in += {3})",
                          s, rows, row_size(), threads()));
    out_.add("const int {0} = {0}_first + {0}_in;", s);
  }
  row_places();
  for (const int of : needed) {
    if (is_constant(plan_, of)) continue;
    std::string value;
    if (of == shape_.product) {
      value = fmt::format("{}[{}_in][{}]", memory(id(of)), s, d);
    } else if (listed(shape_.behind_reads, of)) {
      value = read(of);
    } else if (!listed(shape_.behind, of)) {
      value = fmt::format("{}[{}_in]", memory(id(of)), s);
    } else {
      comment(of);
      value = names_.expression(of, names_.value(node(of).a), node(of).b < 0 ? "" : names_.value(node(of).b));
    }
    out_.add("const float {} = {};", names_.value(of), value);
  }
  for (const int of : written)
    out_.add("{} = from_float<{}>({});", this->written(of), Names::type(storage_of(program_, plan_, of)),
             names_.value(of));
  out_.close();
}

}  // namespace workbook::opt
