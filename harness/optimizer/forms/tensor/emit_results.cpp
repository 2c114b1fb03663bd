// Path tensor: behind the loop of warps with rings of their own, where their sums meet.
#include <algorithm>

#include "optimizer/forms/tensor/emit.h"

namespace workbook::opt {

void TensorEmitter::results() {
  store_sums();
  out_.add("__syncthreads();  // the sums of all warps are there");
  held_results();
  const std::string row = name(TileAxis::row), column = name(TileAxis::column);
  const int last = dims_of(program_, plan_, launch_.writes.front(), shapes_).back();
  open_elements(TileAxis::column, shape_.is_along(TileAxis::row, last));
  out_.add("const int {0} = {0}_first + {0}_in, {1} = {1}_first + {1}_in;", row, column);
  out_.add("if ({0} >= {0}_size || {1} >= {1}_size) continue;", row, column);
  row_places();
  std::vector<int> added = shape_.sums;
  for (std::size_t i = 0; i < shape_.products.size(); ++i)
    if (!is_held(i)) added.push_back(shape_.products[i]);
  std::sort(added.begin(), added.end());
  add_up(added, inside(TileAxis::column));
  for (std::size_t i = 0; i < shape_.seconds.size(); ++i) {
    const int second = shape_.seconds[i];
    const Node& op = graph_.nodes[slot(second)];
    const int product = listed(shape_.products, op.a) ? op.a : op.b;
    const std::string r = inside(TileAxis::held);
    comment(second);
    out_.add("float {} = 0.0f;", names_.value(second));
    out_.add("for (int {0} = 0; {0} < {1}; ++{0})", r, tile(TileAxis::held));
    out_.add("  {} += {}->{}[{}][{}] * to_float({}->{}[{}][{}]);", names_.value(second), memory(),
             id(product), inside(TileAxis::row), r, memory(), names_.tensor(shape_.second_rights[i]), r,
             inside(TileAxis::column));
  }
  result_lines(shape_.reads, shape_.behind);
  out_.close();
}

void TensorEmitter::row_places() {
  if (shape_.rows.size() > 1) declare_places(shape_.rows, name(TileAxis::row), false);
}

void TensorEmitter::store_sums() {
  out_.add("{}& mine = {}->warps[warp]{};", own("Sums"), memory(), sums_of_warp());
  if (shape_.in_registers) return store_register_sums();
  for (std::size_t i = 0; i < shape_.products.size(); ++i) {
    const int product = shape_.products[i];
    if (shape_.by_words()) {
      use("stored_sums");
      out_.add("store_sums(mine.{}[0], {}[0], {} + kPad);", id(product), sums(product), across(i));
      continue;
    }
    out_.raw("#pragma unroll");
    out_.open(fmt::format("for (int part = 0; part < {}; ++part)", column_parts(i)));
    out_.add("wmma::store_matrix_sync(&mine.{}[0][16 * part], {}[part], {} + kPad, wmma::mem_row_major);",
             id(product), sums(product), across(i));
    out_.close();
  }
  for (const int sum : shape_.sums) {
    out_.add("{0} += __shfl_xor_sync(0xffffffffu, {0}, 16);  // the two lanes of a row", sums(sum));
    out_.add("if (lane < 16) mine.{}[lane] = {};", id(sum), sums(sum));
  }
}

void TensorEmitter::add_up(const std::vector<int>& nodes, const std::string& column) {
  const std::string row = inside(TileAxis::row);
  const auto place = [&](int node) {
    return listed(shape_.sums, node) ? fmt::format("[{}]", row) : fmt::format("[{}][{}]", row, column);
  };
  for (const int node : nodes) out_.add("float {} = 0.0f;", names_.value(node));
  out_.open(fmt::format("for (const {}& each : {}->warps)", own(shape_.in_registers ? "Sums" : "WarpMemory"),
                        memory()));
  for (const int node : nodes)
    out_.add("{} += each{}.{}{};", names_.value(node), sums_of_warp(), id(node), place(node));
  out_.close();
}

void TensorEmitter::held_results() {
  if (shape_.held < 0) return;
  open_elements(TileAxis::held, false);
  for (std::size_t i = 0; i < shape_.products.size(); ++i) {
    if (!is_held(i)) continue;
    const int product = shape_.products[i];
    add_up({product}, inside(TileAxis::held));
    out_.add("{}->{}[{}][{}] = {};", memory(), id(product), inside(TileAxis::row), inside(TileAxis::held),
             names_.value(product));
  }
  out_.close();
  out_.add("__syncthreads();  // and whole what is multiplied again");
}

void TensorEmitter::open_elements(TileAxis across, bool rows_fastest) {
  const std::string row = inside(TileAxis::row), column = inside(across);
  out_.open(fmt::format("for (int i = threadIdx.x; i < {} * {}; i += {})", tile(TileAxis::row), tile(across),
                        threads()));
  if (rows_fastest)
    out_.add("const int {0} = i % {2}, {1} = i / {2};", row, column, tile(TileAxis::row));
  else
    out_.add("const int {0} = i / {2}, {1} = i % {2};", row, column, tile(across));
}

}  // namespace workbook::opt
