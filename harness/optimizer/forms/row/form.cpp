#include <fmt/format.h>

#include "optimizer/forms/row/shape.h"
#include "optimizer/launch/cuts.h"

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
      // Rows that are held as floats, of several tensors, leave an SM few blocks: LayerNorm of 4096 elements
      // took an H200 24 us, and on path strip, which holds packs, 16.
      .yields = [](const Cuts& cuts) { return cuts.summed_reads() > 1; },
  };
  return form;
}

}  // namespace workbook::opt
