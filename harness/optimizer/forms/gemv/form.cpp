#include "optimizer/forms/gemv/shape.h"

namespace workbook::opt {

const Form& gemv_form() {
  static const Form form{
      .paths = {Path::gemv},
      .fault =
          "a launch of path gemv has more than one vector against a matrix of half and what becomes of that, or tiles that "
          "are too large",
      .bytes = without_tiles<gemv_shape>,
      .try_cuts = try_gemv_cuts,
      .counter = gemv_counter,
      .emitter = gemv_emitter,
      .was_timed = true,
  };
  return form;
}

}  // namespace workbook::opt
