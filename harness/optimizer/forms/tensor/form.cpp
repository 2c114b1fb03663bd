#include "optimizer/forms/tensor/shape.h"

namespace workbook::opt {

const Form& tensor_form() {
  static const Form form{
      .paths = {Path::tensor, Path::tensor_groups},
      .fault =
          "a launch of path tensor has more than products of one matrix and of halves, and what becomes of them, or tiles "
          "that it does not have",
      .bytes = [](const Program& program, const Plan& plan, const Launch& launch, const Kernel& kernel,
                  const Extents&) -> std::optional<std::int64_t> {
        const auto shape = tensor_shape(program, plan, launch, kernel);
        return shape ? std::optional(shape->bytes(kernel)) : std::nullopt;
      },
      .try_cuts = try_tensor_cuts,
      .counter = tensor_counter,
      .emitter = tensor_emitter,
      .rounded = [](const Program& program, const Plan& plan, const Launch& launch,
                    const Kernel& kernel) -> std::uint64_t {
        const auto shape = tensor_shape(program, plan, launch, kernel);
        return shape && (shape->in_place() || shape->left_is_float) ? node_bit(shape->factor) : 0;
      },
      .was_timed = true,
      .alike = [](const Kernel& kernel) { return kernel.path == Path::tensor ? 1.25 : 1.05; },
      .asks_once = [](const Kernel& kernel) { return kernel.stages == kNoStages; },
  };
  return form;
}

}  // namespace workbook::opt
