// Path tensor where all warps of a block share a ring: a warp has a part of the block's tile, as words and
// sums in its registers, and loads the words of a slice while another one is multiplied.
#include <algorithm>

#include "optimizer/forms/tensor/emit.h"

namespace workbook::opt {

bool TensorEmitter::ordered() const {
  const Extents extents = real_extents(graph_);
  constexpr std::int64_t kMany = 8;
  return shared() && shape_.extent(TileAxis::row, extents) > kMany * shape_.row_tile &&
         shape_.extent(TileAxis::column, extents) > kMany * shape_.columns;
}

std::optional<TileMatrix> TensorEmitter::written_tile(int node) const {
  for (const TensorShape::Stored& each : shape_.stored)
    if (each.matrix.node == node) return each.matrix;
  return std::nullopt;
}

void TensorEmitter::block_structures() {
  out_.raw("// Results take the room of the stages, which are no longer needed then.");
  out_.add("struct {} {{", own("Memory"));
  out_.raw("  union {");
  out_.add("    {} stages[{}];", own("Stage"), own("kStages"));
  for (const int node : launch_.writes)
    if (const auto written = written_tile(node))
      out_.add("    alignas(32) {} {}[{}][{} + kPad];", Names::type(storage_of(program_, plan_, node)),
               id(node), result_tile(written->outer), result_tile(written->inner));
  if (shape_.cluster > 1)
    out_.add("    float4 sent[{}][{} * {} / 4];", shape_.products.size(), tile(TileAxis::row),
             tile(TileAxis::column));
  out_.raw("  };");
  if (shape_.by_groups) out_.add("  StageBarrier full[{0}], empty[{0}];", own("kStages"));
  for (const int sum : shape_.sums)
    out_.add("  float {}[{} / {}][{}];", id(sum), threads(), tile(TileAxis::row), tile(TileAxis::row));
  out_.raw("};");
}

void TensorEmitter::load_slice(Lines& lines, const std::string& set, const std::string& over) {
  const auto place = [&](const TileMatrix& matrix, const std::string& across) {
    const bool inner = matrix.inner == TileAxis::over;
    return fmt::format("&stage.{}[{}][{}], {} + kPad", names_.tensor(matrix.node), inner ? across : over,
                       inner ? over : across, tile(matrix.inner));
  };
  const std::string left = place(shape_.left, warp_row());
  use("slices");
  if (!shape_.left_is_float) lines.add("load_lefts<{}>(left{}, {});", shape_.left_is_turned(), set, left);
  for (std::size_t i = 0; i < shape_.products.size(); ++i)
    lines.add("load_rights<{}>({}_right{}, {});", TensorShape::is_turned(shape_.rights[i]),
              id(shape_.products[i]), set, place(shape_.rights[i], warp_column(i)));
  if (!shape_.left_is_float) return;
  use("float_words");
  lines.open(fmt::format("if (load_floats<{}>(left{}, {}))", shape_.left_is_turned(), set, left));
  for (const int product : shape_.products)
    lines.add("multiply_floats<{}>({}, {}, {}_right{});", shape_.left_is_turned(), sums(product), left,
              id(product), set);
  lines.close();
}

void TensorEmitter::multiply_slice(const std::string& set) {
  for (const int product : shape_.products)
    out_.add("multiply_slice({}, left{}, {}_right{});", sums(product), set, id(product), set);
}

void TensorEmitter::ring_of_words() {
  const std::string stages = own("kStages"), h = inside(TileAxis::over), step = tile(TileAxis::over);
  out_.add("unsigned left[2][{}][4];  // words of a slice, and of the next one", row_parts());
  for (std::size_t i = 0; i < shape_.products.size(); ++i)
    out_.add("unsigned {}_right[2][{}][4];", id(shape_.products[i]), column_parts(i));
  out_.add("const auto load = [&](int set, const {}& stage, int {}) {{", own("Stage"), h);
  Lines lines;
  lines.set_depth(2);
  load_slice(lines, "[set]", h);
  out_.append(lines.text());
  out_.add("}};");
  out_.add("const int steps = ({0} + {1} - 1) / {1};", over_length(), step);
  for_whole_tiles([&] { sweep_of_words(stages, h); });
}

/// A slice is multiplied while the next one is loaded; the next step's first one behind the last.
void TensorEmitter::sweep_of_words(const std::string& stages, const std::string& h) {
  out_.add("for (int i = 0; i < {} - 1; ++i) fetch(whole, i, stages[i]);", stages);
  out_.add("__pipeline_wait_prior({} - 2);  // this thread's copies of the first step are in,", stages);
  out_.add("__syncthreads();  // and all others'");
  out_.add("load(0, stages[0], 0);");
  out_.open("for (int step = 0; step < steps; ++step)");
  out_.add("const {}& stage = stages[step % {}];", own("Stage"), stages);
  out_.add("load(1, stage, 16);");
  out_.add("fetch(whole, step + {0} - 1, stages[(step + {0} - 1) % {0}]);", stages);
  multiply_slice("[0]");
  if (shape_.step > 2 * kFragment) {
    out_.raw("#pragma unroll");
    out_.open(fmt::format("for (int {0} = 16; {0} + 16 < {1}; {0} += 16)", h, tile(TileAxis::over)));
    out_.add("const int now = {} / 16 % 2;", h);
    out_.add("load(1 - now, stage, {} + 16);", h);
    multiply_slice("[now]");
    out_.close();
  }
  if (shape_.left_is_float)
    out_.add("// All of this step is in registers.");
  else
    out_.add(
        "// All of this step is in registers. Of a step past the last the last one is loaded again, for nobody.");
  out_.add("__pipeline_wait_prior({} - 2);", stages);
  out_.add("__syncthreads();");
  if (shape_.left_is_float)
    out_.add("if (step + 1 < steps) load(0, stages[(step + 1) % {}], 0);", stages);
  else
    out_.add("load(0, stages[min(step + 1, steps - 1) % {}], 0);", stages);
  multiply_slice("[1]");
  out_.close();
}

void TensorEmitter::for_whole_tiles(const std::function<void()>& sweep) {
  Lines lines;
  lines.set_depth(2);
  std::swap(out_, lines);
  sweep();
  std::swap(out_, lines);
  sweep_of(lines, "every tile is inside", whole_tiles());
}

void TensorEmitter::sweep_of(const Lines& lines, std::string_view whole, const std::string& condition) {
  out_.add("// `whole`: {}, and rows begin at multiples of 16 bytes.", whole);
  out_.add("const auto sweep = [&](auto whole) {{");
  out_.append(lines.text());
  out_.raw("  };");
  out_.add("if ({}) sweep(std::true_type{{}});", condition);
  out_.add("else sweep(std::false_type{{}});");
}

std::string TensorEmitter::whole_tiles() const {
  std::vector<std::string> terms;
  const auto add = [&](std::string term) {
    if (std::find(terms.begin(), terms.end(), term) == terms.end()) terms.push_back(std::move(term));
  };
  const auto matrix = [&](const TileMatrix& of, int item) {
    for (const TileAxis axis : {of.outer, of.inner})
      if (axis == TileAxis::over)
        add(fmt::format("{} % {} == 0", size(axis), tile(axis)));
      else if (axis == TileAxis::held)
        add(fmt::format("{} == {}", size(axis), tile(axis)));
      else
        add(fmt::format("{} - {} >= {}", size(axis), first(axis), tile(axis)));
    add(fmt::format("{} % {} == 0", size(of.inner), 16 / item));
    // Rows may lie further apart than they are long.
    if (const std::string stride = stride_text(of); stride != size(of.inner))
      add(fmt::format("{} % {} == 0", stride.find(' ') == stride.npos ? stride : "(" + stride + ")",
                      16 / item));
  };
  matrix(shape_.left, shape_.left_item());
  for (const TileMatrix& right : shape_.rights) matrix(right, 2);
  return fmt::format("{}", fmt::join(terms, " && "));
}

/// The left tile is gone through before it is multiplied.
void TensorEmitter::taken_steps() {
  const std::string stages = own("kStages");
  out_.add("for (int i = 0; i < {} - 1; ++i) fetch(whole, i, stages[i]);", stages);
  out_.open(
      fmt::format("for (int step = 0; step * {} < {}; ++step)", tile(TileAxis::over), size(TileAxis::over)));
  out_.add("{}& stage = stages[step % {}];", own("Stage"), stages);
  out_.add("__pipeline_wait_prior({} - 2);  // this thread's copies of this step are in,", stages);
  out_.add("__syncthreads();  // and all others'; and all are done with the step before");
  out_.add("fetch(whole, step + {0} - 1, stages[(step + {0} - 1) % {0}]);", stages);
  take();
  multiply_step();
  out_.close();
}

void TensorEmitter::multiply_step() {
  const std::string h = inside(TileAxis::over);
  out_.raw("#pragma unroll");
  out_.open(fmt::format("for (int {0} = 0; {0} < {1}; {0} += 16)", h, tile(TileAxis::over)));
  out_.add("unsigned left[{}][4];", row_parts());
  for (std::size_t i = 0; i < shape_.products.size(); ++i)
    out_.add("unsigned {}_right[{}][4];", id(shape_.products[i]), column_parts(i));
  load_slice(out_, "", h);
  multiply_slice("");
  out_.close();
}

void TensorEmitter::block_results() {
  const std::string row = name(TileAxis::row);
  for (const int sum : shape_.sums)
    out_.add("{0}->{1}[threadIdx.x / {2}][threadIdx.x % {2}] = {3};", memory(), id(sum), tile(TileAxis::row),
             sums(sum));
  out_.add("__syncthreads();  // nobody multiplies any more");
  if (shape_.by_groups) out_.open(fmt::format("if (group < {})", own("kGroups")));
  out_.raw("#pragma unroll");
  out_.open(fmt::format("for (int i = 0; i < 2 * {}; ++i)", row_parts()));
  out_.add(
      "// Of a fragment a lane has rows lane / 4 and 8 below, and of these columns 2 (lane % 4) and the next one.");
  out_.add("const int {0}_in = {1} + {2} + lane / 4, {0} = min({0}_first + {0}_in, {0}_size - 1);", row,
           warp_row(), shape_.by_groups && kernel_.down > 1 ? "8 * (i % 2)" : "8 * i");
  row_places();
  for (const int sum : shape_.sums) {
    out_.add("float {} = 0.0f;", names_.value(sum));
    out_.add("for (const auto& each : {}->{}) {} += each[{}_in];", memory(), id(sum), names_.value(sum), row);
  }
  out_.raw("#pragma unroll");
  out_.open(
      fmt::format("for (int part = 0; part < {}; ++part)", 2 * shape_.column_parts(0) / shape_.cluster));
  result_pair();
  out_.close();
  out_.close();
  if (shape_.by_groups) out_.close();
  block_stores();
}

void TensorEmitter::result_pair() {
  const std::string column = name(TileAxis::column), row = name(TileAxis::row);
  const std::string first_of_two =
      (shape_.by_groups ? "" : warp_column(0) + " + ") + "8 * part + lane % 4 * 2";
  std::vector<int> pairs;
  for (const int node : launch_.writes)
    if (const auto to = written_tile(node); to && to->inner == TileAxis::column) pairs.push_back(node);
  for (const int node : pairs) out_.add("float {}_two[2];", id(node));
  out_.raw("#pragma unroll");
  out_.open("for (int j = 0; j < 2; ++j)");
  out_.add("const int {0}_in = {1} + j, {0} = min({0}_first + {0}_in, {0}_size - 1);", column, first_of_two);
  for (const int product : shape_.products)
    out_.add("const float {} = {}[i / 2][part][i % 2 * 2 + j];", names_.value(product), results_of(product));
  for (const int node : shape_.reads) out_.add("const float {} = {};", names_.value(node), read(node));
  for (const int node : shape_.behind) {
    const Node& op = graph_.nodes[slot(node)];
    comment(node);
    out_.add("const float {} = {};", names_.value(node),
             names_.expression(node, names_.value(op.a), op.b < 0 ? "" : names_.value(op.b),
                               op.b >= 0 && is_constant(plan_, op.b)));
  }
  for (const int node : launch_.writes) {
    const std::string value =
        fmt::format("from_float<{}>({})", Names::type(storage_of(program_, plan_, node)), names_.value(node));
    const auto to = written_tile(node);
    if (to && to->inner == TileAxis::column)
      out_.add("{}_two[j] = {};", id(node), names_.value(node));
    else if (to)
      out_.add("{}->{}[{}][{}] = {};", memory(), id(node), inside(to->outer), inside(to->inner), value);
    else
      out_.add("if ({0}_first + {0}_in < {0}_size && {1}_first + {1}_in < {1}_size) {2} = {3};", row, column,
               written(node), value);
  }
  out_.close();
  if (!pairs.empty()) use("two");
  for (const int node : pairs)
    out_.add("store_two(&{0}->{1}[{2}_in][{3}], {1}_two, 2, true);", memory(), id(node), row, first_of_two);
}

void TensorEmitter::block_stores() {
  bool met = false;
  for (const int node : launch_.writes) {
    const auto to = written_tile(node);
    if (!to) continue;
    if (!met) out_.add("__syncthreads();  // the results are there");
    met = true;
    use("store_tile");
    const std::string place = tile_text(*to) + (shape_.in_parts ? own_part(node) : "");
    out_.add("store_tile<{}, {}, {}>({}, {}->{}[0], {}, {} - {}, {} - {});", threads(),
             result_tile(to->outer), result_tile(to->inner), place, memory(), id(node), stride_text(*to),
             size(to->outer), first(to->outer), size(to->inner), first(to->inner));
  }
}

}  // namespace workbook::opt
