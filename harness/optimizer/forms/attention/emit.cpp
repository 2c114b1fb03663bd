// Path tensor_attention: constants, shared memory, the ring. emit_rows.cpp has the rows, emit_loop.cpp what
// the loop has of keys; emit_own.cpp and emit_shared.cpp have what the two schedules do otherwise.
#include "optimizer/forms/attention/emit.h"

#include <algorithm>

namespace workbook::opt {

std::string AttentionEmitter::kernel() {
  if (!shape_.by_groups) use("tiles");
  use_half();
  constants();
  structures();
  out_.raw("");
  open_kernel(true, 0, shape_.by_groups ? maps_text(mapped_nodes(), true) : "");
  coordinates();
  if (!shape_.by_groups) fetch();
  rows();
  loop();
  results();
  out_.close();
  return out_.text();
}

std::string AttentionEmitter::launch_lines() {
  Lines lines;
  lines.set_depth(1);
  for (int index = 0; index < static_cast<int>(graph_.indices.size()); ++index)
    if (shape_.width[slot(index)] > 0)
      lines.add("if ({} > {}) return cudaErrorInvalidValue;", names_.size(index), tile(index));
  ask_for_memory(lines);
  std::string blocks;
  for (const int index : shape_.axes)
    blocks +=
        (blocks.empty() ? "" : ", ") + (listed(shape_.batch, index) ? names_.size(index)
                                        : many() && shape_.is_row(index)
                                            ? fmt::format("({0} + {1} - 1) / {1}", row_sizes(), row_tile())
                                            : parts_text(plan_, index, number_));
  lines.add("const dim3 {}({});", own("grid"), blocks);
  if (shape_.by_groups) make_maps(lines);
  lines.add("{}", launch_line(own("grid"), threads(), "sizeof(" + own("Memory") + ")", "",
                              shape_.by_groups ? maps_text(mapped_nodes(), false) : ""));
  return lines.text();
}

void AttentionEmitter::constants() {
  const auto add = [&](int index, int extent, const char* what) {
    out_.add("constexpr int {} = {};  // of {} {}", tile(index), extent, names_.index(index), what);
  };
  out_.add("constexpr int {} = {};  // of {} in a block", row_tile(), shape_.rows, row_name());
  add(shape_.key, shape_.keys, "in a turn of the loop");
  if (split()) declare_part(shape_.key);
  for (int index = 0; index < static_cast<int>(graph_.indices.size()); ++index)
    if (shape_.width[slot(index)] > 0) add(index, shape_.width[slot(index)], "at most");
  out_.add("constexpr int {} = {};  // turns that have room: one at work, the others on their way",
           own("kStages"), kernel_.stages);
  out_.add("constexpr int {} = {};", threads(), 32 * kernel_.warps);
  own_constants();
}

void AttentionEmitter::structures() {
  out_.raw("// A turn's keys.");
  out_.add("struct {} {{", own("Stage"));
  for (const int of : shape_.tiles) {
    const std::string depth = tile(depth_of(of));
    if (shape_.by_groups) {
      out_.add("  alignas(1024) {} {}[{} * {}];", half(), id(of), tile(shape_.key), depth);
      continue;
    }
    out_.add("  alignas(32) {} {}[{}][{} + kPad];", half(), id(of), along_keys(of) ? depth : tile(shape_.key),
             along_keys(of) ? tile(shape_.key) : depth);
  }
  for (const AttentionShape::Staged& each : shape_.staged)
    if (shape_.is_staged(each.node))
      out_.add("  alignas(32) {} {}[{}][{} + kPad];", Names::type(storage_of(program_, plan_, each.node)),
               id(each.node), row_tile(), tile(shape_.key));
  for (const bool inverted : {false, true})
    for (const int of : shape_.factors(graph_, true, inverted))
      out_.add("  alignas(32) float {}[{}];", inverted ? inverse(of) : id(of), tile(shape_.key));
  out_.raw("};");
  row_structures();
  out_.add("struct {} {{", own("Memory"));
  row_memory();
  const auto numbers = [&](const std::string& name) { out_.add("  float {}[{}];", name, row_tile()); };
  for (const int of : shape_.kept_rows(graph_)) numbers(id(of));
  for (const int of : shape_.factors(graph_, false, true)) numbers(inverse(of));
  for (const int of : shape_.sums) numbers(id(of));
  numbers(id(launch_.running));
  out_.raw("};");
}

void AttentionEmitter::coordinates() {
  out_.add("extern __shared__ __align__({}) {} {}[];", shape_.by_groups ? 1024 : 128, own("Memory"),
           own("memory"));
  out_.add("const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;");
  warp_places();
  for (std::size_t axis = 0; axis < shape_.axes.size(); ++axis) {
    const int index = shape_.axes[axis];
    const std::string name = names_.index(index), block = fmt::format("blockIdx.{}", "xyz"[axis]);
    if (listed(shape_.batch, index)) {
      out_.add("const int {} = {};", name, block);
    } else if (shape_.is_row(index)) {
      if (shape_.grows(graph_))  // Blocks with more keys begin before those with fewer.
        out_.add("const int {}_first = (gridDim.{} - 1 - {}) * {};", row_name(), "xyz"[axis], block,
                 row_tile());
      else
        out_.add("const int {}_first = {} * {};", row_name(), block, row_tile());
      if (many()) out_.add("const int {} = {};", row_size(), row_sizes());
    } else {
      const std::string part = part_name(plan_, index, number_);
      out_.add("{4}int {0}_part = {1}, {0}_begin = {0}_part * {2}, {0}_end = min({0}_begin + {2}, {3});",
               name, block, part, names_.size(index), shape_.hidden.empty() ? "const " : "");
    }
  }
  const std::string key = names_.index(shape_.key);
  if (!split())
    out_.add("{2}int {0}_begin = 0, {0}_end = {1};", key, names_.size(shape_.key),
             shape_.hidden.empty() ? "const " : "");
  leave_out();
  std::vector<int> means;
  for (const int of : node_list(kernel_.nodes))
    if (const int index = node(of).op == Op::fn ? graph_.functions[node(of).fn].mean : -1;
        index >= 0 && divides(of) && !listed(means, index)) {
      means.push_back(index);
      out_.add("const float {} = 1.0f / static_cast<float>({});", mean(index), names_.size(index));
    }
  row_places_in_memory();
  if (!shape_.by_groups) out_.add("{}* const stages = {};", own("Stage"), memory("stages"));
  declare_parts();
}

void AttentionEmitter::leave_out() {
  const std::string key = names_.index(shape_.key);
  bool named = false;
  for (const int each : shape_.hidden) {
    const Placed& placed = graph_.inputs[slot(each)].placed;
    const std::int32_t of_key = placed.times(shape_.key);
    if (!shape_.bounds_keys(graph_, each)) continue;
    if (!named) {
      out_.add("const int {0}_last = min({0}_first + {1}, {0}_size) - 1;  // the block's last row",
               row_name(), row_tile());
      out_.raw("  // Keys that none of its rows is shown are left out.");
    }
    named = true;
    const std::string most = besides_key(placed, true);
    if (of_key < 0)
      out_.add("{0}_end = min({0}_end, {1} + 1);", key, most);
    else
      out_.add("{0}_begin = max({0}_begin, -({1}) / {2} * {2});", key, most, tile(shape_.key));
  }
}

std::string AttentionEmitter::besides_key(const Placed& placed, bool largest) const {
  std::string sum = std::to_string(placed.plus);
  for (const Placed::Term& term : placed.terms) {
    if (term.index == shape_.key) continue;
    const std::string row = !shape_.is_row(term.index) ? names_.index(term.index)
                                                       : row_bound(term.index, (term.times > 0) == largest);
    sum += fmt::format(" + {} * {}", term.times, row);
  }
  return sum;
}

std::string AttentionEmitter::row_bound(int index, bool last) const {
  const std::string row = row_name() + (last ? "_last" : "_first");
  if (!many()) return row;
  std::string inner;
  std::size_t at = shape_.row_indices.size();
  for (; shape_.row_indices[at - 1] != index; --at)
    inner += (inner.empty() ? "" : " * ") + names_.size(shape_.row_indices[at - 1]);
  const auto part = [&](const std::string& of) { return inner.empty() ? of : of + " / (" + inner + ")"; };
  if (at == 1) return "(" + part(row) + ")";
  const std::string size = names_.size(index);
  return fmt::format("({} / {} == {} / {} ? {} % {} : {})", part(row_name() + "_first"), size,
                     part(row_name() + "_last"), size, part(row), size, last ? size + " - 1" : "0");
}

void AttentionEmitter::fetch() {
  const std::string key = names_.index(shape_.key);
  out_.raw("  // The block begins the copies of a turn, as one group; of a turn past the last an empty one.");
  const bool sweeps = shape_.any_in_rows();
  out_.add("const auto fetch = [&]({}int {}, {}& stage) {{", sweeps ? "auto whole, " : "", first(shape_.key),
           own("Stage"));
  Lines lines;
  lines.set_depth(2);
  lines.open(fmt::format("if ({} < {}_end)", first(shape_.key), key));
  for (const int of : shape_.tiles) {
    const int depth = depth_of(of);
    const std::string keys = fmt::format("{}_end - {}", key, first(shape_.key));
    const bool along = along_keys(of);
    use("copy_tile");
    lines.add("copy_tile<{}, {}, {}{}>(stage.{}[0], {}{}, {}, {}, {});", threads(),
              tile(along ? depth : shape_.key), tile(along ? shape_.key : depth), of_whole(), id(of),
              names_.tensor(of), tile_begin(of), tile_stride(of), along ? names_.size(depth) : keys,
              along ? keys : names_.size(depth));
  }
  fetch_pairs(lines);
  lines.close();
  lines.add("__pipeline_commit();");
  out_.append(lines.text());
  out_.add("}};");
  begin_rows();
  out_.add("for (int i = 0; i < {0} - 1; ++i) fetch({3}{1}_begin + i * {2}, stages[i]);", own("kStages"), key,
           tile(shape_.key), sweeps ? "std::false_type{}, " : "");
}

std::string AttentionEmitter::whole_tiles() const {
  const std::string key = names_.index(shape_.key);
  std::vector<std::string> terms;
  const auto add = [&](std::string term) {
    if (std::find(terms.begin(), terms.end(), term) == terms.end()) terms.push_back(std::move(term));
  };
  add(fmt::format("({0}_end - {0}_begin) % {1} == 0", key, tile(shape_.key)));
  add(fmt::format("{} - {}_first >= {}", row_size(), row_name(), row_tile()));
  for (const int of : shape_.tiles) {
    const int depth = depth_of(of);
    const std::string stride = tile_stride(of);
    add(fmt::format("{} == {}", names_.size(depth), tile(depth)));
    if (stride != names_.size(depth))
      add(fmt::format("{} % 8 == 0", stride.find(' ') == stride.npos ? stride : "(" + stride + ")"));
  }
  for (const AttentionShape::Staged& each : shape_.staged)
    add(fmt::format("{} % {} == 0", names_.size(shape_.key), 16 / each.item));
  return fmt::format("{}", fmt::join(terms, " && "));
}

std::string AttentionEmitter::tile_begin(int of) const {
  const auto& dims = graph_.inputs[slot(of)].dims;
  std::string sizes, text;
  for (std::size_t dim = dims.size(); dim-- > 0;) {
    const int index = dims[dim];
    const std::string place = index == shape_.key ? first(index) : names_.index(index);
    if (index != depth_of(of)) text = " + " + (sizes.empty() ? place : names_.far(place) + sizes) + text;
    sizes = " * " + names_.size(index) + sizes;
  }
  return text;
}
std::string AttentionEmitter::tile_stride(int of) const {
  const auto& dims = graph_.inputs[slot(of)].dims;
  std::string text;
  for (std::size_t dim = dims.size(); dim-- > 0 && dims[dim] != (along_keys(of) ? depth_of(of) : shape_.key);)
    text = names_.size(dims[dim]) + (text.empty() ? "" : " * " + text);
  return text;
}

void AttentionEmitter::row_places() {
  if (many()) declare_places(shape_.row_indices, row_name(), false);
}

std::unique_ptr<LaunchEmitter> attention_emitter(const Program& program, const Plan& plan,
                                                 const std::vector<Launch>& launches, int number) {
  if (plan.kernels[slot(number - 1)].path == Path::attention_groups)
    return std::make_unique<GroupRowsEmitter>(program, plan, launches, number);
  if (plan.kernels[slot(number - 1)].beside == 1)
    return std::make_unique<OwnRowsEmitter>(program, plan, launches, number);
  return std::make_unique<SharedRowsEmitter>(program, plan, launches, number);
}

}  // namespace workbook::opt
