#include "optimizer/forms/nests/shape.h"

namespace workbook::opt {

const Form& nest_form() {
  static const Form form{
      .paths = {Path::plain, Path::product, Path::attention},
      .fault = "a launch of loop nests has cuts that it does not have",
      .bytes = [](const Program& program, const Plan& plan, const Launch& launch, const Kernel& kernel,
                  const Extents& extents) -> std::optional<std::int64_t> {
        return shared_bytes(nests_of(program, plan, launch, kernel), tiles_of(kernel, extents));
      },
      .try_cuts = try_nest_cuts,
      .counter = nest_counter,
      .emitter = nest_emitter,
  };
  return form;
}

}  // namespace workbook::opt
