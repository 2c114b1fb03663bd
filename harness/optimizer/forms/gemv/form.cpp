#include "optimizer/forms/gemv/shape.h"

namespace workbook::opt {

const Form& gemv_form() {
  static const Form form{
      .paths = {Path::gemv},
      .fault =
          "a launch of path gemv has more than one vector against a matrix of half and what becomes of that, or tiles that "
          "are too large",
      .bytes = [](const Program& program, const Plan& plan, const Launch& launch, const Kernel& kernel,
                  const Extents&) -> std::optional<std::int64_t> {
        return gemv_shape(program, plan, launch, kernel) ? std::optional<std::int64_t>(0) : std::nullopt;
      },
      .try_cuts = try_gemv_cuts,
      .counter = gemv_counter,
      .emitter = gemv_emitter,
      .was_timed = true,
  };
  return form;
}

}  // namespace workbook::opt
