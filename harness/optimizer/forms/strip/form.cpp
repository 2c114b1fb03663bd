#include "optimizer/forms/strip/shape.h"
#include "optimizer/launch/cuts.h"

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
      .was_timed = true,
      .yields = [](const Cuts& cuts) { return cuts.summed_reads() <= 1; },  // form row's has the rest
  };
  return form;
}

}  // namespace workbook::opt
