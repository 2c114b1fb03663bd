// Path tensor: its tiles, and the loop of a warp with a ring of its own. emit_results.cpp has what
// comes behind it, emit_block.cpp both where all warps share a ring.
#include "optimizer/forms/tensor/emit.h"

#include <algorithm>

#include "optimizer/language/text.h"

namespace workbook::opt {

std::string TensorEmitter::kernel() {
  if (!shape_.by_groups) use(shape_.in_registers ? "tiles" : "copy_tile");
  use_half();
  constants();
  structures();
  out_.raw("");
  open_kernel(shared() || shape_.in_registers, 0, shape_.by_groups ? maps_text(mapped_nodes(), true) : "");
  coordinates();
  if (!shape_.in_registers && !shape_.by_groups) fetch();
  sweep();
  if (shared())
    block_results();
  else
    results();
  out_.close();
  return out_.text();
}

std::string TensorEmitter::launch_lines() {
  Lines lines;
  lines.set_depth(1);
  if (shape_.held >= 0)
    lines.add("if ({} > {}) return cudaErrorInvalidValue;", size(TileAxis::held), tile(TileAxis::held));
  ask_for_memory(lines);
  const std::string rows = names_.sizes(shape_.rows);
  std::string batch = shape_.in_parts ? parts_text(plan_, shape_.over, number_) : names_.sizes(shape_.batch);
  if (shape_.cluster > 1) batch = own("kCluster") + (batch.empty() ? "" : " * " + batch);
  lines.add("const dim3 {}({}, ({} + {} - 1) / {}{});", own("grid"),
            parts_text(plan_, shape_.column, number_), rows, tile(TileAxis::row), tile(TileAxis::row),
            batch.empty() ? "" : ", " + batch);
  if (shape_.cluster > 1)
    lines.add("if (!has_clusters({})) return cudaErrorNotSupported;", kernel_name(program_, plan_, number_));
  if (shape_.by_groups) make_maps(lines);
  lines.add("{}", launch_line(own("grid"), threads(), "sizeof(" + own("Memory") + ")", "",
                              shape_.by_groups ? maps_text(mapped_nodes(), false) : "",
                              shape_.cluster > 1 ? own("kCluster") : ""));
  return lines.text();
}

void TensorEmitter::constants() {
  const auto add = [&](TileAxis axis, const char* what) {
    out_.add("constexpr int {} = {};  // of {} {}", tile(axis), shape_.tile(axis), name(axis), what);
  };
  add(TileAxis::row, "in a block");
  add(TileAxis::column, "in a block");
  add(TileAxis::over, shared() ? "in a step" : "in a step of a warp");
  if (shape_.in_parts && kernel_.cuts[slot(shape_.over)].loop > 1) declare_part(shape_.over);
  if (shape_.held >= 0) add(TileAxis::held, "at most");
  if (!shape_.in_registers)
    out_.add("constexpr int {} = {};  // steps{} that have room: one at work, the others on their way",
             own("kStages"), kernel_.stages, shared() ? "" : " of a warp");
  out_.add("constexpr int {} = {};", threads(), 32 * kernel_.warps);
  if (shape_.by_groups)
    out_.add("constexpr int {} = {};  // of four warps that multiply", own("kGroups"),
             shape_.multiplying(kernel_));
  if (shape_.cluster > 1) {
    out_.add("constexpr int {} = {};  // blocks that each add up a part of {}", own("kCluster"),
             shape_.cluster, name(TileAxis::over));
    out_.add("constexpr int {} = {};  // of a tile, whose results one of them makes", own("kOwnColumns"),
             shape_.own_columns());
  }
  if (shape_.by_groups) return;
  if (shared())
    out_.add("constexpr int {} = {};  // warps beside each other in the block's tile", own("kBeside"),
             shape_.beside);
}

void TensorEmitter::sum_structure() {
  out_.add("struct {} {{", own("Sums"));
  for (std::size_t i = 0; i < shape_.products.size(); ++i)
    out_.add("  alignas(32) float {}[{}][{} + kPad];", id(shape_.products[i]), tile(TileAxis::row),
             across(i));
  for (const int sum : shape_.sums) out_.add("  float {}[{}];", id(sum), tile(TileAxis::row));
  out_.raw("};");
}

void TensorEmitter::structures() {
  if (shape_.in_registers) return register_structures();
  const auto add = [&](const TileMatrix& matrix) {
    out_.add("  alignas(32) {} {}[{}][{} + kPad];", Names::type(storage_of(program_, plan_, matrix.node)),
             names_.tensor(matrix.node), tile(matrix.outer), tile(matrix.inner));
  };
  if (shape_.by_groups) {
    group_structures();
    return block_structures();
  }
  out_.add("// {} the tiles of a step.", shared() ? "Of a block:" : "Of a warp:");
  out_.add("struct {} {{", own("Stage"));
  add(shape_.left);
  for (const TileMatrix& right : shape_.rights) add(right);
  for (const int vector : shape_.along)
    out_.add("  alignas(32) {} {}[{}];", half(), names_.tensor(vector), tile(TileAxis::over));
  out_.raw("};");
  if (shared()) return block_structures();
  out_.raw("// What a warp has added up. It takes the room of the stages, which are no longer needed then.");
  sum_structure();
  out_.add("union {} {{", own("WarpMemory"));
  out_.add("  {} stages[{}];", own("Stage"), own("kStages"));
  out_.add("  {} sums;", own("Sums"));
  out_.raw("};");
  out_.add("struct {} {{", own("Memory"));
  out_.add("  {} warps[{} / 32];", own("WarpMemory"), threads());
  for (const int second : shape_.second_rights)
    out_.add("  alignas(32) {} {}[{}][{} + kPad];", half(), names_.tensor(second), tile(TileAxis::held),
             tile(TileAxis::column));
  for (std::size_t i = 0; i < shape_.products.size(); ++i)
    if (is_held(i))
      out_.add("  alignas(32) float {}[{}][{} + kPad];", id(shape_.products[i]), tile(TileAxis::row),
               tile(TileAxis::held));
  out_.raw("};");
}

void TensorEmitter::coordinates() {
  out_.add("extern __shared__ __align__({}) {} {}[];", shape_.by_groups ? 1024 : 128, own("Memory"),
           memory());
  out_.add("const int {}warp = threadIdx.x / 32;", needs_lane() ? "lane = threadIdx.x % 32, " : "");
  if (shape_.by_groups)
    out_.add("const int group = warp / 4;  // the last one has tiles copied");
  else if (shared())
    out_.add("const int down = warp / {0}, beside = warp % {0};", own("kBeside"));
  if (ordered()) {
    use("tile_order");
    out_.add("const int2 block = tile_of_block();");
  }
  out_.add("{}int {} = {} * {}, {} = {} * {};", shape_.cluster > 1 ? "" : "const ", first(TileAxis::row),
           ordered() ? "block.y" : "blockIdx.y", tile(TileAxis::row), first(TileAxis::column),
           ordered() ? "block.x" : "blockIdx.x", tile(TileAxis::column));
  if (shape_.cluster > 1)
    out_.add("const int number = blockIdx.z % {};  // of this block in its cluster", own("kCluster"));
  declare_places(shape_.batch, shape_.cluster > 1 ? "(blockIdx.z / " + own("kCluster") + ")" : "blockIdx.z",
                 true);
  if (shape_.in_parts)
    out_.add(
        "const int {0}_part = blockIdx.z, {0}_begin = {0}_part * {1}, {0}_end = min({0}_begin + {1}, {0}_size);",
        name(TileAxis::over), part_name(plan_, shape_.over, number_));
  if (shape_.rows.size() > 1) out_.add("const int {} = {};", size(TileAxis::row), names_.sizes(shape_.rows));
  if (shape_.in_registers) return;
  out_.add("{}* const stages = {}->{}stages;", own("Stage"), memory(), shared() ? "" : "warps[warp].");
}

std::string TensorEmitter::stride_text(const TileMatrix& matrix) const {
  const std::vector<std::uint8_t> dims = dims_of(program_, plan_, matrix.node, shapes_);
  std::string text;
  for (std::size_t dim = dims.size(); dim-- > 0 && dims[dim] != shape_.indices(matrix.outer).back();)
    text = names_.size(dims[dim]) + (text.empty() ? "" : " * " + text);
  return text;
}

std::string TensorEmitter::tile_text(const TileMatrix& matrix) const {
  const std::vector<std::uint8_t> dims = dims_of(program_, plan_, matrix.node, shapes_);
  std::string text = names_.tensor(matrix.node), sizes;
  std::vector<std::string> terms;
  for (std::size_t dim = dims.size(); dim-- > 0;) {
    const int index = dims[dim];
    std::string place;
    if (listed(shape_.batch, index)) place = names_.index(index);
    for (const TileAxis axis : {matrix.outer, matrix.inner})
      if (axis != TileAxis::held && shape_.indices(axis).back() == index) place = first(axis);
    if (!place.empty()) terms.push_back((sizes.empty() ? place : names_.far(place) + sizes));
    sizes = " * " + names_.size(index) + sizes;
  }
  for (auto term = terms.rbegin(); term != terms.rend(); ++term) text += " + " + *term;
  return text;
}

std::string TensorEmitter::vector_text(int vector) const {
  std::string from = names_.tensor(vector), sizes;
  const std::vector<std::uint8_t> dims = dims_of(program_, plan_, vector, shapes_);
  for (std::size_t dim = dims.size(); dim-- > 1;) {
    sizes = " * " + names_.size(dims[dim]) + sizes;
    from += " + " + names_.far(names_.index(dims[dim - 1])) + sizes;
  }
  return from;
}

void TensorEmitter::copy(Lines& lines, const std::string& threads, const std::string& to,
                         const TileMatrix& matrix, bool asked_once) {
  const auto left = [&](TileAxis axis) {
    if (axis == TileAxis::held) return size(axis);
    return (axis == TileAxis::over ? over_end() : size(axis)) + " - " + first(axis);
  };
  lines.add("copy_tile<{}, {}, {}{}>({}[0], {}, {}, {}, {});", threads, tile(matrix.outer),
            tile(matrix.inner), asked_once ? ", decltype(whole)::value" : "", to + names_.tensor(matrix.node),
            tile_text(matrix), stride_text(matrix), left(matrix.outer), left(matrix.inner));
}

void TensorEmitter::fetch() {
  const std::string over = over_end(), begin = first(TileAxis::over), who = shared() ? threads() : "32";
  out_.add("// A {} begins the copies of a step, as one group; of a step past the last an empty one.",
           shared() ? "block" : "warp");
  out_.add("const auto fetch = [&](auto whole, int step, {}& stage) {{", own("Stage"));
  Lines lines;
  lines.set_depth(2);
  lines.add("const int {} = {}step * {};", begin, shape_.in_parts ? name(TileAxis::over) + "_begin + " : "",
            tile(TileAxis::over));
  lines.open(fmt::format("if ({} < {})", begin, over));
  copy(lines, who, "stage.", shape_.left, true);
  for (const TileMatrix& right : shape_.rights) copy(lines, who, "stage.", right, true);
  for (const int vector : shape_.along)
    lines.add("copy_tile<{}, 1, {}>(stage.{}, {} + {}, {}, 1, {} - {});", who, tile(TileAxis::over),
              names_.tensor(vector), vector_text(vector), begin, over, over, begin);
  lines.close();
  lines.add("__pipeline_commit();");
  out_.append(lines.text());
  out_.add("}};");
}

void TensorEmitter::sweep() {
  for (std::size_t i = 0; i < shape_.products.size(); ++i) {
    const std::string name = sums(shape_.products[i]);
    comment(shape_.products[i]);
    if (shape_.by_words()) {
      const std::string parts = shared() ? fmt::format("{}", 2 * shape_.column_parts(i)) : across(i) + " / 8";
      out_.add("float {}[{}][{}][4] = {{}};", name, row_parts(), parts);
    } else {
      use("fragments");
      out_.add("SumFragment {}[{}];", name, column_parts(i));
      out_.add("for (SumFragment& each : {}) wmma::fill_fragment(each, 0.0f);", name);
    }
  }
  for (const int sum : shape_.sums) {
    comment(sum);
    if (shape_.in_registers)
      out_.add("float {}[2] = {{}};  // of this lane's elements of row lane / 4, and of the row 8 below",
               sums(sum));
    else
      out_.add("float {} = 0.0f;  // of this {}", sums(sum),
               shared() ? fmt::format("thread's elements of row threadIdx.x % {}", tile(TileAxis::row))
                        : "lane's elements of row lane % 16");
  }
  for (const int second : shape_.second_rights) {
    out_.open("if (warp == 0)");
    Lines lines;
    lines.set_depth(2);
    copy(lines, "32", memory() + "->", {second, TileAxis::held, TileAxis::column});
    out_.append(lines.text());
    out_.close();
  }
  if (shape_.in_registers)
    register_steps();
  else if (shape_.by_groups)
    group_steps();
  else if (!shared())
    for_whole_tiles([&] { own_steps(); });
  else if (takes())
    for_whole_tiles([&] { taken_steps(); });
  else
    ring_of_words();
}

void TensorEmitter::own_steps() {
  const std::string stages = own("kStages"), warps = threads() + " / 32";
  out_.add("for (int i = 0; i < {0} - 1; ++i) fetch(whole, warp + i * ({1}), stages[i]);", stages, warps);
  out_.add("int now = 0;  // the stage at work");
  out_.open(fmt::format("for (int step = warp; step * {} < {}; step += {})", tile(TileAxis::over),
                        size(TileAxis::over), warps));
  out_.add("fetch(whole, step + ({0} - 1) * ({1}), stages[(now + {0} - 1) % {0}]);", stages, warps);
  out_.add("__pipeline_wait_prior({} - 1);  // this lane's copies of this step are in,", stages);
  out_.add("__syncwarp();  // and those of the other lanes");
  out_.add("{}& stage = stages[now];", own("Stage"));
  if (takes()) take();
  if (shape_.by_words())
    multiply_step();
  else
    multiply();
  out_.add("__syncwarp();  // nobody reads this stage any more");
  out_.add("now = (now + 1) % {};", stages);
  out_.close();
}

bool TensorEmitter::is_taken(int node) const {
  const auto by = [&](int user) { return listed(operands(user), node); };
  return (shape_.in_place() && shape_.factor == node) ||
         std::any_of(shape_.taken.begin(), shape_.taken.end(), by) ||
         std::any_of(shape_.sums.begin(), shape_.sums.end(), by);
}

void TensorEmitter::taken_lines(Lines& lines, const std::string& part, const std::string& eight) {
  for (const int node : shape_.taken) {
    const Node& op = graph_.nodes[slot(node)];
    lines.add("// {} = {}", names_.tensor(node), node_text(graph_, node));
    lines.add("const float {} = {};", names_.value(node),
              names_.expression(node, names_.value(op.a), names_.value(op.b)));
  }
  for (const int sum : shape_.sums)
    lines.add("{}{} += {};", sums(sum), part, names_.value(graph_.nodes[slot(sum)].a));
  if (shape_.in_place())
    lines.add("{0}.at[j] = from_float<{1}>({2});  // a fragment holds {1}: rounded here", eight, half(),
              names_.value(shape_.factor));
}

std::vector<int> TensorEmitter::taken_operands() const {
  std::vector<int> used{shape_.left.node};
  for (const int vector : shape_.along)
    if (is_taken(vector)) used.push_back(vector);
  return used;
}

void TensorEmitter::take() {
  use("eight");
  const std::string h = inside(TileAxis::over), rows = shared() ? tile(TileAxis::row) : "16";
  const std::string who = shared() ? "threadIdx.x" : "lane";
  const std::string row = fmt::format("&stage.{}[{} % {}][{}]", left(), who, rows, h);
  Lines lines;
  lines.set_depth(out_.depth() + 2);
  taken_lines(lines, "", left() + "_eight");
  const std::vector<int> used = taken_operands();
  if (shared())
    out_.add("// Threads that are {} apart share a row.", rows);
  else
    out_.add("// Lanes l and l + 16 have row l.");
  out_.open(fmt::format("for (int {0} = {1} / {2} * 8; {0} < {3}; {0} += {4})", h, who, rows,
                        tile(TileAxis::over),
                        shared() ? fmt::format("8 * ({} / {})", threads(), rows) : "16"));
  for (const int node : used)
    out_.add("{}Eight {}_eight = load_eight({});",
             node == shape_.left.node && shape_.in_place() ? "" : "const ", names_.tensor(node),
             node == shape_.left.node ? row : fmt::format("&stage.{}[{}]", names_.tensor(node), h));
  out_.open("for (int j = 0; j < 8; ++j)");
  for (const int node : used)
    out_.add("const float {} = to_float({}_eight.at[j]);", names_.value(node), names_.tensor(node));
  out_.append(lines.text());
  out_.close();
  if (shape_.in_place()) out_.add("store_eight({}, {}_eight);", row, left());
  out_.close();
  if (shape_.in_place())
    out_.add("{}();  // a fragment takes elements that other {} have stored",
             shared() ? "__syncthreads" : "__syncwarp", shared() ? "threads" : "lanes");
}

void TensorEmitter::multiply() {
  const std::string h = inside(TileAxis::over), turned_left = shape_.left_is_turned() ? "TurnedLeft" : "Left";
  const auto place = [&](const TileMatrix& matrix, const std::string& across) {
    const bool inner = matrix.inner == TileAxis::over;
    return fmt::format("&stage.{}[{}][{}]", names_.tensor(matrix.node), inner ? across : h,
                       inner ? h : across);
  };
  out_.raw("#pragma unroll");
  out_.open(fmt::format("for (int {0} = 0; {0} < {1}; {0} += 16)", h, tile(TileAxis::over)));
  if (shape_.left_is_turned()) use("turned_left_fragment");
  out_.add("{}Fragment left;", turned_left);
  out_.add("wmma::load_matrix_sync(left, {}, {} + kPad);", place(shape_.left, "0"), tile(shape_.left.inner));
  for (std::size_t i = 0; i < shape_.products.size(); ++i) {
    const TileMatrix& right = shape_.rights[i];
    out_.raw("#pragma unroll");
    out_.open(fmt::format("for (int part = 0; part < {}; ++part)", column_parts(i)));
    out_.add("{} right;", right_fragment(TensorShape::is_turned(right)));
    out_.add("wmma::load_matrix_sync(right, {}, {} + kPad);", place(right, "16 * part"), tile(right.inner));
    out_.add("wmma::mma_sync({0}[part], left, right, {0}[part]);", sums(shape_.products[i]));
    out_.close();
  }
  out_.close();
}

std::unique_ptr<LaunchEmitter> tensor_emitter(const Program& program, const Plan& plan,
                                              const std::vector<Launch>& launches, int number) {
  return std::make_unique<TensorEmitter>(program, plan, launches, number);
}

}  // namespace workbook::opt
