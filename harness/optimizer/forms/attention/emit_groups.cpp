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

void AttentionEmitter::fill_stage(const std::vector<int>& tiles, const std::string& which) {
  const std::string key = names_.index(shape_.key), t = first(shape_.key), at = own("memory"),
                    stages = own("kStages");
  out_.add("if (turn >= {0}) wait_for(&{1}->{2}empty[now], (turn / {0} - 1) % 2);", stages, at, which);
  out_.open("if (by_maps && copies)");
  std::string sizes;
  for (const int of : tiles) sizes += fmt::format("{}sizeof(stage.{})", sizes.empty() ? "" : " + ", id(of));
  out_.add("arrive_and_expect(&{}->{}full[now], {});", at, which, sizes);
  for (const int of : tiles) {
    const bool along = along_keys(of);
    const std::string of_keys = tile(shape_.key), of_depth = tile(depth_of(of));
    out_.add("copy_panels<{}, {}>(stage.{}, {}_map, &{}->{}full[now], {}, {}{});", along ? of_depth : of_keys,
             along ? of_keys : of_depth, id(of), own(names_.tensor(of)), at, which, along ? t : "0",
             along ? "0" : t, map_places(of, shape_.batch));
  }
  out_.close();
  out_.open("else if (!by_maps)");
  for (const int of : tiles) {
    const bool along = along_keys(of);
    const std::string keys = fmt::format("{}_end - {}", key, t), size = names_.size(depth_of(of));
    const std::string of_keys = tile(shape_.key), of_depth = tile(depth_of(of));
    out_.add("copy_panels<{}, {}>(stage.{}, {}{}, {}, {}, {});", along ? of_depth : of_keys,
             along ? of_keys : of_depth, id(of), names_.tensor(of), tile_begin(of), tile_stride(of),
             along ? size : keys, along ? keys : size);
  }
  out_.add("show_stores();");
  out_.add("arrive(&{}->{}full[now]);", at, which);
  out_.close();
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
  if (!apart()) fill_stage(shape_.tiles, "");
  if (apart()) {
    fill_stage({shape_.products.front().right}, "");
    fill_stage({shape_.values}, of_values());
  }
  out_.close();
  out_.add("return;");
}

void GroupRowsEmitter::loop() {
  use(group_of(shape_.keys));
  use(shape_.width[slot(shape_.column)] == kPanel ? "group_own_64" : "group_own_128");
  use("group_weights");
  use("products");
  use("own_rows");
  const std::string key = names_.index(shape_.key), t = first(shape_.key), at = own("memory"),
                    keys = tile(shape_.key);
  const bool in_turns = shape_.multiplying(kernel_) == 2 * kGroupWarps;
  begin_barriers(at, threads() + " / 32 - 4", "rows", of_values());
  out_.open(fmt::format("if (warp >= {} / 32 - 4)", threads()));
  if (in_turns) out_.add("give_registers();");
  fill_stages();
  out_.close();
  if (in_turns) {
    use("group_turns");
    out_.add("take_registers();");
  }
  begin_sums();
  out_.add("wait_for(&{}->rows, 0);", at);
  out_.open(fmt::format("if ({0}_begin < {0}_end)", key));
  out_.add("float {}[1][{} / 8][4];", scores(), keys);
  out_.add("unsigned weights[{}][{} / 16][4];", own("kDown"), keys);
  out_.add("float keep[2 * {}];  // of what is added up", own("kDown"));
  begin_scores();
  weigh_scores();
  add_values();
  if (in_turns)
    out_.add("if (warp / 4 == 1 && {0}_begin + {1} < {0}_end) end_turn();  // the other group begins", key,
             keys);
  out_.add("begin_scores(0);");
  out_.add("wait_for_products<0>();");
  out_.add("weigh({}_begin, 0);", key);
  out_.add("to_left(weights, {});  // a fragment holds {}: rounded here", scores(), half());
  out_.add("int turn = 1;");
  out_.raw("    // Scores are weighed while the weights of the turn before are multiplied.");
  out_.open(fmt::format("for (int {0} = {1}_begin + {2}; {0} < {1}_end; {0} += {2}, ++turn)", t, key, keys));
  if (in_turns) out_.add("begin_turn();");
  out_.add("begin_scores(turn);");
  out_.add("add_values(turn - 1);");
  if (in_turns) out_.add("if (warp / 4 == 0 || {} + {} < {}_end) end_turn();", t, keys, key);
  out_.add("wait_for_products<1>();");
  out_.add("weigh({}, turn);", t);
  out_.add("wait_for_products<0>();");
  out_.add("hold_sums({});", sums());
  out_.add("leave_stage({}->{}empty[(turn - 1) % {}]);", at, of_values(), own("kStages"));
  out_.raw("#pragma unroll");
  out_.add("for (int at = 0; at < 2 * {0}; ++at) scale_row({1}[at / 2], at % 2, keep[at]);", own("kDown"),
           sums());
  out_.add("to_left(weights, {});", scores());
  out_.close();
  out_.add("add_values(turn - 1);");
  out_.add("wait_for_products<0>();");
  out_.add("hold_sums({});", sums());
  out_.close();
}

void GroupRowsEmitter::begin_scores() {
  const auto& product = shape_.products.front();
  comment(shape_.score);
  out_.open("const auto begin_scores = [&](int turn)");
  out_.add("const {}& stage = {}->stages[turn % {}];", own("Stage"), own("memory"), own("kStages"));
  out_.add("wait_for(&{0}->full[turn % {1}], turn / {1} % 2);", own("memory"), own("kStages"));
  out_.add("hold_sums({});", scores());
  out_.add("begin_products();");
  out_.add("add_panels<false, {}, {}, {}, {}, true>({}, {}->{}, stage.{}, warp / 4 * 64);",
           !along_keys(product.right), row_tile(), tile(shape_.key), tile(product.depth), scores(),
           own("memory"), id(product.left), id(product.right));
  out_.add("end_products();");
  out_.close(";");
}

void GroupRowsEmitter::weigh_scores() {
  out_.open(fmt::format("const auto weigh = [&](int {}, [[maybe_unused]] int turn)", first(shape_.key)));
  out_.add("hold_sums({});", scores());
  if (apart()) out_.add("leave_stage({}->empty[turn % {}]);", own("memory"), own("kStages"));
  weigh();
  out_.close(";");
}

void GroupRowsEmitter::add_values() {
  const std::string at = own("memory"), stages = own("kStages");
  out_.open("const auto add_values = [&](int turn)");
  out_.add("const {}& stage = {}->stages[turn % {}];", own("Stage"), at, stages);
  if (apart()) out_.add("wait_for(&{0}->{2}full[turn % {1}], turn / {1} % 2);", at, stages, of_values());
  out_.add("hold_sums({});", sums());
  out_.add("begin_products();");
  out_.add("add_panels<{}, {}, {}>({}, weights, stage.{});", along_keys(shape_.values), tile(shape_.column),
           tile(shape_.key), sums(), id(shape_.values));
  out_.add("end_products();");
  out_.close(";");
}

void GroupRowsEmitter::take_rows() {
  out_.add("const int row = 16 * warp + lane / 4;  // this lane's first; the other one follows 8 behind");
}

}  // namespace workbook::opt
