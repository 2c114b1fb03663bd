// Path tensor_groups: groups of four warps multiply tiles that lie in shared memory in panels; the last group
// has them copied, as far ahead as there are stages. Two barriers a stage: it is full, it is empty.
#include "optimizer/forms/tensor/emit.h"

namespace workbook::opt {

std::vector<int> TensorEmitter::mapped_nodes() const {
  std::vector<int> nodes{shape_.left.node};
  for (const TileMatrix& right : shape_.rights) nodes.push_back(right.node);
  return nodes;
}

void TensorEmitter::make_maps(Lines& lines) const {
  const auto add = [&](const TileMatrix& matrix) {
    add_map(lines, matrix.node, shape_.indices(matrix.inner), shape_.indices(matrix.outer),
            stride_text(matrix), shape_.batch, tile(matrix.outer));
  };
  begin_maps(lines, mapped_nodes());
  add(shape_.left);
  for (const TileMatrix& right : shape_.rights) add(right);
}

void TensorEmitter::group_structures() {
  const auto add = [&](const TileMatrix& matrix) {
    out_.add("  alignas(1024) {} {}[{} * {}];", half(), names_.tensor(matrix.node), tile(matrix.outer),
             tile(matrix.inner));
  };
  out_.raw("// Of a block: the tiles of a step, in panels.");
  out_.add("struct {} {{", own("Stage"));
  add(shape_.left);
  for (const TileMatrix& right : shape_.rights) add(right);
  out_.raw("};");
}

/// The copies of a step: by the GPU, or by the group's threads.
void TensorEmitter::fill_stage() {
  const std::string begin = first(TileAxis::over), full = fmt::format("&{}->full[now]", memory());
  const auto all = [&](auto line) {
    line(shape_.left);
    for (const TileMatrix& right : shape_.rights) line(right);
  };
  const auto to = [&](const TileMatrix& matrix) {
    return fmt::format("copy_panels<{}, {}>(stage.{}, ", tile(matrix.outer), tile(matrix.inner),
                       names_.tensor(matrix.node));
  };
  out_.add("const int {} = {} * {};", begin,
           shape_.in_parts      ? name(TileAxis::over) + "_begin + step"
           : shape_.cluster > 1 ? "(first_step + step)"
                                : "step",
           tile(TileAxis::over));
  out_.open("if (!by_maps)");
  all([&](const TileMatrix& matrix) {
    const auto left = [&](TileAxis axis) {
      return (axis == TileAxis::over ? over_end() : size(axis)) + " - " + first(axis);
    };
    out_.add("{}{}, {}, {}, {});", to(matrix), tile_text(matrix), stride_text(matrix), left(matrix.outer),
             left(matrix.inner));
  });
  out_.raw("        show_stores();");
  out_.add("arrive({});", full);
  out_.close();
  out_.open("else if (threadIdx.x % 128 == 0)");
  out_.add("arrive_and_expect({}, sizeof({}));", full, own("Stage"));
  all([&](const TileMatrix& matrix) {
    out_.add("{}{}_map, {}, {}, {}{});", to(matrix), own(names_.tensor(matrix.node)), full,
             first(matrix.inner), first(matrix.outer), map_places(matrix.node, shape_.batch));
  });
  out_.close();
}

void TensorEmitter::group_steps() {
  for (std::size_t i = 0; i < shape_.products.size(); ++i) use(group_of(shape_.width(i)));
  use("group_products");
  const std::string stages = own("kStages"), groups = own("kGroups"), at = memory();
  if (shape_.cluster > 1) {
    out_.add("const int all_steps = ({0} + {1} - 1) / {1}, share = (all_steps + {2} - 1) / {2};",
             over_length(), tile(TileAxis::over), own("kCluster"));
    out_.add("const int first_step = number * share, steps = min(share, all_steps - first_step);");
  } else {
    out_.add("const int steps = ({0} + {1} - 1) / {1};", over_length(), tile(TileAxis::over));
  }
  begin_barriers(at, "4 * " + groups);
  const std::string loop = "for (int step = 0, now = 0, turn = 0; step < steps; ++step)",
                    next = fmt::format("if (++now == {}) now = 0, ++turn;", stages);
  out_.open(fmt::format("if (group == {})", groups));
  out_.open(loop);
  out_.add("{}& stage = stages[now];", own("Stage"));
  out_.add("if (turn > 0) wait_for(&{}->empty[now], (turn - 1) % 2);", at);
  fill_stage();
  out_.add("{}", next);
  out_.close();
  out_.close();
  out_.open("else");
  out_.open(loop);
  out_.add("const {}& stage = stages[now];", own("Stage"));
  out_.add("wait_for(&{}->full[now], turn % 2);", at);
  for (const int product : shape_.products) out_.add("hold_sums({});", sums(product));
  out_.add("begin_products();");
  for (std::size_t i = 0; i < shape_.products.size(); ++i)
    out_.add("add_panels<{}, {}, {}, {}, {}>({}, stage.{}, stage.{}, {} * group);", shape_.left_is_turned(),
             TensorShape::is_turned(shape_.rights[i]), tile(TileAxis::row), across(i), tile(TileAxis::over),
             sums(shape_.products[i]), left(), names_.tensor(shape_.rights[i].node),
             kGroupRows * kernel_.down);
  out_.add("end_products();");
  out_.add("wait_for_products<1>();  // those of the step before are done,");
  for (const int product : shape_.products) out_.add("hold_sums({});", sums(product));
  out_.add("__syncwarp();");
  out_.add(
      "if (step > 0 && lane == 0) arrive(&{}->empty[(now > 0 ? now : {}) - 1]);  // and nobody reads its stage any more",
      at, stages);
  out_.add("{}", next);
  out_.close();
  out_.add("wait_for_products<0>();");
  for (const int product : shape_.products) out_.add("hold_sums({});", sums(product));
  out_.close();
  if (shape_.cluster > 1) share_sums();
}

void TensorEmitter::share_sums() {
  use("cluster_sums");
  use("launch_clusters");
  const std::string of = fmt::format("<{}, 128 * {}>", own("kCluster"), own("kGroups"));
  out_.add("meet_cluster();  // nobody multiplies any more: what is sent takes the room of stages");
  out_.open(fmt::format("if (group < {})", own("kGroups")));
  for (std::size_t i = 0; i < shape_.products.size(); ++i)
    out_.add("send_sums{}({}->sent[{}], {}, number);", of, memory(), i, sums(shape_.products[i]));
  out_.close();
  out_.add("meet_cluster();");
  for (const int product : shape_.products)
    out_.add("float {}[{}][{} / 8][4] = {{}};", results_of(product), row_parts(), own("kOwnColumns"));
  out_.open(fmt::format("if (group < {})", own("kGroups")));
  for (std::size_t i = 0; i < shape_.products.size(); ++i)
    out_.add("add_sent_sums{}({}->sent[{}], {});", of, memory(), i, results_of(shape_.products[i]));
  out_.close();
  out_.add("{} += number * {};", first(TileAxis::column), own("kOwnColumns"));
}

}  // namespace workbook::opt
