// Path tensor: behind its loop, where the warps' sums meet.
#include <algorithm>

#include "optimizer/emit_tensor.h"

namespace workbook::opt {

void TensorEmitter::results() {
  out_.add("{}& mine = {}->warps[warp].sums;", own("WarpSums"), memory());
  for (const int product : shape_.products) {
    out_.raw("#pragma unroll");
    out_.open(fmt::format("for (int part = 0; part < {} / 16; ++part)", across(product)));
    out_.add("wmma::store_matrix_sync(&mine.{}[0][16 * part], {}[part], {} + kPad, wmma::mem_row_major);",
             id(product), sums(product), across(product));
    out_.close();
  }
  for (const int sum : shape_.sums) {
    out_.add("{0} += __shfl_xor_sync(0xffffffffu, {0}, 16);  // the two lanes of a row", sums(sum));
    out_.add("if (lane < 16) mine.{}[lane] = {};", id(sum), sums(sum));
  }
  out_.add("__syncthreads();  // the sums of all warps are there");
  held_results();
  open_elements(shape_.column);
  out_.add("const int {0} = {1} + {2}, {3} = {4} + {5};", names_.index(shape_.row), first(shape_.row),
           inside(shape_.row), names_.index(shape_.column), first(shape_.column), inside(shape_.column));
  out_.add("if ({} >= {} || {} >= {}) continue;", names_.index(shape_.row), names_.size(shape_.row),
           names_.index(shape_.column), names_.size(shape_.column));
  const std::string place = fmt::format("[{}][{}]", inside(shape_.row), inside(shape_.column));
  std::vector<int> added = shape_.sums;
  for (const int product : shape_.products)
    if (!is_held(product)) added.push_back(product);
  std::sort(added.begin(), added.end());
  add_up(added, [&](int node) {
    return listed(shape_.sums, node) ? fmt::format("[{}]", inside(shape_.row)) : place;
  });
  for (const int second : shape_.seconds) {
    const Node& op = graph_.nodes[slot(second)];
    const int product = listed(shape_.products, op.a) ? op.a : op.b;
    const std::string r = inside(shape_.held);
    comment(second);
    out_.add("float {} = 0.0f;", names_.value(second));
    out_.add("for (int {0} = 0; {0} < {1}; ++{0})", r, tile(shape_.held));
    out_.add("  {} += {}->{}[{}][{}] * to_float({}->{}[{}][{}]);", names_.value(second), memory(),
             id(product), inside(shape_.row), r, memory(), right(second), r, inside(shape_.column));
  }
  result_lines(shape_.reads, shape_.behind);
  out_.close();
}

void TensorEmitter::held_results() {
  if (shape_.held < 0) return;
  open_elements(shape_.held);
  for (const int product : shape_.products) {
    if (!is_held(product)) continue;
    const std::string place = fmt::format("[{}][{}]", inside(shape_.row), inside(shape_.held));
    add_up({product}, [&](int) { return place; });
    out_.add("{}->{}{} = {};", memory(), id(product), place, names_.value(product));
  }
  out_.close();
  out_.add("__syncthreads();  // and whole what is multiplied again");
}
void TensorEmitter::open_elements(int across) {
  out_.open(fmt::format("for (int i = threadIdx.x; i < {} * {}; i += {})", tile(shape_.row), tile(across),
                        threads()));
  out_.add("const int {0} = i / {2}, {1} = i % {2};", inside(shape_.row), inside(across), tile(across));
}

}  // namespace workbook::opt
