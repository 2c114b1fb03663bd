// Path tensor without stages: what a step of a warp takes goes from memory into registers, where it is
// multiplied; shared memory holds what warps have added up.
#include "optimizer/forms/tensor/emit.h"
#include "optimizer/launch/text.h"

namespace workbook::opt {

void TensorEmitter::register_structures() {
  out_.raw("// What a warp has added up.");
  sum_structure();
  out_.add("struct {} {{", own("Memory"));
  out_.add("  {} warps[{} / 32];", own("Sums"), threads());
  out_.raw("};");
}

std::string TensorEmitter::whole_steps() const {
  std::string text = fmt::format("{} % {} == 0", size(TileAxis::over), tile(TileAxis::over));
  for (const TileMatrix& right : shape_.rights)
    if (!TensorShape::is_turned(right)) return text + " && " + size(TileAxis::column) + " % 8 == 0";
  return text;
}

void TensorEmitter::register_steps() {
  use("pieces");
  const std::string step = tile(TileAxis::over), over = size(TileAxis::over), begin = first(TileAxis::over);
  Lines lines;
  lines.set_depth(2);
  lines.add("constexpr bool kWhole = decltype(whole)::value;");
  lines.open(fmt::format("for (int step = warp; step * {} < {}; step += {} / 32)", step, over, threads()));
  lines.add("Eight {}[{} / {}][2];", pieces(shape_.left.node), step, kSlice);
  for (const TileMatrix& right : shape_.rights)
    lines.add("Eight {}[{} / {}][{} / 8];", pieces(right.node), step, kSlice, tile(TileAxis::column));
  for (const int vector : shape_.along) lines.add("Eight {}[{} / {}][1];", pieces(vector), step, kSlice);
  lines.raw("#pragma unroll");
  lines.open(fmt::format("for (int slice = 0; slice < {} / {}; ++slice)", step, kSlice));
  lines.add("const int {} = step * {} + slice * {};", begin, step, kSlice);
  load_pieces(lines);
  lines.close();
  lines.add("__syncwarp();  // all of it is on its way before any is multiplied: compilers mix the two else");
  lines.raw("#pragma unroll");
  lines.open(fmt::format("for (int slice = 0; slice < {} / {}; ++slice)", step, kSlice));
  if (takes()) take_pieces(lines);
  for (std::size_t i = 0; i < shape_.products.size(); ++i) {
    const std::string right = pieces(shape_.rights[i].node) + "[slice]";
    if (!TensorShape::is_turned(shape_.rights[i])) lines.add("turn_eights({});", right);
    lines.add("multiply_eights({}[0], {}[slice], {});", sums(shape_.products[i]), pieces(shape_.left.node),
              right);
  }
  lines.close();
  lines.close();
  sweep_of(lines, "no step goes beyond the end", whole_steps());
}

void TensorEmitter::load_pieces(Lines& lines) {
  const std::string over = size(TileAxis::over) + " - " + first(TileAxis::over);
  lines.add("load_row_pieces<kWhole, false>({}[slice], {}, {}, {} - {}, {});", pieces(shape_.left.node),
            tile_text(shape_.left), stride_text(shape_.left), size(TileAxis::row), first(TileAxis::row),
            over);
  for (const TileMatrix& right : shape_.rights) {
    const std::string columns = size(TileAxis::column) + " - " + first(TileAxis::column);
    const bool turned = TensorShape::is_turned(right);
    if (!turned) use("column_pieces");
    lines.add("load_{}>({}[slice], {}, {}, {}, {});",
              turned ? "row_pieces<kWhole, true" : "column_pieces<kWhole", pieces(right.node),
              tile_text(right), stride_text(right), turned ? columns : over, turned ? over : columns);
  }
  for (const int vector : shape_.along)
    lines.add("load_row_pieces<kWhole, false>({}[slice], {} + {}, 0, 8, {});  // the same for all rows",
              pieces(vector), vector_text(vector), first(TileAxis::over), over);
}

void TensorEmitter::take_pieces(Lines& lines) {
  Lines inner;
  inner.set_depth(lines.depth() + 1);
  taken_lines(inner, "[part]", fmt::format("{}[slice][part]", pieces(shape_.left.node)));
  lines.raw("#pragma unroll");
  lines.open("for (int i = 0; i < 16; ++i)");
  lines.add("const int part = i / 8, j = i % 8;");
  for (const int node : taken_operands())
    lines.add("const float {} = to_float({}[slice]{}.at[j]);", names_.value(node), pieces(node),
              node == shape_.left.node ? "[part]" : "[0]");
  lines.append(inner.text());
  lines.close();
}

void TensorEmitter::store_register_sums() {
  for (std::size_t i = 0; i < shape_.products.size(); ++i) {
    const int product = shape_.products[i];
    const bool turned = TensorShape::is_turned(shape_.rights[i]);
    if (turned) use("stored_sums");
    out_.add("store_sums{}(mine.{}[0], {}[0], {} + kPad);", turned ? "" : "_of_columns", id(product),
             sums(product), across(i));
  }
  for (const int sum : shape_.sums) {
    out_.open("for (int part = 0; part < 2; ++part)");
    out_.raw("    // The four lanes of a row.");
    out_.add("for (int lanes = 1; lanes < 4; lanes *= 2)");
    out_.add("  {0}[part] += __shfl_xor_sync(0xffffffffu, {0}[part], lanes);", sums(sum));
    out_.add("if (lane % 4 == 0) mine.{}[lane / 4 + 8 * part] = {}[part];", id(sum), sums(sum));
    out_.close();
  }
}

}  // namespace workbook::opt
