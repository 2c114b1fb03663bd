#include "optimizer/forms/window/shape.h"

namespace workbook::opt {

const Form& window_form() {
  static const Form form{
      .paths = {Path::window},
      .fault =
          "a launch of path window has no sums, results that do not end in the same index, sums in parts, or cuts that it "
          "does not have",
      .bytes = without_tiles<window_shape>,
      .try_cuts = try_window_cuts,
      .counter = window_counter,
      .emitter = window_emitter,
      .yields = [](const Cuts&) { return true; },
  };
  return form;
}

}  // namespace workbook::opt
