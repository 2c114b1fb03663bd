// Paths plain, product and attention: loop nests over tiles in shared memory.
#include <algorithm>

#include "optimizer/forms/nests/emit.h"

namespace workbook::opt {
namespace {

class TileEmitter final : public NestEmitter {
 public:
  using NestEmitter::NestEmitter;

  std::string kernel() override {
    for (int index = 0; index < static_cast<int>(graph_.indices.size()); ++index) {
      if (!is_cut(index)) continue;
      const Cut& cut = kernel_.cuts[slot(index)];
      out_.add("constexpr int {} = {};  // of {} {}", tile_name(plan_, index, number_), tiles_[slot(index)],
               names_.index(index),
               cut.loop > 1     ? "in a turn of the loop"
               : is_held(index) ? "at most"
                                : "in a block");
      if (cut.loop > 1 && cut.grid > 1) declare_part(index);
    }
    out_.add("constexpr int {} = {};", threads(), 32 * kernel_.warps);
    out_.raw("");
    open_kernel(false);
    body();
    out_.close();
    return out_.text();
  }

  std::string launch_lines() override {
    Lines lines;
    lines.set_depth(1);
    for (const int index : launch_.held)
      lines.add("if ({} > {}) return cudaErrorInvalidValue;", names_.size(index), extent(index));
    lines.add("const dim3 {}({}, {}, {});", own("grid"), blocks(0), blocks(1), blocks(2));
    std::string floats;
    for (int node = 0; node < static_cast<int>(nested_.layout.size()); ++node)
      if (nested_.is_shared[slot(node)])
        floats += fmt::format("{}{}{}", floats.empty() ? "" : " + ", node == nested_.rescale ? "2 * " : "",
                              elements(node));
    lines.add("const std::size_t {} = sizeof(float) * ({});", own("bytes"), floats.empty() ? "0" : floats);
    const std::string name = kernel_name(program_, plan_, number_);
    lines.open(fmt::format("if ({} > 48 * 1024)", own("bytes")));
    lines.add(
        "const cudaError_t refused = cudaFuncSetAttribute({}, cudaFuncAttributeMaxDynamicSharedMemorySize,",
        name);
    lines.add("                                                 static_cast<int>({}));", own("bytes"));
    lines.add("if (refused != cudaSuccess) return refused;");
    lines.close();
    lines.add("{}", launch_line(own("grid"), threads(), own("bytes")));
    return lines.text();
  }

 private:
  std::string blocks(int axis) const {
    const int index = index_of(axis);
    return index < 0 ? "1" : parts_text(plan_, index, number_);
  }

  void body() {
    std::string base = "shared_memory";
    bool any = false;
    for (std::size_t node = 0; node < nested_.layout.size(); ++node) {
      if (!nested_.is_shared[node]) continue;
      if (!any) out_.add("extern __shared__ float shared_memory[];");
      any = true;
      const auto place = [&](const std::string& name) {
        out_.add("float* const {} = {};", name, base);
        base = fmt::format("{} + {}", name, elements(static_cast<int>(node)));
      };
      place(tile(static_cast<int>(node)));
      if (static_cast<int>(node) == nested_.rescale) place(rescale(static_cast<int>(node)));
    }
    coordinates();
    const bool by_warps = std::any_of(nested_.nests.begin(), nested_.nests.end(),
                                      [](const Nest& nest) { return nest.kind == Nest::sum; });
    if (by_warps) out_.add("const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;");
    for (const Nest& nest : nested_.nests)
      if (nest.kind == Nest::product && nested_.in_registers[slot(nest.nodes.front())] &&
          !is_in_loop(nest.nodes.front()))
        out_.add("float {}[{}] = {{}};  // the thread's elements", sums(nest.nodes.front()), items(nest));
    for (int stage = kBefore; stage <= kLast; ++stage) {
      std::vector<const Nest*> nests;
      for (const Nest& nest : nested_.nests)
        if (nest.stage == stage) nests.push_back(&nest);
      if (nests.empty()) continue;
      if (stage % 2 == 0) {
        stage_lines(nests, stage == kLast || !later(stage));
        continue;
      }
      clear(nests);
      const std::string name = names_.index(launch_.loop);
      const bool part = kernel_.cuts[slot(launch_.loop)].grid > 1;
      out_.open(fmt::format("for (int {0}_first = {1}; {0}_first < {2}; {0}_first += {3})", name,
                            part ? name + "_begin" : "0", part ? name + "_end" : names_.size(launch_.loop),
                            extent(launch_.loop)));
      stage_lines(nests, false);
      out_.close();
    }
  }
  bool later(int stage) const {
    return std::any_of(nested_.nests.begin(), nested_.nests.end(),
                       [&](const Nest& nest) { return nest.stage > stage; });
  }
  /// Where the block's part of each index begins.
  void coordinates() {
    for (int axis = 0; axis < kMostGridIndices; ++axis) {
      const int index = index_of(axis);
      if (index < 0) continue;
      const std::string name = names_.index(index), part = part_name(plan_, index, number_);
      if (index != launch_.loop) {
        out_.add("const int {}_first = blockIdx.{} * {};", name, "xyz"[axis], part);
      } else {
        out_.add("const int {}_begin = blockIdx.{} * {};", name, "xyz"[axis], part);
        out_.add("const int {0}_end = min({0}_begin + {1}, {2});", name, part, names_.size(index));
      }
      if (index == launch_.split) out_.add("const int {}_part = blockIdx.{};", name, "xyz"[axis]);
    }
    declare_parts();
  }

  /// Sums that a loop adds to begin at 0.
  void clear(const std::vector<const Nest*>& nests) {
    bool any = false;
    for (const Nest* nest : nests)
      for (const int node : nest->nodes)
        if (launch_.accumulates(graph_, node) && !nested_.in_registers[slot(node)]) {
          out_.add("for (int i = threadIdx.x; i < {}; i += {}) {}[i] = {};", elements(node), threads(),
                   tile(node),
                   node == launch_.running                  ? "-3.402823466e38f"  // less it stays a float
                   : graph_.nodes[slot(node)].op == Op::max ? "-INFINITY"
                                                            : "0.0f");
          any = true;
        }
    if (any) out_.add("__syncthreads();");
  }

  void stage_lines(const std::vector<const Nest*>& nests, bool last_stage) {
    int level = nests.front()->level;
    for (std::size_t n = 0; n < nests.size(); ++n) {
      if (nests[n]->level != level) {
        out_.add("__syncthreads();");
        level = nests[n]->level;
      }
      emit_nest(*nests[n]);
    }
    if (!last_stage) out_.add("__syncthreads();");
  }
};

}  // namespace

std::unique_ptr<LaunchEmitter> nest_emitter(const Program& program, const Plan& plan,
                                            const std::vector<Launch>& launches, int number) {
  return std::make_unique<TileEmitter>(program, plan, launches, number);
}

}  // namespace workbook::opt
