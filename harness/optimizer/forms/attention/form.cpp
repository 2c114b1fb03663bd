#include "optimizer/forms/attention/shape.h"

namespace workbook::opt {

namespace {

std::uint64_t rounded(const Program& program, const Plan& plan, const Launch& launch, const Kernel& kernel) {
  const auto shape = attention_shape(program, plan, launch, kernel);
  if (!shape) return 0;
  std::uint64_t nodes = node_bit(shape->weight);
  for (const AttentionShape::Product& product : shape->products)
    if (shape->rounds(program, plan, product)) nodes |= node_bit(product.left);
  return nodes;
}

}  // namespace

const Form& attention_form() {
  static const Form form{
      .paths = {Path::tensor_attention, Path::attention_groups},
      .fault =
          "a launch of path tensor attention has more than exp between two products of half and what becomes of them, or "
          "tiles that are too large",
      .bytes = [](const Program& program, const Plan& plan, const Launch& launch, const Kernel& kernel,
                  const Extents&) -> std::optional<std::int64_t> {
        const auto shape = attention_shape(program, plan, launch, kernel);
        return shape ? std::optional(shape->bytes(plan.graph, kernel)) : std::nullopt;
      },
      .try_cuts = try_attention_cuts,
      .counter = attention_counter,
      .emitter = attention_emitter,
      .rounded = rounded,
      .settles = true,
  };
  return form;
}

}  // namespace workbook::opt
