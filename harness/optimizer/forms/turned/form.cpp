#include "optimizer/forms/turned/shape.h"

namespace workbook::opt {

const Form& turned_form() {
  static const Form form{
      .paths = {Path::turned},
      .fault =
          "a launch of path turned has sums, nothing that ends in another index than its result, or tiles that it does not "
          "have",
      .bytes = [](const Program& program, const Plan& plan, const Launch& launch, const Kernel& kernel,
                  const Extents&) -> std::optional<std::int64_t> {
        const auto shape = turned_shape(program, plan, launch, kernel);
        return shape ? std::optional(shape->bytes()) : std::nullopt;
      },
      .try_cuts = try_turned_cuts,
      .counter = turned_counter,
      .emitter = turned_emitter,
  };
  return form;
}

}  // namespace workbook::opt
