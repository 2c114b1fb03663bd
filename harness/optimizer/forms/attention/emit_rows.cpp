// Path tensor_attention: the rows before the loop, and numbers of rows behind it.
#include <algorithm>

#include "optimizer/forms/attention/emit.h"

namespace workbook::opt {
namespace {

std::string lane_turns(const std::string& tile) { return fmt::format("({} + 31) / 32", tile); }

}  // namespace

void AttentionEmitter::rows() {
  if (shape_.rows_pass_registers()) {
    out_.add("constexpr int kWarpRows = {};  // all are on their way before the first is waited for",
             warp_rows());
    row_loads();
    row_nodes();
  }
  take_rows();
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
    if (shape_.is_copied(of)) continue;
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
      if (depth_of_row(of) != depth || shape_.is_copied(of)) continue;
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
      use("warp_sums");
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
  for (const auto& product : shape_.lefts()) {
    if (shape_.is_copied(product.left)) continue;
    const std::string lane = "lane + 32 * j", width = tile(product.depth);
    out_.add("for (int j = 0; j < {}; ++j)", lane_turns(width));
    out_.add("  {}{} = from_float<{}>({});",
             shape_.width[slot(product.depth)] < 32 ? fmt::format("if ({} < {}) ", lane, width) : "",
             left_element(product.left, s, lane), half(), value(product.left));
  }
  for (const int of : shape_.kept_rows(graph_))
    out_.add("if (lane == 0) {}[{}] = {};", memory(id(of)), s, names_.value(of));
  for (const int of : shape_.factors(graph_, false, true))
    out_.add("if (lane == 0) {}[{}] = {};", memory(inverse(of)), s, inverse(of));
  out_.close();
}

std::vector<int> AttentionEmitter::written_of(bool columns) const {
  std::vector<int> written;
  for (const int of : launch_.writes)
    if (has(shapes_[slot(of)], shape_.column) == columns) written.push_back(of);
  return written;
}

std::vector<int> AttentionEmitter::needed_for(const std::vector<int>& written) const {
  std::vector<int> needed = written;
  for (auto of = shape_.behind.rbegin(); of != shape_.behind.rend(); ++of)
    if (listed(needed, *of))
      for (const int from : {int{node(*of).a}, int{node(*of).b}})
        if (from >= 0 && !listed(needed, from)) needed.push_back(from);
  std::sort(needed.begin(), needed.end());
  return needed;
}

void AttentionEmitter::row_results() {
  const std::vector<int> written = written_of(false);
  if (written.empty()) return;
  const std::string s = row_name();
  out_.open(fmt::format("for (int {0}_in = threadIdx.x; {0}_in < min({1}, {2} - {0}_first); {0}_in += {3})",
                        s, row_tile(), row_size(), threads()));
  out_.add("const int {0} = {0}_first + {0}_in;", s);
  row_places();
  result_values(needed_for(written), [&](int of) { return fmt::format("{}[{}_in]", memory(id(of)), s); });
  for (const int of : written)
    out_.add("{} = from_float<{}>({});", this->written(of), Names::type(storage_of(program_, plan_, of)),
             names_.value(of));
  out_.close();
}

}  // namespace workbook::opt
