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
  out_.add("const int {} = {}step * {};", begin, shape_.in_parts ? name(TileAxis::over) + "_begin + " : "",
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
  out_.add("const int steps = ({0} + {1} - 1) / {1};", over_length(), tile(TileAxis::over));
  begin_barriers(at, "4 * " + groups);
  out_.open(fmt::format("if (group == {})", groups));
  out_.open("for (int step = 0; step < steps; ++step)");
  out_.add("const int now = step % {};", stages);
  out_.add("{}& stage = stages[now];", own("Stage"));
  out_.add("if (step >= {0}) wait_for(&{1}->empty[now], (step / {0} - 1) % 2);", stages, at);
  fill_stage();
  out_.close();
  out_.close();
  out_.open("else");
  out_.open("for (int step = 0; step < steps; ++step)");
  out_.add("const {0}& stage = stages[step % {1}];", own("Stage"), stages);
  out_.add("wait_for(&{0}->full[step % {1}], step / {1} % 2);", at, stages);
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
      "if (step > 0 && lane == 0) arrive(&{}->empty[(step - 1) % {}]);  // and nobody reads its stage any more",
      at, stages);
  out_.close();
  out_.add("wait_for_products<0>();");
  for (const int product : shape_.products) out_.add("hold_sums({});", sums(product));
  out_.close();
}

}  // namespace workbook::opt
