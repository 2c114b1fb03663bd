// Path attention groups: as where a warp has rows of its own, 16, but groups of four warps multiply rows and
// weights by tiles that lie in shared memory in panels. The last group has the tiles copied.
#include "optimizer/forms/attention/emit.h"

namespace workbook::opt {

std::vector<int> AttentionEmitter::mapped_nodes() const {
  std::vector<int> nodes{shape_.products.front().left};
  nodes.insert(nodes.end(), shape_.tiles.begin(), shape_.tiles.end());
  return nodes;
}

void AttentionEmitter::make_maps(Lines& lines) const {
  const int left = shape_.products.front().left, depth = shape_.products.front().depth;
  begin_maps(lines, mapped_nodes());
  add_map(lines, left, {depth}, shape_.row_indices, rows_of(left, depth, "").second, shape_.batch,
          row_tile());
  for (const int of : shape_.tiles) {
    const bool along = along_keys(of);
    const int inner = along ? shape_.key : depth_of(of), outer = along ? depth_of(of) : shape_.key;
    add_map(lines, of, {inner}, {outer}, tile_stride(of), shape_.batch, tile(outer));
  }
}

/// The group that copies: the rows, and the keys of each turn.
void AttentionEmitter::fill_stages() {
  const std::string key = names_.index(shape_.key), t = first(shape_.key), at = own("memory"),
                    stages = own("kStages");
  const int left = shape_.products.front().left, depth = shape_.products.front().depth;
  const auto [begin, stride] = rows_of(left, depth, "");
  out_.raw("    const bool copies = threadIdx.x % 128 == 0;  // begins those that the GPU makes by itself");
  out_.open("if (by_maps && copies)");
  out_.add("arrive_and_expect(&{}->rows, sizeof({}->{}));", at, at, id(left));
  out_.add("copy_panels<{}, {}>({}->{}, {}_map, &{}->rows, 0, {}_first{});", row_tile(), tile(depth), at,
           id(left), own(names_.tensor(left)), at, row_name(), map_places(left, shape_.batch));
  out_.close();
  out_.open("else if (!by_maps)");
  out_.add("copy_panels<{}, {}>({}->{}, {}{}, {}, {} - {}_first, {});", row_tile(), tile(depth), at, id(left),
           names_.tensor(left), begin, stride, row_size(), row_name(), names_.size(depth));
  out_.add("show_stores();");
  out_.add("arrive(&{}->rows);", at);
  out_.close();
  out_.open(fmt::format("for (int {0} = {1}_begin, turn = 0; {0} < {1}_end; {0} += {2}, ++turn)", t, key,
                        tile(shape_.key)));
  out_.add("const int now = turn % {};", stages);
  out_.add("{}& stage = {}->stages[now];", own("Stage"), at);
  out_.add("if (turn >= {0}) wait_for(&{1}->empty[now], (turn / {0} - 1) % 2);", stages, at);
  out_.open("if (by_maps && copies)");
  out_.add("arrive_and_expect(&{}->full[now], sizeof({}));", at, own("Stage"));
  for (const int of : shape_.tiles) {
    const bool along = along_keys(of);
    const std::string of_keys = tile(shape_.key), of_depth = tile(depth_of(of));
    out_.add("copy_panels<{}, {}>(stage.{}, {}_map, &{}->full[now], {}, {}{});", along ? of_depth : of_keys,
             along ? of_keys : of_depth, id(of), own(names_.tensor(of)), at, along ? t : "0", along ? "0" : t,
             map_places(of, shape_.batch));
  }
  out_.close();
  out_.open("else if (!by_maps)");
  for (const int of : shape_.tiles) {
    const bool along = along_keys(of);
    const std::string keys = fmt::format("{}_end - {}", key, t), size = names_.size(depth_of(of));
    const std::string of_keys = tile(shape_.key), of_depth = tile(depth_of(of));
    out_.add("copy_panels<{}, {}>(stage.{}, {}{}, {}, {}, {});", along ? of_depth : of_keys,
             along ? of_keys : of_depth, id(of), names_.tensor(of), tile_begin(of), tile_stride(of),
             along ? size : keys, along ? keys : size);
  }
  out_.add("show_stores();");
  out_.add("arrive(&{}->full[now]);", at);
  out_.close();
  out_.close();
  out_.add("return;");
}

void GroupRowsEmitter::loop() {
  use(group_of(shape_.keys));
  use(shape_.width[slot(shape_.column)] == kPanel ? "group_own_64" : "group_own_128");
  use("group_weights");
  const std::string key = names_.index(shape_.key), t = first(shape_.key), at = own("memory"),
                    stages = own("kStages");
  begin_barriers(at, threads() + " / 32 - 4", "rows");
  out_.open(fmt::format("if (warp >= {} / 32 - 4)", threads()));
  fill_stages();
  out_.close();
  begin_sums();
  out_.add("wait_for(&{}->rows, 0);", at);
  out_.open(fmt::format("for (int {0} = {1}_begin, turn = 0; {0} < {1}_end; {0} += {2}, ++turn)", t, key,
                        tile(shape_.key)));
  out_.add("const {}& stage = {}->stages[turn % {}];", own("Stage"), at, stages);
  out_.add("wait_for(&{0}->full[turn % {1}], turn / {1} % 2);", at, stages);
  turn();
  out_.add("__syncwarp();");
  out_.add("if (lane == 0) arrive(&{}->empty[turn % {}]);  // nobody of this warp reads the stage any more",
           at, stages);
  out_.close();
}

void GroupRowsEmitter::take_rows() {
  out_.add("const int row = 16 * warp + lane / 4;  // this lane's first; the other one follows 8 behind");
}

void GroupRowsEmitter::multiply() {
  const auto& product = shape_.products.front();
  comment(shape_.score);
  out_.add("float {}[1][{} / 8][4] = {{}};", scores(), tile(shape_.key));
  out_.add("hold_sums({});", scores());
  out_.add("begin_products();");
  out_.add("add_panels<false, {}, {}, {}, {}>({}, {}->{}, stage.{}, warp / 4 * 64);",
           !along_keys(product.right), row_tile(), tile(shape_.key), tile(product.depth), scores(),
           own("memory"), id(product.left), id(product.right));
  out_.add("end_products();");
  out_.add("wait_for_products<0>();");
  out_.add("hold_sums({});", scores());
}

void GroupRowsEmitter::turn() {
  use("products");
  use("own_rows");
  multiply();
  weigh();
  out_.add("hold_sums({});", sums());
  out_.add("begin_products();");
  out_.add("add_panels<{}, {}, {}>({}, weights, stage.{});", along_keys(shape_.values), tile(shape_.column),
           tile(shape_.key), sums(), id(shape_.values));
  out_.add("end_products();");
  out_.add("wait_for_products<0>();");
  out_.add("hold_sums({});", sums());
}

}  // namespace workbook::opt
