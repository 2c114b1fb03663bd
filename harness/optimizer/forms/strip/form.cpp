#include "optimizer/forms/strip/shape.h"

namespace workbook::opt {

const Form& strip_form() {
  static const Form form{
      .paths = {Path::strip},
      .fault =
          "a launch of path strip has products, sums that are no sum over all that it goes over, tensors that do not end "
          "in the same index, or cuts that it does not have",
      .bytes = without_tiles<strip_shape>,
      .try_cuts = try_strip_cuts,
      .counter = strip_counter,
      .emitter = strip_emitter,
      .yields = true,
  };
  return form;
}

}  // namespace workbook::opt
