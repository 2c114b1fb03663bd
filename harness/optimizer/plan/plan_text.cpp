// A plan in words, and the extents that it is for.
#include <fmt/format.h>

#include "optimizer/language/text.h"
#include "optimizer/plan/plan.h"

namespace workbook::opt {

std::string_view name_of(Path path) {
  static constexpr std::string_view kNames[] = {
      "plain", "row",   "product", "attention", "tensor",        "tensor attention",
      "gemv",  "strip", "turned",  "window",    "tensor groups", "attention groups"};
  return kNames[static_cast<int>(path)];
}

std::string plan_text(const Program& program, const Plan& plan, const Extents& extents) {
  std::string text;
  const std::vector<Launch> launches = launches_of(program, plan);
  for (std::size_t k = 0; k < launches.size(); ++k) {
    const Kernel& kernel = plan.kernels[k];
    std::string cuts, nodes;
    const auto part = [&](std::string_view what, int index, int parts) {
      cuts += fmt::format(", {} {} in {} of {}", what, plan.graph.indices[slot(index)].name, parts,
                          tile_of(kernel, index, extents[slot(index)]));
    };
    for (const int index : launches[k].grid) part("grid", index, kernel.cuts[slot(index)].grid);
    if (launches[k].loop >= 0) part("loop", launches[k].loop, kernel.cuts[slot(launches[k].loop)].loop);
    for (const int node : node_list(kernel.nodes))
      nodes += fmt::format("    t{} = {}\n", node - static_cast<int>(plan.graph.inputs.size()) + 1,
                           node_text(plan.graph, node));
    std::string stages = kernel.stages > kNoStages    ? fmt::format(", {} stages", kernel.stages)
                         : kernel.stages == kNoStages ? ", in registers"
                                                      : "";
    if (kernel.beside > 1)
      stages += kernel.path == Path::row             ? fmt::format(", {} rows a block", kernel.beside)
                : kernel.path == Path::strip         ? fmt::format(", {} threads side by side", kernel.beside)
                : kernel.path == Path::turned        ? fmt::format(", tiles of {0} x {0}", kernel.beside)
                : kernel.path == Path::window        ? fmt::format(", {} neighbours a thread", kernel.beside)
                : kernel.path == Path::tensor_groups ? fmt::format(", {} blocks share sums", kernel.beside)
                : kernel.path == Path::tensor ? fmt::format(", {} warps beside each other", kernel.beside)
                                              : fmt::format(", {} warps for 16 rows", kernel.beside);
    if (kernel.path == Path::window && kernel.down > 1)
      stages += fmt::format(", {} rows a thread", kernel.down);
    else if (kernel.path == Path::tensor_groups)
      stages += fmt::format(", {} rows for four warps", 64 * kernel.down);
    else if (kernel.down > 1)
      stages += fmt::format(", {} rows a warp", 16 * kernel.down);
    text += fmt::format("  launch {}, path {}, {} warps{}{}\n{}", k + 1, name_of(kernel.path), kernel.warps,
                        stages, cuts, nodes);
  }
  return text;
}

}  // namespace workbook::opt
