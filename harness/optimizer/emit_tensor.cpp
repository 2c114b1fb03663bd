// Path tensor: its tiles and its loop. emit_tensor_results.cpp has what comes behind it, and
// emit_tensor_functions.cpp what its kernels call.
#include "optimizer/emit_tensor.h"

#include "optimizer/text.h"

namespace workbook::opt {

std::string TensorEmitter::kernel() {
  constants();
  structures();
  out_.raw("");
  out_.open(fmt::format("__global__ void {}({})", kernel_name(program_, plan_, number_),
                        parameters(program_, plan_, launch_)));
  out_.add("extern __shared__ __align__(128) {} {}[];", own("Memory"), memory());
  out_.add("const int {}warp = threadIdx.x / 32;", takes() ? "lane = threadIdx.x % 32, " : "");
  out_.add("const int {} = blockIdx.y * {}, {} = blockIdx.x * {};", first(shape_.row), tile(shape_.row),
           first(shape_.column), tile(shape_.column));
  out_.add("{}* const stages = {}->warps[warp].stages;", own("Stage"), memory());
  fetch();
  sweep();
  results();
  out_.close();
  return out_.text();
}

std::string TensorEmitter::launch_lines() {
  Lines lines;
  lines.set_depth(1);
  if (shape_.held >= 0)
    lines.add("if ({} > {}) return cudaErrorInvalidValue;", names_.size(shape_.held), tile(shape_.held));
  const std::string name = kernel_name(program_, plan_, number_);
  lines.add("const cudaError_t {} = cudaFuncSetAttribute(", own("refused"));
  lines.add("    {}, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(sizeof({})));", name,
            own("Memory"));
  lines.add("if ({0} != cudaSuccess) return {0};", own("refused"));
  lines.add("const dim3 {}({}, {});", own("grid"), parts_text(plan_, shape_.column, number_),
            parts_text(plan_, shape_.row, number_));
  lines.add("{}<<<{}, {}, sizeof({}), stream>>>({});", name, own("grid"), threads(), own("Memory"),
            arguments(program_, plan_, launch_));
  return lines.text();
}

void TensorEmitter::constants() {
  const auto add = [&](int index, int extent, const char* what) {
    out_.add("constexpr int {} = {};  // of {} {}", tile(index), extent, names_.index(index), what);
  };
  add(shape_.row, kFragment, "in a block");
  add(shape_.column, shape_.columns, "in a block");
  add(shape_.over, shape_.step, "in a step of a warp");
  if (shape_.held >= 0) add(shape_.held, shape_.held_tile, "at most");
  out_.add("constexpr int {} = {};  // steps of a warp that have room: one at work, the others on their way",
           own("kStages"), kernel_.stages);
  out_.add("constexpr int {} = {};", threads(), 32 * kernel_.warps);
}

void TensorEmitter::structures() {
  out_.raw("// Of a warp: the tiles of a step.");
  out_.add("struct {} {{", own("Stage"));
  out_.add("  alignas(32) half {}[{}][{} + kPad];", left(), tile(shape_.row), tile(shape_.over));
  for (const int product : shape_.products)
    out_.add("  alignas(32) half {}[{}][{} + kPad];", right(product), tile(shape_.over), across(product));
  for (const int vector : shape_.along)
    out_.add("  alignas(32) half {}[{}];", names_.tensor(vector), tile(shape_.over));
  out_.raw("};");
  out_.raw("// What a warp has added up. It takes the room of the stages, which are no longer needed then.");
  out_.add("struct {} {{", own("WarpSums"));
  for (const int product : shape_.products)
    out_.add("  alignas(32) float {}[{}][{} + kPad];", id(product), tile(shape_.row), across(product));
  for (const int sum : shape_.sums) out_.add("  float {}[{}];", id(sum), tile(shape_.row));
  out_.raw("};");
  out_.add("union {} {{", own("WarpMemory"));
  out_.add("  {} stages[{}];", own("Stage"), own("kStages"));
  out_.add("  {} sums;", own("WarpSums"));
  out_.raw("};");
  out_.add("struct {} {{", own("Memory"));
  out_.add("  {} warps[{} / 32];", own("WarpMemory"), threads());
  for (const int second : shape_.seconds)
    out_.add("  alignas(32) half {}[{}][{} + kPad];", right(second), tile(shape_.held), tile(shape_.column));
  for (const int product : shape_.products)
    if (is_held(product))
      out_.add("  alignas(32) float {}[{}][{} + kPad];", id(product), tile(shape_.row), tile(shape_.held));
  out_.raw("};");
}

void TensorEmitter::copy(Lines& lines, const std::string& to, const std::string& from, int rows, int columns,
                         bool held_rows, bool held_columns) {
  const std::string stride = names_.size(columns);
  lines.add("copy_tile<{}, {}>({}[0], {}{}{}, {}, {}{}, {}{});", tile(rows), tile(columns), to, from,
            held_rows ? "" : fmt::format(" + {} * {}", names_.far(first(rows)), stride),
            held_columns ? "" : " + " + first(columns), stride, names_.size(rows),
            held_rows ? "" : " - " + first(rows), names_.size(columns),
            held_columns ? "" : " - " + first(columns));
}

void TensorEmitter::fetch() {
  const std::string over = names_.size(shape_.over);
  out_.raw("  // A warp begins the copies of a step, as one group; of a step past the last an empty one.");
  out_.add("const auto fetch = [&](int step, {}& stage) {{", own("Stage"));
  Lines lines;
  lines.set_depth(2);
  lines.add("const int {} = step * {};", first(shape_.over), tile(shape_.over));
  lines.open(fmt::format("if ({} < {})", first(shape_.over), over));
  copy(lines, "stage." + left(), left(), shape_.row, shape_.over, false, false);
  for (const int product : shape_.products)
    copy(lines, "stage." + right(product), right(product), shape_.over, shape_.across(graph_, product), false,
         is_held(product));
  for (const int vector : shape_.along)
    lines.add("copy_tile<1, {}>(stage.{}, {} + {}, {}, 1, {} - {});", tile(shape_.over),
              names_.tensor(vector), names_.tensor(vector), first(shape_.over), over, over,
              first(shape_.over));
  lines.close();
  lines.add("__pipeline_commit();");
  out_.append(lines.text());
  out_.add("}};");
}

void TensorEmitter::sweep() {
  for (const int product : shape_.products) {
    comment(product);
    out_.add("SumFragment {}[{} / 16];", sums(product), across(product));
    out_.add("for (SumFragment& each : {}) wmma::fill_fragment(each, 0.0f);", sums(product));
  }
  for (const int sum : shape_.sums) {
    comment(sum);
    out_.add("float {} = 0.0f;  // of this lane's elements of row lane % 16", sums(sum));
  }
  for (const int second : shape_.seconds) {
    out_.open("if (warp == 0)");
    Lines lines;
    lines.set_depth(2);
    copy(lines, memory() + "->" + right(second), right(second), shape_.held, shape_.column, true, false);
    out_.append(lines.text());
    out_.close();
  }
  const std::string stages = own("kStages"), warps = threads() + " / 32";
  out_.add("for (int i = 0; i < {0} - 1; ++i) fetch(warp + i * ({1}), stages[i]);", stages, warps);
  out_.add("int now = 0;  // the stage at work");
  out_.open(fmt::format("for (int step = warp; step * {} < {}; step += {})", tile(shape_.over),
                        names_.size(shape_.over), warps));
  out_.add("fetch(step + ({0} - 1) * ({1}), stages[(now + {0} - 1) % {0}]);", stages, warps);
  out_.add("__pipeline_wait_prior({} - 1);  // this lane's copies of this step are in,", stages);
  out_.add("__syncwarp();  // and those of the other lanes");
  out_.add("{}& stage = stages[now];", own("Stage"));
  if (takes()) take();
  multiply();
  out_.add("__syncwarp();  // nobody reads this stage any more");
  out_.add("now = (now + 1) % {};", stages);
  out_.close();
}

void TensorEmitter::take() {
  const std::string h = inside(shape_.over), row = fmt::format("&stage.{}[lane % 16][{}]", left(), h);
  Lines lines;
  lines.set_depth(out_.depth() + 2);
  for (const int node : shape_.taken) {
    const Node& op = graph_.nodes[slot(node)];
    lines.add("// {} = {}", names_.tensor(node), node_text(graph_, node));
    lines.add("const float {} = {};", names_.value(node),
              names_.expression(node, names_.value(op.a), names_.value(op.b)));
  }
  for (const int sum : shape_.sums)
    lines.add("{} += {};", sums(sum), names_.value(graph_.nodes[slot(sum)].a));
  if (shape_.in_place())
    lines.add("{}_eight.at[j] = from_float<half>({});  // a fragment holds half: rounded here", left(),
              names_.value(shape_.factor));
  std::vector<int> used{shape_.left};
  for (const int vector : shape_.along)
    if (has_word(lines.text(), names_.value(vector))) used.push_back(vector);
  out_.add("// Lanes l and l + 16 have row l.");
  out_.open(fmt::format("for (int {0} = lane / 16 * 8; {0} < {1}; {0} += 16)", h, tile(shape_.over)));
  for (const int node : used)
    out_.add("{}Eight {}_eight = load_eight({});", node == shape_.left && shape_.in_place() ? "" : "const ",
             names_.tensor(node),
             node == shape_.left ? row : fmt::format("&stage.{}[{}]", names_.tensor(node), h));
  out_.open("for (int j = 0; j < 8; ++j)");
  for (const int node : used)
    out_.add("const float {} = to_float({}_eight.at[j]);", names_.value(node), names_.tensor(node));
  out_.append(lines.text());
  out_.close();
  if (shape_.in_place()) out_.add("store_eight({}, {}_eight);", row, left());
  out_.close();
  if (shape_.in_place()) out_.add("__syncwarp();  // a fragment takes elements that other lanes have stored");
}

void TensorEmitter::multiply() {
  const std::string h = inside(shape_.over);
  out_.open(fmt::format("for (int {0} = 0; {0} < {1}; {0} += 16)", h, tile(shape_.over)));
  out_.add("LeftFragment left;");
  out_.add("wmma::load_matrix_sync(left, &stage.{}[0][{}], {} + kPad);", left(), h, tile(shape_.over));
  for (const int product : shape_.products) {
    out_.raw("#pragma unroll");
    out_.open(fmt::format("for (int part = 0; part < {} / 16; ++part)", across(product)));
    out_.add("RightFragment right;");
    out_.add("wmma::load_matrix_sync(right, &stage.{}[{}][16 * part], {} + kPad);", right(product), h,
             across(product));
    out_.add("wmma::mma_sync({0}[part], left, right, {0}[part]);", sums(product));
    out_.close();
  }
  out_.close();
}

std::unique_ptr<LaunchEmitter> tensor_emitter(const Program& program, const Plan& plan,
                                              const std::vector<Launch>& launches, int number) {
  return std::make_unique<TensorEmitter>(program, plan, launches, number);
}

}  // namespace workbook::opt
