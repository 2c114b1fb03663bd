// Path tensor_attention where a warp has rows of its own: scores, weights and sums stay in its registers. A
// lane has of each fragment rows lane / 4 and 8 below, and of these columns 2 (lane % 4) and the next one of
// eight.
#include <algorithm>

#include "optimizer/forms/attention/emit.h"
#include "optimizer/language/text.h"

namespace workbook::opt {

void OwnRowsEmitter::own_constants() {
  out_.add("constexpr int {} = {};  // times 16 rows that a warp has", own("kDown"), shape_.down);
}

void OwnRowsEmitter::row_memory() {
  if (shape_.by_groups) {
    const auto& product = shape_.products.front();
    out_.add("  alignas(1024) {} {}[{} * {}];", half(), id(product.left), row_tile(), tile(product.depth));
    out_.add("  {0} stages[{1}];", own("Stage"), own("kStages"));
    out_.add("  StageBarrier rows, full[{0}], empty[{0}]{1};", own("kStages"),
             apart() ? fmt::format(", values_full[{0}], values_empty[{0}]", own("kStages")) : "");
    return;
  }
  for (const auto& product : shape_.lefts())
    out_.add("  alignas(32) {} {}[{}][{} + kPad];", half(), id(product.left), row_tile(),
             tile(product.depth));
  out_.add("  {} stages[{}];", own("Stage"), own("kStages"));
}

std::pair<std::string, std::string> AttentionEmitter::rows_of(int node, int inner,
                                                              const std::string& inner_first) const {
  const std::vector<std::uint8_t> dims = dims_of(program_, plan_, node, shapes_);
  std::string sizes, text, stride;
  for (std::size_t dim = dims.size(); dim-- > 0;) {
    const int index = dims[dim];
    const bool row = shape_.is_row(index);
    if (row && stride.empty()) stride = sizes.substr(3);
    const std::string place = index == inner ? inner_first
                              : !row         ? names_.index(index)
                                             : row_name() + "_first";
    if (!place.empty() && (!row || index == shape_.row_indices.back()))
      text = " + " + (sizes.empty() ? place : names_.far(place) + sizes) + text;
    sizes = " * " + names_.size(index) + sizes;
  }
  return {text, stride};
}

/// They come with the first turn's keys.
void OwnRowsEmitter::begin_rows() {
  for (const auto& product : shape_.lefts()) {
    if (!shape_.is_copied(product.left)) continue;
    const auto [text, stride] = rows_of(product.left, product.depth, "");
    use("copy_tile");
    out_.add("copy_tile<{}, {}, {}>({}[0], {}{}, {}, {} - {}_first, {});", threads(), row_tile(),
             tile(product.depth), memory(id(product.left)), names_.tensor(product.left), text, stride,
             row_size(), row_name(), names_.size(product.depth));
  }
}

void OwnRowsEmitter::fetch_pairs(Lines& lines) {
  const std::string s = row_name(), t = names_.index(shape_.key);
  for (const AttentionShape::Staged& each : shape_.staged) {
    if (each.in_rows) {
      use("copy_tile");
      const auto [begin, stride] = rows_of(each.node, shape_.key, first(shape_.key));
      lines.add("copy_tile<{}, {}, {}{}>(stage.{}[0], {}{}, {}, {} - {}_first, {}_end - {});", threads(),
                row_tile(), tile(shape_.key), of_whole(), id(each.node), names_.tensor(each.node), begin,
                stride, row_size(), s, t, first(shape_.key));
      continue;
    }
    const std::string many_keys = fmt::format("{}", 16 / each.item);
    lines.open(fmt::format("for (int i = threadIdx.x; i < {} * {} / {}; i += {})", row_tile(),
                           tile(shape_.key), many_keys, threads()));
    lines.add("const int {0}_in = i / ({1} / {2}), {3}_in = i % ({1} / {2}) * {2};", s, tile(shape_.key),
              many_keys, t);
    // What is outside is not read: any piece of the row stands for it.
    lines.add(
        "const int {0} = min({0}_first + {0}_in, {0}_size - 1), {1} = {1}_first + {1}_in < {1}_end ? {1}_first + {1}_in : 0;",
        s, t);
    std::swap(out_, lines);
    row_places();
    std::swap(out_, lines);
    lines.add("copy_piece(&stage.{}[{}_in][{}_in], &{}, {}_end - {}_first - {}_in, {} % {} == 0);",
              id(each.node), s, t, names_.element(each.node), t, t, t, names_.size(shape_.key), many_keys);
    lines.close();
  }
}

void OwnRowsEmitter::take_rows() {
  out_.add("const int row = 16 * {} * warp + lane / 4;  // this lane's first; the others follow 8 apart",
           own("kDown"));
  const std::vector<int> as_they_are = shape_.factors(graph_, false, false),
                         inverted = shape_.factors(graph_, false, true);
  const bool copied = std::any_of(shape_.products.begin(), shape_.products.end(),
                                  [&](const auto& of) { return shape_.is_copied(of.left); });
  if (shape_.in_registers() && copied) {
    out_.add("__pipeline_wait_prior({} - 2);", own("kStages"));
    out_.add("__syncthreads();  // the rows are there");
  } else if (shape_.rows_pass_registers()) {
    out_.add("__syncwarp();  // the rows are there");
  }
  if (shape_.in_registers())
    for (const auto& product : shape_.lefts()) {
      const std::string left = id(product.left);
      out_.add("unsigned {}_left[{}][{} / 16][4];", left, own("kDown"), tile(product.depth));
      out_.add("load_left({}_left, {});", left, left_place(product));
    }
  const auto number = [&](const std::string& name) {
    out_.add("float {}_rows[2 * {}];", name, own("kDown"));
    out_.add("for (int at = 0; at < 2 * {0}; ++at) {1}_rows[at] = {2}[row + 8 * at];", own("kDown"), name,
             memory(name));
  };
  for (const int of : as_they_are) number(id(of));
  for (const int of : inverted) number(inverse(of));
}

std::string OwnRowsEmitter::left_place(const AttentionShape::Product& of) const {
  return fmt::format("{}[16 * {} * warp], {} + kPad", memory(id(of.left)), own("kDown"), tile(of.depth));
}
std::string OwnRowsEmitter::tile_place(int of) const {
  return fmt::format("stage.{}[0], {} + kPad", id(of), tile(along_keys(of) ? shape_.key : depth_of(of)));
}

void OwnRowsEmitter::begin_sums() {
  const std::string most = id(launch_.running), down = own("kDown");
  if (!shape_.folded.empty()) {
    std::string text = "kLog2e";
    for (const int of : shape_.folded) {
      const Node& op = node(of);
      comment(of);
      text = names_.expression(of, is_constant(plan_, op.b) ? text : names_.value(op.a),
                               is_constant(plan_, op.b) ? names_.value(op.b) : text);
    }
    out_.add("const float steep = {};  // exponents have it, scores do not", text);
  }
  comment(shape_.product);
  out_.add("float {}[{}][{} / 8][4] = {{}};", sums(), down, tile(shape_.column));
  out_.add("float {0}_rows[2 * {1}];  // {0} = {2}, so far", most, down, node_text(graph_, launch_.running));
  out_.add("for (float& each : {}_rows) each = kLeastMaximum;", most);
  for (const int sum : shape_.sums) {
    comment(sum);
    out_.add("float {}_rows[2 * {}] = {{}};  // of this lane's keys", id(sum), down);
  }
}

void OwnRowsEmitter::turn() {
  use("products");
  use("own_rows");
  multiply();
  weigh();
  out_.add("add_products<{}>({}, weights, {});", along_keys(shape_.values) ? "true" : "false", sums(),
           tile_place(shape_.values));
}

void OwnRowsEmitter::multiply() {
  for (const auto& product : shape_.products)
    if (product.node != shape_.score) comment(product.node);
  comment(shape_.score);
  out_.add("float {}[{}][{} / 8][4] = {{}};", scores(), own("kDown"), tile(shape_.key));
  for (const auto& product : shape_.products) {
    const std::string turned = along_keys(product.right) ? "false" : "true";
    if (shape_.in_registers())
      out_.add("add_products<{}>({}, {}_left, {});", turned, scores(), id(product.left),
               tile_place(product.right));
    else
      out_.add("add_products<{}, {} / 16>({}, {}, {});", turned, tile(product.depth), scores(),
               left_place(product), tile_place(product.right));
  }
}

std::string OwnRowsEmitter::all_shown() const {
  std::string text;
  for (const int each : shape_.hidden) {
    if (!shape_.bounds_keys(graph_, each)) return "";
    const Placed& placed = graph_.inputs[slot(each)].placed;
    const bool falls = placed.times(shape_.key) < 0;
    text += (text.empty() ? "" : " && ") +
            fmt::format("{} {} {} >= 0", besides_key(placed, false), falls ? "-" : "+",
                        falls ? fmt::format("({} + {} - 1)", first(shape_.key), tile(shape_.key))
                              : first(shape_.key));
  }
  return text;
}

void OwnRowsEmitter::for_keys(int from, const std::vector<int>& nodes) {
  if (all_shown().empty() || std::none_of(nodes.begin(), nodes.end(), [&](int of) { return hides(of); }))
    return for_keys(from, nodes, false);
  if (std::all_of(nodes.begin(), nodes.end(), [&](int of) { return hides(of) || is_folded(of); })) {
    out_.open("if (!all_shown)");
  } else {
    out_.open("if (all_shown)");
    for_keys(from, nodes, true);
    out_.close();
    out_.open("else");
  }
  for_keys(from, nodes, false);
  out_.close();
}

void OwnRowsEmitter::for_keys(int from, const std::vector<int>& nodes, bool shown) {
  const std::string s = row_name(), t = names_.index(shape_.key);
  if (std::all_of(nodes.begin(), nodes.end(), [&](int of) { return is_folded(of) || (shown && hides(of)); }))
    return;
  out_.raw("#pragma unroll");
  out_.open(fmt::format("for (int i = 0; i < {} / 8; ++i)", tile(shape_.key)));
  const std::string keys = "8 * i + lane % 4 * 2";
  std::vector<int> read_now;
  std::vector<int> pairs = pairs_of(nodes);
  if (shown) std::erase_if(pairs, [&](int of) { return is_hidden(of); });
  for (const int of : pairs) {
    if (shape_.is_staged(of)) {
      use("two");
      out_.add("const auto {0}_own = load_two(&stage.{0}[row + 8 * at][{1}]);", id(of), keys);
    } else {
      read_now.push_back(of);
    }
  }
  if (nodes == shape_.scaled)
    for (const bool inverted : {false, true})
      for (const int key : shape_.factors(graph_, true, inverted)) {
        const std::string name = inverted ? inverse(key) : id(key);
        use("two");
        out_.add("const auto {0}_own = load_two(&stage.{0}[{1}]);", name, keys);
      }
  out_.raw("#pragma unroll");
  out_.open("for (int j = 0; j < 2; ++j)");
  if (!read_now.empty()) {
    out_.add("const int {0} = min({0}_first + row + 8 * at, {0}_size - 1);", s);
    row_places();
    out_.add("const int {0} = min({0}_first + {1} + j, {0}_end - 1);", t, keys);
  }
  for (const int of : pairs)
    out_.add("const float {} = {};", names_.value(of),
             shape_.is_staged(of) ? fmt::format("to_float({}_own.at[j])", id(of)) : read(of));
  out_.add("float& each = {}[at / 2][i][at % 2 * 2 + j];", scores());
  out_.add("const float {} = each;", names_.value(from));
  for (const int of : nodes) {
    comment(of);
    const Node& op = node(of);
    const auto operand = [&](int each) {
      return from == shape_.score ? factor(each, false) : names_.value(each);
    };
    out_.add("const float {} = {};", names_.value(of),
             is_folded(of)                           ? operand(is_constant(plan_, op.b) ? op.a : op.b)
             : shown && is_hidden(op.a)              ? operand(op.b)
             : shown && op.b >= 0 && is_hidden(op.b) ? operand(op.a)
             : from == shape_.score                  ? scaled(of)
                                    : names_.expression(of, names_.value(op.a), names_.value(op.b),
                                                        op.b >= 0 && is_constant(plan_, op.b)));
  }
  out_.add("each = {};", names_.value(nodes.empty()          ? from
                                      : from == shape_.score ? node(launch_.running).a
                                                             : shape_.weight));
  out_.close();
  out_.close();
}

void OwnRowsEmitter::weigh() {
  const std::string most = id(launch_.running), t = names_.index(shape_.key);
  const auto each_row = [&] {
    out_.raw("#pragma unroll");
    out_.open(fmt::format("for (int at = 0; at < 2 * {}; ++at)", own("kDown")));
  };
  if (const std::string shown = all_shown(); !shown.empty())
    out_.add("const bool all_shown = {};  // no mask on places hides a key of this turn", shown);
  if (std::any_of(shape_.scaled.begin(), shape_.scaled.end(), [&](int of) { return !is_folded(of); })) {
    each_row();
    for (const bool inverted : {false, true})
      for (const int of : shape_.factors(graph_, false, inverted)) {
        const std::string name = inverted ? inverse(of) : id(of);
        out_.add("const float {0}_value = {0}_rows[at];", name);
      }
    for_keys(shape_.score, shape_.scaled);
    out_.close();
  }
  out_.add("{}if ({}_end - {} < {})  // no score behind the last key",
           shape_.any_in_rows() ? "if constexpr (!decltype(whole)::value) " : "", t, first(shape_.key),
           tile(shape_.key));
  out_.add("  leave_out({}, {}_end - {});", scores(), t, first(shape_.key));
  each_row();
  out_.add("const float next = row_maximum({}[at / 2], at % 2, {}_rows[at]);", scores(), most);
  const std::string keep = shape_.by_groups ? "keep[at]" : "keep";
  out_.add("{}{} = exp_two(({}_rows[at] - next) * {});{}", shape_.by_groups ? "" : "const float ", keep, most,
           steep(), shape_.by_groups ? "" : "  // of what is added up");
  out_.add("{}_rows[at] = next;", most);
  out_.add("row_powers({}[at / 2], at % 2, next, {});  // {} = {}", scores(), steep(), id(shape_.exponent),
           node_text(graph_, shape_.exponent));
  if (!shape_.masked.empty()) for_keys(shape_.exponent, shape_.masked);
  for (const int sum : shape_.sums)
    out_.add("{0}_rows[at] = {0}_rows[at] * {2} + row_sum({1}[at / 2], at % 2);", id(sum), scores(), keep);
  if (!shape_.by_groups) out_.add("scale_row({}[at / 2], at % 2, keep);", sums());
  out_.close();
  if (shape_.by_groups) return;
  out_.add("unsigned weights[{}][{} / 16][4];", own("kDown"), tile(shape_.key));
  out_.add("to_left(weights, {});  // a fragment holds {}: rounded here", scores(), half());
}

void OwnRowsEmitter::results() {
  const std::string most = id(launch_.running);
  for (const int sum : shape_.sums)
    out_.add("for (float& each : {}_rows) each = sum_of_lanes<4>(each);", id(sum));
  if (!written_of(false).empty()) {
    out_.open(fmt::format("for (int at = 0; at < 2 * {} && lane % 4 == 0; ++at)", own("kDown")));
    for (const int sum : shape_.sums) out_.add("{0}[row + 8 * at] = {1}_rows[at];", memory(id(sum)), id(sum));
    out_.add("{}[row + 8 * at] = {}_rows[at];", memory(most), most);
    out_.close();
    out_.add("__syncthreads();  // all sums are there");
    row_results();
  }
  column_results();
}

void OwnRowsEmitter::column_results() {
  const std::vector<int> written = written_of(true);
  if (written.empty()) return;
  const std::string s = row_name(), d = names_.index(shape_.column), size = names_.size(shape_.column);
  // Neighbours are stored together.
  const bool last = std::all_of(written.begin(), written.end(), [&](int of) {
    return dims_of(program_, plan_, of, shapes_).back() == shape_.column;
  });
  out_.raw("#pragma unroll");
  out_.open(fmt::format("for (int at = 0; at < 2 * {}; ++at)", own("kDown")));
  out_.add("const int {0}_in = row + 8 * at, {0} = {0}_first + {0}_in;", s);
  out_.add("if ({0} >= {0}_size) continue;", s);
  row_places();
  // Elements of a row have one divisor: its inverse is computed once.
  std::vector<int> needed = needed_for(written), divisors;
  for (const int sum : shape_.sums) {
    const auto divides = [&](int of) {
      return listed(shape_.behind, of) && node(of).op == Op::div && node(of).b == sum;
    };
    if (std::none_of(needed.begin(), needed.end(), divides)) continue;
    divisors.push_back(sum);
    out_.add("const float {} = 1.0f / {}_rows[at];", inverse(sum), id(sum));
    const bool besides = std::any_of(needed.begin(), needed.end(), [&](int of) {
      return listed(shape_.behind, of) && (node(of).a == sum || (node(of).b == sum && !divides(of)));
    });
    if (!besides && !listed(written, sum)) std::erase(needed, sum);
  }
  out_.raw("#pragma unroll");
  out_.open(fmt::format("for (int i = 0; i < {} / 8; ++i)", tile(shape_.column)));
  out_.add("const int {}_first = 8 * i + lane % 4 * 2;", d);
  if (last)
    for (const int of : written) out_.add("float {}_two[2];", id(of));
  out_.raw("#pragma unroll");
  out_.open("for (int j = 0; j < 2; ++j)");
  out_.add("const int {0} = {1};", d,
           last ? fmt::format("min({}_first + j, {} - 1)", d, size) : fmt::format("{}_first + j", d));
  if (!last) out_.add("if ({} >= {}) continue;", d, size);
  result_values(
      needed,
      [&](int of) {
        if (of == shape_.product) return fmt::format("{}[at / 2][i][at % 2 * 2 + j]", sums());
        if (of == launch_.running || listed(shape_.sums, of)) return id(of) + "_rows[at]";
        return fmt::format("{}[{}_in]", memory(id(of)), s);
      },
      divisors);
  const auto type = [&](int of) { return Names::type(storage_of(program_, plan_, of)); };
  for (const int of : written)
    if (last)
      out_.add("{}_two[j] = {};", id(of), names_.value(of));
    else
      out_.add("{} = from_float<{}>({});", this->written(of), type(of), names_.value(of));
  out_.close();
  if (last) {
    use("two");
    out_.add("const int {0} = {0}_first;", d);
    for (const int of : written)
      out_.add("if ({0} < {1}) store_two(&{2}, {3}_two, {1} - {0}, {1} % 2 == 0);", d, size,
               this->written(of), id(of));
  }
  out_.close();
  out_.close();
}

}  // namespace workbook::opt
