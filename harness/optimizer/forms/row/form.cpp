#include "optimizer/forms/row/shape.h"

#include <fmt/format.h>

namespace workbook::opt {
namespace {

std::string gain(const Program& program, const Plan& plan, const Launch& launch, const Kernel& kernel) {
  const auto row = row_shape(program, plan, launch, kernel);
  return fmt::format("a block holds its {} in registers: every tensor is read or written once",
                     row && row->in_pieces ? "piece of a row" : "row");
}

}  // namespace

const Form& row_form() {
  static const Form form{
      .paths = {Path::row},
      .fault = "a launch of path row has products, or rows that are too long or do not lie in one piece",
      .bytes = without_tiles<row_shape>,
      .try_cuts = try_row_cuts,
      .counter = row_counter,
      .emitter = row_emitter,
      .gain = gain,
      .was_timed = true,
  };
  return form;
}

}  // namespace workbook::opt
